package mus

import (
	"context"
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
)

// Verify checks a result for g: a new solver refutes the subset with the background, and
// a checker confirms each step; and for each necessary group, the witness satisfies the
// background and all other groups of the subset. This needs Options.Witnesses at Extract.
//
// Verify returns an error for a wrong result, and the cause of ctx if ctx is done first.
func (r *Result) Verify(ctx context.Context, g *dimacs.Grouped) error {
	if r.Status != dimacs.Unsatisfiable {
		return nil
	}
	if r.Minimal && !slices.Equal(r.Groups, r.Necessary) {
		return fmt.Errorf("mus: a minimal subset with groups that are not necessary")
	}
	in := newSet(g.Groups)
	in[0] = true
	for _, group := range r.Groups {
		in[group] = true
	}
	for _, group := range r.Necessary {
		if err := checkWitness(g, in, group, r.Witnesses[group]); err != nil {
			return err
		}
	}
	return refute(ctx, g, in)
}

// checkWitness checks that a model satisfies all groups of a set but one.
func checkWitness(g *dimacs.Grouped, in set, without int, m dimacs.Model) error {
	if m == nil || !in[without] {
		return fmt.Errorf("mus: no witness for group %d", without)
	}
	for i, c := range g.Formula.Clauses() {
		if group := g.Group[i]; in[group] && group != without && m.Clause(c) != dimacs.True {
			return fmt.Errorf("mus: the witness for group %d falsifies clause %d", without, i+1)
		}
	}
	return nil
}

// refute refutes the groups of a set.
func refute(ctx context.Context, g *dimacs.Grouped, in set) error {
	checker := proof.NewChecker()
	o := cdcl.Options{}
	o.Proof, o.OneShot = checker, true
	s := cdcl.New(o)
	for i, c := range g.Formula.Clauses() {
		if in[g.Group[i]] {
			s.Add(c...)
		}
	}
	switch s.Solve(ctx) {
	case dimacs.Satisfiable:
		return fmt.Errorf("mus: the subset has a model: %v", s.Model().Lits())
	case dimacs.Unknown:
		return context.Cause(ctx)
	}
	if err := checker.Refutes(nil); err != nil {
		return fmt.Errorf("mus: the refutation is not confirmed: %w", err)
	}
	return nil
}
