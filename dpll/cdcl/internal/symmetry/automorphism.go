package symmetry

import (
	"cmp"
	"slices"

	"sator/dpll/cdcl/internal/inprocess"
)

// Search for automorphisms of the graph. To map the literal x to y, x is individualized in
// a left copy of the equitable partition, y in a right copy, and both are refined. While
// the copies correspond, cells of one element map the left element to the right one. As
// soon as all other cells have the same elements on both sides, the rest may be mapped to
// itself. So most automorphisms move few literals, and are found without a descent to a
// partition of single elements (Darga, Liffiton, Sakallah, Markov, "Exploiting structure in
// symmetry detection for CNF", DAC 2004). Otherwise an element of a cell with different
// sides is individualized next, with a partner from the right side.
//
// There is no backtracking over partners but for a few attempts, because the search need
// not be complete: an automorphism that is not found only costs a constraint. It needs no
// proof of correctness either, since each permutation is checked on the clauses. Partners
// are chosen to be involutions of small support, by three rules: x and y are exchanged if
// that is possible; a partner is preferred that shares a clause with the element, as the
// literals of one column do in an exchange of two rows; else the one whose number differs
// as y from x.

const (
	mostSteps    = 64 // individualized pairs of an automorphism
	mostPartners = 3  // attempts at an element
)

// A finder finds automorphisms of a graph.
type finder struct {
	*refiner
	left, right partition
	exchange    bool // pairs are exchanged where that is possible

	image   []uint32 // by literal: its image; itself unless moved
	moved   []uint32 // literals moved by the current permutation, with their complements
	scratch []uint32
	stamp   []uint32 // by variable or clause: number of the last use
	now     uint32
}

// newFinder returns a finder with the coarsest equitable partition of g, or nil if that
// takes more ticks than the limit. Automorphisms need prepare.
func newFinder(g *graph, ticks *int64, limit int64) *finder {
	f := &finder{refiner: newRefiner(g, ticks, limit)}
	n := g.vertices()
	f.left = *newPartition(g.host, n)
	f.left.log = inprocess.GrowingTable[split](g.host)
	f.divide(&f.left)
	if !f.refine(&f.left) {
		return nil
	}
	f.left.log = f.left.log[:0]
	f.tracing = true
	return f
}

// asymmetric reports whether each literal that occurs has a cell of its own.
func (f *finder) asymmetric() bool {
	p := &f.left
	for c := uint32(0); c < f.g.literals; c += p.size[c] {
		if p.size[c] > 1 && f.g.degree(p.elems[c]) > 0 {
			return false
		}
	}
	return true
}

// prepare makes the tables for the search of automorphisms. Asymmetric formulas need no such
// tables.
func (f *finder) prepare() {
	f.g.fillTable()
	f.right = f.left.clone(f.g.host)
	f.right.log = inprocess.GrowingTable[split](f.g.host)
	f.trace = inprocess.GrowingTable[uint64](f.g.host)
	f.image = inprocess.Table[uint32](f.g.host, int(f.g.literals))
	for l := range f.image {
		f.image[l] = uint32(l)
	}
	f.stamp = inprocess.Table[uint32](f.g.host, max(int(f.g.literals), len(f.g.refs)))
}

