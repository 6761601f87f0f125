package cdcl_test

import (
	"context"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// TestVerify checks that Options.Verify changes no answer of calls with assumptions and more
// clauses, also beside another proof, and takes enumerations and groups.
func TestVerify(t *testing.T) {
	for seed := range uint64(300) {
		_, c := dplltest.RandomCase(seed, 0)
		o := busy()
		o.Verify = true
		if seed%3 == 0 {
			o.Proof = dplltest.NewRecorder(seed%2 == 0)
		}
		s := cdcl.New(o)
		for i, d := range c.Formula.Clauses() {
			s.Add(d...)
			if i%5 != 0 && i+1 < c.Formula.Len() {
				continue
			}
			part := dimacs.NewFormula(c.Formula.Vars())
			for k := range i + 1 {
				part.Add(c.Formula.Clause(k)...)
			}
			want, _ := dplltest.Oracle(part, c.Assumptions...)
			if got := s.Solve(context.Background(), c.Assumptions...); got != want && want != dimacs.Unknown {
				t.Fatalf("seed %d, %d clauses: %v, want %v: %v", seed, i+1, got, want, s.Err())
			}
		}
	}
}
