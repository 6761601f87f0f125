package technique

import (
	"fmt"
	"math/bits"
	"slices"
)

// Unique rectangles. Four cells in two rows and two columns have the same two digits x
// and y among their candidates. If they had no others in the solution, x and y could
// change places, and the puzzle would have two solutions. So one of the cells with other
// candidates (the roof) has one of these. The types:
//
//	1  a single roof cell: it is neither x nor y
//	2  the roof cells have one other digit: no cell that sees all of them has it
//	3  the other digits of two roof cells form a naked subset with cells of a house
//	4  the only places of x in a house are two roof cells: neither of them is y
//	6  x has no places beside the rectangle in its two rows or columns, and two roof cells are
//	   on a diagonal: neither of them is x
//
// Type 2 with roof cells on a diagonal, or three, is often counted as type 5. A rectangle is hidden
// if three of its cells may have other candidates.
//
// The exchange must keep all rules. So each house must contain none of the cells, or two
// of them in a row or column; puzzles with cages or knights' moves have no unique
// rectangles. And no cell is a given, since the digits of givens cannot be exchanged.
//
// If the givens alone have one solution (Board.Alone), the exchange may use candidates that are
// eliminated, and digits that are placed: cells lack x or y, and a rectangle with a placed digit is called
// avoidable. Otherwise pencil marks may be a part of the puzzle, which has one solution among the marked
// candidates: the exchange keeps to these.

// rectangle has four cells, row by row, and two digits.
type rectangle struct {
	cells [4]int
	pair  uint64
}

// rectangles finds unique rectangles, or those that have placed digits.
func rectangles(avoidable bool) func(*Board, func(*Step) bool) {
	return func(b *Board, use func(*Step) bool) {
		if b.noExchange == "" && (b.Alone || !avoidable) {
			b.rectangles(avoidable, use)
		}
	}
}

func (b *Board) rectangles(avoidable bool, use func(*Step) bool) {
	n := b.size
	for first := 0; first < b.rules.Rows(); first += n {
		rows := b.rules.Houses()[first : first+n]
		for top := range n {
			for bottom := top + 1; bottom < n; bottom++ {
				for left := range n {
					for right := left + 1; right < n; right++ {
						cells := [4]int{rows[top].Cells[left], rows[top].Cells[right], rows[bottom].Cells[left], rows[bottom].Cells[right]}
						if b.hasPlaced(cells) == avoidable && !b.rectanglesOf(cells, use) {
							return
						}
					}
				}
			}
		}
	}
}

// hasPlaced reports whether one of four cells has its digit.
func (b *Board) hasPlaced(cells [4]int) bool {
	return b.placed[cells[0]] || b.placed[cells[1]] || b.placed[cells[2]] || b.placed[cells[3]]
}

// rectanglesOf finds the steps of four cells. The pair is that of a cell, or of two cells together.
func (b *Board) rectanglesOf(cells [4]int, use func(*Step) bool) bool {
	var pairs []uint64
	for i, cell := range cells {
		for _, other := range cells[i:] {
			pair := b.digits[cell] | b.digits[other]
			if bits.OnesCount64(pair) == 2 && !slices.Contains(pairs, pair) && b.swappable(cells, pair) {
				pairs = append(pairs, pair)
			}
		}
	}
	for _, pair := range pairs {
		if b.exchangeable(cells) && !b.rectangleSteps(rectangle{cells, pair}, use) {
			return false
		}
	}
	return true
}

// swappable reports whether four cells may have the digits of a pair in turn.
func (b *Board) swappable(cells [4]int, pair uint64) bool {
	if !b.Alone {
		return b.allHave(cells[:], pair)
	}
	for _, cell := range cells {
		if b.given[cell] || b.digits[cell]&pair == 0 {
			return false
		}
	}
	return true
}

// exchangeable reports whether each house contains none of four cells, or two of them in
// a row or column.
func (b *Board) exchangeable(cells [4]int) bool {
	for _, cell := range cells {
		for _, s := range b.spots[cell] {
			inside := 0
			for i, other := range cells {
				if b.inHouse(other, s.house) {
					inside |= 1 << i
				}
			}
			switch inside {
			case 0b0011, 0b1100, 0b0101, 0b1010:
			default:
				return false
			}
		}
	}
	return true
}

// inHouse reports whether a cell is in a house.
func (b *Board) inHouse(cell, house int) bool {
	for _, s := range b.spots[cell] {
		if s.house == house {
			return true
		}
	}
	return false
}

