package study

import (
	"context"
	"slices"

	"sator/dimacs"
)

// The DPLL program of the paper "Influence of initial Sudoku variables on the
// computational performance of a DPLL implementation" (Vrije Universiteit
// Amsterdam), reimplemented. The original differs from textbook DPLL in two
// points, found in its source code; both change the counts.
//
// Unit propagation is a single round. A call collects the literals of all
// clauses that are unit when it begins, and assigns them. Clauses that become
// unit by these assignments are propagated only by the next call, after a
// decision, which may contradict one of the implied literals. A chain of n
// implications takes n calls and n decisions. "Evaluations" therefore count
// rounds of propagation, not nodes of a search tree, and some backtracks undo
// decisions on implied literals.
//
// Weights are not reset. The one-sided and two-sided Jeroslow-Wang heuristics
// and "minimum occurrences" add the weights of the open clauses to sums that
// are attributes of a class, not local to a call, so the sums cover all nodes
// of the search so far, including abandoned ones. The script of the experiment
// starts a process for each puzzle and heuristic, so the sums start at 0 for
// each puzzle. With these two properties, all numbers of the paper's Table 1
// are reproduced exactly.
//
// A roundSolver has the first property unless fixpoint is set, which changes
// only that. It has the second one if it is given Weights. With the same Weights for all puzzles it behaves like a single
// process for all puzzles. Package classic has neither property.

// A roundSolver searches like the paper's program.
type roundSolver struct {
	lits   []dimacs.Lit
	starts []uint32   // index in lits of each clause, and of the end
	occ    [][]uint32 // by literal: the clauses that contain it
	order  []dimacs.Lit

	rule     *roundRule
	fixpoint bool // a call propagates until no clause is unit

	scores []uint64 // by literal: the sum of the weights of its open clauses; nil if the rule has no weights

	vals    []int8 // by literal: 1 true, -1 false, 0 unassigned
	trail   []dimacs.Lit
	free    []int32  // by clause: number of unassigned literals
	sat     []int32  // by clause: number of true literals
	open    int      // number of clauses without a true literal
	empty   bool     // a clause has only false literals
	pending []uint32 // clauses that have become unit; some are satisfied by now
	units   []uint32 // unit clauses of the formula

	// State of a run.
	ctx     context.Context
	weights *Weights
	limit   int64 // conflict limit
	outcome Outcome

	counts    []uint64 // scratch of countShortest
	shortLits []dimacs.Lit
}

// newRoundSolver returns a solver for a formula.
func newRoundSolver(f *dimacs.Formula, rule *roundRule) *roundSolver {
	r := &roundSolver{rule: rule, starts: []uint32{0}, vals: make([]int8, 2*f.Vars()), occ: make([][]uint32, 2*f.Vars())}
	seen := make([]bool, 2*f.Vars())
	for i, c := range f.Clauses() {
		for _, l := range c {
			r.occ[l] = append(r.occ[l], uint32(i))
			if !seen[l] {
				seen[l] = true
				r.order = append(r.order, l)
			}
		}
		r.lits = append(r.lits, c...)
		r.starts = append(r.starts, uint32(len(r.lits)))
		r.free = append(r.free, int32(len(c)))
		if len(c) == 1 {
			r.units = append(r.units, uint32(i))
		}
		r.empty = r.empty || len(c) == 0
	}
	r.open = f.Len()
	r.sat = make([]int32, f.Len())
	if rule.weight != nil {
		r.scores = make([]uint64, 2*f.Vars())
		for i := range r.free {
			r.score(uint32(i), r.weigh(r.free[i]))
		}
	}
	return r
}

func (r *roundSolver) clause(c uint32) []dimacs.Lit { return r.lits[r.starts[c]:r.starts[c+1]] }

// isOpen reports whether a clause has no true literal.
func (r *roundSolver) isOpen(c uint32) bool { return r.sat[c] == 0 }

// weigh returns the weight of an open clause with that number of unassigned
// literals, and 0 for an empty clause.
func (r *roundSolver) weigh(length int32) uint64 {
	if length == 0 {
		return 0
	}
	return r.rule.weight(int(length))
}

// score adds gain to the scores of the literals of a clause.
func (r *roundSolver) score(c uint32, gain uint64) {
	for _, l := range r.clause(c) {
		r.scores[l] += gain
	}
}

// run searches for a model with the givens, which are added as unit clauses,
// and gives up after limit conflicts if limit is not 0. If weights is not nil,
// the heuristic accumulates and uses these weights, else the weights of the
// current node.
func (r *roundSolver) run(ctx context.Context, givens []dimacs.Lit, weights *Weights, limit int64) Outcome {
	r.ctx, r.weights, r.limit, r.outcome = ctx, weights, limit, Outcome{}
	if weights != nil {
		weights.grow(len(r.vals))
	}
	r.pending = append(r.pending[:0], r.units...)
	empty := r.empty
	r.outcome.Answer = r.solve(givens, 0)
	r.undo(0)
	r.empty = empty
	return r.outcome
}

// stopped reports whether the run must end without an answer.
func (r *roundSolver) stopped() bool {
	if r.limit > 0 && r.outcome.Conflicts >= r.limit {
		r.outcome.Capped = true
		return true
	}
	return r.ctx.Err() != nil
}

