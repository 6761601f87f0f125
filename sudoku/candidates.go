package sudoku

import (
	"fmt"
	"math/bits"
)

// Candidates are what the digits placed so far leave of a puzzle, and this file
// draws the two plain conclusions: a cell with one candidate left has that digit
// (a naked single), and so has the only place left for a digit in a house (a
// hidden single).
//
// Both are the same, the last candidate of a group, and to find it takes no
// list. For each group one word has the number of candidates left and the
// exclusive or of their numbers. To strike a candidate is to take it from the
// words of its groups; when a count comes to one, the rest of the word is the
// single. It is queued, once, since counts only fall.
//
// The state is flat and small, 4 KB at 9x9: a search keeps one for each level
// and copies, and nothing is ever undone. At 225x225, with 11 million
// candidates, it is 4 MB.
//
// What did not help: to have no counts, and to find singles by operations on the
// sets of places. That takes hardly more than a count for all cells at once, but
// as long as striking a hundred candidates for all houses, and few of them
// change between two placings.

// Candidates are the candidates left in a puzzle, and the digits placed.
type Candidates struct {
	rules  *Rules
	layout *layout

	alive  []uint64 // by digit: the set of places left
	groups []uint32 // by group: how many candidates are left, and the exclusive or of them
	seen   []uint32 // by digit in house: the word of the group when Locked saw it last
	digits []uint8  // by cell, 0 if not placed
	open   int      // cells not placed
	broken bool     // a contradiction was found

	queue  []uint32 // groups that came down to one candidate,
	queued int      // of which so many are not looked at yet
	cages  *cages   // nil without
}

// In the word of a group the count stands above the exclusive or. Both fit:
// there are at most MaxSize candidates in a group, and MaxSize^3 in all.
const (
	countShift = 24
	countOne   = 1 << countShift
	xorMask    = countOne - 1
)

// NewCandidates returns the candidates of an empty grid: all.
func NewCandidates(r *Rules) *Candidates {
	l := r.layout()
	c := allocate(r, l)
	c.CopyFrom(l.fresh)
	return c
}

// Rules returns the rules of the puzzle.
func (c *Candidates) Rules() *Rules { return c.rules }

// Load starts afresh with a puzzle: its givens are placed and what its marks
// exclude is struck, with the direct consequences. It returns false at a
// contradiction. It panics if the size of the grid is another one.
func (c *Candidates) Load(g *Grid) bool {
	if len(g.Cells) != len(c.digits) {
		panic(fmt.Sprintf("sudoku: a grid of %d cells for candidates of %d", len(g.Cells), len(c.digits)))
	}
	c.CopyFrom(c.layout.fresh)
	for cell, digit := range g.Cells {
		switch {
		case digit == 0:
			continue
		case digit < 0 || digit > c.layout.size || !c.has(cell, digit-1):
			return c.fail()
		}
		if c.place(cell, digit-1); c.broken {
			return false
		}
	}
	for candidate, possible := range g.Marks {
		if !possible && !c.Eliminate(candidate) {
			return false
		}
	}
	return true
}

// fail notes a contradiction.
func (c *Candidates) fail() bool {
	c.broken = true
	return false
}

// Place puts a digit into a cell and strikes what excludes it: the other digits
// of the cell, and the same digit in all peers. It returns false at a
// contradiction: if the candidate was struck before, or nothing is left of a
// group. After a contradiction every call returns false, until Load or CopyFrom.
func (c *Candidates) Place(candidate int) bool {
	cell, d := candidate/c.layout.size, candidate%c.layout.size
	switch {
	case c.broken || !c.has(cell, d):
		return c.fail()
	case c.digits[cell] == 0:
		c.place(cell, d)
	}
	return !c.broken
}

// place puts digit d+1 into a cell without a digit, of which it is a candidate.
func (c *Candidates) place(cell, d int) {
	l := c.layout
	c.digits[cell] = uint8(d + 1)
	c.open--
	c.clear(cell, d)
	places := c.alive[d*l.words : (d+1)*l.words]
	if l.peers == nil {
		for _, peer := range c.rules.peers[cell] {
			if bit := uint64(1) << (peer % 64); places[peer/64]&bit != 0 {
				c.strike(peer/64, bit, d)
			}
		}
	} else {
		for w, peers := range l.peers[cell*l.words : (cell+1)*l.words] {
			if struck := places[w] & peers; struck != 0 {
				c.strike(w, struck, d)
			}
		}
	}
	if c.cages != nil {
		c.cages.touch(c.rules.caged[cell])
	}
}

// clear strikes all candidates of a cell but digit d+1.
func (c *Candidates) clear(cell, d int) {
	l := c.layout
	word, bit := cell/64, uint64(1)<<(cell%64)
	switch group := c.groups[cell]; group >> countShift {
	case 1:
		return
	case 2:
		_, other := l.split(group & xorMask)
		c.strike(word, bit, other^d)
		return
	}
	for from, at := 0, word; from < l.size; from += 64 {
		others := uint64(0) // of 64 digits
		for i := range min(l.size-from, 64) {
			others |= c.alive[at] >> (cell % 64) & 1 << i
			at += l.words
		}
		for ; others != 0; others &= others - 1 {
			if other := from + bits.TrailingZeros64(others); other != d {
				c.strike(word, bit, other)
			}
		}
	}
}

