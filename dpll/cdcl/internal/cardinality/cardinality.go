// Package cardinality detects at-most-one (AMO) and at-most-two constraints among the
// clauses of a formula, and refutes the formula by the pigeonhole principle. Let some
// clauses share no literal, and let each literal of these clauses be in one of n AMO
// constraints. If there are more than n clauses, then the formula is unsatisfiable: each
// clause needs a true literal of its own, and at most n literals are true. Every
// resolution refutation of such a formula is exponentially long (Haken, "The
// intractability of resolution", TCS 1985), and so is the run of a solver with clause
// learning. The pass finds the contradiction as a violation of Hall's condition for a
// bipartite matching (Hall, "On representatives of subsets", 1935; Régin, "A filtering
// algorithm for constraints of difference in CSPs", AAAI 1994). It derives the empty
// clause by extended resolution.
//
//	func pigeonholes(h inprocess.Host, d *cardinality.Detector, active int) {
//		d.Run(h, active, 1e6) // a budget of ticks
//		if h.Refuted() {
//			// some clauses need more true literals than the constraints allow
//		}
//	}
//
// A pass has three steps:
//
//   - Candidates are the clauses in which each literal is mutually exclusive with a
//     literal of another clause. Clauses to be matched must not share a literal, since
//     one literal could satisfy two of them. So the pass colors the candidates greedily,
//     in breadth-first order along shared literals, and handles each color class by
//     itself. Where each literal occurs in two candidates and the candidates form two
//     classes, as the black and the white squares of a chessboard to be covered with
//     dominoes, the colors are these classes.
//   - AMO constraints are cliques in the graph of mutually exclusive literals (AMO
//     cliques). The pass grows cliques greedily, with at most one literal of each clause,
//     since a clique within one clause would be of use to this clause alone. Each literal
//     is in at most one clique. A literal without a clique can always be true, so that
//     its clause is not matched. With further cliques, so that a literal may be in
//     several, the pass refuted no more formulas.
//   - A bipartite matching assigns each clause a constraint of one of its literals, along
//     augmenting paths. If the search from a clause finds no augmenting path, it has met
//     more clauses than constraints: a Hall violator.
//
// Two literals are mutually exclusive if there is a binary clause of their complements.
// If such pairs lead to no contradiction, the pass repeats the steps with at-most-two
// constraints (Biere, "Two pigeons per hole problem", SAT Competition 2013): any three
// literals of such a constraint have a ternary clause of their complements, and the
// constraint counts twice. At last the pass repeats the steps with pairs of literals that
// are mutually exclusive along a path of binary clauses. All usual encodings of AMO
// constraints with auxiliary variables have such paths: ladder, commander and product
// encodings.
//
// Apart from augmenting paths, the time is linear in the edges of the graph, and a budget
// bounds it. A formula has such constraints from the start or never, except for those
// that elimination uncovers. So the pass runs in the first round, before elimination
// destroys constraints, and again when a good part of the variables is eliminated. A pass
// that uses up its budget is repeated with twice the budget.
//
// cardinality.go has the pass and the matching, candidates.go the candidates and their
// colors, cliques.go the constraints, premises.go the clauses from which a proof starts,
// and proof.go the proof.
package cardinality

