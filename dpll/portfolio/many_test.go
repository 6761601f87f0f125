package portfolio_test

import (
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/portfolio"
	"sator/internal/conquertest"
	"sator/internal/effort"
)

// TestManyReferences checks the reference counts of a proof of 18 solvers in lockstep. The
// formula has unit clauses to learn, which each importer may export again: more than 256
// references to a clause.
func TestManyReferences(t *testing.T) {
	effort.Sequential(t)
	f := conquertest.Uniform(0, 170, 730)
	for b := range 8 {
		first := 170 + 51*b
		x := dimacs.Var(first).Lit()
		for _, c := range conquertest.Uniform(100+uint64(b), 50, 300).Clauses() {
			d := []dimacs.Lit{x}
			for _, l := range c {
				d = append(d, l+dimacs.Lit(2*(first+1)))
			}
			f.Add(d...)
		}
	}
	o := eager()
	o.ExchangeInterval = 2000
	check := proof.NewChecker()
	o.Proof = check
	r := portfolio.NewRace(portfolio.Options{Threads: 18, Deterministic: true, Solver: o})
	if !r.Load(t.Context(), f, 0, f.Len()) {
		t.Fatal("the formula was not loaded")
	}
	if got := r.Solve(t.Context()); got != dimacs.Unsatisfiable {
		t.Fatalf("got %v", got)
	}
	if err := check.Refutes(nil); err != nil {
		t.Error(err)
	}
}
