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
// The state is flat and small, 1.6 KB at 9x9: a search keeps one for each level
// and copies, and nothing is ever undone. At 225x225, with 11 million
// candidates, it is 3 MB.

// Candidates are the candidates left in a puzzle, and the digits placed.
type Candidates struct {
	rules  *Rules
	layout *layout

	alive  []uint64 // by candidate, as layout numbers them
	groups []uint32 // by group: how many are left, and the exclusive or of them
	digits []uint8  // by cell, 0 if not placed
	open   int      // cells not placed
	broken bool     // a contradiction was found

	queue  []uint32 // groups that came down to one candidate,
	queued int      // of which so many are not looked at yet
	cages  *cages   // nil without
}

// In the word of a group the count stands above the exclusive or.
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
		if digit == 0 {
			continue
		}
		if digit < 0 || digit > c.layout.size || !c.has(cell, digit-1) {
			return c.fail()
		}
		if c.place(cell, digit-1); c.broken {
			return false
		}
	}
	for candidate, possible := range g.Marks {
		if !possible && !c.Strike(candidate) {
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
// Solving is done here for the most part.
func (c *Candidates) place(cell, d int) {
	l := c.layout
	c.digits[cell] = uint8(d + 1)
	c.open--
	bit := uint64(1) << (cell % 64)
	for e, at := 0, cell/64; at < len(c.alive); e, at = e+1, at+l.words {
		if c.alive[at]&bit != 0 && e != d {
			c.alive[at] &^= bit
			c.take(cell, e)
		}
	}
	places := c.alive[d*l.words : (d+1)*l.words]
	if l.masks == nil {
		for _, peer := range c.rules.peers[cell] {
			if bit := uint64(1) << (peer % 64); places[peer/64]&bit != 0 {
				places[peer/64] &^= bit
				c.take(peer, d)
			}
		}
	} else {
		mask := l.masks[cell*l.words : (cell+1)*l.words]
		for w, m := range mask[:len(places)] {
			struck := places[w] & m
			places[w] &^= m
			for ; struck != 0; struck &= struck - 1 {
				c.take(64*w+bits.TrailingZeros64(struck), d)
			}
		}
	}
	if c.cages != nil {
		c.cages.touch(c.rules.caged[cell])
	}
}

// Strike rules a candidate out. It returns false at a contradiction: if nothing
// is left of one of its groups. To strike it again changes nothing.
func (c *Candidates) Strike(candidate int) bool {
	cell, d := candidate/c.layout.size, candidate%c.layout.size
	if !c.broken && c.has(cell, d) {
		c.strike(cell, d)
	}
	return !c.broken
}

// strike rules out a candidate that is left.
func (c *Candidates) strike(cell, d int) {
	c.alive[d*c.layout.words+cell/64] &^= 1 << (cell % 64)
	c.take(cell, d)
}

// take takes a candidate that was struck from its groups.
func (c *Candidates) take(cell, d int) {
	l := c.layout
	minus := uint32(d*l.words*64 + cell)
	c.takeFrom(uint32(cell), minus)
	if l.fixed == 3 {
		b := l.bases[3*cell : 3*cell+3]
		c.takeFrom(b[0]+uint32(d), minus)
		c.takeFrom(b[1]+uint32(d), minus)
		c.takeFrom(b[2]+uint32(d), minus)
	} else {
		for _, base := range l.bases[l.start[cell]:l.start[cell+1]] {
			c.takeFrom(base+uint32(d), minus)
		}
	}
	if c.cages != nil {
		c.cages.touch(c.rules.caged[cell])
	}
}

// takeFrom takes a candidate from a group.
func (c *Candidates) takeFrom(group, x uint32) {
	left := (c.groups[group] - countOne) ^ x
	c.groups[group] = left
	if left < 2*countOne {
		c.low(group, left)
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
	stride := uint32(c.layout.words * 64)
	for {
		for c.queued > 0 && !c.broken {
			c.queued--
			x := c.groups[c.queue[c.queued]] & xorMask
			if cell := int(x % stride); c.digits[cell] == 0 {
				c.place(cell, int(x/stride))
			}
		}
		if c.broken || c.cages == nil || !c.cages.next(c) {
			return !c.broken
		}
	}
}

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
// With cages it is to be asked after Singles.
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
	n := c.layout.size
	if group < len(c.digits) {
		for d := range n {
			if c.has(group, d) {
				buf = append(buf, group*n+d)
			}
		}
		return buf
	}
	h, d := c.rules.house(group)
	for _, cell := range c.rules.houses[h].Cells {
		if c.has(cell, d) {
			buf = append(buf, cell*n+d)
		}
	}
	return buf
}

// CopyFrom makes c what o is, which must be of the same rules. It allocates
// nothing.
func (c *Candidates) CopyFrom(o *Candidates) {
	copy(c.alive, o.alive)
	copy(c.groups, o.groups)
	copy(c.digits, o.digits)
	c.open, c.broken = o.open, o.broken
	c.queued = copy(c.queue, o.queue[:o.queued])
	if c.cages != nil {
		c.cages.copyFrom(o.cages)
	}
}
