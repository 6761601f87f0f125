package classic_test

import (
	"context"
	"fmt"
	"testing"

	"sator/dimacs"
	"sator/dpll/classic"
)

// threshold draws n formulas of random 3-SAT at the threshold, where half of them
// are satisfiable. With -short it draws 2 at most.
func threshold(n, vars int) []*dimacs.Formula {
	if testing.Short() {
		n = min(n, 2)
	}
	var fs []*dimacs.Formula
	for seed := range n {
		fs = append(fs, uniform(uint64(seed), vars, vars*426/100))
	}
	return fs
}

// BenchmarkSolve solves 20 formulas of random 3-SAT with each heuristic. The
// numbers of nodes are the same on every machine. Some heuristics are too slow for
// 100 variables.
func BenchmarkSolve(b *testing.B) {
	for _, vars := range []int{50, 100} {
		fs := threshold(20, vars)
		for _, h := range classic.Heuristics {
			if vars == 100 && (h.Name == "moh" || h.Name == "random") {
				continue
			}
			b.Run(fmt.Sprintf("3sat/n=%d/%s", vars, h.Name), func(b *testing.B) {
				benchmark(b, fs, options(h.Name, classic.PureEvery))
			})
		}
	}
}

// BenchmarkPure measures the costs and savings of pure literals.
func BenchmarkPure(b *testing.B) {
	fs := threshold(20, 100)
	for _, pure := range pures {
		b.Run("3sat/n=100/"+pure.String(), func(b *testing.B) {
			benchmark(b, fs, options("mom", pure))
		})
	}
}

// benchmark solves all formulas, each with a new solver.
func benchmark(b *testing.B, fs []*dimacs.Formula, o classic.Options) {
	b.ReportAllocs()
	var nodes, propagations, purities int64
	for b.Loop() {
		nodes, propagations, purities = 0, 0, 0
		for _, f := range fs {
			s := classic.New(o)
			s.AddFormula(f)
			if s.Solve(context.Background()) == dimacs.Unknown {
				b.Fatal("no answer")
			}
			st := s.Stats()
			nodes, propagations, purities = nodes+st.Nodes, propagations+st.Propagations, purities+st.Pure
		}
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(nodes), "nodes/op")
	b.ReportMetric(float64(purities), "pure/op")
	b.ReportMetric(float64(propagations)/seconds, "propagations/s")
}

// BenchmarkReference solves the formulas of BenchmarkSolve with the reference
// program of the tests.
func BenchmarkReference(b *testing.B) {
	fs := threshold(20, 100)
	for _, name := range []string{"jw2", "mom"} {
		b.Run("3sat/n=100/"+name, func(b *testing.B) {
			for b.Loop() {
				for _, f := range fs {
					newReference(options(name, classic.PureEvery), f.Vars()).dpll(open(f), 0)
				}
			}
		})
	}
}
