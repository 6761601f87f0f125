package cardinality

import (
	"slices"

	"sator/dimacs"
)

// The premises of a proof: the clauses of a Hall violator are pigeons, the slots are
// holes, and for each two literals in a hole there is a binary clause of their
// complements.
//
// If two literals are mutually exclusive only along a path of binary clauses, the proof
// derives their binary clause along a shortest path. An at-most-two constraint is split
// into two holes, for the first pigeon in it and for the second:
//
//	empty(i)  = no pigeon up to i is in the constraint,
//	first(i)  = pigeon i is in the constraint, and empty(i-1),
//	second(i) = pigeon i is in the constraint, and not empty(i-1).
//
// The clause ¬first(i) ∨ ¬first(j) follows along the variables empty(k). For ¬second(i) ∨
// ¬second(j), the proof derives empty(k) ∨ ¬p(i) ∨ ¬p(j) for all k up to i-1, each from
// the one before and the ternary clause of k, i and j, where p(i) says that pigeon i is in
// the constraint. So the number of steps is the number of ternary clauses.

// loadPremises adds the Hall violator in the queue to a prover. It reports false if the
// call was stopped; then no derived clause stays in the proof.
func (f *finder) loadPremises(p *prover) bool {
	holeNumber := make([]int32, f.slots+1) // by slot: the index of its hole plus 1, or 0
	for i, c := range f.queue {
		b := pigeon{id: f.premise(c)}
		for _, n := range f.clause(c) {
			x := &f.nodes[n]
			if holeNumber[x.slot] == 0 {
				p.holes = append(p.holes, hole{})
				holeNumber[x.slot] = int32(len(p.holes))
			}
			b.add(holeNumber[x.slot]-1, x.lit)
			h := &p.holes[holeNumber[x.slot]-1]
			h.pigeons = append(h.pigeons, int32(i))
			h.lits = append(h.lits, x.lit)
		}
		p.pigeons = append(p.pigeons, b)
	}
	if f.bound == 2 {
		return f.splitHoles(p)
	}
	for i := range p.holes {
		h := &p.holes[i]
		for j, a := range h.lits {
			for _, b := range h.lits[:j] {
				h.pairs = append(h.pairs, f.exclusionClause(b, a))
			}
		}
	}
	return true
}

// premise returns the id of a candidate without its false literals, and derives this
// clause if necessary.
func (f *finder) premise(c uint32) clauseID {
	ref := f.refs[c]
	if ref&1 != 0 || len(f.clause(c)) == len(f.host.Lits(ref)) {
		return clauseID(f.host.ClauseID(ref))
	}
	var lits []dimacs.Lit
	for _, n := range f.clause(c) {
		lits = append(lits, f.nodes[n].lit)
	}
	var hints []int64
	if f.host.Hints() {
		for _, w := range f.host.Lits(ref) {
			if f.vals[w] < 0 {
				hints = append(hints, f.host.UnitID(w>>1))
			}
		}
		hints = append(hints, f.host.ClauseID(ref))
	}
	return -clauseID(f.host.Proof().Learn(lits, hints))
}

// exclusionClause returns the id of the binary clause of the complements of a and b. If
// there is no such clause, it derives the clause along a path.
func (f *finder) exclusionClause(a, b dimacs.Lit) clauseID {
	for j := f.g.Start[a]; j < f.g.Start[a+1]; j++ {
		if f.g.Heads[j] == uint32(b^1) {
			return clauseID(f.host.ClauseID(f.g.Refs[j]))
		}
	}
	var hints []int64
	if f.host.Hints() {
		for _, j := range f.shortestPath(a, b) {
			hints = append(hints, f.host.ClauseID(f.g.Refs[j]))
		}
	}
	return -clauseID(f.host.Proof().Learn([]dimacs.Lit{a ^ 1, b ^ 1}, hints))
}

// A bfsEntry is a literal that a breadth-first search has reached.
type bfsEntry struct {
	seen bool
	edge uint32     // by which the search reached the literal
	from dimacs.Lit // the tail of the edge
}

// shortestPath returns the edges of a shortest path from a or b to the complement of b.
// The path ends early at the complement of a literal that is true by then.
func (f *finder) shortestPath(a, b dimacs.Lit) []uint32 {
	entries := map[dimacs.Lit]bfsEntry{a: {seen: true}, b: {seen: true}}
	queue := []dimacs.Lit{a, b}
	for i := 0; !entries[b^1].seen; i++ {
		l := queue[i]
		for j := f.g.Start[l]; j < f.g.Start[l+1]; j++ {
			if h := dimacs.Lit(f.g.Heads[j]); !entries[h].seen {
				entries[h] = bfsEntry{true, j, l}
				queue = append(queue, h)
			}
		}
	}
	var edges []uint32
	for l := b ^ 1; l != a && l != b; l = entries[l].from {
		edges = append(edges, entries[l].edge)
	}
	slices.Reverse(edges)
	isTrue := map[dimacs.Lit]bool{a: true, b: true}
	for i, j := range edges {
		h := dimacs.Lit(f.g.Heads[j])
		if isTrue[h^1] {
			return edges[:i+1]
		}
		isTrue[h] = true
	}
	return edges
}

