package sudoku

import (
	"fmt"
	"math/bits"
)

// Naked and hidden singles, the two basic rules of Sudoku. A cell with one
// candidate left has that digit (naked single); a digit with one place left in
// a house is in that place (hidden single).
//
// In terms of groups both are the same rule: the last candidate of an
// exactly-one constraint is true. The implementation needs no lists. One word
// per group stores the number of candidates left and the exclusive or of these
// candidates, packed (see layout). Eliminating a candidate subtracts it from the words of its groups.
// When a count falls to one, the exclusive or is the single, and
// the group is queued. A group is queued at most once because counts only fall.
//
// The state is flat and small, 4 KB at 9x9. A search therefore keeps one copy
// per level and copies it to branch; nothing is undone. At 225x225, with 11
// million candidates, the state has 4 MB.
//
// What did not help: finding singles with word operations on the bit sets of
// places, without counts. For the cells this costs hardly more than the counts.
// For the houses it costs as much as eliminating a hundred candidates, and few
// houses change between two placements.

// Candidates are the candidates left in a puzzle, and the digits placed.
type Candidates struct {
	rules  *Rules
	layout *layout

	alive  []uint64 // by digit: the bit set of cells that it is possible in
	groups []uint32 // by group: the number of candidates left, and the exclusive or of them, packed
	seen   []uint32 // by digit in house: the word of the group when Locked last processed it
	digits []uint8  // by cell: its digit, 0 if not placed
	open   int      // number of cells that are not placed
	broken bool     // a contradiction was found

	queue  []uint32 // groups with one candidate left
	queued int      // number of entries of queue that are not processed yet

	relations *relations // state of the propagation of cages and relations; nil without any
}

// In the word of a group the count is stored above the exclusive or. Both fit:
// a group has at most MaxSize candidates, and there are at most MaxSize^3
// candidates.
const (
	countShift = 24
	countOne   = 1 << countShift
	xorMask    = countOne - 1
)

// NewCandidates returns the candidates of an empty grid: all candidates are
// possible.
func NewCandidates(r *Rules) *Candidates {
	l := r.layout()
	c := allocate(r, l)
	c.CopyFrom(l.initial)
	return c
}

// Rules returns the rules of the puzzle.
func (c *Candidates) Rules() *Rules { return c.rules }

