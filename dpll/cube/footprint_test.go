package cube

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"sator/dimacs"
)

// TestFootprint compares the bytes that NewLookahead allocates with Footprint.
func TestFootprint(t *testing.T) {
	for _, k := range []int{2, 3, 10} {
		const vars, clauses = 20_000, 60_000
		r := rand.New(rand.NewPCG(uint64(k), 1))
		f := dimacs.NewFormula(vars)
		c := make([]dimacs.Lit, k)
		for range clauses {
			for i := range c {
				c[i] = dimacs.Lit(r.IntN(2 * vars))
			}
			f.Add(c...)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a := NewLookahead(f)
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(a)
		got, bound := int64(after.TotalAlloc-before.TotalAlloc), Footprint(vars, f.Len(), f.Size())
		if got > 5*bound/2 || got < bound/4 { // a slice that grows counts with all its former copies
			t.Errorf("%d literals a clause: %d bytes were allocated, but Footprint returns %d", k, got, bound)
		}
		t.Logf("%d literals a clause: %d of %d bytes", k, got, bound)
	}
}
