package dpll_test

import (
	"fmt"
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
	const vars = 1_000_000
	for _, size := range []int{2, 3} {
		b.Run(fmt.Sprintf("size=%d/vars=%d", size, vars), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := dpll.New(dpll.DefaultOptions())
				dplltest.AddChain(s, vars, size)
				if got := s.Stats().Vars; got != vars {
					b.Fatalf("%d variables", got)
				}
			}
		})
	}
}
