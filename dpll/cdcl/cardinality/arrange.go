package cardinality

import (
	"slices"

	"sator/dimacs"
)

// What the proof in matching_proof.go begins with: clauses as pigeons, and for each two
// of them in a hole the clause which says that not both are there.
//
// Where only paths say that two literals exclude each other, that clause is derived along
// a shortest one. A hole with room for two becomes two holes, for the first pigeon in it
// and for the second:
//
//	none(i)   = none of the pigeons up to i is in the hole,
//	first(i)  = i is, and none(i-1),
//	second(i) = i is, and not none(i-1).
//
// Two first ones contradict each other along the variables none. For two second ones i
// and j, that none(k) or not both are in the hole is derived for all k up to i-1, each
// from the one before and the clause that excludes k, i and j. So there are as many steps
// as clauses of three literals.

// arrange makes the candidates in the queue pigeons. It reports false if the call is
// stopped, which ends the proof.
func (m *matcher) arrange(p *counting) bool {
	number := make([]int32, m.holes+1) // of the holes, and 1
	for i, c := range m.queue {
		x := pigeon{id: m.without(c)}
		for _, t := range m.clause(c) {
			s := &m.seats[t]
			if number[s.hole] == 0 {
				p.holes = append(p.holes, hole{})
				number[s.hole] = int32(len(p.holes))
			}
			x.add(number[s.hole]-1, s.lit)
			h := &p.holes[number[s.hole]-1]
			h.pigeons = append(h.pigeons, int32(i))
			h.lits = append(h.lits, s.lit)
		}
		p.pigeons = append(p.pigeons, x)
	}
	if m.room == 2 {
		return m.split(p)
	}
	for i := range p.holes {
		h := &p.holes[i]
		for j, a := range h.lits {
			for _, b := range h.lits[:j] {
				h.pairs = append(h.pairs, m.exclusion(b, a))
			}
		}
	}
	return true
}

// without returns a candidate without the literals that are false at the root.
func (m *matcher) without(c uint32) lemma {
	ref := m.refs[c]
	if ref&1 != 0 || len(m.clause(c)) == len(m.host.Lits(ref)) {
		return lemma(m.host.ClauseID(ref))
	}
	var rest []dimacs.Lit
	for _, t := range m.clause(c) {
		rest = append(rest, m.seats[t].lit)
	}
	var hints []int64
	if m.host.Hints() {
		for _, w := range m.host.Lits(ref) {
			if m.vals[w] < 0 {
				hints = append(hints, m.host.UnitID(w>>1))
			}
		}
		hints = append(hints, m.host.ClauseID(ref))
	}
	return -lemma(m.host.Proof().Learn(rest, hints))
}

// exclusion returns the clause which says that two literals are not both true. If
// there is none, it is derived along a path.
func (m *matcher) exclusion(a, b dimacs.Lit) lemma {
	for j := m.g.Start[a]; j < m.g.Start[a+1]; j++ {
		if m.g.Heads[j] == uint32(b^1) {
			return lemma(m.host.ClauseID(m.g.Refs[j]))
		}
	}
	var hints []int64
	if m.host.Hints() {
		for _, j := range m.path(a, b) {
			hints = append(hints, m.host.ClauseID(m.g.Refs[j]))
		}
	}
	return -lemma(m.host.Proof().Learn([]dimacs.Lit{a ^ 1, b ^ 1}, hints))
}

// A reached literal of a breadth-first search, with the edge and the literal from which
// the search reached it.
type reached struct {
	seen bool
	edge uint32
	from dimacs.Lit
}

// path returns the edges of a shortest path from a or b to the complement of b, as far
// as they are needed: up to the first complement of a literal that is true by then.
func (m *matcher) path(a, b dimacs.Lit) []uint32 {
	nodes := map[dimacs.Lit]reached{a: {seen: true}, b: {seen: true}}
	queue := []dimacs.Lit{a, b}
	for i := 0; !nodes[b^1].seen; i++ {
		l := queue[i]
		for j := m.g.Start[l]; j < m.g.Start[l+1]; j++ {
			if h := dimacs.Lit(m.g.Heads[j]); !nodes[h].seen {
				nodes[h] = reached{true, j, l}
				queue = append(queue, h)
			}
		}
	}
	var edges []uint32
	for l := b ^ 1; l != a && l != b; l = nodes[l].from {
		edges = append(edges, nodes[l].edge)
	}
	slices.Reverse(edges)
	isTrue := map[dimacs.Lit]bool{a: true, b: true}
	for i, j := range edges {
		h := dimacs.Lit(m.g.Heads[j])
		if isTrue[h^1] {
			return edges[:i+1]
		}
		isTrue[h] = true
	}
	return edges
}

