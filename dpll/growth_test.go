package dpll_test

import (
	"testing"

	"sator/dpll"
	"sator/dpll/dplltest"
)

// TestGrowth checks that adding variables one at a time takes linear memory.
func TestGrowth(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(dpll.DefaultOptions(), s) }
	if err := dplltest.CheckGrowth(newEngine); err != nil {
		t.Error(err)
	}
}

// BenchmarkGrowth adds a million variables one at a time, by clauses.
func BenchmarkGrowth(b *testing.B) {
	newEngine := func() *dpll.Solver { return dpll.New(dpll.DefaultOptions()) }
	dplltest.BenchmarkGrowth(b, newEngine, func(s *dpll.Solver) int { return s.Stats().Vars })
}