// Load replaces the candidates by those of a puzzle: it places the givens,
// eliminates the candidates that the marks exclude, and applies the direct
// consequences of both. It returns false at a contradiction. It panics if the
// grid has another size.
func (c *Candidates) Load(g *Grid) bool {
	if len(g.Cells) != len(c.digits) {
		panic(fmt.Sprintf("sudoku: Load of a grid of %d cells into candidates of %d", len(g.Cells), len(c.digits)))
	}
	c.CopyFrom(c.layout.initial)
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

// fail records a contradiction and returns false.
func (c *Candidates) fail() bool {
	c.broken = true
	return false
}

// Place puts a digit into a cell and eliminates the other digits of the cell
// and the same digit in all peers. It returns false at a contradiction: the
// candidate was eliminated before, or a group has no candidate left. After a
// contradiction every call returns false until Load or CopyFrom.
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

// place puts digit d+1, a remaining candidate, into a cell without a digit.
func (c *Candidates) place(cell, d int) {
	l := c.layout
	c.digits[cell] = uint8(d + 1)
	c.open--
	c.clearCell(cell, d)
	places := c.alive[d*l.words : (d+1)*l.words]
	if l.peers == nil {
		for _, peer := range c.rules.peers[cell] {
			if bit := uint64(1) << (peer % 64); places[peer/64]&bit != 0 {
				c.eliminate(peer/64, bit, d)
			}
		}
	} else {
		for w, peers := range l.peers[cell*l.words : (cell+1)*l.words] {
			if eliminated := places[w] & peers; eliminated != 0 {
				c.eliminate(w, eliminated, d)
			}
		}
	}
	if c.relations != nil {
		c.relations.enqueue(c.rules.relations[cell])
	}
}

// clearCell eliminates all candidates of a cell except digit d+1.
func (c *Candidates) clearCell(cell, d int) {
	l := c.layout
	word, bit := cell/64, uint64(1)<<(cell%64)
	switch group := c.groups[cell]; group >> countShift {
	case 1:
		return
	case 2:
		_, other := l.unpack(group & xorMask)
		c.eliminate(word, bit, other^d)
		return
	}
	for from, at := 0, word; from < l.size; from += 64 {
		others := uint64(0) // the candidates of the cell among 64 digits
		for i := range min(l.size-from, 64) {
			others |= c.alive[at] >> (cell % 64) & 1 << i
			at += l.words
		}
		for ; others != 0; others &= others - 1 {
			if other := from + bits.TrailingZeros64(others); other != d {
				c.eliminate(word, bit, other)
			}
		}
	}
}

// Eliminate removes a candidate. It returns false at a contradiction: a group
// of the candidate has no candidate left. Eliminating a candidate twice has no
// effect.
func (c *Candidates) Eliminate(candidate int) bool {
	cell, d := candidate/c.layout.size, candidate%c.layout.size
	if !c.broken && c.has(cell, d) {
		c.eliminate(cell/64, 1<<(cell%64), d)
	}
	return !c.broken
}

// eliminate removes remaining candidates: digit d+1 in the given cells of a
// word. Solving spends most of its time here, so the code for the three groups
// is written out instead of being a function.
func (c *Candidates) eliminate(word int, cells uint64, d int) {
	l, groups, digit := c.layout, c.groups, uint32(d)
	c.alive[d*l.words+word] &^= cells
	for ; cells != 0; cells &= cells - 1 {
		cell := 64*word + bits.TrailingZeros64(cells)
		x := l.pack(cell, d)
		left := groups[cell] - countOne ^ x
		if groups[cell] = left; left < 2*countOne {
			c.noteFew(uint32(cell), left)
		}
		if l.threeBases != nil {
			t := &l.threeBases[cell]
			g := t[0] + digit
			left = groups[g] - countOne ^ x
			if groups[g] = left; left < 2*countOne {
				c.noteFew(g, left)
			}
			g = t[1] + digit
			left = groups[g] - countOne ^ x
			if groups[g] = left; left < 2*countOne {
				c.noteFew(g, left)
			}
			g = t[2] + digit
			left = groups[g] - countOne ^ x
			if groups[g] = left; left < 2*countOne {
				c.noteFew(g, left)
			}
			if c.relations == nil {
				continue
			}
		} else {
			for _, base := range l.bases[l.firstBase[cell]:l.firstBase[cell+1]] {
				g := base + digit
				left = groups[g] - countOne ^ x
				if groups[g] = left; left < 2*countOne {
					c.noteFew(g, left)
				}
			}
		}
		if c.relations != nil {
			c.relations.enqueue(c.rules.relations[cell])
		}
	}
}

// noteFew queues a group with one candidate left, and records a contradiction
// for a group with 0 left.
func (c *Candidates) noteFew(group, left uint32) {
	if left < countOne {
		c.broken = true
		return
	}
	c.queue[c.queued] = group
	c.queued++
}

// Singles places naked and hidden singles and applies cages and relations until
// nothing changes. It returns false at a contradiction.
func (c *Candidates) Singles() bool {
	l := c.layout
	for {
		for c.queued > 0 && !c.broken {
			c.queued--
			cell, d := l.unpack(c.groups[c.queue[c.queued]] & xorMask)
			if c.digits[cell] == 0 {
				c.place(cell, d)
			}
		}
		if c.broken || c.relations == nil || !c.relations.propagateNext(c) {
			return !c.broken
		}
	}
}

// has reports whether digit d+1 is a candidate of a cell.
func (c *Candidates) has(cell, d int) bool {
	return c.alive[d*c.layout.words+cell/64]>>(cell%64)&1 != 0
}

// Has reports whether a candidate is left.
func (c *Candidates) Has(candidate int) bool {
	return c.has(candidate/c.layout.size, candidate%c.layout.size)
}

// Digit returns the digit placed in a cell, or 0.
func (c *Candidates) Digit(cell int) int { return int(c.digits[cell]) }

// Left returns the number of candidates left in a group.
func (c *Candidates) Left(group int) int { return int(c.groups[group] >> countShift) }

// Solved reports whether every cell has a digit and no contradiction was found.
// Call Singles first: it checks cages and relations.
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

// Live appends the candidates left in a group to buf, ascending.
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
	h, d := c.rules.splitGroup(group)
	for _, s := range l.spans[l.firstSpan[h]:l.firstSpan[h+1]] {
		for set := c.alive[d*l.words+int(s.word)] & s.cells; set != 0; set &= set - 1 {
			buf = append(buf, (64*int(s.word)+bits.TrailingZeros64(set))*l.size+d)
		}
	}
	return buf
}

// CopyFrom copies the state of o. Both must have the same rules. It does not
// allocate.
func (c *Candidates) CopyFrom(o *Candidates) {
	copy(c.alive, o.alive)
	copy(c.groups, o.groups)
	copy(c.seen, o.seen)
	copy(c.digits, o.digits)
	c.open, c.broken = o.open, o.broken
	c.queued = copy(c.queue, o.queue[:o.queued])
	if c.relations != nil {
		c.relations.copyFrom(o.relations)
	}
}
