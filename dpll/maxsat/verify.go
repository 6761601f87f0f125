package maxsat

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dimacs/card"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
)

// Verify checks the result for w: the model satisfies the hard clauses, and its cost is
// Cost. If the result is optimal, a new solver refutes the hard clauses with a constraint,
// written by package card, that the cost is lower, and a checker confirms each step. If
// the hard clauses have no model, the same is done for them alone.
//
// Verify returns an error for a wrong result, and the cause of ctx if ctx is done first.
// The refutation is a single hard question: it can take much longer than Solve, most of
// all if there are many different weights.
func (r *Result) Verify(ctx context.Context, w *dimacs.Weighted) error {
	switch r.Status {
	case dimacs.Satisfiable:
		cost, hard := w.Cost(r.Model)
		switch {
		case len(r.Model) < w.Vars() || !hard:
			return fmt.Errorf("maxsat: the model falsifies a hard clause")
		case cost != r.Cost:
			return fmt.Errorf("maxsat: the cost of the model is %d, not %d", cost, r.Cost)
		case r.Lower > r.Cost || r.Optimal != (r.Lower == r.Cost):
			return fmt.Errorf("maxsat: a lower bound of %d for the cost %d", r.Lower, r.Cost)
		case r.Optimal && cost > 0:
			return refute(ctx, w, cost-1)
		}
	case dimacs.Unsatisfiable:
		return refute(ctx, w, -1)
	}
	return nil
}

// refute refutes that there is a model with a cost up to most, or any model if most is
// negative.
func refute(ctx context.Context, w *dimacs.Weighted, most int64) error {
	checker := proof.NewChecker()
	o := cdcl.Options{}
	o.Proof, o.OneShot = checker, true
	s := cdcl.New(o)
	s.AddFormula(w.Hard)
	if most >= 0 {
		limitCost(s, w, most)
	}
	switch s.Solve(ctx) {
	case dimacs.Satisfiable:
		return fmt.Errorf("maxsat: there is a better model: %v", s.Model()[:w.Vars()].Lits())
	case dimacs.Unknown:
		return context.Cause(ctx)
	}
	if err := checker.Refutes(nil); err != nil {
		return fmt.Errorf("maxsat: the refutation is not confirmed: %w", err)
	}
	return nil
}

// limitCost adds the soft clauses, each with a literal that relaxes it, and the
// constraint that the weights of these literals add up to at most most.
func limitCost(s *cdcl.Solver, w *dimacs.Weighted, most int64) {
	s.Grow(w.Vars())
	terms := make([]card.Term, 0, w.Soft.Len())
	for i, c := range w.Soft.Clauses() {
		relaxed := dimacs.Lit(0)
		if len(c) == 1 {
			relaxed = c[0].Not()
		} else {
			relaxed = s.NewVar().Lit()
			s.Add(append([]dimacs.Lit{relaxed}, c...)...)
		}
		terms = append(terms, card.Term{Lit: relaxed, Weight: w.Weights[i]})
	}
	card.NewEncoder(s).SumAtMost(terms, most)
}