// rectangleSteps finds the steps of all types.
func (b *Board) rectangleSteps(r rectangle, use func(*Step) bool) bool {
	var roof []int
	others := uint64(0)
	for _, cell := range r.cells {
		if more := b.digits[cell] &^ r.pair; more != 0 {
			roof = append(roof, cell)
			others |= more
		}
	}
	switch {
	case len(roof) == 0:
		return true
	case len(roof) == 1:
		return b.useRectangle(r, 1, nil, b.candidatesIn(roof, r.pair), use)
	case bits.OnesCount64(others) == 1:
		if !b.useRectangle(r, 2, nil, b.seenByAll(bits.TrailingZeros64(others), roof, nil), use) {
			return false
		}
	case len(roof) == 2 && !b.roofSubset(r, roof, others, use):
		return false
	}
	return len(roof) != 2 || b.roofPair(r, roof, use) && b.roofDiagonal(r, roof, use)
}

// candidatesIn returns the candidates of some digits in some cells.
func (b *Board) candidatesIn(cells []int, set uint64) []int {
	var list []int
	for _, cell := range cells {
		for _, digit := range digitsOf(b.digits[cell] & set) {
			list = append(list, b.rules.Candidate(cell, digit))
		}
	}
	return list
}

// useRectangle calls use for a step of a rectangle, if it eliminates something. The
// premises are its cells with two digits and, unless the type is 1 or 4, its roof.
func (b *Board) useRectangle(r rectangle, kind int, more, eliminated []int, use func(*Step) bool) bool {
	if len(eliminated) == 0 {
		return true
	}
	s := &Step{Placed: -1, Eliminated: eliminated, cells: r.cells[:], digits: digitsOf(r.pair), kind: kind}
	for _, cell := range r.cells {
		if b.digits[cell]&^r.pair == 0 || kind == 2 || kind == 3 {
			s.groups = append(s.groups, cell)
		}
	}
	s.groups = append(s.groups, more...)
	if kind == 3 {
		s.Rating = Difficulty(len(more))
	}
	return use(s)
}

// roofSubset finds type 3: cells of a house that form a naked subset with the other
// digits of the roof, which count as one cell.
func (b *Board) roofSubset(r rectangle, roof []int, others uint64, use func(*Step) bool) bool {
	for _, at := range b.spots[roof[0]] {
		more := b.virtualSubsets(at.house, roof, others, func(cells, eliminated []int) bool {
			return b.useRectangle(r, 3, cells, eliminated, use)
		})
		if !more {
			return false
		}
	}
	return true
}

// virtualSubsets finds naked subsets of a house in which some cells of it count as one cell with
// some digits, since one of these cells has one of these digits. It calls use with the other cells
// of the subset and the candidates that it eliminates, until use returns false. It finds nothing
// if one of the cells is not in the house.
func (b *Board) virtualSubsets(house int, together []int, digits uint64, use func(cells, eliminated []int) bool) bool {
	for _, cell := range together {
		if !b.inHouse(cell, house) {
			return true
		}
	}
	words := make([]uint64, b.size+1)
	words[b.size] = digits
	for i, cell := range b.rules.Houses()[house].Cells {
		if !slices.Contains(together, cell) && !b.placed[cell] {
			words[i] = b.digits[cell]
		}
	}
	for k := 2; k <= 4; k++ {
		more := subsets(words, k, func(chosen []int, union uint64) bool {
			if chosen[k-1] != b.size {
				return true
			}
			var cells []int
			for _, i := range chosen[:k-1] {
				cells = append(cells, b.rules.Houses()[house].Cells[i])
			}
			return use(cells, b.inRestOf(union, slices.Concat(cells, together)))
		})
		if !more {
			return false
		}
	}
	return true
}

// inRestOf returns the candidates of some digits in all houses that contain some cells, without these
// cells.
func (b *Board) inRestOf(set uint64, without []int) []int {
	var rest []int
	for _, at := range b.spots[without[0]] {
		if slices.ContainsFunc(without, func(cell int) bool { return !b.inHouse(cell, at.house) }) {
			continue
		}
		for _, cell := range b.rules.Houses()[at.house].Cells {
			if !slices.Contains(without, cell) && !slices.Contains(rest, cell) {
				rest = append(rest, cell)
			}
		}
	}
	slices.Sort(rest)
	return b.candidatesIn(rest, set)
}

