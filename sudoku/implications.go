package sudoku

import (
	"math/bits"
	"slices"

	"sator/dimacs"
)

// The 2SAT rule (Eppstein, "Sudoku and 2SAT", 2009) builds a 2-SAT instance
// from the candidates left in a puzzle. Every solution of the puzzle is a
// solution of the instance, so literals that the instance forces hold in the
// puzzle. The clauses are:
//
//   - At most one digit per cell, and no digit in two peers.
//   - A cell with two candidates has one of them.
//   - A digit with two places left in a house is in one of them.
//   - Look-ahead: if placing a candidate leaves its digit one place in another
//     house, the candidate implies that place; if it leaves no place, the
//     candidate is false.
//
// The look-ahead adds clauses for houses with three or more places. For houses
// with two places its clauses follow from the others. The case that leaves no
// place is the rule of locked candidates.
//
// Eppstein's program has a further rule, which is optional here (trivalue).
// Take a cell with three candidates and a peer with two of these three. If the
// cell does not have the third digit, the two cells are a naked pair, and no
// common peer of both has one of their digits.

// Implications calls imply(a, b) for each binary clause of the 2SAT rule: if a
// is true, b is true. The literals are candidates: dimacs.Var(x).Lit() means
// that candidate x is true. Each clause is reported in one of its two
// directions. Clauses that follow from several houses are reported several
// times. A call with b = a.Not() means that a is false; in a group with one
// candidate left, this is how Implications reports that the candidate is true.
// Placed and eliminated candidates do not occur. With trivalue the clauses of
// the optional rule above are included.
//
// The candidates must not be contradictory. The order of the calls is fixed.
// The running time is about that of visiting all peers of all candidates left.
func (c *Candidates) Implications(trivalue bool, imply func(a, b dimacs.Lit)) {
	r := c.Rules()
	i := implier{Candidates: c, r: r, imply: imply}
	i.addExclusions()
	i.addPairs()
	i.addLookAhead()
	if trivalue {
		i.addTrivalues()
	}
}

// An implier generates the implications of some candidates.
type implier struct {
	*Candidates
	r     *Rules
	imply func(a, b dimacs.Lit)
	buf   []int
	set   []uint64 // result of sees if the layout has no sets of peers

	once []uint64 // scratch of addLookAhead: cells with at least one place among their non-peers
	more []uint64 // scratch of addLookAhead: cells with at least two places among their non-peers
}

// A GroupImplier generates the clauses of [Candidates.Implications] in parts, for a
// search that keeps those of the parts that have not changed. It is for one goroutine.
type GroupImplier struct{ i implier }

// NewGroupImplier returns a GroupImplier for puzzles with the given rules.
func NewGroupImplier(r *Rules) *GroupImplier {
	words := r.layout().words
	return &GroupImplier{implier{r: r, once: make([]uint64, words), more: make([]uint64, words)}}
}

// with prepares the implier for candidates.
func (g *GroupImplier) with(c *Candidates, imply func(a, b dimacs.Lit)) *implier {
	g.i.Candidates, g.i.imply = c, imply
	return &g.i
}

// Exclusions calls imply for the clauses of at most one digit per cell, and no digit in
// two peers, as Implications does.
func (g *GroupImplier) Exclusions(c *Candidates, imply func(a, b dimacs.Lit)) {
	g.with(c, imply).addExclusions()
}

// Group calls imply for the other clauses of a group, without those of trivalue: one
// candidate of two is true; a candidate leaves its digit one place, or no place, in the
// house of the group. They depend on the candidates of that group and, for a house, on
// those of its digit; eliminating a candidate in another group removes clauses only.
func (g *GroupImplier) Group(c *Candidates, group int, imply func(a, b dimacs.Lit)) {
	i := g.with(c, imply)
	if i.Left(group) <= 2 {
		i.addPair(group)
	} else if group >= i.r.Cells() {
		_, d := i.r.splitGroup(group)
		i.lookAheadIn(i.group(group), d)
	}
}

// Trivalues calls imply for the clauses of the optional rule.
func (g *GroupImplier) Trivalues(c *Candidates, imply func(a, b dimacs.Lit)) {
	g.with(c, imply).addTrivalues()
}

// pos returns the positive literal of a candidate.
func pos(candidate int) dimacs.Lit { return dimacs.Var(candidate).Lit() }

// group returns the candidates left in a group, or nil if the group is decided
// by a placed digit.
func (i *implier) group(g int) []int {
	i.buf = i.Live(g, i.buf[:0])
	if len(i.buf) == 1 && i.Digit(i.buf[0]/i.r.Size()) != 0 {
		return nil
	}
	return i.buf
}

// sees returns the bit set of the peers of a cell. It is valid until the next
// call.
func (i *implier) sees(cell int) []uint64 {
	l := i.layout
	if l.peers != nil {
		return l.peers[cell*l.words : (cell+1)*l.words]
	}
	if i.set == nil {
		i.set = make([]uint64, l.words)
	}
	clear(i.set)
	for _, peer := range i.r.peers[cell] {
		i.set[peer/64] |= 1 << (peer % 64)
	}
	return i.set
}

// places returns the bit set of cells that digit d+1 is possible in.
func (i *implier) places(d int) []uint64 {
	words := i.layout.words
	return i.alive[d*words : (d+1)*words]
}

// addExclusions adds the at-most-one constraints of cells and peers.
func (i *implier) addExclusions() {
	for cell := range i.r.Cells() {
		left := i.group(cell)
		if len(left) == 0 {
			continue
		}
		peers := i.sees(cell)
		for k, x := range left {
			for _, y := range left[k+1:] {
				i.imply(pos(x), pos(y).Not())
			}
			i.addPeerExclusions(cell, x, peers)
		}
	}
}

