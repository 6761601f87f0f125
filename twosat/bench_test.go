package twosat_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"sator/dimacs"
	"sator/internal/families"
	"sator/twosat"
)

// The benchmarks go up to 10^6 variables; TWOSAT_VARS=10000000 raises that, and
// TWOSAT_SEEDS sets the number of random instances of a kind. These commands
// reproduce the figures in solve.go:
//
//	go test ./twosat -run '^$' -bench BenchmarkSolve/random -benchtime 3x
//	TWOSAT_SEEDS=5 go test ./twosat -run '^$' -bench 'BenchmarkSolve/random-0.99/n=1000000' -benchtime 3x
//	TWOSAT_SEEDS=5 TWOSAT_VARS=10000000 go test ./twosat -run '^$' -bench 'BenchmarkSolve/random-0.9/n=10000000' -benchtime 1x
//
// A benchmark of solving alternates with a plain Tarjan search over the rows of
// the same implication graph. It reports both times a clause and their quotient.
// Times are processor times of all threads, including garbage collection; only
// the times of the stages of solving are wall-clock times of one run.

// setting returns the value of an environment variable, or otherwise.
func setting(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// random returns a random instance of 2-SAT.
func random(tb testing.TB, vars int, ratio float64, seed uint64) *dimacs.Formula {
	fam, _ := families.Find("2sat")
	inst, err := fam.Make(families.Values{"vars": float64(vars), "ratio": ratio}, seed)
	if err != nil {
		tb.Fatal(err)
	}
	return inst.Formula
}

// implied returns the formula of implications between positive literals.
func implied(vars int, edges func(imply func(a, b int))) *dimacs.Formula {
	f := dimacs.NewFormula(vars)
	edges(func(a, b int) { f.Add(dimacs.Var(a).Lit()^1, dimacs.Var(b).Lit()) })
	return f
}

// chain returns a chain of implications from the first variable to the last, in
// which the last excludes the middle one: the first half is forced.
func chain(n int) *dimacs.Formula {
	f := implied(n, func(imply func(a, b int)) {
		for v := n - 1; v > 0; v-- {
			imply(v-1, v)
		}
	})
	f.Add(dimacs.Var(n-1).Lit()^1, dimacs.Var(n/2).Lit()^1)
	return f
}

// ladder returns two chains of implications with rungs from one to the other, in
// which the last variables exclude each other: one chain is forced.
func ladder(n int) *dimacs.Formula {
	n = n / 2 * 2
	f := implied(n, func(imply func(a, b int)) {
		for v := 0; v+2 < n; v += 2 {
			imply(v, v+2)
			imply(v+1, v+3)
			imply(v, v+1)
		}
	})
	f.Add(dimacs.Var(n-2).Lit()^1, dimacs.Var(n-1).Lit()^1)
	return f
}

// grid returns implications to the right and down in a square of variables, in
// which two opposite corners exclude each other.
func grid(n int) *dimacs.Formula {
	side := 1
	for (side+1)*(side+1) <= n {
		side++
	}
	f := implied(side*side, func(imply func(a, b int)) {
		for v := range side * side {
			if v%side+1 < side {
				imply(v, v+1)
			}
			if v+side < side*side {
				imply(v, v+side)
			}
		}
	})
	f.Add(dimacs.Var(side-1).Lit()^1, dimacs.Var((side-1)*side).Lit()^1)
	return f
}

// hub returns implications from half of the variables through one vertex to the
// other half, in which each variable of the first half excludes one of the second
// half: a worst case for forced literals. The paths to the hub and from it fork,
// since one-byte counts end at 255. The order of the clauses makes all variables
// false in the model. The benchmarks use up to 80,000 variables.
func hub(n int) *dimacs.Formula {
	const fan = 200
	half := n / 2
	ins, outs := 2*half, 2*half+(half+fan-1)/fan
	center := outs + (half+fan-1)/fan
	f := implied(center+1, func(imply func(a, b int)) {
		for v := range half {
			imply(v, ins+v/fan)
		}
		for v := ins; v < outs; v++ {
			imply(v, center)
		}
		for v := outs; v < center; v++ {
			imply(center, v)
		}
		for v := range half {
			imply(outs+v/fan, half+v)
		}
	})
	for v := range half {
		f.Add(dimacs.Var(v).Lit()^1, dimacs.Var(half+v).Lit()^1)
	}
	return f
}

// An instance is a formula to measure with.
type instance struct {
	name string
	make func(tb testing.TB) *dimacs.Formula
}

// instances returns the instances of all families and sizes.
func instances() []instance {
	var all []instance
	add := func(name string, n int, make func(tb testing.TB) *dimacs.Formula) {
		all = append(all, instance{fmt.Sprintf("%s/n=%d", name, n), make})
	}
	for n := 1000; n <= setting("TWOSAT_VARS", 1_000_000); n *= 10 {
		for _, ratio := range []float64{0.5, 0.9, 0.99, 1, 1.01} {
			for seed := range uint64(setting("TWOSAT_SEEDS", 1)) {
				name := fmt.Sprintf("random-%v", ratio)
				add(name, n, func(tb testing.TB) *dimacs.Formula { return random(tb, n, ratio, seed+1) })
			}
		}
		add("chain", n, func(testing.TB) *dimacs.Formula { return chain(n) })
		add("ladder", n, func(testing.TB) *dimacs.Formula { return ladder(n) })
		add("grid", n, func(testing.TB) *dimacs.Formula { return grid(n) })
	}
	return all
}

// solve decides a formula and returns the processor time.
func solve(tb testing.TB, f *dimacs.Formula) (*twosat.Solver, dimacs.Status, time.Duration) {
	runtime.GC()
	start := clock()
	s, err := twosat.From(f, nil)
	if err != nil {
		tb.Fatal(err)
	}
	answer := s.Solve(context.Background())
	if answer == dimacs.Unknown {
		tb.Fatal("no answer")
	}
	return s, answer, clock() - start
}

// BenchmarkSolve measures the time from a [dimacs.Formula] to the model.
func BenchmarkSolve(b *testing.B) {
	for _, x := range instances() {
		b.Run(x.name, func(b *testing.B) {
			f := x.make(b)
			clauses := float64(f.Len())
			s, answer, _ := solve(b, f)
			g := s.Graph()
			var ours, plain time.Duration
			for b.Loop() {
				_, _, t := solve(b, f)
				ours += t
				runtime.GC()
				start := clock()
				plainTarjan(g)
				plain += clock() - start
			}
			n := float64(b.N)
			st := s.Stats()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(ours)/n/clauses, "ns/clause")
			b.ReportMetric(float64(plain)/n/clauses, "tarjan-ns/clause")
			b.ReportMetric(float64(ours)/float64(plain), "of-tarjan")
			b.ReportMetric(float64(st.Peel)/clauses, "peel-ns/clause")
			b.ReportMetric(float64(st.Build)/clauses, "build-ns/clause")
			b.ReportMetric(float64(st.Decide)/clauses, "decide-ns/clause")
			b.ReportMetric(100*float64(st.KernelClauses)/clauses, "%kernel")
			b.ReportMetric(float64(answer), "answer")
		})
	}
}

