package solve_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/sudoku"
	"sator/sudoku/solve"
)

// TestKnownNumbers counts all grids. The numbers of Latin squares are sequence A002860 of the OEIS, that of
// Sudokus of 4x4 is in A107739. With the first row given, 6x6 has a 720th of its 28,200,960 grids.
func TestKnownNumbers(t *testing.T) {
	six := sudoku.NewGrid(sudoku.Must(sudoku.Standard(6)))
	copy(six.Cells, []int{1, 2, 3, 4, 5, 6})
	for _, c := range []struct {
		g    *sudoku.Grid
		want int
	}{
		{sudoku.NewGrid(sudoku.Must(sudoku.Latin(4))), 576},
		{sudoku.NewGrid(sudoku.Must(sudoku.Latin(5))), 161_280},
		{sudoku.NewGrid(sudoku.Must(sudoku.Standard(4))), 288},
		{six, 28_200_960 / 720},
	} {
		if a := solve.New(solve.Options{}).Count(context.Background(), c.g, 0); a.Count != c.want || !a.Complete || len(a.Solutions) != 2 {
			t.Errorf("%v: %d solutions, complete %v; want %d", c.g.Rules, a.Count, a.Complete, c.want)
		}
	}
}

// TestMany compares numbers of solutions of puzzles with several rules with those of the engine infer, with and
// without limits. One solver counts all of them.
func TestMany(t *testing.T) {
	ctx := context.Background()
	variants := []string{"6 boxes 2x3", "6 boxes 3x2 x", "6", "4 boxes 2x2 grids R1C1,R3C3", "6 anti-knight", "6 boxes 2x3 arrow R1C1+R2C2+R3C3+R4C4 sum 7:R1C5+R2C5+R3C4"}
	s := solve.New(solve.Options{})
	other := solve.New(solve.Options{Engine: "infer"})
	many, limited, stopped := 0, 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 4))
		v, err := sudoku.ParseVariant(variants[seed%uint64(len(variants))])
		if err != nil {
			t.Fatal(err)
		}
		rules := sudoku.Must(v)
		full := sudoku.NewGrid(rules)
		full.Cells[rules.Cells()-1] = 1 + r.IntN(rules.Size())
		full = full.With(other.Solve(ctx, full).Solutions[0])
		g := sudoku.NewGrid(rules)
		for _, cell := range r.Perm(rules.Cells())[:rules.Cells()*(5+r.IntN(12))/50] {
			g.Cells[cell] = full.Cells[cell]
		}
		want := other.Count(ctx, g, 6000)
		if !want.Complete || want.Count < 1001 {
			continue
		}
		many++
		for _, limit := range []int{1 + r.IntN(2*want.Count), 0} {
			a := s.Count(ctx, g, limit)
			if complete := limit == 0 || limit > want.Count; a.Complete != complete || complete && a.Count != want.Count || !complete && a.Count != limit {
				t.Fatalf("seed %d: Count(%d): %d, %v; want %d", seed, limit, a.Count, a.Complete, want.Count)
			}
			if !a.Complete {
				limited++
			}
		}
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		if a := s.Count(canceled, g, 0); a.Count <= want.Count && !a.Complete {
			stopped++
		}
	}
	if many < 15 || limited < 5 || stopped != many {
		t.Errorf("%d puzzles, %d limits reached, %d of them stopped", many, limited, stopped)
	}
	if e, without := s.Effort().Inference, other.Effort().Inference.Branches; e.Branches >= without/2 || e.Puzzles != int64(3*many) {
		t.Errorf("%d branches, %d without a memory; %d puzzles", e.Branches, without, e.Puzzles)
	}
}
