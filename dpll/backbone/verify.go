package backbone

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
)

// Verify checks the result for the formula f:
//
//   - Unsatisfiable: a new solver refutes f, and a checker confirms each step.
//   - The literals of Backbone: a new solver refutes f with the clause of all their
//     complements, and a checker confirms each step.
//   - The other variables, except for the variables of Open: each witness satisfies f, and two
//     assignments among the witnesses and their flipped literals give the variable both
//     values. This needs Options.Witnesses at Find.
//
// Verify returns an error for a wrong result, and the cause of ctx if ctx is done first.
// The refutation takes about as long as Find.
func (r *Result) Verify(ctx context.Context, f *dimacs.Formula) error {
	switch r.Status {
	case dimacs.Satisfiable:
		if err := r.checkWitnesses(f); err != nil {
			return err
		}
		return r.refute(ctx, f)
	case dimacs.Unsatisfiable:
		return r.refute(ctx, f)
	}
	return nil
}

// refute refutes f with the clause of the complements of the backbone, if there is one.
func (r *Result) refute(ctx context.Context, f *dimacs.Formula) error {
	if r.Status == dimacs.Satisfiable && len(r.Backbone) == 0 {
		return nil
	}
	checker := proof.NewChecker()
	o := cdcl.Options{}
	o.Proof, o.OneShot = checker, true
	s := cdcl.New(o)
	s.AddFormula(f)
	if r.Status == dimacs.Satisfiable {
		clause := make([]dimacs.Lit, len(r.Backbone))
		for i, l := range r.Backbone {
			clause[i] = l.Not()
		}
		s.Add(clause...)
	}
	switch s.Solve(ctx) {
	case dimacs.Satisfiable:
		return fmt.Errorf("backbone: a model is against the result: %v", s.Model().Lits())
	case dimacs.Unknown:
		return context.Cause(ctx)
	}
	if err := checker.Refutes(nil); err != nil {
		return fmt.Errorf("backbone: the refutation is not confirmed: %w", err)
	}
	return nil
}

// checkWitnesses checks the variables that are not in the backbone.
func (r *Result) checkWitnesses(f *dimacs.Formula) error {
	known := make([]bool, 2*f.Vars()) // literals that are true in some model
	for i, w := range r.Witnesses {
		if len(w.Model) < f.Vars() || !w.Model.Satisfies(f) {
			return fmt.Errorf("backbone: witness %d is not a model", i+1)
		}
		for v := range f.Vars() {
			if l := dimacs.Var(v).Lit(); w.Model.Lit(l) == dimacs.True {
				known[l] = true
			} else {
				known[l.Not()] = true
			}
		}
		if err := checkFlips(f, w); err != nil {
			return fmt.Errorf("backbone: witness %d: %w", i+1, err)
		}
		for _, l := range w.Flipped {
			known[l.Not()] = true
		}
	}
	for _, l := range append(r.Backbone[:len(r.Backbone):len(r.Backbone)], r.Open...) {
		if !known[l] || known[l.Not()] {
			return fmt.Errorf("backbone: the witnesses are against %v", l)
		}
		known[l.Not()] = true
	}
	for l, ok := range known {
		if !ok {
			return fmt.Errorf("backbone: no witness with %v", dimacs.Lit(l))
		}
	}
	return nil
}

// checkFlips checks that each of the flipped literals of a witness can be flipped: each
// clause with it has another true literal.
func checkFlips(f *dimacs.Formula, w Witness) error {
	flipped := make(map[dimacs.Lit]bool, len(w.Flipped))
	for _, l := range w.Flipped {
		if w.Model.Lit(l) != dimacs.True {
			return fmt.Errorf("the flipped literal %v is not true", l)
		}
		flipped[l] = true
	}
	for i, c := range f.Clauses() {
		for _, l := range c {
			if flipped[l] && !trueWithout(w.Model, c, l) {
				return fmt.Errorf("the literal %v cannot be flipped, because of clause %d", l, i+1)
			}
		}
	}
	return nil
}

// trueWithout reports whether a clause has a true literal other than l, or l's complement.
func trueWithout(m dimacs.Model, c []dimacs.Lit, l dimacs.Lit) bool {
	for _, k := range c {
		if k == l.Not() || k != l && m.Lit(k) == dimacs.True {
			return true
		}
	}
	return false
}
