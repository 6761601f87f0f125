package cdcl_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cdcl"
)

// BenchmarkSolve reports ticks and conflicts beside the time. Ticks are the same on every
// machine: if they change, the search has changed; if the time changes at equal ticks,
// the speed of the search has changed.
func BenchmarkSolve(b *testing.B) {
	type instance struct {
		name string
		f    *dimacs.Formula
	}
	instances := []instance{{"pigeons/n=8", pigeons(8)}}
	for _, n := range []int{100, 150, 200} {
		instances = append(instances, instance{fmt.Sprintf("3sat/n=%d", n), uniform(uint64(n), n, n*426/100, nil)})
	}
	for _, x := range instances {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			var st cdcl.Stats
			for b.Loop() {
				s := cdcl.New(cdcl.Options{})
				s.AddFormula(x.f)
				if s.Solve(context.Background()) == dimacs.Unknown {
					b.Fatal("no answer")
				}
				st = s.Stats()
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(float64(st.Ticks), "ticks/op")
			b.ReportMetric(float64(st.Conflicts), "conflicts/op")
			b.ReportMetric(float64(st.Propagations)/seconds, "propagations/s")
		})
	}
}

// BenchmarkProof measures the cost of writing a proof. The search is the same with each
// format.
func BenchmarkProof(b *testing.B) {
	f := uniform(200, 200, 852, nil)
	for _, format := range []proof.Format{proof.FormatUnknown, proof.BinaryDRAT, proof.BinaryLRAT} {
		b.Run(fmt.Sprintf("format=%v", format), func(b *testing.B) {
			for b.Loop() {
				o := cdcl.Options{}
				if format != proof.FormatUnknown {
					o.Proof = proof.NewWriter(io.Discard, format, f.Len())
				}
				if load(o, f).Solve(context.Background()) == dimacs.Unknown {
					b.Fatal("no answer")
				}
			}
		})
	}
}

// BenchmarkLoad adds and watches a formula without search.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		f := uniform(1, n, 4*n, nil)
		b.Run(fmt.Sprintf("3sat/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(4 * int64(f.Size()))
			for b.Loop() {
				s := cdcl.New(cdcl.Options{})
				s.AddFormula(f)
				s.SetLimits(cdcl.Limits{Decisions: 1})
				if s.Solve(context.Background()) != dimacs.Unknown {
					b.Fatal("an answer after one decision")
				}
			}
		})
	}
}
