package portfolio

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// TestFullWorker exceeds the limit of the clauses in the solver of a worker, under a cube that
// look-ahead cannot split. The worker must not search on for ever.
func TestFullWorker(t *testing.T) {
	const vars = 30
	f := dimacs.NewFormula(vars)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 130 {
		f.Add(dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars)), dimacs.Lit(rng.IntN(2*vars)))
	}
	o := cdcl.Options{}
	o.NoSimplify = true
	w := NewWorker(t.Context(), f, WorkerOptions{Solver: o})
	w.vars = 0 // no variable to split by
	fillUp(w.solver)
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, cdcl.ErrFull) {
			t.Errorf("panic with %v, want %v", err, cdcl.ErrFull)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10e9)
	defer cancel()
	r := w.Solve(ctx, Task{Budget: 1})
	t.Errorf("%v of a full solver, context: %v", r.Status, ctx.Err())
}

// fillUp lowers the limit of the clauses of a solver to nothing.
func fillUp(s *cdcl.Solver) {
	limit := reflect.ValueOf(s).Elem().FieldByName("clauses").FieldByName("mostWords")
	*(*uint64)(limit.Addr().UnsafePointer()) = 0
}

// TestRaceErr checks that a race has an error once all of its solvers have one: any other could
// still find the answer.
func TestRaceErr(t *testing.T) {
	r := NewRace(Options{Threads: 2})
	for _, s := range r.solvers {
		if err := r.Err(); err != nil {
			t.Errorf("%v of a race with a solver that is not full", err)
		}
		fillUp(s)
		r.Add(0, 2, 4)
	}
	if err := r.Err(); len(r.solvers) != 2 || err != cdcl.ErrFull {
		t.Errorf("%v of a race of %d full solvers", err, len(r.solvers))
	}
}
