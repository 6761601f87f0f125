package solve

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/sudoku"
)

// The number of learned clauses is bounded: the adapter reloads the solver, and
// the counts stay correct.
func TestReload(t *testing.T) {
	rules := sudoku.Must(sudoku.Standard(9))
	w, err := newCDCL(context.Background(), &Options{}, sudoku.NewGrid(rules), false)
	if err != nil {
		t.Fatal(err)
	}
	a := w.(*cdclAdapter)
	a.maxLearned = 20
	r := rand.New(rand.NewPCG(3, 3))
	ctx := context.Background()
	oracle := New(Options{Engine: "infer"})
	full := oracle.Solve(ctx, sudoku.NewGrid(rules)).Solutions[0]
	loaded, before := a.solver, a.effort()
	reloads := 0
	for i := range 600 {
		g := sudoku.NewGrid(rules)
		digits := r.Perm(9)
		for cell, digit := range full {
			if r.IntN(10) < 3 {
				g.Cells[cell] = digits[digit-1] + 1
			}
		}
		g.Cells[r.IntN(81)] = 1 + r.IntN(9) // mostly wrong
		if g.Conflict() != nil {
			continue
		}
		got := a.count(ctx, g, 2)
		if want := oracle.Count(ctx, g, 2); got.n != want.Count {
			t.Fatalf("puzzle %d: %d solutions, want %d", i, got.n, want.Count)
		}
		if st := a.solver.Stats(); st.Redundant > 200 {
			t.Fatalf("puzzle %d: %d learned clauses", i, st.Redundant)
		}
		now := a.effort()
		if now.Conflicts < before.Conflicts || now.Decisions < before.Decisions {
			t.Fatalf("puzzle %d: effort %+v after %+v", i, now, before)
		}
		if before = now; a.solver != loaded {
			loaded = a.solver
			reloads++
		}
	}
	if reloads == 0 {
		t.Errorf("no reload with %d learned clauses, %+v", a.solver.Stats().Redundant, before)
	}
}