// BenchmarkForced measures the time to find all forced literals, also as a multiple
// of the time of solving.
func BenchmarkForced(b *testing.B) {
	all := instances()
	for _, n := range []int{1000, 10_000, 80_000} {
		all = append(all, instance{fmt.Sprintf("hub/n=%d", n), func(testing.TB) *dimacs.Formula { return hub(n) }})
	}
	for _, x := range all {
		b.Run(x.name, func(b *testing.B) {
			f := x.make(b)
			var took, solving time.Duration
			var forced *twosat.Forced
			for b.Loop() {
				s, answer, t := solve(b, f)
				if answer != dimacs.Satisfiable {
					b.Skip("no solution")
				}
				solving += t
				start := clock()
				forced, _ = s.Forced(context.Background())
				took += clock() - start
			}
			n := float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(took+solving)/n/float64(f.Len()), "ns/clause")
			b.ReportMetric(float64(took+solving)/float64(solving), "of-solving")
			b.ReportMetric(float64(len(forced.Lits())), "forced")
			b.ReportMetric(float64(forced.Core), "core")
			b.ReportMetric(float64(forced.Searches), "searches")
			b.ReportMetric(float64(forced.Blocks), "blocks")
		})
	}
}

// BenchmarkCondense compares Condense with plainTarjan.
func BenchmarkCondense(b *testing.B) {
	for _, x := range instances() {
		b.Run(x.name, func(b *testing.B) {
			s, err := twosat.From(x.make(b), nil)
			if err != nil {
				b.Fatal(err)
			}
			g := s.Graph()
			var ours, plain time.Duration
			for b.Loop() {
				start := clock()
				twosat.Condense(g)
				ours += clock() - start
				start = clock()
				plainTarjan(g)
				plain += clock() - start
			}
			n, edges := float64(b.N), float64(g.Size())
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(ours)/n/edges, "ns/edge")
			b.ReportMetric(float64(ours)/float64(plain), "of-tarjan")
		})
	}
}

// BenchmarkClosure computes the table of a random acyclic graph.
func BenchmarkClosure(b *testing.B) {
	for _, n := range []int{1000, 10_000, 30_000} {
		g := randomDAG(uint64(n), n, 4*n)
		b.Run(fmt.Sprintf("random/n=%d", n), func(b *testing.B) {
			b.SetBytes(int64(n) * int64(n) / 16) // of the table
			for b.Loop() {
				if !twosat.NewClosure(g, 1<<40).HasTable() {
					b.Fatal("no table")
				}
			}
		})
	}
}