import (
	"iter"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// A finder is the state of a pass. An AMO constraint is represented by a slot, an
// at-most-two constraint by two consecutive slots; the matching assigns slots to clauses.
type finder struct {
	host   inprocess.Host
	vals   []int8 // by literal, at the root
	g      *inprocess.Implications
	budget inprocess.Budget
	stats  *Stats
	bound  uint32 // how many literals of a constraint may be true: 1 or 2
	paths  bool   // literals are mutually exclusive along paths, not only by binary clauses

	ternary ternaryIndex // for at-most-two constraints

	nodeOf []uint32 // by literal: its node, or 0
	nodes  []node   // from index 1 on

	// Candidates. Clause c has the nodes members[start[c]:start[c+1]].
	start    []uint32
	members  []uint32
	refs     []uint32 // by clause: its reference
	rejected []bool   // by clause: it is no candidate anymore
	colors   []uint8  // by clause: its color plus 1, or 0
	occurs   []uint32 // the clauses of each node, in order of nodes

	// A color class and its matching.
	class      []uint32 // clauses
	slots      uint32   // number of slots, which are numbered from 1
	clauseMate []uint32 // by clause: its slot, or 0
	slotMate   []uint32 // by slot: its clause plus 1, or 0
	parent     []uint32 // by slot: the clause from which the search reached it

	reached   []uint32 // by literal: the last search that reached it
	marked    []uint32 // by slot or clause: the last clique or search that contains it
	stamp     uint32   // the current mark in reached and marked
	queue     []uint32 // scratch; after findHallViolator, the clauses of the violator
	neighbors []uint32 // scratch: nodes that may join a constraint
	common    []uint32 // scratch: nodes that a new member excludes
}

// A node is a literal that occurs in candidates, in the graph of mutually exclusive
// literals.
type node struct {
	lit    dimacs.Lit
	first  uint32 // index in occurs of its first clause
	clause uint32 // the clause of the current class that contains it, plus 1, or 0
	slot   uint32 // the first slot of its constraint, or 0
	count  uint32 // while a constraint grows: members, or pairs of members, that exclude the literal
	colors uint8  // bit set of the colors of its clauses
}

const (
	// maxColors bounds the number of color classes. Clauses that need one more color get
	// the color maxColors, which is not matched.
	maxColors = 4
	// listed is a flag in node.colors: colorNeighbors has queued the clauses of the node.
	listed = 1 << 7
	// firstTicks is the least budget of the first pass per word of the formula. This
	// suffices for chessboards of 50 rows and for 100 holes. A later pass does not
	// recognize such formulas after variable elimination.
	firstTicks = 4
	// maxFirstTicks bounds the budget that firstTicks yields.
	maxFirstTicks = 2_500_000
	// maxImplied bounds the number of literals that a search along paths expands.
	maxImplied = 1000
)

// trials lists the searches of a pass: the bound of the constraints, whether literals may
// be mutually exclusive along paths, and the least number of literals of a candidate.
var trials = []struct {
	bound   uint32
	paths   bool
	minSize int
}{{1, false, 2}, {2, false, 2}, {1, true, 3}, {1, true, 2}}

// Stats counts the results of passes.
type Stats struct {
	Matchings   int64 // bipartite matchings of clauses to at-most-one constraints
	Pigeonholes int64 // refutations
}

// A Detector runs passes and schedules their repetition. The zero value is ready for use.
type Detector struct {
	budget int64 // ticks of the rounds since the last pass
	used   int64 // budget of the last pass, if it did not suffice
	seen   int   // active variables when a pass last examined the whole formula
}

// Run runs a pass if it is due, with the budget of this round and of the rounds since the
// last pass. It derives the empty clause if the pass finds a Hall violator. A proof must
// allow extension variables. The number of active variables, neither assigned nor
// eliminated, determines when a pass is repeated.
func (d *Detector) Run(h inprocess.Host, active int, budget int64) (st Stats) {
	if d.seen == 0 && d.used == 0 {
		size := h.Size()
		budget = max(budget, min(firstTicks*int64(size.Words+2*size.Binary), maxFirstTicks))
	}
	if d.budget += budget; !d.due(active) {
		return st
	}
	d.used = d.budget
	g := h.Implications(true)
	if g == nil {
		return st
	}
	f := &finder{host: h, vals: h.Values(), g: g, budget: inprocess.NewBudget(h, d.budget), stats: &st}
	d.budget = 0
	for _, t := range trials {
		if f.bound != t.bound {
			f.prepare(t.bound)
		}
		f.paths = t.paths
		if len(f.refs) > 0 && f.findHallViolator(t.minSize) {
			st.Pigeonholes++
			if h.Proof() == nil || f.prove() {
				h.Refute()
			}
			break
		}
		if f.budget.Spent() {
			return st
		}
	}
	d.used, d.seen = 0, active
	return st
}

// due reports whether a pass may find more than the last one.
func (d *Detector) due(active int) bool {
	if d.used > 0 {
		return d.budget >= 2*d.used
	}
	return d.seen == 0 || 4*active <= 3*d.seen
}

// prepare collects the candidates for constraints with this bound.
func (f *finder) prepare(bound uint32) {
	f.bound = bound
	f.class = nil
	if (bound == 1 || f.listTernary()) && f.candidates() {
		f.listOccurrences()
	} else {
		f.refs = f.refs[:0]
	}
}

// findHallViolator reports whether a color class has a Hall violator, and leaves its
// clauses in the queue.
func (f *finder) findHallViolator(minSize int) bool {
	for c := range f.rejected {
		f.rejected[c] = len(f.clause(uint32(c))) < minSize
	}
	if f.bound == 1 && !f.paths {
		f.rejectIsolated()
	}
	f.colorClauses()
	for x := range uint8(maxColors) {
		if f.selectClass(x + 1); len(f.class) < 2 {
			continue
		}
		if f.budget.Spent() {
			return false
		}
		if f.findConstraints(); f.slots == 0 {
			continue
		}
		if f.stats.Matchings++; !f.match() {
			return true
		}
	}
	return false
}

// match assigns each clause of the class a slot, except for clauses with an unconstrained
// literal. It reports false if that is impossible. The queue then has a Hall violator:
// its clauses are one more than the slots of their literals.
func (f *finder) match() bool {
	clear(f.slotMate[:f.slots+1])
	var todo []uint32
	for _, c := range f.class {
		f.clauseMate[c] = 0
		if !slices.ContainsFunc(f.clause(c), f.unconstrained) && !f.matchFree(c) {
			todo = append(todo, c)
		}
	}
	for _, c := range todo {
		if f.budget.Spent() {
			return true
		}
		if !f.augment(c) && f.provable() {
			return false
		}
	}
	return true
}

// provable reports whether the proof can refute the Hall violator in the queue. A
// violator with a literal and its complement is correct, but some steps of its proof
// would have a conflict before their last antecedent. An at-most-two constraint may lack
// ternary clauses.
func (f *finder) provable() bool {
	f.stamp++
	for _, c := range f.queue {
		for _, n := range f.clause(c) {
			l := f.nodes[n].lit
			if f.reached[l^1] == f.stamp {
				return false
			}
			f.reached[l] = f.stamp
		}
	}
	return f.bound == 1 || f.ternaryComplete()
}

// slotsOf iterates over the slots of the constraint of a node.
func (f *finder) slotsOf(n uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		slot := f.nodes[n].slot
		_ = yield(slot) && f.bound == 2 && yield(slot+1)
	}
}

