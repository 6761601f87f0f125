package scale

import (
	"iter"
	"math/bits"
)

// Houses are numbered: nine boxes, nine rows, nine columns. A technique takes the first step that it
// finds, so the order of houses is part of the scale: boxes, columns and rows for patterns, boxes, rows
// and columns for chains.
const (
	boxes   = 0
	rows    = 9
	columns = 18
)

// patternOrder has the first houses of each kind in the order of patterns.
var patternOrder = [3]int{boxes, columns, rows}

// A candidate is 9*cell + digit, with digits from 0.
type candidate = int16

// A peer is a cell that shares a house with another one.
type peer struct {
	cell int
	kind int8 // the first kind of house that both share: 0 a box, 1 a row, 2 a column
}

var (
	houses   [27][9]int     // by house and place: the cell
	houseOf  [81][3]int     // by cell and kind: the house
	placeIn  [81][3]int     // by cell and kind: the place in the house
	peers    [81][20]peer   // by cell: the others of its box, its row, and its column
	seen     [81]cellSet    // by cell: the same as a set
	cellsOf  [27]cellSet    // by house: its cells
	overlap  [27][27]uint16 // by two houses: the places of the first that lie in the second
	subsets  [8][]uint16    // by size: the subsets of nine, ascending
	allNine  = uint16(1<<9 - 1)
	oneDigit [512]int8 // by set: its only member, or -1
)

func init() {
	for cell := range 81 {
		row, column := cell/9, cell%9
		for kind, at := range [3][2]int{{row/3*3 + column/3, row%3*3 + column%3}, {row, column}, {column, row}} {
			house := 9*kind + at[0]
			houses[house][at[1]] = cell
			cellsOf[house].add(cell)
			houseOf[cell][kind], placeIn[cell][kind] = house, at[1]
		}
	}
	for cell := range 81 {
		n := 0
		for kind, house := range houseOf[cell] {
			for _, other := range houses[house] {
				if other != cell && !seen[cell].has(other) {
					seen[cell].add(other)
					peers[cell][n] = peer{other, int8(kind)}
					n++
				}
			}
		}
	}
	for a := range 27 {
		for b := range 27 {
			for place, cell := range houses[a] {
				if houseOf[cell][b/9] == b {
					overlap[a][b] |= 1 << place
				}
			}
		}
	}
	for set := range uint16(512) {
		if n := bits.OnesCount16(set); n < len(subsets) {
			subsets[n] = append(subsets[n], set)
		}
		oneDigit[set] = -1
		if bits.OnesCount16(set) == 1 {
			oneDigit[set] = int8(bits.TrailingZeros16(set))
		}
	}
}

// A cellSet is a set of cells.
type cellSet [2]uint64

func (s *cellSet) add(cell int) { s[cell>>6] |= 1 << (cell & 63) }

func (s *cellSet) has(cell int) bool { return s[cell>>6]>>(cell&63)&1 != 0 }

func (s cellSet) and(t cellSet) cellSet { return cellSet{s[0] & t[0], s[1] & t[1]} }

func (s cellSet) or(t cellSet) cellSet { return cellSet{s[0] | t[0], s[1] | t[1]} }

func (s cellSet) size() int { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }

// all yields the cells of a set, ascending.
func (s cellSet) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(64*i + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// A position has the candidates left.
type position struct {
	open   [81]bool      // cells without a digit
	digits [81]uint16    // by cell: the digits left; empty after a digit is placed
	spots  [27][9]uint16 // by house and digit: the places left
	empty  [27]int8      // by house: the number of open cells
	placed [9]int8       // by digit: how often it is placed
}

// reset makes all cells open, with all digits.
func (p *position) reset() {
	*p = position{}
	for cell := range 81 {
		p.open[cell], p.digits[cell] = true, allNine
	}
	for house := range 27 {
		p.empty[house] = 9
		for digit := range 9 {
			p.spots[house][digit] = allNine
		}
	}
}

// has reports whether a candidate is left.
func (p *position) has(c candidate) bool { return p.digits[c/9]>>(c%9)&1 != 0 }

// remove eliminates a candidate.
func (p *position) remove(c candidate) {
	cell, digit := int(c)/9, int(c)%9
	p.digits[cell] &^= 1 << digit
	for kind, house := range houseOf[cell] {
		p.spots[house][digit] &^= 1 << placeIn[cell][kind]
	}
}

// cellsWith returns the cells of each digit that is left.
func (p *position) cellsWith() (with [9]cellSet) {
	for cell, digits := range p.digits {
		for ; digits != 0; digits &= digits - 1 {
			with[bits.TrailingZeros16(digits)].add(cell)
		}
	}
	return with
}

// place writes a digit, and eliminates the candidates that it excludes.
func (p *position) place(c candidate) {
	cell, digit := int(c)/9, int(c)%9
	for d := range 9 {
		p.remove(candidate(9*cell + d))
	}
	for _, q := range &peers[cell] {
		p.remove(candidate(9*q.cell + digit))
	}
	p.open[cell] = false
	p.placed[digit]++
	for _, house := range houseOf[cell] {
		p.empty[house]--
	}
}

// A step is a conclusion of a technique.
type step struct {
	name    string
	rating  float64
	placed  candidate // -1 if no digit is placed
	off     []candidate
	premise []candidate // candidates that the pattern excludes; within a chain they have the parents of the step
}

// A board is a position with scratch for the techniques.
type board struct {
	position
	found step
	done  func() bool // whether the search is to end
}

// begin returns the step of the board, made empty.
func (b *board) begin(name string, rating float64) *step {
	b.found = step{name: name, rating: rating, placed: -1, off: b.found.off[:0], premise: b.found.premise[:0]}
	return &b.found
}

// addDigits appends the candidates of a cell with digits of a set.
func addDigits(list []candidate, cell int, digits uint16) []candidate {
	for ; digits != 0; digits &= digits - 1 {
		list = append(list, candidate(9*cell+bits.TrailingZeros16(digits)))
	}
	return list
}

// addPlaces appends the candidates of a digit at places of a house.
func addPlaces(list []candidate, house, digit int, places uint16) []candidate {
	for ; places != 0; places &= places - 1 {
		list = append(list, candidate(9*houses[house][bits.TrailingZeros16(places)]+digit))
	}
	return list
}

// count returns the number of members of a set of digits or places.
func count(set uint16) int { return bits.OnesCount16(set) }

// union returns the members of the sets of a list that are selected by places, or ok false if one of
// these has fewer than two members.
func union(sets *[9]uint16, places uint16) (all uint16, ok bool) {
	for ; places != 0; places &= places - 1 {
		set := sets[bits.TrailingZeros16(places)]
		if set&(set-1) == 0 {
			return 0, false
		}
		all |= set
	}
	return all, true
}
