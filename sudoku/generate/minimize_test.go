package generate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
)

const easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

func ExampleMinimize() {
	puzzle := sudokutest.Parse(sudokutest.Nine, easy)
	s := CounterFor(puzzle.Rules)
	redundant, err := Redundant(context.Background(), s, puzzle)
	fmt.Println(puzzle.Givens(), "givens;", len(redundant), "of them redundant;", err)
	minimal, err := Minimize(context.Background(), s, puzzle, MinimizeOptions{Best: 20})
	fmt.Println(minimal.Givens(), "givens;", err)
	// Output:
	// 30 givens; 22 of them redundant; <nil>
	// 20 givens; <nil>
}

// TestRedundant compares redundant givens with those found by backtracking, on
// random puzzles, some with pencil marks.
func TestRedundant(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	r := sudoku.Must(sudoku.Standard(4))
	found := map[int]int{}
	for round := range 150 {
		full, _ := new(filler).solution(ctx, r, rng)
		g := sudoku.NewGrid(r).With(full)
		for _, cell := range rng.Perm(16)[:8+rng.IntN(5)] {
			g.Cells[cell] = 0
		}
		if round%3 == 0 {
			g.Marks = make([]bool, 64)
			for c := range g.Marks {
				cell, digit := r.Split(c)
				g.Marks[c] = full[cell] == digit || rng.IntN(4) > 0
			}
		}
		var want []int
		for cell, digit := range g.Cells {
			without := g.Clone()
			without.Cells[cell] = 0
			if digit != 0 && len(sudokutest.Solutions(without, 2)) == 1 {
				want = append(want, cell)
			}
		}
		solutions := len(sudokutest.Solutions(g, 2))
		for _, s := range []Counter{CounterFor(r), SolverCounter(solve.New(solve.Options{Engine: "dpll"}))} {
			got, err := Redundant(ctx, s, g)
			var not *NotUnique
			switch {
			case solutions == 1 && (err != nil || !slices.Equal(got, want)):
				t.Fatalf("%v, marks %v: %v, %v, want %v", g.Cells, g.Marks, got, err, want)
			case solutions == 2 && (!errors.As(err, &not) || !not.several):
				t.Fatalf("%v has several solutions: %v", g.Cells, err)
			}
		}
		found[solutions]++
	}
	if found[1] < 30 || found[2] < 30 {
		t.Errorf("puzzles by number of solutions: %v", found)
	}
}

// TestMinimize removes givens in a fixed order and compares the result with that of
// a plain loop.
func TestMinimize(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(2, 2))
	r := sudoku.Must(sudoku.Standard(9))
	j := newJudge(r)
	for range 6 {
		full, _ := new(filler).solution(ctx, r, rng)
		g := sudoku.NewGrid(r).With(full)
		for _, cell := range rng.Perm(81)[:30] {
			g.Cells[cell] = 0
		}
		if unique, _ := j.unique(g); !unique {
			continue
		}
		order := rng.Perm(81)
		want := g.Clone()
		for _, cell := range order {
			digit := want.Cells[cell]
			want.Cells[cell] = 0
			if unique, _ := j.unique(want); !unique {
				want.Cells[cell] = digit
			}
		}
		got, err := Minimize(ctx, CounterFor(r), g, MinimizeOptions{Order: order})
		if err != nil || !slices.Equal(got.Cells, want.Cells) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
		if redundant, err := Redundant(ctx, CounterFor(r), got); err != nil || len(redundant) > 0 {
			t.Errorf("%v: redundant %v, %v", got.Cells, redundant, err)
		}
	}
}

func TestMinimizeBest(t *testing.T) {
	g := sudokutest.Parse(sudokutest.Nine, easy)
	s := CounterFor(g.Rules)
	fewest := g.Givens()
	for _, best := range []int{0, 1, 5, 40} {
		m, err := Minimize(context.Background(), s, g, MinimizeOptions{Best: best, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		if m.Givens() > fewest {
			t.Errorf("%d orders: %d givens, fewer orders had %d", best, m.Givens(), fewest)
		}
		fewest = m.Givens()
		again, _ := Minimize(context.Background(), s, g, MinimizeOptions{Best: best, Seed: 3})
		if !slices.Equal(again.Cells, m.Cells) {
			t.Errorf("%d orders: another result for the same seed", best)
		}
	}
	if g.Givens() != 30 {
		t.Error("the puzzle was changed")
	}
}

func TestMinimizeSymmetry(t *testing.T) {
	r := sudoku.Must(sudoku.Standard(9))
	full, _ := new(filler).solution(context.Background(), r, rand.New(rand.NewPCG(4, 4)))
	g := sudoku.NewGrid(r).With(full)
	for _, symmetry := range Symmetries {
		m, err := Minimize(context.Background(), CounterFor(r), g, MinimizeOptions{Symmetry: symmetry})
		if err != nil {
			t.Fatal(err)
		}
		examine(t, &Options{Variant: r.Variant(), Symmetry: symmetry, Class: ""}, &Puzzle{Grid: m, Solution: full})
		if m.Givens() > 60 {
			t.Errorf("%s: %d givens", symmetry.Name, m.Givens())
		}
	}
}

func TestMinimizeStopped(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	g := sudokutest.Parse(sudokutest.Nine, easy)
	if m, err := Minimize(ctx, CounterFor(g.Rules), g, MinimizeOptions{}); err != cause {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := Redundant(ctx, CounterFor(g.Rules), g); err != cause {
		t.Errorf("%v, %v", m, err)
	}
}

// TestSymmetries counts the orbits of each symmetry, and those of the eight motions
// of the square that preserve them.
func TestSymmetries(t *testing.T) {
	orbits := map[string]int{
		"none": 81, "rotate180": 41, "rotate90": 21, "horizontal": 45, "vertical": 45,
		"both": 25, "diagonal": 45, "antidiagonal": 45, "diagonals": 25, "full": 15,
	}
	all := []motion{
		{}, half, quarter, {true, true, false},
		upsideDown, leftToRight, transpose, antitranspose,
	}
	order := map[string]int{
		"none": 1, "rotate180": 2, "rotate90": 4, "horizontal": 2, "vertical": 2,
		"both": 4, "diagonal": 2, "antidiagonal": 2, "diagonals": 4, "full": 8,
	}
	for _, s := range Symmetries {
		of := make([]int, 81)
		v := sudoku.Standard(9)
		list, err := s.orbits(v.Plan())
		if err != nil {
			t.Fatal(err)
		}
		for i, orbit := range list {
			for _, cell := range orbit {
				of[cell] = i
			}
		}
		kept := 0 // motions that map every cell to a cell of its orbit
		for _, move := range all {
			within := true
			for cell := range of {
				at := move.to(v.Plan().Place(cell), v.Plan())
				within = within && of[v.Plan().Cell(at.Row, at.Col)] == of[cell]
			}
			if within {
				kept++
			}
		}
		if len(list) != orbits[s.Name] || kept != order[s.Name] {
			t.Errorf("%s: %d orbits, %d motions", s.Name, len(list), kept)
		}
		if got, err := ParseSymmetry(s.Name); got != s || err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if _, err := ParseSymmetry("odd"); err == nil {
		t.Error("no error for odd")
	}
}
