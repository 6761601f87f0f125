package cdcl_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/families"
)

// hard returns formulas of several families, most of which take more than a second.
func hard(tb testing.TB) map[string]*dimacs.Formula {
	formulas := map[string]*dimacs.Formula{"hopeless": hopeless(), "uniform": uniform(1, 20_000, 84_000, nil)}
	for _, name := range []string{"clique-coloring", "md4", "multiplier", "parity", "php", "pythagorean", "qwh", "ramsey", "tseitin", "vdw"} {
		family, ok := families.Find(name)
		if !ok {
			tb.Fatalf("no family %s", name)
		}
		x, err := family.Make(nil, 1)
		if err != nil {
			tb.Fatal(err)
		}
		formulas[name] = x.Formula
	}
	return formulas
}

// BenchmarkCancel measures how long calls of Solve take to return after the end of their
// context: the median, the 99th percentile and the longest of 100 calls, canceled after 1 to
// 100 milliseconds. With -short there are 10 calls.
func BenchmarkCancel(b *testing.B) {
	calls := 100
	if testing.Short() {
		calls = 10
	}
	for name, f := range hard(b) {
		b.Run(name, func(b *testing.B) {
			var late []time.Duration
			for b.Loop() {
				s := load(cdcl.Options{}, f)
				for i := range calls {
					ctx, cancel := context.WithCancel(context.Background())
					var at time.Time
					time.AfterFunc(time.Duration(i+1)*time.Millisecond, func() { at = time.Now(); cancel() })
					status := s.Solve(ctx)
					end := time.Now()
					if <-ctx.Done(); status != dimacs.Unknown {
						s = load(cdcl.Options{}, f)
						continue
					}
					late = append(late, end.Sub(at))
				}
			}
			if len(late) == 0 {
				b.Skip("solved before each cancellation")
			}
			slices.Sort(late)
			b.ReportMetric(float64(late[len(late)/2].Microseconds()), "µs-median")
			b.ReportMetric(float64(late[len(late)*99/100].Microseconds()), "µs-99%")
			b.ReportMetric(float64(late[len(late)-1].Microseconds()), "µs-longest")
		})
	}
}

// small returns a formula of 20 variables.
func small(seed uint64) *dimacs.Formula { return uniform(seed, 20, 80, nil) }

// aliveBytes solves n small formulas, each by a solver of its own, and returns the bytes of
// the heap for each.
func aliveBytes(n int) float64 {
	solvers := make([]*cdcl.Solver, n)
	formulas := make([]*dimacs.Formula, 100)
	for i := range formulas {
		formulas[i] = small(uint64(i))
	}
	before := heap()
	for i := range solvers {
		solvers[i] = load(cdcl.Options{}, formulas[i%len(formulas)])
		solvers[i].Solve(context.Background())
	}
	bytes := float64(heap()-before) / float64(n)
	runtime.KeepAlive(solvers)
	runtime.KeepAlive(formulas)
	return bytes
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSmallSolvers checks the memory of solvers that have solved a small formula.
func TestSmallSolvers(t *testing.T) {
	const most = 20_000
	if n := aliveBytes(500); n > most {
		t.Errorf("%.0f bytes per solver, want at most %d", n, most)
	} else {
		t.Logf("%.0f bytes per solver", n)
	}
}

// BenchmarkAlive measures the bytes of a solver among 100,000, or 10,000 with -short.
func BenchmarkAlive(b *testing.B) {
	solvers := 100_000
	if testing.Short() {
		solvers = 10_000
	}
	for b.Loop() {
		b.ReportMetric(aliveBytes(solvers), "bytes/solver")
	}
}