// unconstrained reports whether a node is in no constraint.
func (f *finder) unconstrained(n uint32) bool { return f.nodes[n].slot == 0 }

// matchFree assigns a clause a free slot, if there is one.
func (f *finder) matchFree(c uint32) bool {
	for _, n := range f.clause(c) {
		*f.budget.Ticks++
		for slot := range f.slotsOf(n) {
			if f.slotMate[slot] == 0 {
				f.slotMate[slot], f.clauseMate[c] = c+1, slot
				return true
			}
		}
	}
	return false
}

// augment assigns clause c a slot along an augmenting path. It reports false if there is
// no path; the queue then has the clauses that the search has met.
func (f *finder) augment(c uint32) bool {
	f.stamp++
	f.queue = append(f.queue[:0], c)
	for i := 0; i < len(f.queue); i++ {
		d := f.queue[i]
		for _, n := range f.clause(d) {
			*f.budget.Ticks++
			for slot := range f.slotsOf(n) {
				if f.marked[slot] == f.stamp {
					continue
				}
				f.marked[slot], f.parent[slot] = f.stamp, d
				if f.slotMate[slot] == 0 {
					f.flipPath(slot, c)
					return true
				}
				f.queue = append(f.queue, f.slotMate[slot]-1)
			}
		}
	}
	return false
}

// flipPath assigns each clause on the path from clause c to a free slot the next slot of
// the path.
func (f *finder) flipPath(slot, c uint32) {
	for {
		d := f.parent[slot]
		next := f.clauseMate[d]
		f.clauseMate[d], f.slotMate[slot] = slot, d+1
		if d == c {
			return
		}
		slot = next
	}
}
