package classic_test

import (
	"testing"

	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// TestGrowth checks that adding variables one at a time takes linear memory.
func TestGrowth(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(classic.DefaultOptions(), s) }
	if err := dplltest.CheckGrowth(newEngine); err != nil {
		t.Error(err)
	}
}

// BenchmarkGrowth adds a million variables one at a time, by clauses.
func BenchmarkGrowth(b *testing.B) {
	newEngine := func() *classic.Solver { return classic.New(classic.DefaultOptions()) }
	dplltest.BenchmarkGrowth(b, newEngine, func(s *classic.Solver) int { return s.Stats().Vars })
}
