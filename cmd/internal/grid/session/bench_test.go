package session_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"sator/cmd/internal/grid/session"
	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/dpll/cube"
	"sator/dpll/portfolio"
	"sator/internal/families"
)

// instances are the formulas of the benchmarks. Those that take more than some seconds
// need SATOR_TESTS=whole.
var instances = []struct {
	name   string
	values families.Values
	cubes  int
	long   bool
}{
	{"vdw", families.Values{"length": 3, "other": 9, "numbers": 77}, 100, false},
	{"vdw", families.Values{"length": 3, "other": 11, "numbers": 114}, 300, true},
	{"schur", families.Values{"numbers": 45, "colors": 4}, 1000, true},
}

// BenchmarkSessions solves the cubes of a formula with four sessions in turn. These share
// units and binaries. It then measures the check of all segments and the merge, and
// compares the check with the time of the solvers.
//
//	go test -run - -bench Sessions -benchtime 1x ./cmd/internal/grid/session
func BenchmarkSessions(b *testing.B) {
	for _, i := range instances {
		b.Run(fmt.Sprintf("%s-%v", i.name, i.values["numbers"]), func(b *testing.B) {
			if i.long && testing.Short() {
				b.Skip("it takes a minute")
			}
			family, _ := families.Find(i.name)
			inst, err := family.Make(i.values, 0)
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, inst.Formula, i.cubes)
		})
	}
}

// benchmark measures the sessions of a run with some cubes. Times are processor times.
func benchmark(b *testing.B, f *dimacs.Formula, cubes int) {
	split := cube.Split(context.Background(), f, cube.Limits{Cubes: cubes})
	begin := clock()
	r := newRun(b, f, plain(f), split.Cubes, 4)
	results := r.inTurn()
	solving := (clock() - begin).Seconds()
	var size, lemmas, largest int64
	for _, a := range r.accepted {
		size, lemmas, largest = size+a.segment.Size, lemmas+a.segment.Lemmas, max(largest, a.segment.Size)
	}
	b.Run("check", func(b *testing.B) {
		before := memory()
		var checks map[string]*session.Checker
		begin := clock()
		for b.Loop() {
			checks = r.recheck()
		}
		seconds := (clock() - begin).Seconds() / float64(b.N)
		b.ReportMetric(float64(memory()-before)/(1<<20), "MB-of-checkers")
		runtime.KeepAlive(checks)
		solving := solving - seconds // the run has checked the segments once
		b.ReportMetric(float64(lemmas)/seconds, "lemmas/s")
		b.ReportMetric(seconds, "s")
		b.ReportMetric(solving, "s-solving")
		b.ReportMetric(100*seconds/solving, "%-of-solving")
		b.ReportMetric(float64(size)/float64(results), "bytes/cube")
		b.ReportMetric(float64(largest), "largest-bytes")
		b.ReportMetric(1e9*seconds/float64(size), "ms/MB")
	})
	for _, format := range []proof.Format{proof.BinaryLRAT, proof.BinaryDRAT} {
		b.Run(fmt.Sprintf("merge/%v", format), func(b *testing.B) {
			begin := clock()
			for b.Loop() {
				w := proof.NewWriter(io.Discard, format, f.Len())
				if !r.merge(w, !format.Hints()).Refuted() || w.Flush() != nil {
					b.Fatal("the merged proof does not refute the formula")
				}
			}
			seconds := (clock() - begin).Seconds() / float64(b.N)
			b.ReportMetric(seconds, "s")
			b.ReportMetric(float64(lemmas)/seconds, "lemmas/s")
			b.ReportMetric(float64(size)/seconds/1e6, "MB/s")
		})
	}
}

// inTurn solves all cubes with the sessions in turn, and returns the number of results.
func (r *run) inTurn() (results int) {
	for !r.coordinator.Done() {
		t, _ := r.coordinator.Next()
		w := r.sessions[results%len(r.sessions)]
		res := w.solve(portfolio.Task{Cube: t.Cube, Budget: 10000})
		r.finish(w, &res)
		results++
	}
	return results
}

// recheck checks the accepted segments with new checkers.
func (r *run) recheck() map[string]*session.Checker {
	checks := map[string]*session.Checker{}
	for _, a := range r.accepted {
		c := checks[a.session]
		if c == nil {
			var err error
			if c, err = session.NewChecker(r.f, r.base.Vars, nil); err != nil {
				r.t.Fatal(err)
			}
			checks[a.session] = c
		}
		if _, err := c.Check(context.Background(), a.segment.Header, a.segment.Reader()); err != nil {
			r.t.Fatal(err)
		}
	}
	return checks
}

// memory returns the bytes of live objects.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkWriter measures the cost of a lemma for a worker, in comparison with a writer of
// proofs.
func BenchmarkWriter(b *testing.B) {
	rng := newRand(1)
	lits := make([]dimacs.Lit, 20)
	for i := range lits {
		lits[i] = dimacs.Lit(rng.IntN(2000))
	}
	hints := make([]int64, 40)
	for i := range hints {
		hints[i] = int64(1 + rng.IntN(100000))
	}
	w := session.NewWriter(session.WriterOptions{Clauses: 100000, Vars: 1000, Buffer: 1 << 30})
	b.Run("session", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			w.Learn(lits, hints)
			if n%10000 == 0 {
				if _, err := w.Cut(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	p := proof.NewWriter(io.Discard, proof.BinaryLRAT, 100000)
	b.Run("proof", func(b *testing.B) {
		for b.Loop() {
			p.Learn(lits, hints)
		}
	})
}
