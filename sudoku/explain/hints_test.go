package explain

import (
	"testing"

	"sator/internal/effort"
	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/technique"
)

// TestHintAfterHint follows hints from the puzzle to the solution. Each hint starts from the digits
// alone. The hardest of all hints is the rating of the puzzle, and of the steps of Path.
func TestHintAfterHint(t *testing.T) {
	puzzles := sudokutest.Generated()
	if !effort.Whole() {
		puzzles = puzzles[:20]
	}
	checkHints(t, puzzles)
}

// TestHintLists is TestHintAfterHint for lists of puzzles.
func TestHintLists(t *testing.T) {
	most := 10
	if effort.Whole() {
		most = 300
	}
	for _, name := range []string{"easy50.txt", "top95.txt", "top1465.txt", "17clue-8000.txt"} {
		t.Run(name, func(t *testing.T) {
			all := sudokutest.List(t, name)
			checkHints(t, all[:min(most, len(all))])
		})
	}
}

func checkHints(t *testing.T, puzzles []*sudoku.Grid) {
	t.Helper()
	rater := NewRater(nine, RateOptions{Encodings: []string{}, Scale: "all"})
	for _, g := range puzzles {
		rating, err := rater.Rate(background, g)
		if err != nil {
			t.Fatal(err)
		}
		if rating.Solutions != 1 {
			continue
		}
		path, err := Path(background, g)
		if err != nil {
			t.Fatal(err)
		}
		if got := hardest(path); got != rating.People.Hardest {
			t.Errorf("%v: the hardest step of the path has the rating %v, the puzzle %v", g.Cells, got, rating.People.Hardest)
		}
		if got := hintAfterHint(t, g); got != rating.People.Hardest {
			t.Errorf("%v: the hardest hint has the rating %v, the puzzle %v", g.Cells, got, rating.People.Hardest)
		}
	}
}

// hintAfterHint solves a puzzle by hints and returns the rating of the hardest one.
func hintAfterHint(t *testing.T, g *sudoku.Grid) (most technique.Difficulty) {
	t.Helper()
	grid := g.Clone()
	grid.Placed = make([]bool, len(grid.Cells))
	for grid.Givens() < len(grid.Cells) {
		steps, err := Hint(background, grid)
		if err != nil {
			t.Fatalf("%v: %v", grid.Cells, err)
		}
		cell, digit := grid.Rules.Split(steps[len(steps)-1].Placed)
		grid.Cells[cell], grid.Placed[cell] = digit, true
		most = max(most, hardest(steps))
	}
	if err := grid.Solves(g); err != nil {
		t.Fatalf("%v: %v", g.Cells, err)
	}
	return most
}

func hardest(steps []Step) (most technique.Difficulty) {
	for _, s := range steps {
		most = max(most, s.Rating)
	}
	return most
}