// split makes two holes of each hole. It reports false if the call is stopped.
func (m *matcher) split(p *counting) bool {
	shared := p.holes
	p.holes = nil
	moved := make([]pigeon, len(p.pigeons))
	chains := make([][]int64, len(p.pigeons))
	halves := make([]halving, len(shared))
	for i := range halves {
		x := &halves[i]
		*x = halving{counting: p, lits: shared[i].lits, triples: m.triplesAmong(shared[i].lits)}
		x.define()
		first := hole{pigeons: shared[i].pigeons}
		second := hole{pigeons: shared[i].pigeons[1:]}
		for j, b := range shared[i].pigeons {
			first.lits = append(first.lits, x.first[j].q)
			moved[b].add(int32(2*i), x.first[j].q)
			if j > 0 {
				second.lits = append(second.lits, x.second[j].q)
				moved[b].add(int32(2*i+1), x.second[j].q)
				chains[b] = append(chains[b], x.covers[j])
			}
			for k := range j {
				first.pairs = append(first.pairs, -lemma(x.notBothFirst(k, j)))
			}
			for k := 1; k < j; k++ {
				second.pairs = append(second.pairs, -lemma(x.notBothSecond(k, j)))
			}
			if p.host.Poll() {
				return false
			}
		}
		p.holes = append(p.holes, first, second)
	}
	for b := range moved {
		x := &p.pigeons[b]
		moved[b].id = -lemma(p.learn(append(chains[b], x.id.id()), moved[b].lits...))
		p.delete(x.id, x.lits...)
		*x = moved[b]
	}
	for i := range halves {
		halves[i].end()
	}
	return true
}

// A halving is a hole of which two are made.
type halving struct {
	*counting
	lits                []dimacs.Lit // of its pigeons
	triples             map[[3]uint32]uint32
	none, first, second []definition // by pigeon
	covers              []int64      // the clauses that it is first or second if it is there
}

// define introduces the variables. For the first pigeon they are literals that are there
// already: it is never the second one.
func (x *halving) define() {
	n := len(x.lits)
	x.none, x.first, x.second = make([]definition, n), make([]definition, n), make([]definition, n)
	x.covers = make([]int64, n)
	x.none[0].q, x.first[0].q = x.lits[0]^1, x.lits[0]
	for i := 1; i < n; i++ {
		l, before := x.lits[i], x.none[i-1].q
		x.none[i] = definition{old: noLit, away: before, freed: l ^ 1}
		x.first[i] = definition{old: noLit, away: l, freed: before}
		x.second[i] = definition{old: noLit, away: l, freed: before ^ 1}
		x.introduce(&x.none[i])
		x.introduce(&x.first[i])
		x.introduce(&x.second[i])
		hints := []int64{x.first[i].ifBoth, x.second[i].ifBoth}
		x.covers[i] = x.learn(hints, l^1, x.first[i].q, x.second[i].q)
	}
}

// notBothFirst derives that of two pigeons one at most is the first. The first pigeon of
// all is so by its own literal, and there the chain ends sooner.
func (x *halving) notBothFirst(i, j int) int64 {
	hints := []int64{x.first[j].oldOrFreed}
	for k := j - 1; k > i; k-- {
		hints = append(hints, x.none[k].oldOrAway)
	}
	if i > 0 {
		hints = append(hints, x.none[i].oldOrFreed, x.first[i].oldOrAway)
	}
	return x.learn(hints, x.first[i].q^1, x.first[j].q^1)
}

// notBothSecond derives that of two pigeons one at most is the second.
func (x *halving) notBothSecond(i, j int) int64 {
	a, b := x.lits[i]^1, x.lits[j]^1
	last := lemma(x.excluding(0, i, j))
	for k := 1; k < i; k++ {
		hints := []int64{last.id(), x.none[k].ifBoth, x.excluding(k, i, j)}
		next := -lemma(x.learn(hints, x.none[k].q, a, b))
		x.delete(last, x.none[k-1].q, a, b)
		last = next
	}
	hints := []int64{x.second[i].oldOrAway, x.second[i].oldOrFreed, x.second[j].oldOrAway, last.id()}
	id := x.learn(hints, x.second[i].q^1, x.second[j].q^1)
	x.delete(last, x.none[i-1].q, a, b)
	return id
}

// excluding returns the clause that not all three pigeons are in the hole.
func (x *halving) excluding(i, j, k int) int64 {
	return x.host.ClauseID(x.triples[triple(uint32(x.lits[i]^1), uint32(x.lits[j]^1), uint32(x.lits[k]^1))])
}

// end deletes what is not needed once there are two holes.
func (x *halving) end() {
	for i := 1; i < len(x.lits); i++ {
		x.delete(-lemma(x.covers[i]), x.lits[i]^1, x.first[i].q, x.second[i].q)
		x.undefine(&x.none[i])
		x.undefine(&x.first[i])
		x.undefine(&x.second[i])
	}
}