// divide divides the vertices into absent literals, the other literals, and clauses by
// size, and makes all of these cells but that of absent literals splitters.
func (f *finder) divide(p *partition) {
	kind := func(v uint32) int { // clauses of three literals have the kind 3
		switch {
		case v >= f.g.literals:
			return len(f.g.clause(f.g.clauseOf(v)))
		case f.g.degree(v) > 0:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(p.elems, func(v, w uint32) int { return cmp.Compare(kind(v), kind(w)) })
	for i, v := range p.elems {
		p.place[v] = uint32(i)
	}
	for i, v := range p.elems {
		if i > 0 && kind(v) != kind(p.elems[i-1]) {
			p.cut(p.cell[v], uint32(i))
			f.push(uint32(i))
		}
	}
	if len(p.elems) > 0 && f.g.degree(p.elems[0]) > 0 {
		f.push(0)
	}
}

// nextStamp returns a number that no stamp has.
func (f *finder) nextStamp() uint32 { f.now++; return f.now }

// automorphism looks for an automorphism that maps x to y, two literals of a cell. If it
// reports true, the permutation is in f.image and f.moved until forget.
func (f *finder) automorphism(x, y uint32) bool {
	for _, f.exchange = range []bool{true, false} {
		f.undo(mark{})
		if f.assign(x, y) && f.complete(x, y) {
			return true
		}
	}
	return false
}

// assign maps v to w, and w to v if pairs are exchanged. It reports whether the partitions
// still correspond.
func (f *finder) assign(v, w uint32) bool {
	return f.pair(v, w) && (!f.exchange || f.left.cell[w] != f.right.cell[v] || f.pair(w, v))
}

// A mark is a state of both partitions.
type mark struct{ left, right, trace int }

func (f *finder) mark() mark { return mark{len(f.left.log), len(f.right.log), len(f.trace)} }

// undo restores the state of a mark.
func (f *finder) undo(m mark) {
	f.left.undo(m.left)
	f.right.undo(m.right)
	f.trace = f.trace[:m.trace]
	f.compared = m.trace
}

// pair individualizes v on the left and w on the right, and refines. It reports whether the
// partitions still correspond.
func (f *finder) pair(v, w uint32) bool {
	c := f.left.cell[v]
	if f.right.cell[w] != c {
		return false
	}
	if f.left.size[c] == 1 {
		return true
	}
	f.comparing = false
	f.push(f.left.individualize(v))
	f.refine(&f.left)
	f.comparing = true
	f.push(f.right.individualize(w))
	return f.refine(&f.right)
}

// complete individualizes pairs until the permutation is determined, and checks it.
func (f *finder) complete(x, y uint32) bool {
	for range mostSteps {
		c := f.different()
		if c == noVertex {
			f.permute()
			if f.check() {
				return true
			}
			f.forget()
			return false
		}
		if !f.extend(c, x, y) {
			return false
		}
	}
	return false
}

// different returns a smallest cell of literals with different elements on both sides, or
// noVertex.
func (f *finder) different() uint32 {
	best := uint32(noVertex)
	see := func(c uint32) {
		n := f.left.size[c]
		if n == 1 || c >= f.g.literals || best != noVertex && n >= f.left.size[best] {
			return
		}
		*f.ticks += int64(n / 8)
		if slices.ContainsFunc(f.left.members(c), func(v uint32) bool { return f.right.cell[v] != c }) {
			best = c
		}
	}
	for _, s := range f.left.log {
		see(s.cell)
		see(s.parent)
	}
	return best
}

// extend individualizes an element of cell c on the left and a partner on the right.
func (f *finder) extend(c, x, y uint32) bool {
	v := noVertex
	for _, w := range f.left.members(c) {
		if f.right.cell[w] != c {
			v = min(v, w)
		}
	}
	at := f.mark()
	for _, w := range f.partners(c, v, y-x) {
		if f.assign(v, w) {
			return true
		}
		f.undo(at)
	}
	return false
}

// partners returns the best partners of v in the right cell c, best first.
func (f *finder) partners(c, v, shift uint32) []uint32 {
	now := f.nextStamp()
	for _, l := range []uint32{v, v ^ 1} {
		for _, d := range f.g.occurrences(l) {
			for _, k := range f.g.clause(d) {
				f.stamp[k>>1] = now
			}
			*f.ticks += 2
		}
	}
	f.scratch = f.scratch[:0]
	for _, w := range f.right.members(c) {
		if f.left.cell[w] != c {
			f.scratch = append(f.scratch, w)
		}
	}
	distance := func(w uint32) int32 { return max(int32(w-v-shift), -int32(w-v-shift)) }
	far := func(w uint32) int {
		if f.stamp[w>>1] == now {
			return 0
		}
		return 1
	}
	slices.SortFunc(f.scratch, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(far(a), far(b)), cmp.Compare(distance(a), distance(b)), cmp.Compare(a, b))
	})
	return slices.Clone(f.scratch[:min(len(f.scratch), mostPartners)])
}

// permute sets the permutation that the partitions determine.
func (f *finder) permute() {
	see := func(c uint32) {
		if c >= f.g.literals || f.left.size[c] > 1 {
			return
		}
		if v, w := f.left.elems[c], f.right.elems[c]; v != w && f.image[v] == v {
			f.image[v] = w
			f.moved = append(f.moved, v)
		}
	}
	for _, s := range f.left.log {
		see(s.cell)
		see(s.parent)
	}
}

// forget makes the permutation the identity.
func (f *finder) forget() {
	for _, l := range f.moved {
		f.image[l] = l
	}
	f.moved = f.moved[:0]
}

// check reports whether the permutation is an automorphism: it maps complements to
// complements, and each clause with a moved literal to a clause.
func (f *finder) check() bool {
	now := f.nextStamp()
	for _, l := range f.moved {
		if f.image[l^1] != f.image[l]^1 {
			return false
		}
		for _, c := range f.g.occurrences(l) {
			if f.stamp[c] == now {
				continue
			}
			f.stamp[c] = now
			if _, ok := f.imageOf(c); !ok {
				return false
			}
		}
	}
	return true
}

// imageOf returns the clause to which the permutation maps clause c.
func (f *finder) imageOf(c uint32) (uint32, bool) {
	lits := f.g.clause(c)
	*f.ticks += 4 + int64(len(lits)/2)
	f.scratch = f.scratch[:0]
	for _, l := range lits {
		f.scratch = append(f.scratch, f.image[l])
	}
	return f.g.find(f.scratch)
}
