package grid

import (
	"fmt"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/cube"
	"sator/dpll/portfolio"
	"sator/internal/families"
	"sator/internal/grid/session"
)

// BenchmarkChecker solves the cubes of a formula with one worker that logs its proof, and
// checks the segments. The metric workers is the ratio of the times: the number of workers
// that one checker keeps up with. The metric bytes is the size of the segments for each
// cube.
//
//	go test ./internal/grid -run '^$' -bench Checker -benchtime 3x
//
// On a machine with 2 cores and a load of 4 to 8, one checker keeps up with 10 workers on 300
// cubes of the van der Waerden formula, with 8 on 10,000 cubes of it, and with 17 on 300 cubes of
// the Schur formula. With -short there is one small formula.
func BenchmarkChecker(b *testing.B) {
	type instance struct {
		family string
		values families.Values
		cubes  int
	}
	instances := []instance{
		{"vdw", families.Values{"length": 3, "other": 11, "numbers": 114}, 300},
		{"vdw", families.Values{"length": 3, "other": 11, "numbers": 114}, 10_000},
		{"schur", families.Values{"numbers": 45}, 300},
	}
	if testing.Short() {
		instances = []instance{{"vdw", families.Values{"length": 3, "other": 8, "numbers": 58}, 30}}
	}
	for _, x := range instances {
		b.Run(fmt.Sprintf("%s/cubes=%d", x.family, x.cubes), func(b *testing.B) {
			family, _ := families.Find(x.family)
			instance, err := family.Make(x.values, 1)
			if err != nil {
				b.Fatal(err)
			}
			f := instance.Formula
			cubes := cube.Split(b.Context(), f, cube.Limits{Cubes: x.cubes}).Cubes
			var m checkCost
			for b.Loop() {
				m.run(b, f, cubes)
			}
			b.ReportMetric(m.solving.Seconds()/m.checking.Seconds(), "workers")
			b.ReportMetric(float64(m.bytes)/float64(m.cubes), "bytes")
			b.ReportMetric(float64(m.solving.Microseconds())/float64(m.cubes), "solve-µs/cube")
			b.ReportMetric(float64(m.checking.Microseconds())/float64(m.cubes), "check-µs/cube")
		})
	}
}

// A checkCost is the cost of solving and checking cubes.
type checkCost struct {
	solving, checking time.Duration
	cubes             int
	bytes             int64
}

// run solves and checks all cubes, without splits.
func (m *checkCost) run(b *testing.B, f *dimacs.Formula, cubes [][]dimacs.Lit) {
	log := session.NewWriter(session.WriterOptions{Clauses: f.Len(), Vars: f.Vars()})
	defer log.Close()
	o := portfolio.WorkerOptions{Solver: cdcl.DefaultOptions()}
	o.Solver.Proof = log
	begin := time.Now()
	w := portfolio.NewWorker(b.Context(), f, o)
	m.solving += time.Since(begin)
	c, err := session.NewChecker(f, f.Vars(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, cube := range cubes {
		begin := time.Now()
		r := w.Solve(b.Context(), portfolio.Task{Cube: cube})
		if r.Status != dimacs.Unsatisfiable {
			b.Fatalf("cube %v: %v", cube, r.Status)
		}
		clause := make([]dimacs.Lit, len(r.Failed))
		for i, l := range r.Failed {
			clause[i] = l ^ 1
		}
		if len(clause) > 0 {
			log.Export(r.Clause, clause)
		}
		s, err := log.Cut()
		if err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		_, err = c.Check(b.Context(), s.Header, s.Reader())
		if err == nil {
			err = c.Refutes(cube, r.Failed, r.Clause)
		}
		if err != nil {
			b.Fatalf("cube %v: %v", cube, err)
		}
		m.solving += middle.Sub(begin)
		m.checking += time.Since(middle)
		m.cubes++
		m.bytes += s.Size
		s.Close()
	}
}
