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
// The state is flat and small, 2.2 KB at 9x9: a search keeps one for each level
// and copies, and nothing is ever undone. At 225x225, with 11 million
// candidates, it is 2.5 MB.

// Candidates are the candidates left in a puzzle, and the digits placed.
type Candidates struct {
	rules *Rules

	alive  []uint64 // by candidate
	groups []uint32 // by group: how many are left, and the exclusive or of them
	digits []uint8  // by cell, 0 if not placed
	open   int      // cells not placed
	broken bool     // a contradiction was found

	singles []uint32 // groups that came down to one candidate, not looked at yet
	cages   *cages   // nil without
}

// In the word of a group the count stands above the exclusive or.
const (
	countShift = 24
	countOne   = 1 << countShift
	xorMask    = countOne - 1
)

// NewCandidates returns the candidates of an empty grid: all.
func NewCandidates(r *Rules) *Candidates {
	n := r.variant.Size
	c := &Candidates{
		rules:   r,
		alive:   make([]uint64, (r.Cells()*n+63)/64),
		groups:  make([]uint32, r.Groups()),
		digits:  make([]uint8, r.Cells()),
		singles: make([]uint32, 0, r.Groups()),
	}
	if len(r.variant.Cages) > 0 {
		c.cages = newCages(r)
	}
	c.reset()
	return c
}

// reset makes everything possible.
func (c *Candidates) reset() {
	n := c.rules.variant.Size
	total := len(c.digits) * n
	for i := range c.alive {
		c.alive[i] = ^uint64(0)
	}
	if total%64 != 0 {
		c.alive[len(c.alive)-1] = 1<<(total%64) - 1
	}
	clear(c.groups)
	clear(c.digits)
	for cell := range c.digits {
		for d := range n {
			c.count(cell, d)
		}
	}
	c.open, c.broken = len(c.digits), false
	c.singles = c.singles[:0]
	if n == 1 {
		c.singles = append(c.singles, 0)
	}
	if c.cages != nil {
		c.cages.reset(c.rules)
	}
}

// count enters a candidate into its groups.
func (c *Candidates) count(cell, d int) {
	n := c.rules.variant.Size
	cand := uint32(cell*n + d)
	c.groups[cell] = (c.groups[cell] + countOne) ^ cand
	for _, h := range c.rules.of[cell] {
		g := &c.groups[len(c.digits)+h*n+d]
		*g = (*g + countOne) ^ cand
	}
}

// Rules returns the rules of the puzzle.
func (c *Candidates) Rules() *Rules { return c.rules }

// Load starts afresh with a puzzle: its givens are placed and what its marks
// exclude is struck, with the direct consequences. It returns false at a
// contradiction. It panics if the size of the grid is another one.
func (c *Candidates) Load(g *Grid) bool {
	n := c.rules.variant.Size
	if len(g.Cells) != len(c.digits) {
		panic(fmt.Sprintf("sudoku: a grid of %d cells for candidates of %d", len(g.Cells), len(c.digits)))
	}
	c.reset()
	for cell, digit := range g.Cells {
		if digit < 0 || digit > n || digit > 0 && !c.Place(cell*n+digit-1) {
			return c.fail()
		}
	}
	for cand, possible := range g.Marks {
		if !possible && !c.Strike(cand) {
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
	if c.broken || !c.Has(candidate) {
		return c.fail()
	}
	n := c.rules.variant.Size
	cell, d := candidate/n, candidate%n
	if c.digits[cell] != 0 {
		return true
	}
	c.digits[cell] = uint8(d + 1)
	c.open--
	for other := cell * n; other < cell*n+n; other++ {
		if other != candidate && !c.Strike(other) {
			return false
		}
	}
	for _, peer := range c.rules.peers[cell] {
		if !c.Strike(peer*n + d) {
			return false
		}
	}
	if c.cages != nil {
		c.cages.touch(c.rules.caged[cell])
	}
	return true
}

// Strike rules a candidate out. It returns false at a contradiction: if nothing
// is left of one of its groups. To strike it again changes nothing.
func (c *Candidates) Strike(candidate int) bool {
	if c.broken || !c.Has(candidate) {
		return !c.broken
	}
	c.alive[candidate/64] &^= 1 << (candidate % 64)
	n := c.rules.variant.Size
	cell, d := candidate/n, candidate%n
	ok := c.take(cell, candidate)
	for _, h := range c.rules.of[cell] {
		ok = c.take(len(c.digits)+h*n+d, candidate) && ok
	}
	if c.cages != nil {
		c.cages.touch(c.rules.caged[cell])
	}
	return ok || c.fail()
}

// take takes a candidate from a group.
func (c *Candidates) take(group, candidate int) bool {
	left := (c.groups[group] - countOne) ^ uint32(candidate)
	c.groups[group] = left
	if left < 2*countOne {
		c.singles = append(c.singles, uint32(group))
	}
	return left >= countOne
}

// Singles places what is the only candidate left of a group, until there is no
// such group, and strikes what the sums of cages exclude. It returns false at a
// contradiction.
func (c *Candidates) Singles() bool {
	for !c.broken {
		for len(c.singles) > 0 && !c.broken {
			g := c.singles[len(c.singles)-1]
			c.singles = c.singles[:len(c.singles)-1]
			c.Place(int(c.groups[g] & xorMask))
		}
		if c.broken || c.cages == nil || !c.cages.next(c) {
			break
		}
	}
	return !c.broken
}

// Has reports whether a candidate is left.
func (c *Candidates) Has(candidate int) bool {
	return c.alive[candidate/64]>>(candidate%64)&1 != 0
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
	r, n := c.rules, c.rules.variant.Size
	if group < len(c.digits) {
		for cand := group * n; cand < group*n+n; cand++ {
			if c.Has(cand) {
				buf = append(buf, cand)
			}
		}
		return buf
	}
	h, d := r.house(group)
	for _, cell := range r.houses[h].Cells {
		if c.Has(cell*n + d) {
			buf = append(buf, cell*n+d)
		}
	}
	return buf
}

// All appends all candidates left to buf, ascending.
func (c *Candidates) All(buf []int) []int {
	for i, word := range c.alive {
		for ; word != 0; word &= word - 1 {
			buf = append(buf, 64*i+bits.TrailingZeros64(word))
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
	c.singles = append(c.singles[:0], o.singles...)
	if c.cages != nil {
		c.cages.copyFrom(o.cages)
	}
}
