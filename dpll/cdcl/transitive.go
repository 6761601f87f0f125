package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/twosat"
)

// Transitive reduction of the binary implication graph. A binary clause that follows
// from others along a path of implications adds nothing: propagation along the path
// assigns the same literals. It is deleted, and propagation has shorter lists. An
// irredundant clause needs a path of irredundant clauses; for a learned one any path is
// enough. (Aho, Garey, Ullman, "The transitive reduction of a directed graph", 1972; in
// SAT solvers since Lingeling.)
//
// Other solvers test one clause after the other, with a search for each. Here one
// search tests all edges from a literal (Goralčíková and Koubek, "A reduct-and-closure
// algorithm for graphs", 1979): the successors are visited in topological order, and an
// edge to a successor that an earlier one reaches is redundant. The order is that of
// the strongly connected components: every edge leads to the same or a lower one. So
// the search prunes all components below the last successor under test.
//
// A path must not use the clause that it replaces, in neither direction. The search
// from l does not return to l, and so never follows the edge itself. The contrapositive
// of the edge ends in the complement of l: a path through it means that l implies its
// complement. Then the unit is learned, and l needs no further tests. A clause is only
// deleted for a path of clauses that are not deleted, so cycles in the graph do no
// harm.
//
// A clause is tested from the end that has more outgoing edges: if a literal has a
// single outgoing edge, no other path leaves it. When the budget is used up, the next
// pass resumes at the next literal.
//
// Hardware formulas lose two or three of a hundred binary clauses. Some other formulas
// lose half of them, as duplicates. The ticks to the answer change no more than with
// another seed.

// A transitiveReduction is a pass of transitive reduction.
type transitiveReduction struct {
	s     *Solver
	g     *inprocess.Implications
	order *twosat.Condensation // strongly connected components
	limit int64                // end of the budget, in ticks
	stamp uint32               // of the current search
	nodes []reached            // by literal
	stack []dimacs.Lit         // literals to continue the search from
	row   []uint64             // edges from the current literal, sorted
	units []inprocess.Unit
}

// transitive deletes binary clauses that follow from others.
func (s *Solver) transitive(budget int64) {
	g := s.implications(true)
	if g == nil || len(g.Heads) == 0 {
		return
	}
	t := &transitiveReduction{s: s, g: g, units: s.markDuplicates(g)}
	if !s.call.stopped {
		t.order = s.components(g)
	}
	if t.order != nil {
		t.nodes = scratchTable[reached](s, len(s.trail.vals))[:len(s.trail.vals)]
		t.limit = s.stats.Ticks + budget
		t.run()
	}
	s.deleteMarked(g)
	s.assignUnits(t.units)
}

// run reduces the edges of one literal after the other, from the one where the last
// pass ended.
func (t *transitiveReduction) run() {
	n := dimacs.Lit(len(t.nodes))
	for range n {
		if t.spent() {
			return
		}
		if t.s.passes.reduceFrom >= n {
			t.s.passes.reduceFrom = 0
		}
		t.reduce(t.s.passes.reduceFrom)
		t.s.passes.reduceFrom++
	}
}

// spent reports whether the pass should end: its budget is used up or the call is
// stopped.
func (t *transitiveReduction) spent() bool {
	s := t.s
	return s.stats.Ticks >= t.limit || s.stats.Ticks >= s.call.pollAt && s.poll(s.stats.Ticks)
}

// reduce tests the edges from l: first the irredundant ones, with irredundant paths,
// then the learned ones.
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

// sortRow sorts the edges from l topologically, learned ones after irredundant ones to
// the same component. It reports whether one of them is to be tested.
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

// testedHere reports whether the clause of the edge from l to h is tested as this edge,
// and not as its contrapositive.
func (t *transitiveReduction) testedHere(l dimacs.Lit, h uint32) bool {
	here, there := t.g.Degree(l), t.g.Degree(dimacs.Lit(h^1))
	return there > 1 && (here > there || here == there && uint32(l) < h^1)
}

// testEdges tests the edges from l, the learned or the irredundant ones, and marks
// edges that follow from others for deletion. It reports false if l fails or the pass
// is over.
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

// lastTested returns the last position in the row of an edge that testEdges tests, or
// -1.
func (t *transitiveReduction) lastTested(l dimacs.Lit, redundant bool) int {
	for n := len(t.row) - 1; n > 0; n-- {
		k := t.row[n]
		if i := uint32(k); (k&redundantEdge != 0) == redundant && t.g.Refs[i] != 0 && t.testedHere(l, t.g.Heads[i]) {
			return n
		}
	}
	return -1
}

// search marks the literals that follow from edge i of l, down to component low. It
// reports false if l fails or the pass is over.
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
