package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
	"sator/twosat"
)

// A binary clause that follows from others along a path of implications adds
// nothing: propagation along the path assigns the same. So it goes, and
// propagation has shorter lists to visit. A clause of the formula needs a path of
// clauses of the formula; for a learned one any path does. (Aho, Garey, Ullman,
// "The transitive reduction of a directed graph", 1972; in solvers with
// Lingeling.)
//
// Solvers test one clause after the other, with a search for each. Here one search
// tests all edges that leave a literal (Goralčíková and Koubek, "A reduct-and-closure
// algorithm for graphs", 1979): its successors are taken in topological order, and
// one that was reached from those before it is not needed as a successor. The
// order is that of the strongly connected components, in which an edge never
// leads up; so the search also stays above the last successor in question.
//
// No path may use the clause that it replaces, neither way. The search does not
// return to the literal where it began, l, so that it never goes along the edge
// itself. Turned round that edge ends in the complement of l: a path through it
// says that l implies its complement, and then the unit is learned instead and l
// is done with. As long as each clause goes for a path of those that are still
// there, it does not matter whether the graph has cycles.
//
// A clause is tested from that end of it where more edges leave: where it is the
// only one nothing else leads on. When the budget is used up, the next round goes
// on from there.
//
// Formulas of hardware lose two or three of a hundred binary clauses, and some of
// other kinds half of them, which are there twice. The ticks to the answer do not
// change by more than with another seed.

// A transitiveReduction is a pass of transitive reduction.
type transitiveReduction struct {
	s     *Solver
	g     *inprocess.Implications
	order *twosat.Condensation
	limit int64        // ticks at which it ends
	stamp uint32       // of this search
	nodes []reached    // by literal
	stack []dimacs.Lit // to go on from
	row   []uint64     // edges of the literal in question, in their order
	units []inprocess.Unit
}

// transitive drops binary clauses that follow from others.
func (s *Solver) transitive(budget int64) {
	g := s.implications()
	if g == nil || len(g.Heads) == 0 {
		return
	}
	units := s.markDuplicates(g)
	t := &transitiveReduction{s: s, g: g, order: s.components(g), units: units}
	if t.order != nil {
		t.nodes = make([]reached, len(s.vals))
		t.limit = s.stats.Ticks + budget
		t.run()
	}
	s.dropMarked(g)
	s.assignUnits(t.units)
}

// run takes one literal after the other, from where the last pass ended.
func (t *transitiveReduction) run() {
	n := dimacs.Lit(len(t.nodes))
	for range n {
		if t.spent() {
			return
		}
		if t.s.reduceFrom >= n {
			t.s.reduceFrom = 0
		}
		t.reduce(t.s.reduceFrom)
		t.s.reduceFrom++
	}
}

func (t *transitiveReduction) spent() bool {
	return t.s.stats.Ticks >= t.limit || t.s.stats.Ticks >= t.s.pollAt && t.s.poll(t.s.stats.Ticks)
}

// reduce tests the edges that leave l, first those of the formula, among
// themselves.
func (t *transitiveReduction) reduce(l dimacs.Lit) {
	t.s.stats.Ticks++
	if t.g.Degree(l) < 2 || !t.sortRow(l) {
		return
	}
	if t.testEdges(l, false) {
		t.testEdges(l, true)
	}
}

const redundantEdge = 1 << 32 // in an entry of a row, above the edge

// sortRow puts the edges that leave l in topological order, learned ones behind
// others to the same component. It reports whether one of them is to be tested.
func (t *transitiveReduction) sortRow(l dimacs.Lit) bool {
	g := t.g
	t.s.stats.Ticks += g.Cost(l)
	t.row = t.row[:0]
	testable := false
	for i := g.Start[l]; i < g.Start[l+1]; i++ {
		if g.Refs[i] == 0 {
			continue
		}
		testable = testable || t.testedHere(l, g.Heads[i])
		k := uint64(1<<31-1-t.order.Of(g.Heads[i]))<<33 | uint64(i)
		if g.Refs[i]&2 != 0 {
			k |= redundantEdge
		}
		t.row = append(t.row, k)
	}
	if !testable || len(t.row) < 2 {
		return false
	}
	slices.Sort(t.row)
	return true
}

// testedHere reports whether the edge from l to h is tested here and not as that from
// the complement of h to that of l.
func (t *transitiveReduction) testedHere(l dimacs.Lit, h uint32) bool {
	here, there := t.g.Degree(l), t.g.Degree(dimacs.Lit(h^1))
	return there > 1 && (here > there || here == there && uint32(l) < h^1)
}

// testEdges tests the edges that leave l, those that were learned or the others, and
// kills those that follow. It reports false if l is done with.
func (t *transitiveReduction) testEdges(l dimacs.Lit, redundant bool) bool {
	last := t.lastTested(l, redundant)
	if last < 0 {
		return true
	}
	low := t.order.Of(t.g.Heads[uint32(t.row[last])])
	t.stamp++
	t.nodes[l].stamp = t.stamp
	for n, k := range t.row[:last+1] {
		i := uint32(k)
		learned := k&redundantEdge != 0
		if t.g.Refs[i] == 0 || learned && !redundant {
			continue
		}
		h := t.g.Heads[i]
		switch {
		case t.nodes[h].stamp == t.stamp:
			if learned == redundant && t.testedHere(l, h) {
				markEdge(t.g, l, i)
				t.s.stats.Transitive++
				t.s.stats.Ticks += t.g.Cost(dimacs.Lit(h ^ 1))
			}
		case n < last && !t.search(l, i, low, redundant):
			return false
		}
	}
	return true
}

// lastTested returns the last place of the row that holds an edge that a sweep
// tests, or -1.
func (t *transitiveReduction) lastTested(l dimacs.Lit, redundant bool) int {
	for n := len(t.row) - 1; n > 0; n-- {
		k := t.row[n]
		if i := uint32(k); (k&redundantEdge != 0) == redundant && t.g.Refs[i] != 0 && t.testedHere(l, t.g.Heads[i]) {
			return n
		}
	}
	return -1
}

// search reaches what follows along the edge i that leaves l, down to component
// low. It reports false if l fails, or the pass is over.
func (t *transitiveReduction) search(l dimacs.Lit, i uint32, low uint32, redundant bool) bool {
	h := dimacs.Lit(t.g.Heads[i])
	t.nodes[h] = reached{t.stamp, i, l}
	t.stack = append(t.stack[:0], h)
	for len(t.stack) > 0 {
		if t.spent() {
			return false
		}
		m := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.s.stats.Ticks += t.g.Cost(m)
		for j := t.g.Start[m]; j < t.g.Start[m+1]; j++ {
			k, ref := dimacs.Lit(t.g.Heads[j]), t.g.Refs[j]
			switch {
			case ref == 0, ref&2 != 0 && !redundant, t.nodes[k].stamp == t.stamp:
				continue
			case t.order.Of(uint32(k)) < low:
				continue
			}
			t.nodes[k] = reached{t.stamp, j, m}
			if k == l^1 {
				t.stamp++
				t.units = append(t.units, t.s.deriveFailed(t.g, t.nodes, l, t.stamp))
				t.s.stats.TransitiveUnits++
				return false
			}
			t.stack = append(t.stack, k)
		}
	}
	return true
}
