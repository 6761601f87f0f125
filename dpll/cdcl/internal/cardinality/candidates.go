package cardinality

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// The candidates for a matching, and a graph coloring by which no two candidates of a color
// share a literal.

// candidates collects the clauses in which each literal may be in a constraint. It
// reports whether there are any, and false if the call was stopped.
func (f *finder) candidates() bool {
	f.nodeOf = make([]uint32, len(f.vals))
	if f.nodes == nil {
		f.nodes, f.start = inprocess.GrowingTable[node](f.host), inprocess.GrowingTable[uint32](f.host)
		f.members, f.refs = inprocess.GrowingTable[uint32](f.host), inprocess.GrowingTable[uint32](f.host)
	}
	f.nodes, f.start = append(f.nodes[:0], node{}), append(f.start[:0], 0)
	f.members, f.refs = f.members[:0], f.refs[:0]
	visited, ok := f.host.EachClause(func(r uint32, lits []uint32) bool {
		f.addCandidate(r, lits...)
		return true
	})
	*f.budget.Ticks += int64(visited)
	for l := range dimacs.Lit(len(f.vals)) {
		if !ok || inprocess.Pause(f.host, int(l)+1) {
			return false
		}
		for j := f.g.Start[l]; j < f.g.Start[l+1]; j++ {
			if h, ref := f.g.Heads[j], f.g.Refs[j]; uint32(l^1) < h && ref&2 == 0 {
				f.addCandidate(ref, uint32(l^1), h)
			}
		}
	}
	f.rejected = make([]bool, len(f.refs))
	return len(f.refs) > 0
}

// addCandidate adds a clause to the candidates, unless it is satisfied or has a literal
// that cannot be in a constraint.
func (f *finder) addCandidate(ref uint32, lits ...uint32) {
	for _, w := range lits {
		if f.vals[w] > 0 || f.vals[w] == 0 && !f.constrained(dimacs.Lit(w)) {
			return
		}
	}
	for _, w := range lits {
		if f.vals[w] < 0 {
			continue
		}
		if f.nodeOf[w] == 0 {
			f.nodeOf[w] = uint32(len(f.nodes))
			f.nodes = append(f.nodes, node{lit: dimacs.Lit(w)})
		}
		f.members = append(f.members, f.nodeOf[w])
	}
	f.start = append(f.start, uint32(len(f.members)))
	f.refs = append(f.refs, ref)
}

// constrained reports whether l has enough clauses to be in a constraint.
func (f *finder) constrained(l dimacs.Lit) bool {
	if f.bound == 2 {
		return f.ternary.start[l+1]-f.ternary.start[l] >= minTernary
	}
	return f.g.Degree(l) > 0
}

// clause returns the nodes of a candidate.
func (f *finder) clause(c uint32) []uint32 { return f.members[f.start[c]:f.start[c+1]] }

// occurrences returns the candidates that contain a node.
func (f *finder) occurrences(n uint32) []uint32 {
	end := uint32(len(f.occurs))
	if int(n)+1 < len(f.nodes) {
		end = f.nodes[n+1].first
	}
	return f.occurs[f.nodes[n].first:end]
}

// listOccurrences builds the lists of candidates of the nodes and allocates the tables of
// the matching.
func (f *finder) listOccurrences() {
	*f.budget.Ticks += int64(len(f.members) / 4)
	for _, n := range f.members {
		f.nodes[n].first++
	}
	sum := uint32(0)
	for n := range f.nodes {
		sum += f.nodes[n].first
		f.nodes[n].first = sum
	}
	f.occurs = make([]uint32, len(f.members))
	for c := len(f.refs) - 1; c >= 0; c-- {
		for _, n := range f.clause(uint32(c)) {
			f.nodes[n].first--
			f.occurs[f.nodes[n].first] = uint32(c)
		}
	}
	f.reached = make([]uint32, len(f.vals))
	f.marked = make([]uint32, max(len(f.refs), len(f.nodes))+1)
	f.clauseMate = make([]uint32, len(f.refs))
	f.slotMate = make([]uint32, len(f.nodes)+1)
	f.parent = make([]uint32, len(f.nodes)+1)
}

// rejectIsolated rejects candidates with an isolated literal. A rejection may isolate
// literals of other candidates; three rounds find most of them.
func (f *finder) rejectIsolated() {
	for range 3 {
		changed := false
		for c := range uint32(len(f.refs)) {
			if f.budget.Spent() {
				return
			}
			if !f.rejected[c] && slices.ContainsFunc(f.clause(c), f.isolated) {
				f.rejected[c], changed = true, true
			}
		}
		if !changed {
			return
		}
	}
}

// isolated reports whether no binary clause makes a node mutually exclusive with a
// literal of another candidate.
func (f *finder) isolated(n uint32) bool {
	l := f.nodes[n].lit
	for j := f.g.Start[l]; j < f.g.Start[l+1]; j++ {
		*f.budget.Ticks++
		if k := f.nodeOf[f.g.Heads[j]^1]; k != 0 && k != n && f.occursWithout(n, k) {
			return false
		}
	}
	return true
}

// occursWithout reports whether a candidate contains k but not n.
func (f *finder) occursWithout(n, k uint32) bool {
	for _, c := range f.occurrences(k) {
		*f.budget.Ticks++
		if !f.rejected[c] && !slices.Contains(f.occurrences(n), c) {
			return true
		}
	}
	return false
}

// colorClauses colors the candidates so that no two of a color share a literal, in
// breadth-first order along shared literals.
func (f *finder) colorClauses() {
	f.colors = make([]uint8, len(f.refs))
	for n := range f.nodes {
		f.nodes[n].colors = 0
	}
	for c := range uint32(len(f.refs)) {
		if f.rejected[c] || f.colors[c] != 0 {
			continue
		}
		f.color(c)
		f.queue = append(f.queue[:0], c)
		for i := 0; i < len(f.queue) && !f.budget.Spent(); i++ {
			f.colorNeighbors(f.queue[i])
		}
	}
}

// colorNeighbors colors the clauses that share a literal with c, and appends them to the
// queue. It reads the list of each literal once.
func (f *finder) colorNeighbors(c uint32) {
	for _, n := range f.clause(c) {
		if f.nodes[n].colors&listed != 0 {
			continue
		}
		f.nodes[n].colors |= listed
		for _, d := range f.occurrences(n) {
			*f.budget.Ticks++
			if !f.rejected[d] && f.colors[d] == 0 {
				f.color(d)
				f.queue = append(f.queue, d)
			}
		}
	}
}

// color assigns a clause the first color that no clause with a common literal has.
func (f *finder) color(c uint32) {
	used := uint8(0)
	for _, n := range f.clause(c) {
		used |= f.nodes[n].colors
	}
	x := min(bits.TrailingZeros8(^used), maxColors)
	f.colors[c] = uint8(x) + 1
	for _, n := range f.clause(c) {
		f.nodes[n].colors |= 1 << x &^ listed
	}
}

// selectClass makes the clauses of a color the current class.
func (f *finder) selectClass(color uint8) {
	for _, c := range f.class {
		for _, n := range f.clause(c) {
			f.nodes[n].clause, f.nodes[n].slot = 0, 0
		}
	}
	*f.budget.Ticks += int64(len(f.colors) / 64)
	f.class = f.class[:0]
	for c, x := range f.colors {
		if x == color {
			*f.budget.Ticks++
			f.class = append(f.class, uint32(c))
			for _, n := range f.clause(uint32(c)) {
				f.nodes[n].clause = uint32(c) + 1
			}
		}
	}
}