// addPeerExclusions adds clauses that exclude the digit of candidate x from
// peers with higher numbers.
func (i *implier) addPeerExclusions(cell, x int, peers []uint64) {
	n := i.layout.size
	d := x - cell*n
	alive := i.places(d)
	later := ^uint64(0) << (cell % 64) // the peers in this word with higher numbers; a cell is no peer of itself
	for w := cell / 64; w < len(alive); w++ {
		for set := alive[w] & peers[w] & later; set != 0; set &= set - 1 {
			peer := 64*w + bits.TrailingZeros64(set)
			i.imply(pos(x), pos(peer*n+d).Not())
		}
		later = ^uint64(0)
	}
}

// addPairs adds a clause for each group with two candidates left, and a unit
// for each open group with one.
func (i *implier) addPairs() {
	for g := range i.r.Groups() {
		if i.Left(g) <= 2 {
			i.addPair(g)
		}
	}
}

// addPair adds the clause of a group with one or two candidates left.
func (i *implier) addPair(g int) {
	switch left := i.group(g); len(left) {
	case 1:
		i.imply(pos(left[0]).Not(), pos(left[0]))
	case 2:
		i.imply(pos(left[0]).Not(), pos(left[1]))
	}
}

// addLookAhead adds the clauses of candidates that leave their digit one place
// or no place in a house.
func (i *implier) addLookAhead() {
	words := i.layout.words
	i.once, i.more = make([]uint64, words), make([]uint64, words)
	for g := i.r.Cells(); g < i.r.Groups(); g++ {
		if i.Left(g) >= 3 {
			_, d := i.r.splitGroup(g)
			i.lookAheadIn(i.group(g), d)
		}
	}
}

// lookAheadIn adds the look-ahead clauses of one house. The group has the
// places of digit d+1 in that house. For every cell lookAheadIn counts the
// places that are no peers of the cell: 0, 1, or more.
func (i *implier) lookAheadIn(group []int, d int) {
	n, alive := i.layout.size, i.places(d)
	clear(i.once)
	clear(i.more)
	for _, candidate := range group {
		for w, peers := range i.sees(candidate / n) {
			blind := alive[w] &^ peers
			i.more[w] |= i.once[w] & blind
			i.once[w] |= blind
		}
	}
	for _, candidate := range group { // no clauses for the places themselves
		i.more[candidate/n/64] |= 1 << (candidate / n % 64)
	}
	for w, places := range alive {
		for set := places &^ i.more[w]; set != 0; set &= set - 1 {
			cell := 64*w + bits.TrailingZeros64(set)
			x := pos(cell*n + d)
			if i.once[w]>>(cell%64)&1 == 0 {
				i.imply(x, x.Not())
			} else {
				i.imply(x, pos(i.firstUnseen(cell, group)))
			}
		}
	}
}

// firstUnseen returns the first candidate in a cell that is no peer of the
// given cell.
func (i *implier) firstUnseen(cell int, candidates []int) int {
	peers := i.sees(cell)
	k := slices.IndexFunc(candidates, func(candidate int) bool {
		other := candidate / i.layout.size
		return peers[other/64]>>(other%64)&1 == 0
	})
	return candidates[k]
}

// addTrivalues adds the optional clauses of cells with three candidates and
// peers with two of these three.
func (i *implier) addTrivalues() {
	n := i.r.Size()
	for cell := range i.r.Cells() {
		if i.Left(cell) != 3 {
			continue
		}
		x := [3]int(i.group(cell))
		for _, peer := range i.r.peers[cell] {
			if i.Left(peer) != 2 {
				continue
			}
			for k, third := range x {
				a, b := x[(k+1)%3]%n, x[(k+2)%3]%n
				if a > b {
					a, b = b, a
				}
				if i.has(peer, a) && i.has(peer, b) {
					i.addTrivalue(third, cell, peer, a, b)
				}
			}
		}
	}
}

// addTrivalue adds the clauses of a cell with three candidates and a peer with
// two of them: if x, the third candidate, is false, the two cells have the
// digits a+1 and b+1, and no common peer has one of them.
func (i *implier) addTrivalue(x, cell, peer, a, b int) {
	n, some, others := i.r.Size(), i.places(a), i.places(b)
	i.once = append(i.once[:0], i.sees(cell)...)
	for w, peers := range i.sees(peer) {
		for set := i.once[w] & peers & (some[w] | others[w]); set != 0; set &= set - 1 {
			bit := set & -set
			seen := (64*w + bits.TrailingZeros64(bit)) * n
			if some[w]&bit != 0 {
				i.imply(pos(x).Not(), pos(seen+a).Not())
			}
			if others[w]&bit != 0 {
				i.imply(pos(x).Not(), pos(seen+b).Not())
			}
		}
	}
}

// twosat writes the implications of the candidates left, each once.
func (b *builder) twosat() { b.implications(false) }

// twosatTrivalue is like twosat with the clauses of trivalue cells.
func (b *builder) twosatTrivalue() { b.implications(true) }

func (b *builder) implications(trivalue bool) {
	variable := func(l dimacs.Lit) dimacs.Lit { // returns the literal of the formula for the literal of a candidate
		v := b.lit[l.Var()]
		if l.Neg() {
			return v.Not()
		}
		return v
	}
	b.left.Implications(trivalue, func(x, y dimacs.Lit) {
		if x.Not() == y {
			b.clause(variable(y))
		} else {
			b.clause(variable(x).Not(), variable(y))
		}
	})
	b.f = b.f.Normalize()
	b.notes.restart()
	b.notes.begin(implication)
	b.notes.add(b.f.Len())
}
