package explain

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sator/sudoku"
)

// TestPath solves random puzzles step by step: no step contradicts the solution,
// the last step completes it, and all steps before a digit are needed.
func TestPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	used := make(map[string]int)
	for _, k := range kinds {
		for i := range max(3, 60/k.Size()) {
			g, solution := puzzle(rng, k.Rules, 1)
			if i%3 == 2 {
				mark(rng, g, solution)
			}
			path, err := Path(background, g)
			if err != nil {
				t.Fatalf("%s: %v: %v", k.name, g.Cells, err)
			}
			follow(t, g, solution, path, used)
			hint, err := Hint(background, g)
			if err != nil || len(hint) == 0 || !slices.EqualFunc(hint, path[:len(hint)], func(a, b Step) bool { return a.String() == b.String() }) {
				t.Fatalf("%s: %v: the hint is %v, the path %v; %v", k.name, g.Cells, hint, path, err)
			}
		}
	}
	for _, text := range unprobed {
		g := parse(nine, text)
		path, err := Path(background, g)
		if err != nil {
			t.Fatal(err)
		}
		follow(t, g, modern.Solve(background, g).Solutions[0], path, used)
	}
	for _, name := range []string{"naked single", "hidden single", "cage", "pointing", "naked pair", "failed literal", "core"} {
		if used[name] == 0 {
			t.Errorf("no puzzle needs the technique %s", name)
		}
	}
	t.Log(used)
}

// mark adds random marks that allow the solution.
func mark(rng *rand.Rand, g *sudoku.Grid, solution []int) {
	g.Marks = make([]bool, g.Rules.Cells()*g.Rules.Size())
	for candidate := range g.Marks {
		cell, digit := g.Rules.Split(candidate)
		g.Marks[candidate] = solution[cell] == digit || rng.IntN(10) > 0
	}
}

// follow applies the steps of a path and checks each.
func follow(t *testing.T, g *sudoku.Grid, solution []int, path []Step, used map[string]int) {
	t.Helper()
	r := g.Rules
	now := g.Clone()
	c, trial := sudoku.NewCandidates(r), sudoku.NewCandidates(r)
	c.Load(g)
	for i, s := range path {
		used[s.Technique]++
		checkText(t, r, s)
		if !justified(c, trial, s) {
			t.Fatalf("%v: step %d, %v, does not follow", g.Cells, i, s)
		}
		for _, candidate := range s.Eliminated {
			c.Eliminate(candidate)
		}
		if s.Placed >= 0 {
			c.Place(s.Placed)
		}
		if s.Placed < 0 {
			if i+1 == len(path) || len(s.Eliminated) == 0 {
				t.Fatalf("%v: the step %v has no effect", g.Cells, s)
			}
			for _, candidate := range s.Eliminated {
				if cell, digit := r.Split(candidate); solution[cell] == digit {
					t.Fatalf("%v: %v is wrong", g.Cells, s)
				}
			}
			continue
		}
		cell, digit := r.Split(s.Placed)
		if now.Cells[cell] != 0 || solution[cell] != digit {
			t.Fatalf("%v: %v is wrong", g.Cells, s)
		}
		now.Cells[cell] = digit
		if s.Technique == "core" {
			reason := &Reason{Question: Question{Cell: cell, Digit: digit}, Givens: s.Givens}
			if denied(reason.Puzzle(g), reason.Question) {
				t.Fatalf("%v: %v is not forced", g.Cells, s)
			}
		}
	}
	if !slices.Equal(now.Cells, solution) {
		t.Fatalf("%v: the path ends with %v", g.Cells, now.Cells)
	}
}

// justified reports whether a step follows by its technique from the candidates c
// before it.
func justified(c, trial *sudoku.Candidates, s Step) bool {
	r := c.Rules()
	candidate, value := s.conclusion()
	cell, digit := r.Split(candidate)
	trial.CopyFrom(c)
	switch s.Technique {
	case "naked single":
		return value && c.Left(cell) == 1 && c.Has(candidate)
	case "hidden single":
		return value && slices.ContainsFunc(r.HousesOf(cell), func(house int) bool {
			return c.Left(r.Cells()+house*r.Size()+digit-1) == 1
		})
	case "cage":
		trial.Cage(r.CageOf(cell))
		return !slices.ContainsFunc(s.Eliminated, trial.Has)
	case "failed literal":
		if value {
			return !trial.Eliminate(candidate) || !trial.Singles()
		}
		return !trial.Place(candidate) || !trial.Singles()
	}
	if s.Rating > 0 { // the tests of package technique prove that premises suffice
		return len(s.premises) > 0 && !slices.ContainsFunc(s.premises, c.Has)
	}
	return s.Technique == "core"
}

