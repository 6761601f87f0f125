//go:build unix

package simulate_test

import (
	"bytes"
	"context"
	"slices"
	"syscall"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/internal/families"
	"sator/internal/grid/session"
)

// The costs that need no server: checking segments, and the coordinator's tree. The times
// are times of the processor. Those of the server are measured in package grid.

// cpu returns the processor time of this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A recorded session is the segments of a worker that solved all cubes of a formula.
type recorded struct {
	formula  *dimacs.Formula
	headers  []session.Header
	segments [][]byte
	results  []portfolio.Result
	bytes    int
	solving  time.Duration
}

// record solves van der Waerden's w(2;3,10) with the cubes of the coordinator.
func record(b *testing.B) *recorded {
	b.Helper()
	vdw, ok := families.Find("vdw")
	if !ok {
		b.Fatal("no family vdw")
	}
	instance, err := vdw.Make(families.Values{"length": 3, "other": 10, "numbers": 97}, 1)
	if err != nil {
		b.Fatal(err)
	}
	r := &recorded{formula: instance.Formula}
	vars := r.formula.Vars()
	log := session.NewWriter(session.WriterOptions{Clauses: r.formula.Len(), Vars: vars})
	begin := cpu(b)
	o := portfolio.WorkerOptions{Solver: cdcl.DefaultOptions(), Vars: vars, Splitter: new(portfolio.Splitter)}
	o.Solver.Proof = log
	w := portfolio.NewWorker(b.Context(), r.formula, o)
	c := portfolio.NewCoordinator(nil, portfolio.CoordinatorOptions{Formula: portfolio.Checksum(r.formula), Vars: vars, Budget: 500})
	for !c.Done() {
		t, ok := c.Next()
		if !ok {
			b.Fatal("no task")
		}
		r.solve(b, w, log, t)
		if err := c.Finish(&r.results[len(r.results)-1]); err != nil {
			b.Fatal(err)
		}
	}
	r.solving = cpu(b) - begin
	return r
}

// solve adds the result and the segment of a task.
func (r *recorded) solve(b *testing.B, w *portfolio.Worker, log *session.Writer, t portfolio.Task) {
	b.Helper()
	res := w.Solve(b.Context(), t)
	if res.Status == dimacs.Unsatisfiable && len(res.Failed) > 0 {
		clause := slices.Clone(res.Failed)
		for i := range clause {
			clause[i] ^= 1
		}
		log.Export(res.Clause, clause)
	}
	s, err := log.Cut()
	if err != nil {
		b.Fatal(err)
	}
	r.headers = append(r.headers, s.Header)
	r.segments = append(r.segments, bytes.Clone(s.Bytes()))
	r.results = append(r.results, res)
	r.bytes += len(s.Bytes())
}

// BenchmarkCheck checks all segments of a session. The metric workers/checker is the number
// of workers that one checker keeps up with.
func BenchmarkCheck(b *testing.B) {
	r := record(b)
	begin := cpu(b)
	for b.Loop() {
		checker, err := session.NewChecker(r.formula, r.formula.Vars(), nil)
		if err != nil {
			b.Fatal(err)
		}
		for i, h := range r.headers {
			if _, err := checker.Check(context.Background(), h, bytes.NewReader(r.segments[i])); err != nil {
				b.Fatal(err)
			}
			if res := &r.results[i]; res.Status == dimacs.Unsatisfiable {
				if err := checker.Refutes(res.Cube, res.Failed, res.Clause); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	each := (cpu(b) - begin).Seconds() / float64(b.N)
	b.SetBytes(int64(r.bytes))
	b.ReportMetric(1e9*each/float64(r.bytes), "cpu-ms/MB")
	b.ReportMetric(float64(r.bytes)/1e6/r.solving.Seconds(), "MB/solver-s")
	b.ReportMetric(r.solving.Seconds()/each, "workers/checker")
	b.ReportMetric(float64(r.bytes)/float64(len(r.segments)), "bytes/segment")
}

// BenchmarkTree takes the tasks of a coordinator and finishes them, 10,000 cubes each time.
func BenchmarkTree(b *testing.B) {
	const depth = 13
	var cubes [][]dimacs.Lit
	for i := range 1 << depth {
		var c []dimacs.Lit
		for v := range depth {
			c = append(c, dimacs.Lit(2*v+i>>(depth-1-v)&1))
		}
		cubes = append(cubes, c)
	}
	begin := cpu(b)
	for b.Loop() {
		c := portfolio.NewCoordinator(cubes, portfolio.CoordinatorOptions{Vars: depth})
		for {
			t, ok := c.Next()
			if !ok {
				break
			}
			if err := c.Finish(&portfolio.Result{Cube: t.Cube, Status: dimacs.Unsatisfiable, Failed: t.Cube}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(1e6*(cpu(b)-begin).Seconds()/float64(b.N)/float64(len(cubes)), "cpu-µs/cube")
}
