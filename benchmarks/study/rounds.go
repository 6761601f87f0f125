package study

import (
	"context"
	"slices"

	"sator/dimacs"
)

// The program whose results the paper reports (Influence of initial Sudoku
// variables on the computational performance of a DPLL implementation, Vrije
// Universiteit Amsterdam) differs from DPLL in two points. Both were found in its
// source, and both matter for what it counts.
//
// Unit propagation is one round. A call takes the literals of all clauses that
// are units when it begins, and assigns these. What becomes a unit by that waits
// for the next call, while a literal is decided in between, perhaps the
// complement of the one that is due. So a chain of n implications takes n calls
// and n decisions, and "evaluations" are rounds of propagation rather than nodes
// of a tree; some of the backtracks repair decisions that nobody had to make.
//
// Weights are not reset. Both variants of Jeroslow-Wang, and "minimum
// occurrences", add the weights of the open clauses to sums that belong to a
// class and not to a call: so they go by all nodes of the search so far, also by
// those that were left behind. The script of the experiment starts a process for
// each puzzle and heuristic; so the sums begin anew with each puzzle. With that,
// all numbers of the paper's Table 1 come out as printed.
//
// rounds is such a program, clean otherwise: the first for everything, the
// second if it is given Weights, and if these are used again for the next puzzle
// it is what a single process for all puzzles would have done. Package dpll has
// none of it.

// rounds searches as the paper's program does.
type rounds struct {
	lits   []dimacs.Lit
	starts []uint32   // of the clauses in lits, and the end
	occ    [][]uint32 // by literal: the clauses in which it occurs
	order  []dimacs.Lit

	rule   *roundRule
	scores []uint64 // by literal: the weights of its open clauses; nil if the rule has no weights

	vals  []int8 // by literal: 1 true, -1 false, 0 open
	trail []dimacs.Lit
	free  []int32  // by clause: open literals
	sat   []int32  // by clause: true literals
	open  int      // clauses without a true literal
	empty bool     // a clause has neither
	due   []uint32 // clauses that have become units, some of which are satisfied by now
	units []uint32 // those of the formula

	// Of a run.
	ctx     context.Context
	weights *Weights
	limit   int64 // conflicts
	took    Outcome

	counts    []uint64 // scratch of countShortest
	shortLits []dimacs.Lit
}

// newRounds loads a formula.
func newRounds(f *dimacs.Formula, rule *roundRule) *rounds {
	r := &rounds{rule: rule, starts: []uint32{0}, vals: make([]int8, 2*f.Vars()), occ: make([][]uint32, 2*f.Vars())}
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

func (r *rounds) clause(c uint32) []dimacs.Lit { return r.lits[r.starts[c]:r.starts[c+1]] }

// isOpen reports whether a clause has no true literal.
func (r *rounds) isOpen(c uint32) bool { return r.sat[c] == 0 }

// weigh returns the weight of an open clause of that length. An empty one has no
// literals to give it to.
func (r *rounds) weigh(length int32) uint64 {
	if length == 0 {
		return 0
	}
	return r.rule.weight(int(length))
}

// score adds to the scores of the literals of a clause.
func (r *rounds) score(c uint32, gain uint64) {
	for _, l := range r.clause(c) {
		r.scores[l] += gain
	}
}

// run looks for a model in which the givens, units like others, are true, and
// gives up after so many conflicts, if that is not 0. With weights it adds to
// these and goes by them, without it goes by those of each node.
func (r *rounds) run(ctx context.Context, givens []dimacs.Lit, weights *Weights, limit int64) Outcome {
	r.ctx, r.weights, r.limit, r.took = ctx, weights, limit, Outcome{}
	if weights != nil {
		weights.fit(len(r.vals))
	}
	r.due = append(r.due[:0], r.units...)
	empty := r.empty
	r.took.Answer = r.solve(givens, 0)
	r.undo(0)
	r.empty = empty
	return r.took
}

// stopped reports whether the run has to end without an answer.
func (r *rounds) stopped() bool {
	if r.limit > 0 && r.took.Conflicts >= r.limit {
		r.took.Capped = true
		return true
	}
	return r.ctx.Err() != nil
}

// solve is a call: a round of propagation, and a decision with its two
// branches. The depth is the number of decisions above it.
func (r *rounds) solve(givens []dimacs.Lit, depth int64) dimacs.Status {
	r.took.Evaluations++
	r.took.Depth = max(r.took.Depth, depth)
	r.round(givens)
	switch {
	case r.empty:
		r.took.Conflicts++
		if depth > 0 && r.stopped() {
			return dimacs.Unknown
		}
		return dimacs.Unsatisfiable
	case r.open == 0:
		return dimacs.Satisfiable
	case r.stopped():
		return dimacs.Unknown
	}
	mark, due := len(r.trail), slices.Clone(r.due)
	l := r.decide()
	r.took.Decisions++
	r.assign(l)
	if answer := r.solve(nil, depth+1); answer != dimacs.Unsatisfiable {
		return answer
	}
	r.took.Backtracks++
	r.undo(mark)
	r.due = append(r.due[:0], due...)
	r.assign(l ^ 1)
	return r.solve(nil, depth+1)
}

// round assigns the givens and the literals of those clauses that are units at
// the moment. If two of them contradict each other, a clause is left empty.
func (r *rounds) round(givens []dimacs.Lit) {
	literals := slices.Clone(givens)
	for _, c := range r.due {
		if r.isOpen(c) && r.free[c] == 1 {
			lits := r.clause(c)
			literals = append(literals, lits[slices.IndexFunc(lits, func(l dimacs.Lit) bool { return r.vals[l] == 0 })])
		}
	}
	r.due = r.due[:0]
	for _, l := range literals {
		switch r.vals[l] {
		case 0:
			r.took.Propagations++
			r.assign(l)
		case -1:
			r.empty = true
		}
	}
}

// decide chooses a literal.
func (r *rounds) decide() dimacs.Lit {
	sums, order := r.scores, r.order
	if w := r.weights; w != nil && r.scores != nil {
		r.meet()
		for l, score := range r.scores {
			if r.vals[l] == 0 { // the score of a false literal counts clauses that it is gone from
				w.Sums[l] += score
			}
		}
		sums, order = w.Sums, w.Order
	}
	return r.rule.choose(r, sums, order)
}

// meet puts the literals of open clauses that the weights have not met yet at the
// end of their order, in which ties are broken.
func (r *rounds) meet() {
	w := r.weights
	if len(w.Order) == len(r.order) {
		return
	}
	for c := range uint32(len(r.free)) {
		if !r.isOpen(c) {
			continue
		}
		for _, l := range r.clause(c) {
			if r.vals[l] == 0 && !w.met[l] {
				w.met[l] = true
				w.Order = append(w.Order, l)
			}
		}
	}
}

// assign makes a literal true.
func (r *rounds) assign(l dimacs.Lit) {
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
			r.due = append(r.due, c)
		}
	}
}

// undo takes back what was assigned behind the first n literals of the trail.
// No clause was empty then.
func (r *rounds) undo(n int) {
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