var cellName = regexp.MustCompile(`R\d+C\d+`)

// checkText checks that the text of a step is not empty and names existing cells.
func checkText(t *testing.T, r *sudoku.Rules, s Step) {
	t.Helper()
	text := s.String()
	if s.Text == "" || strings.Contains(text, "%!") || !strings.HasPrefix(text, s.Conclusion()+", "+s.Technique+": ") {
		t.Fatalf("the step says %q", text)
	}
	for _, name := range cellName.FindAllString(text, -1) {
		if _, err := r.Cell(name); err != nil {
			t.Fatalf("the step says %q: %v", text, err)
		}
	}
}

// TestWords compares texts of steps: the first one of each technique on some paths.
func TestWords(t *testing.T) {
	for _, test := range []struct {
		rules  *sudoku.Rules
		puzzle string
		want   []string
	}{
		{nine, ".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8", []string{
			"R1C1=7, hidden single: 7 has no other place in row 1",
			"R1C5=8, naked single: 1, 2, 3, 4, 6, 7 and 9 are in row 1 and 5 is in column 5",
			"R6C9<>1, pointing: in box 4, 1 has no place but R6C1 and R6C2",
			"R9C8=1, naked single: row 9 has all other digits",
		}},
		{nine, unprobed[0], []string{
			"R3C4=2, naked single: 3, 8 and 9 are in row 3, 5 and 6 are in column 4, 7 is in box 2 and 1 and 4 are excluded already",
		}},
		{knight9, "..5..............6......7....8...............91..5.........9.....4..3...8.....67.", []string{
			"R6C4<>7, failed literal: if R6C4=7, then R2C6=7 (the only place left for 7 in column 6), " +
				"R5C9=7 (the only place left for 7 in column 9), R7C5=7 (the only place left for 7 in box 8), and 7 has no place in column 3",
		}},
		{killer4, ".............3..", []string{
			"R3C3<>4 and R4C3<>4, cage: R3C2, R3C3 and R4C3 cannot have the sum of 6 otherwise",
		}},
	} {
		path, err := Path(background, parse(test.rules, test.puzzle))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !slices.ContainsFunc(path, func(s Step) bool { return s.String() == want }) {
				t.Errorf("no step says %q", want)
			}
		}
	}
}

// TestLargeHint checks that Hint returns a single in a large grid although the
// puzzle has many solutions.
func TestLargeHint(t *testing.T) {
	r := sudoku.Must(sudoku.Standard(36))
	g := sudoku.NewGrid(r)
	for cell := range 35 {
		g.Cells[cell] = cell + 1
	}
	steps, err := Hint(background, g)
	if err != nil || len(steps) != 1 || steps[0].String() != "R1C36=36, naked single: row 1 has all other digits" {
		t.Errorf("got %v, %v", steps, err)
	}
}

func TestHintErrors(t *testing.T) {
	r := kinds[0].Rules
	var contradiction *Contradiction
	for text, given := range map[string]bool{"11..............": true, "123...4.........": false, "12.3..4.........": false} {
		if _, err := Hint(background, parse(r, text)); !errors.As(err, &contradiction) || (contradiction.Conflict != nil) != given {
			t.Errorf("%s: got %v", text, err)
		}
	}
	var ambiguity *Ambiguity
	g := parse(r, "1234............")
	if _, err := Path(background, g); !errors.As(err, &ambiguity) {
		t.Fatalf("got %v", err)
	}
	a, b := ambiguity.Solutions[0], ambiguity.Solutions[1]
	if g.With(a).Solves(g) != nil || g.With(b).Solves(g) != nil || a[ambiguity.Cell] == b[ambiguity.Cell] || !slices.Equal(a[:ambiguity.Cell], b[:ambiguity.Cell]) {
		t.Errorf("%v and %v differ in %d", a, b, ambiguity.Cell)
	}
	full := parse(r, "1234341221434321")
	if steps, err := Hint(background, full); err != nil || len(steps) > 0 {
		t.Errorf("of a solution: %v, %v", steps, err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := Path(ctx, parse(nine, unprobed[0])); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
