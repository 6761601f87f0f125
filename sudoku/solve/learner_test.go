package solve

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/sudoku"
)

// What was learned does not grow without end: the engine begins anew, and goes
// on counting right.
func TestBurden(t *testing.T) {
	rules := sudoku.Must(sudoku.Standard(9))
	w, err := newLearner(&Options{}, sudoku.NewGrid(rules), false)
	if err != nil {
		t.Fatal(err)
	}
	l := w.(*learner)
	l.most = 20
	r := rand.New(rand.NewPCG(3, 3))
	ctx := context.Background()
	oracle := New(Options{Engine: "infer"})
	full := oracle.Solve(ctx, sudoku.NewGrid(rules)).Solutions[0]
	begun, before := l.solver, l.effort()
	renewed := 0
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
		got := l.count(ctx, g, 2)
		if want := oracle.Count(ctx, g, 2); got.n != want.Count {
			t.Fatalf("puzzle %d: %d solutions, want %d", i, got.n, want.Count)
		}
		if st := l.solver.Stats(); st.Redundant > 200 {
			t.Fatalf("puzzle %d: %d learned clauses", i, st.Redundant)
		}
		now := l.effort()
		if now.Conflicts < before.Conflicts || now.Decisions < before.Decisions {
			t.Fatalf("puzzle %d: effort %+v after %+v", i, now, before)
		}
		if before = now; l.solver != begun {
			begun = l.solver
			renewed++
		}
	}
	if renewed == 0 {
		t.Errorf("the engine never began anew: %d clauses learned, %+v", l.solver.Stats().Redundant, before)
	}
}