// Eliminate rules a candidate out. It returns false at a contradiction: if nothing
// is left of one of its groups. To strike it again changes nothing.
func (c *Candidates) Eliminate(candidate int) bool {
	cell, d := candidate/c.layout.size, candidate%c.layout.size
	if !c.broken && c.has(cell, d) {
		c.strike(cell/64, 1<<(cell%64), d)
	}
	return !c.broken
}

// strike rules out candidates that are left: digit d+1 in some cells of a word.
// Here is where solving takes its time; hence no function for each group.
func (c *Candidates) strike(word int, cells uint64, d int) {
	l, groups, digit := c.layout, c.groups, uint32(d)
	c.alive[d*l.words+word] &^= cells
	for ; cells != 0; cells &= cells - 1 {
		cell := 64*word + bits.TrailingZeros64(cells)
		x := l.number(cell, d)
		left := groups[cell] - countOne ^ x
		if groups[cell] = left; left < 2*countOne {
			c.low(uint32(cell), left)
		}
		if l.triples != nil {
			t := &l.triples[cell]
			g := t[0] + digit
			left = groups[g] - countOne ^ x
			if groups[g] = left; left < 2*countOne {
				c.low(g, left)
			}
			g = t[1] + digit
			left = groups[g] - countOne ^ x
			if groups[g] = left; left < 2*countOne {
				c.low(g, left)
			}
			g = t[2] + digit
			left = groups[g] - countOne ^ x
			if groups[g] = left; left < 2*countOne {
				c.low(g, left)
			}
			if c.cages == nil {
				continue
			}
		} else {
			for _, base := range l.bases[l.start[cell]:l.start[cell+1]] {
				g := base + digit
				left = groups[g] - countOne ^ x
				if groups[g] = left; left < 2*countOne {
					c.low(g, left)
				}
			}
		}
		if c.cages != nil {
			c.cages.touch(c.rules.caged[cell])
		}
	}
}

// low notes that a group has one candidate left, or none.
func (c *Candidates) low(group, left uint32) {
	if left < countOne {
		c.broken = true
		return
	}
	c.queue[c.queued] = group
	c.queued++
}

// Singles places what is the only candidate left of a group, until there is no
// such group, and strikes what the sums of cages exclude. It returns false at a
// contradiction.
func (c *Candidates) Singles() bool {
	l := c.layout
	for {
		for c.queued > 0 && !c.broken {
			c.queued--
			cell, d := l.split(c.groups[c.queue[c.queued]] & xorMask)
			if c.digits[cell] == 0 {
				c.place(cell, d)
			}
		}
		if c.broken || c.cages == nil || !c.cages.next(c) {
			return !c.broken
		}
	}
}

// has reports whether digit d+1 is left in a cell.
func (c *Candidates) has(cell, d int) bool {
	return c.alive[d*c.layout.words+cell/64]>>(cell%64)&1 != 0
}

// Has reports whether a candidate is left.
func (c *Candidates) Has(candidate int) bool {
	return c.has(candidate/c.layout.size, candidate%c.layout.size)
}

// Digit returns the digit placed in a cell, 0 if there is none.
func (c *Candidates) Digit(cell int) int { return int(c.digits[cell]) }

// Left returns how many candidates of a group are left.
func (c *Candidates) Left(group int) int { return int(c.groups[group] >> countShift) }

// Solved reports whether every cell has a digit, and no contradiction was found.
// It is to be asked after Singles, which looks at cages.
func (c *Candidates) Solved() bool { return c.open == 0 && !c.broken }

// Open returns the number of cells without a digit.
func (c *Candidates) Open() int { return c.open }

// Cells returns the digits placed, by cell.
func (c *Candidates) Cells() []int {
	cells := make([]int, len(c.digits))
	for cell, digit := range c.digits {
		cells[cell] = int(digit)
	}
	return cells
}

// Live appends those candidates of a group that are left to buf, ascending.
func (c *Candidates) Live(group int, buf []int) []int {
	l := c.layout
	if group < l.cells {
		for d := range l.size {
			if c.has(group, d) {
				buf = append(buf, group*l.size+d)
			}
		}
		return buf
	}
	h, d := c.rules.house(group)
	for _, s := range l.spans[l.first[h]:l.first[h+1]] {
		for set := c.alive[d*l.words+int(s.word)] & s.cells; set != 0; set &= set - 1 {
			buf = append(buf, (64*int(s.word)+bits.TrailingZeros64(set))*l.size+d)
		}
	}
	return buf
}

// CopyFrom makes c what o is, which must be of the same rules. It allocates
// nothing.
func (c *Candidates) CopyFrom(o *Candidates) {
	copy(c.alive, o.alive)
	copy(c.groups, o.groups)
	copy(c.seen, o.seen)
	copy(c.digits, o.digits)
	c.open, c.broken = o.open, o.broken
	c.queued = copy(c.queue, o.queue[:o.queued])
	if c.cages != nil {
		c.cages.copyFrom(o.cages)
	}
}
