package explain

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/sudokutest"
	"sator/sudoku"
)

// TestRate rates random puzzles with no, one and several solutions. It compares the
// number of solutions with that of backtracking, the engines with that number, and
// the inferences with each other. The rating does not depend on the puzzles that
// the rater rated before.
func TestRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	o := RateOptions{Encodings: RateEncodings()}
	for _, k := range kinds {
		if k.name == "knight" {
			continue // its puzzles have too few givens for backtracking
		}
		rater := NewRater(k.Rules, o)
		for i := range max(3, 24/k.Size()) {
			g, _ := puzzle(rng, k.Rules, 1)
			switch i % 3 {
			case 1:
				spoil(rng, g)
			case 2:
				g.Cells[slices.IndexFunc(g.Cells, func(digit int) bool { return digit != 0 })] = 0
			}
			got, err := rater.Rate(background, g)
			if err != nil {
				t.Fatalf("%s: %v", k.name, err)
			}
			if alone, err := Rate(background, g, o); err != nil || !reflect.DeepEqual(alone, got) {
				t.Fatalf("%s: %v: %+v after others, %+v alone; %v", k.name, g.Cells, got, alone, err)
			}
			checkRating(t, k.name, g, got)
		}
	}
}

func checkRating(t *testing.T, name string, g *sudoku.Grid, got *Rating) {
	t.Helper()
	if want := len(sudokutest.Solutions(g, 2)); got.Solutions != want {
		t.Fatalf("%s: %v: %d solutions, want %d", name, g.Cells, got.Solutions, want)
	}
	if len(got.Runs) != len(RateEncodings())*len(Engines()) {
		t.Fatalf("%s: %d runs", name, len(got.Runs))
	}
	status := dimacs.Satisfiable
	if got.Solutions == 0 {
		status = dimacs.Unsatisfiable
	}
	for _, run := range got.Runs {
		if run.Status != status {
			t.Errorf("%s: %v: %s on %s says %v", name, g.Cells, run.Engine, run.Encoding, run.Status)
		}
		if got.Class == ByPropagation && run.Encoding == "extended" && run.Conflicts > 1 && len(g.Rules.Cages()) == 0 {
			t.Errorf("%s: %v: propagation is enough, but %+v", name, g.Cells, run)
		}
	}
	if got.Solutions == 1 {
		all := got.Cells
		if got.Propagation > got.Probing || got.Propagation > got.TwoSAT || got.TwoSAT > got.Probing || got.Probing > all {
			t.Errorf("%s: %v: %+v", name, g.Cells, got)
		}
		if class := BySearch; got.Propagation == all && got.Class != ByPropagation || got.Probing < all && got.Class != class {
			t.Errorf("%s: %v: %+v", name, g.Cells, got)
		}
	}
	if got.Solutions > 1 && got.Class != BySearch {
		t.Errorf("%s: %v: %+v", name, g.Cells, got)
	}
}

// TestRateLimit checks that a run ends at the limit of conflicts with status
// Unknown.
func TestRateLimit(t *testing.T) {
	rating, err := Rate(background, sudokutest.Parse(nine, unprobed[1]), RateOptions{Encodings: []string{"minimal"}, Conflicts: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range rating.Runs {
		if run.Status != dimacs.Unknown || run.Conflicts < 5 || run.Conflicts > 10 {
			t.Errorf("%+v", run)
		}
	}
}

func TestRateErrors(t *testing.T) {
	for want, o := range map[string]RateOptions{
		`unknown encoding "2sat"`:   {Encodings: []string{"2sat"}},
		`unknown encoding "dense"`:  {Encodings: []string{"minimal", "dense"}},
		`unknown engine "minisat"`:  {Engines: []string{"minisat"}},
		`unknown heuristic "guess"`: {Heuristic: "guess"},
	} {
		if _, err := Rate(background, sudokutest.Parse(nine, unprobed[0]), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := Rate(ctx, sudokutest.Parse(nine, unprobed[0]), RateOptions{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
