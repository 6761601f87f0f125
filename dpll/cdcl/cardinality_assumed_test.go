package cdcl_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// guarded returns the pigeonhole formula of n+1 pigeons and n holes, in which the clauses of
// each hole have the complement of a guard, and the guards.
func guarded(n int) (f *dimacs.Formula, guards []dimacs.Lit) {
	f = dimacs.NewFormula(0)
	at := func(p, h int) dimacs.Lit { return dimacs.Var(p*n + h).Lit() }
	for h := range n {
		guards = append(guards, dimacs.Var((n+1)*n+h).Lit())
	}
	for p := range n + 1 {
		var c []dimacs.Lit
		for h := range n {
			c = append(c, at(p, h))
			for q := range p {
				f.Add(at(p, h).Not(), guards[h].Not(), at(q, h).Not())
			}
		}
		f.Add(c...)
	}
	return f, guards
}

// TestPigeonholesUnderAssumptions refutes pigeonhole formulas behind assumptions that
// resolution cannot refute in time, with further assumptions that are not needed. The failed
// assumptions must be the guards, and a later call must find them at once.
func TestPigeonholesUnderAssumptions(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 1))
		f, guards := guarded(11 + int(seed))
		extra := dimacs.Lit(2 * f.Vars())
		assumptions := append(slices.Clone(guards), extra, extra+3, extra+4)
		r.Shuffle(len(assumptions), func(i, j int) {
			assumptions[i], assumptions[j] = assumptions[j], assumptions[i]
		})
		s := load(cdcl.Options{}, f)
		s.SetLimits(cdcl.Limits{Conflicts: 20_000})
		for range 2 {
			if status := s.Solve(ctx, assumptions...); status != dimacs.Unsatisfiable {
				t.Fatalf("seed %d: %v", seed, status)
			}
			failed := s.Failed()
			slices.Sort(failed)
			if !slices.Equal(failed, guards) {
				t.Errorf("seed %d: failed %v, want %v", seed, failed, guards)
			}
		}
		if n := s.Stats().Pigeonholes; n != 1 {
			t.Errorf("seed %d: %d refutations by counting", seed, n)
		}
		if status := s.Solve(ctx, guards[1:]...); status != dimacs.Satisfiable {
			t.Errorf("seed %d: %v without a guard", seed, status)
		}
	}
}