// solve is one call: a round of propagation, a decision and its two branches.
// Depth is the number of decisions above the call.
func (r *roundSolver) solve(givens []dimacs.Lit, depth int64) dimacs.Status {
	r.outcome.Evaluations++
	r.outcome.Depth = max(r.outcome.Depth, depth)
	r.propagate(givens)
	switch {
	case r.empty:
		r.outcome.Conflicts++
		if depth > 0 && r.stopped() {
			return dimacs.Unknown
		}
		return dimacs.Unsatisfiable
	case r.open == 0:
		return dimacs.Satisfiable
	case r.stopped():
		return dimacs.Unknown
	}
	mark, pending := len(r.trail), slices.Clone(r.pending)
	l := r.decide()
	r.outcome.Decisions++
	r.assign(l)
	if answer := r.solve(nil, depth+1); answer != dimacs.Unsatisfiable {
		return answer
	}
	r.outcome.Backtracks++
	r.undo(mark)
	r.pending = append(r.pending[:0], pending...)
	r.assign(l ^ 1)
	return r.solve(nil, depth+1)
}

// propagate does a round, or all rounds if fixpoint is set. It returns the
// number of rounds.
func (r *roundSolver) propagate(givens []dimacs.Lit) int64 {
	r.round(givens)
	rounds := int64(1)
	for ; r.fixpoint && !r.empty && len(r.pending) > 0; rounds++ {
		r.round(nil)
	}
	return rounds
}

// close propagates the givens without search and returns the number of rounds.
// The caller reads the assignment, and undoes it.
func (r *roundSolver) close(givens []dimacs.Lit) int64 {
	r.pending = append(r.pending[:0], r.units...)
	return r.propagate(givens)
}

// round assigns the givens and the literals of the clauses that are unit at
// this moment. It sets empty if two of these literals are complementary.
func (r *roundSolver) round(givens []dimacs.Lit) {
	literals := slices.Clone(givens)
	for _, c := range r.pending {
		if r.isOpen(c) && r.free[c] == 1 {
			lits := r.clause(c)
			literals = append(literals, lits[slices.IndexFunc(lits, func(l dimacs.Lit) bool { return r.vals[l] == 0 })])
		}
	}
	r.pending = r.pending[:0]
	for _, l := range literals {
		switch r.vals[l] {
		case 0:
			r.outcome.Propagations++
			r.assign(l)
		case -1:
			r.empty = true
		}
	}
}

// decide chooses a literal.
func (r *roundSolver) decide() dimacs.Lit {
	sums, order := r.scores, r.order
	if w := r.weights; w != nil && r.scores != nil {
		r.addSeen()
		for l, score := range r.scores {
			if r.vals[l] == 0 { // the score of a false literal includes clauses that no longer contain it
				w.Sums[l] += score
			}
		}
		sums, order = w.Sums, w.Order
	}
	return r.rule.choose(r, sums, order)
}

// addSeen appends the literals of open clauses that occur for the first time to
// the order of the weights, by which ties are broken.
func (r *roundSolver) addSeen() {
	w := r.weights
	if len(w.Order) == len(r.order) {
		return
	}
	for c := range uint32(len(r.free)) {
		if !r.isOpen(c) {
			continue
		}
		for _, l := range r.clause(c) {
			if r.vals[l] == 0 && !w.seen[l] {
				w.seen[l] = true
				w.Order = append(w.Order, l)
			}
		}
	}
}

// assign makes a literal true.
func (r *roundSolver) assign(l dimacs.Lit) {
	r.vals[l], r.vals[l^1] = 1, -1
	r.trail = append(r.trail, l)
	for _, c := range r.occ[l] {
		if r.isOpen(c) {
			r.open--
			if r.scores != nil {
				r.score(c, -r.weigh(r.free[c]))
			}
		}
		r.sat[c]++
		r.free[c]--
	}
	for _, c := range r.occ[l^1] {
		r.free[c]--
		if !r.isOpen(c) {
			continue
		}
		if r.scores != nil {
			r.score(c, r.weigh(r.free[c])-r.weigh(r.free[c]+1))
		}
		switch r.free[c] {
		case 0:
			r.empty = true
		case 1:
			r.pending = append(r.pending, c)
		}
	}
}

// undo unassigns all but the first n literals of the trail. No clause was empty
// at that point of the trail.
func (r *roundSolver) undo(n int) {
	for len(r.trail) > n {
		l := r.trail[len(r.trail)-1]
		r.trail = r.trail[:len(r.trail)-1]
		for _, c := range r.occ[l^1] {
			r.free[c]++
			if r.isOpen(c) && r.scores != nil {
				r.score(c, r.weigh(r.free[c])-r.weigh(r.free[c]-1))
			}
		}
		for _, c := range r.occ[l] {
			r.sat[c]--
			r.free[c]++
			if r.isOpen(c) {
				r.open++
				if r.scores != nil {
					r.score(c, r.weigh(r.free[c]))
				}
			}
		}
		r.vals[l], r.vals[l^1] = 0, 0
	}
	r.empty = false
}