// roofPair finds type 4: a digit of the pair whose only places in a house are the roof.
func (b *Board) roofPair(r rectangle, roof []int, use func(*Step) bool) bool {
	for _, at := range b.spots[roof[0]] {
		if !b.inHouse(roof[1], at.house) {
			continue
		}
		for _, digit := range digitsOf(r.pair & b.digits[roof[0]] & b.digits[roof[1]]) {
			if bits.OnesCount64(b.places[at.house*b.size+digit-1]) != 2 {
				continue
			}
			locked := []int{b.groupOf(at.house, digit-1)}
			if !b.useRectangle(r, 4, locked, b.candidatesIn(roof, r.pair&^(1<<(digit-1))), use) {
				return false
			}
		}
	}
	return true
}

// roofDiagonal finds type 6: the roof is on a diagonal, and a digit of the pair has no places beside the
// rectangle in its two rows, or its two columns. In both diagonals with this digit on the roof the other
// one is in the other corners.
func (b *Board) roofDiagonal(r rectangle, roof []int, use func(*Step) bool) bool {
	if b.sees(roof[0], roof[1]) {
		return true
	}
	for _, digit := range digitsOf(r.pair) {
		for other := 1; other <= 2; other++ { // the rows, then the columns
			lines := [2]int{b.lineThrough(r.cells[0], r.cells[other]), b.lineThrough(r.cells[3], r.cells[3-other])}
			if b.confined(r, lines[0], digit) && b.confined(r, lines[1], digit) {
				groups := []int{b.groupOf(lines[0], digit-1), b.groupOf(lines[1], digit-1)}
				if !b.useRectangle(r, 6, groups, b.candidatesIn(roof, 1<<(digit-1)), use) {
					return false
				}
				break
			}
		}
	}
	return true
}

// confined reports whether a digit has places in a line in the rectangle alone.
func (b *Board) confined(r rectangle, line, digit int) bool {
	for _, cell := range b.cellsAt(line, b.places[line*b.size+digit-1], nil) {
		if !slices.Contains(r.cells[:], cell) {
			return false
		}
	}
	return true
}

// hiddenRectangles finds rectangles with a cell of the pair alone, and, in the opposite corner, a cell
// whose row and column have no place for a digit x beside the rectangle: if that cell were y, the two
// corners between would be x, and the first cell y.
func hiddenRectangles(b *Board, use func(*Step) bool) {
	if b.noExchange != "" {
		return
	}
	plan := b.rules.Plan()
	for near, pair := range b.digits {
		if bits.OnesCount64(pair) != 2 {
			continue
		}
		for far := range b.digits {
			at, to := plan.Place(near), plan.Place(far)
			if at.Row == to.Row || at.Col == to.Col {
				continue
			}
			r := rectangle{[4]int{near, plan.Cell(at.Row, to.Col), plan.Cell(to.Row, at.Col), far}, pair}
			if r.cells[1] < 0 || r.cells[2] < 0 || !b.swappable(r.cells, pair) || !b.exchangeable(r.cells) {
				continue
			}
			row, column := b.lineThrough(far, r.cells[2]), b.lineThrough(far, r.cells[1])
			for _, digit := range digitsOf(pair) {
				eliminated := b.candidatesIn([]int{far}, pair&^(1<<(digit-1)))
				if len(eliminated) == 0 || !b.confined(r, row, digit) || !b.confined(r, column, digit) {
					continue
				}
				s := &Step{
					Placed: -1, Eliminated: eliminated, cells: r.cells[:], digits: digitsOf(pair),
					groups: []int{near, b.groupOf(row, digit-1), b.groupOf(column, digit-1)},
				}
				if !use(s) {
					return
				}
			}
		}
	}
}

// allHave reports whether cells have all digits of a set.
func (b *Board) allHave(cells []int, set uint64) bool {
	return !slices.ContainsFunc(cells, func(cell int) bool { return b.digits[cell]&set != set })
}

func hiddenRectangleReason(b *Board, s *Step) string {
	return fmt.Sprintf("with only %d and %d in %s there would be two solutions (this assumes that there is one)", s.digits[0], s.digits[1], b.cellNames(s.cells))
}

func rectangleReason(b *Board, s *Step) string {
	return fmt.Sprintf("type %d: with only %d and %d in %s there would be two solutions (this assumes that there is one)",
		s.kind, s.digits[0], s.digits[1], b.cellNames(s.cells))
}
