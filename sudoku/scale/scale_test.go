package scale

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sator/internal/effort"
	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/internal/bands"
	"sator/sudoku/technique"
)

//go:embed testdata/explainer.txt
var explainer string

//go:embed testdata/sukaku.txt
var sukaku string

// grid returns a puzzle from a line of 81 characters.
func grid(line string) *sudoku.Grid {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	for cell, c := range []byte(line[:81]) {
		if c != '.' {
			g.Cells[cell] = int(c - '0')
		}
	}
	return g
}

// solution returns the only solution of a puzzle.
func solution(t *testing.T, g *sudoku.Grid) []int {
	t.Helper()
	var s bands.Solver
	var found []int
	s.Visit(context.Background(), g, func() bool {
		if found != nil {
			t.Fatalf("%v: two solutions", g.Cells)
		}
		found = make([]int, 81)
		s.Solution(found)
		return true
	})
	if found == nil {
		t.Fatalf("%v: no solution", g.Cells)
	}
	return found
}

// text returns a rating as in the forum.
func text(r technique.Rating) string {
	return fmt.Sprintf("%v/%v/%v", r.Hardest, r.Pearl, r.Diamond)
}

// TestExplainer compares ratings with those of Sudoku Explainer and Sukaku Explainer.
func TestExplainer(t *testing.T) {
	for _, test := range []struct {
		scale, ratings string
		least          int
		unused         []string // no puzzle among 4,000 needed them, or those of the other scale are enough
	}{
		{"se", explainer, 200, []string{"direct claiming"}},
		{"sukaku", sukaku, 100, []string{"direct claiming", "aligned pair exclusion", "X-cycle", "X-chain", "nested forcing chains"}},
	} {
		t.Run(test.scale, func(t *testing.T) {
			r := NewRater(test.scale)
			compared, used := 0, make(map[string]bool)
			for line := range strings.Lines(test.ratings) {
				if line[0] == '#' {
					continue
				}
				got, err := r.Path(context.Background(), grid(line), func(s *Step) { used[s.Technique] = true })
				if want := strings.Fields(line)[1]; err != nil || text(got) != want || !got.Solved {
					t.Errorf("%s: %+v, want %s; %v", line[:81], got, want, err)
				}
				compared++
			}
			if compared < test.least {
				t.Errorf("%d puzzles", compared)
			}
			for _, name := range Techniques(test.scale) {
				if used[name] == slices.Contains(test.unused, name) {
					t.Errorf("the technique %s: used %t", name, used[name])
				}
			}
		})
	}
}

// TestSteps checks each step against the solution, with and without techniques.
func TestSteps(t *testing.T) {
	puzzles := sudokutest.Generated()
	n := 0
	for line := range strings.Lines(explainer + sukaku) {
		if n++; line[0] != '#' && (line[82] < '9' && line[83] == '.' || effort.Whole() && n%5 == 0) { // below 9.0
			puzzles = append(puzzles, grid(line))
		}
	}
	raters := []*Rater{
		NewRater("se"), NewRater("se", "unique rectangle", "unique loop", graveName, "X-chain", "forcing chains"),
		NewRater("sukaku"), NewRater("sukaku", "XY-wing", "WXYZ-wing", "two strong links", "unique rectangle"),
	}
	for i, g := range puzzles {
		if !Rated(g.Rules) || !effort.Whole() && i%4 != 0 {
			continue
		}
		want := solution(t, g)
		for _, r := range raters {
			checkPath(t, r, g, want)
		}
	}
}

// checkPath checks the steps of a path.
func checkPath(t *testing.T, r *Rater, g *sudoku.Grid, want []int) {
	t.Helper()
	last, steps := technique.Difficulty(0), 0
	rating, err := r.Path(context.Background(), g, func(s *Step) {
		steps++
		last = max(last, s.Rating)
		if !slices.Contains(Techniques("sukaku"), s.Technique) || slices.Contains(r.without, s.Technique) {
			t.Fatalf("a step of the technique %q", s.Technique)
		}
		if s.Placed >= 0 && want[s.Placed/9] != s.Placed%9+1 {
			t.Fatalf("%v: %s places a wrong digit", g.Cells, s.Technique)
		}
		for _, c := range s.Eliminated {
			if want[c/9] == c%9+1 {
				t.Fatalf("%v: %s eliminates a digit of the solution", g.Cells, s.Technique)
			}
		}
		if s.Placed < 0 && len(s.Eliminated) == 0 {
			t.Fatalf("%v: %s changes nothing", g.Cells, s.Technique)
		}
	})
	if err != nil || !rating.Solved || rating.Hardest != last || rating.Steps != steps {
		t.Fatalf("%v: %+v after %d steps up to %v; %v", g.Cells, rating, steps, last, err)
	}
}

// TestMarks rates a position with pencil marks: without a candidate that the first step eliminates, that
// step is not needed.
func TestMarks(t *testing.T) {
	for line := range strings.Lines(explainer) {
		if line[0] == '#' {
			continue
		}
		g := grid(line)
		var first *Step
		NewRater("se").Path(context.Background(), g, func(s *Step) {
			if first == nil {
				first = s
			}
		})
		if first.Placed >= 0 || len(first.Eliminated) == 0 {
			continue
		}
		g.Marks = make([]bool, 729)
		for c := range g.Marks {
			g.Marks[c] = !slices.Contains(first.Eliminated, c)
		}
		rating, err := NewRater("se").Path(context.Background(), g, func(s *Step) {
			for _, c := range s.Eliminated {
				if slices.Contains(first.Eliminated, c) {
					t.Errorf("%s eliminates a candidate that is not marked", s.Technique)
				}
			}
		})
		if err != nil || !rating.Solved {
			t.Errorf("%+v, %v", rating, err)
		}
		return
	}
	t.Error("no puzzle begins with an elimination")
}

// TestMisuse checks that wrong rules and names panic, and that a context ends a rating.
func TestMisuse(t *testing.T) {
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s: no panic", name)
			}
		}()
		f()
	}
	panics("technique", func() { NewRater("se", "magic") })
	panics("technique of the other scale", func() { NewRater("se", "WXYZ-wing") })
	panics("scale", func() { NewRater("magic") })
	panics("rules", func() {
		NewRater("se").Rate(context.Background(), sudoku.NewGrid(sudoku.Must(sudoku.Standard(4))))
	})
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	cancel(cause)
	hard := grid("..3......4...8..36..8...1...4..6..73...9..........2..5..4.7..686...1....7.....5..")
	if _, err := NewRater("se").Rate(ctx, hard); err != cause {
		t.Errorf("after the end of the context: %v", err)
	}
	full := grid(strings.Repeat(".", 81))
	for cell, digit := range solution(t, hard) {
		full.Cells[cell] = int(digit)
	}
	if r, err := NewRater("se").Rate(context.Background(), full); err != nil || r.Technique != "none" || !r.Solved || r.Steps != 0 {
		t.Errorf("a full grid: %+v, %v", r, err)
	}
}

func BenchmarkRate(b *testing.B) {
	var puzzles []*sudoku.Grid
	for line := range strings.Lines(explainer) {
		if line[0] != '#' {
			puzzles = append(puzzles, grid(line))
		}
	}
	r := NewRater("se")
	for b.Loop() {
		for _, g := range puzzles[:150] {
			r.Rate(context.Background(), g)
		}
	}
}
