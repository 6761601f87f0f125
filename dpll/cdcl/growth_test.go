package cdcl_test

import (
	"fmt"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
)

// TestGrowth checks that adding variables one at a time takes linear memory, with
// memory reserved for each clause and without.
func TestGrowth(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(cdcl.DefaultOptions(), s) }
	if err := dplltest.CheckGrowth(newEngine); err != nil {
		t.Error(err)
	}
	newReserving := func(s dplltest.Setup) dplltest.Engine { return reserving{newSolver(cdcl.DefaultOptions(), s)} }
	if err := dplltest.CheckGrowth(newReserving); err != nil {
		t.Errorf("with calls of Reserve: %v", err)
	}
}

// A reserving solver reserves memory for each clause before it is added, as AddFormula
// does for a formula.
type reserving struct{ *cdcl.Solver }

func (s reserving) Add(lits ...dimacs.Lit) {
	s.Reserve(1, len(lits))
	s.Solver.Add(lits...)
}

// BenchmarkGrowth adds a million variables one at a time, by clauses.
func BenchmarkGrowth(b *testing.B) {
	const vars = 1_000_000
	for _, size := range []int{2, 3} {
		b.Run(fmt.Sprintf("size=%d/vars=%d", size, vars), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := cdcl.New(cdcl.DefaultOptions())
				dplltest.AddChain(s, vars, size)
				if got := s.Stats().Vars; got != vars {
					b.Fatalf("%d variables", got)
				}
			}
		})
	}
}