// splitHoles splits each at-most-two constraint of a prover into two holes. It reports
// false if the call was stopped.
func (f *finder) splitHoles(p *prover) bool {
	shared := p.holes
	p.holes = nil
	updated := make([]pigeon, len(p.pigeons))
	chains := make([][]int64, len(p.pigeons))
	halves := make([]holeSplit, len(shared))
	for i := range halves {
		x := &halves[i]
		*x = holeSplit{prover: p, lits: shared[i].lits, ternary: f.ternaryAmong(shared[i].lits)}
		x.define()
		first := hole{pigeons: shared[i].pigeons}
		second := hole{pigeons: shared[i].pigeons[1:]}
		for j, b := range shared[i].pigeons {
			first.lits = append(first.lits, x.first[j].q)
			updated[b].add(int32(2*i), x.first[j].q)
			if j > 0 {
				second.lits = append(second.lits, x.second[j].q)
				updated[b].add(int32(2*i+1), x.second[j].q)
				chains[b] = append(chains[b], x.covers[j])
			}
			for k := range j {
				first.pairs = append(first.pairs, -clauseID(x.notBothFirst(k, j)))
			}
			for k := 1; k < j; k++ {
				second.pairs = append(second.pairs, -clauseID(x.notBothSecond(k, j)))
			}
			if p.host.Poll() {
				first.pigeons, second.pigeons = first.pigeons[:j+1], second.pigeons[:j]
				p.holes = append(p.holes, first, second)
				p.abandonSplit(halves[:i+1])
				return false
			}
		}
		p.holes = append(p.holes, first, second)
	}
	for b := range updated {
		x := &p.pigeons[b]
		updated[b].id = -clauseID(p.learn(append(chains[b], x.id.id()), updated[b].lits...))
		p.delete(x.id, x.lits...)
		*x = updated[b]
	}
	for i := range halves {
		halves[i].deleteDefinitions()
	}
	return true
}

// abandonSplit deletes all derived clauses.
func (p *prover) abandonSplit(halves []holeSplit) {
	for i := range halves {
		halves[i].deleteDefinitions()
	}
	p.abandon()
}

// A holeSplit splits an at-most-two constraint into two holes.
type holeSplit struct {
	*prover
	lits    []dimacs.Lit         // by pigeon: p(i)
	ternary map[[3]uint32]uint32 // references of the ternary clauses
	empty   []definition         // by pigeon
	first   []definition         // by pigeon
	second  []definition         // by pigeon
	covers  []int64              // by pigeon: id of ¬p(i) ∨ first(i) ∨ second(i)
}

// define adds the definitions. For the first pigeon they are existing literals, and it
// has no variable second.
func (x *holeSplit) define() {
	n := len(x.lits)
	x.empty, x.first, x.second = make([]definition, n), make([]definition, n), make([]definition, n)
	x.covers = make([]int64, n)
	x.empty[0].q, x.first[0].q = x.lits[0]^1, x.lits[0]
	for i := 1; i < n; i++ {
		l, before := x.lits[i], x.empty[i-1].q
		x.empty[i] = definition{old: noLit, left: before, right: l ^ 1}
		x.first[i] = definition{old: noLit, left: l, right: before}
		x.second[i] = definition{old: noLit, left: l, right: before ^ 1}
		x.addDefinition(&x.empty[i])
		x.addDefinition(&x.first[i])
		x.addDefinition(&x.second[i])
		hints := []int64{x.first[i].ifBoth, x.second[i].ifBoth}
		x.covers[i] = x.learn(hints, l^1, x.first[i].q, x.second[i].q)
	}
}

// notBothFirst derives ¬first(i) ∨ ¬first(j) for i < j. Since first(0) is the literal
// p(0), the chain for i = 0 is shorter.
func (x *holeSplit) notBothFirst(i, j int) int64 {
	hints := []int64{x.first[j].oldOrRight}
	for k := j - 1; k > i; k-- {
		hints = append(hints, x.empty[k].oldOrLeft)
	}
	if i > 0 {
		hints = append(hints, x.empty[i].oldOrRight, x.first[i].oldOrLeft)
	}
	return x.learn(hints, x.first[i].q^1, x.first[j].q^1)
}

// notBothSecond derives ¬second(i) ∨ ¬second(j) for i < j.
func (x *holeSplit) notBothSecond(i, j int) int64 {
	a, b := x.lits[i]^1, x.lits[j]^1
	last := clauseID(x.ternaryID(0, i, j))
	for k := 1; k < i; k++ {
		hints := []int64{last.id(), x.empty[k].ifBoth, x.ternaryID(k, i, j)}
		next := -clauseID(x.learn(hints, x.empty[k].q, a, b))
		x.delete(last, x.empty[k-1].q, a, b)
		last = next
	}
	hints := []int64{x.second[i].oldOrLeft, x.second[i].oldOrRight, x.second[j].oldOrLeft, last.id()}
	id := x.learn(hints, x.second[i].q^1, x.second[j].q^1)
	x.delete(last, x.empty[i-1].q, a, b)
	return id
}

// ternaryID returns the id of the clause ¬p(i) ∨ ¬p(j) ∨ ¬p(k).
func (x *holeSplit) ternaryID(i, j, k int) int64 {
	return x.host.ClauseID(x.ternary[sortedTriple(uint32(x.lits[i]^1), uint32(x.lits[j]^1), uint32(x.lits[k]^1))])
}

// deleteDefinitions deletes the clauses that the two holes do not need.
func (x *holeSplit) deleteDefinitions() {
	for i := 1; i < len(x.lits); i++ {
		x.delete(-clauseID(x.covers[i]), x.lits[i]^1, x.first[i].q, x.second[i].q)
		x.deleteDefinition(&x.empty[i])
		x.deleteDefinition(&x.first[i])
		x.deleteDefinition(&x.second[i])
	}
}
