package cdcl_test

import (
	"context"
	"runtime"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// TestGrowth checks that adding variables one at a time takes linear memory.
func TestGrowth(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(cdcl.Options{}, s) }
	if err := dplltest.CheckGrowth(newEngine); err != nil {
		t.Error(err)
	}
}

// BenchmarkGrowth adds a million variables one at a time, by clauses.
func BenchmarkGrowth(b *testing.B) {
	newEngine := func() *cdcl.Solver { return cdcl.New(cdcl.Options{}) }
	dplltest.BenchmarkGrowth(b, newEngine, func(s *cdcl.Solver) int { return s.Stats().Vars })
}

// TestRestoreGrowth checks that clauses with eliminated variables, added one at a time,
// take linear memory, though each restores a variable.
func TestRestoreGrowth(t *testing.T) {
	few, many := restoreBytes(t, 500), restoreBytes(t, 2000)
	if many > 8*few {
		t.Errorf("500 clauses allocate %d bytes, and 2000 clauses %d bytes", few, many)
	}
}

// restoreBytes returns the number of bytes that adding a clause with each eliminated
// variable of a random formula allocates.
func restoreBytes(t *testing.T, vars int) uint64 {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(uniform(1, vars, 2*vars, nil))
	s.Simplify(context.Background(), 1)
	removed := s.Stats().Removed
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for v := range dimacs.Var(vars) {
		s.Add(v.Lit(), 0)
	}
	runtime.ReadMemStats(&after)
	if st := s.Stats(); st.Removed > 0 || removed < vars/4 {
		t.Errorf("of %d variables %d were eliminated, and %d still are", vars, removed, st.Removed)
	}
	return after.TotalAlloc - before.TotalAlloc
}
