package explain

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/technique"
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
	for _, text := range unprobed[1:3] {
		g := sudokutest.Parse(nine, text)
		path, err := Path(background, g)
		if err != nil {
			t.Fatal(err)
		}
		follow(t, g, modern.Solve(background, g).Solutions[0], path, used)
	}
	for _, name := range []string{"last cell", "naked single", "hidden single", "cage", "pointing", "naked pair", "dynamic forcing chains", "nested forcing chains"} {
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
	c := sudoku.NewCandidates(r)
	c.Load(g)
	for i, s := range path {
		used[s.Technique]++
		checkText(t, r, s)
		if !justified(c, s) {
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

// justified reports whether a step follows by its technique from the candidates c before it. The
// tests of package technique prove that the premises of a step suffice.
func justified(c *sudoku.Candidates, s Step) bool {
	r := c.Rules()
	switch s.Technique {
	case "naked single":
		cell, _ := r.Split(s.Placed)
		return c.Left(cell) == 1 && c.Has(s.Placed)
	case "hidden single":
		cell, digit := r.Split(s.Placed)
		return slices.ContainsFunc(r.HousesOf(cell), func(house int) bool {
			return c.Left(r.Cells()+house*r.Size()+digit-1) == 1
		})
	case "cage":
		cell, _ := r.Split(s.Eliminated[0])
		return !inCage(c, r.Cages()[r.CageOf(cell)], nil, s.Eliminated)
	case "core":
		return s.Rating == 0 && len(s.Givens) > 0
	}
	return s.Rating > 0 && len(s.premises) > 0 && !slices.ContainsFunc(s.premises, c.Has)
}

// inCage reports whether some assignment of different digits with the sum of a cage, which begins with
// some digits, has one of some candidates.
func inCage(c *sudoku.Candidates, cage sudoku.Cage, digits, candidates []int) bool {
	r := c.Rules()
	if len(digits) == len(cage.Cells) {
		sum, found := 0, false
		for i, digit := range digits {
			sum += digit
			found = found || slices.Contains(candidates, r.Candidate(cage.Cells[i], digit))
		}
		return sum == cage.Sum && found
	}
	for digit := 1; digit <= r.Size(); digit++ {
		if c.Has(r.Candidate(cage.Cells[len(digits)], digit)) && !slices.Contains(digits, digit) && inCage(c, cage, append(digits, digit), candidates) {
			return true
		}
	}
	return false
}

var cellName = regexp.MustCompile(`R\d+C\d+`)

// checkText checks that the text of a step is not empty and names existing cells.
func checkText(t *testing.T, r *sudoku.Rules, s Step) {
	t.Helper()
	text := s.String()
	if s.Text == "" || len(s.Text) > technique.MaxReason || strings.Contains(text, "%!") || !strings.HasPrefix(text, s.Conclusion()+", "+s.Technique+": ") {
		t.Fatalf("the step says %q", text)
	}
	for _, name := range cellName.FindAllString(s.Text, -1) {
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
			"R1C4=5, last cell: row 1 has all other digits",
			"R6C9<>5, skyscraper: 5 has two places in column 2 and two in column 7; not both R3C2 and R3C7 have it, so R6C2 or R5C7 has",
		}},
		{killer4, ".............3..", []string{
			"R3C3<>12 and R34C3<>4, cage: R3C2, R3C3 and R4C3 cannot have the sum of 6 otherwise",
		}},
	} {
		path, err := Path(background, sudokutest.Parse(test.rules, test.puzzle))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !slices.ContainsFunc(path, func(s Step) bool { return s.String() == want }) {
				t.Errorf("no step says %q: %v", want, path)
			}
		}
	}
}

// TestFind finds the steps of one technique, and writes eliminations of several cells together.
func TestFind(t *testing.T) {
	g := sudokutest.Parse(nine, "79458213626..317......76..268.71.32443286..71..724386..2.6574.3.4.1286.7.763942.8")
	steps, err := Find(background, g, "pointing")
	if err != nil || len(steps) != 2 || steps[0].String() != "R23C8<>5, pointing: in box 9, 5 has no place but R8C8 and R9C8" {
		t.Errorf("%v, %v", steps, err)
	}
	if steps, err := Find(background, g, "jellyfish"); err != nil || len(steps) > 0 {
		t.Errorf("%v, %v", steps, err)
	}
	if _, err := Find(background, g, "magic"); err == nil {
		t.Error("no error for an unknown technique")
	}
	var several *Ambiguity
	if _, err := Find(background, sudoku.NewGrid(nine), "X-wing"); !errors.As(err, &several) {
		t.Errorf("an empty grid: %v", err)
	}
	for _, test := range []struct {
		rules *sudoku.Rules
		cells []string
		want  string
	}{
		{nine, []string{"R1C7=1", "R1C8=1", "R3C4=1", "R3C5=1"}, "R1C78,R3C45<>1"},
		{nine, []string{"R1C3=1", "R1C3=9", "R2C3=4"}, "R1C3<>19 and R2C3<>4"},
		{nine, []string{"R1C2=7", "R3C2=7", "R9C2=7", "R9C4=7"}, "R139C2,R9C4<>7"},
		{sudoku.Must(sudoku.Standard(16)), []string{"R1C11=1", "R1C12=1", "R1C11=12"}, "R1C11,R1C12<>1 and R1C11<>12"},
	} {
		var candidates []int
		for _, name := range test.cells {
			cell, digit, _ := strings.Cut(name, "=")
			at, err := test.rules.Cell(cell)
			d, err2 := strconv.Atoi(digit)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			candidates = append(candidates, test.rules.Candidate(at, d))
		}
		slices.Sort(candidates)
		if got := eliminations(test.rules, candidates); got != test.want {
			t.Errorf("%v: got %s, want %s", test.cells, got, test.want)
		}
	}
}

// TestAvoidable finds rectangles with digits that are no givens, unless the givens alone have several solutions.
func TestAvoidable(t *testing.T) {
	g := sudokutest.Parse(nine, ".9...5.14.7....6......43......6...5...8.3......49.7...........3689.....7..3.1.98.")
	path, err := Path(background, g)
	if err != nil {
		t.Fatal(err)
	}
	find := func(g *sudoku.Grid) []Step {
		steps, err := Find(background, g, "avoidable rectangle")
		if err != nil {
			t.Fatal(err)
		}
		return steps
	}
	rater := NewPeopleRater(nine, "all", nil)
	alone := func() bool {
		if _, err := rater.Rate(background, g); err != nil {
			t.Fatal(err)
		}
		return rater.board.Alone
	}
	g.Placed = make([]bool, len(g.Cells))
	for _, s := range path {
		if s.Placed < 0 {
			continue
		}
		if found := find(g); len(found) > 0 {
			if got, want := found[0].String(), "R6C2<>3, avoidable rectangle: type 1: with only 3 and 4 in R4C2, R4C7, R6C2 and R6C7 there would be two solutions (this assumes that there is one)"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if !alone() {
				t.Error("the rating does not use such steps")
			}
			g.Placed[1] = true // a given of a minimal puzzle
			if found := find(g); len(found) > 0 || alone() {
				t.Errorf("the givens alone have several solutions, but there is a step: %v", found)
			}
			g.Placed = nil
			if found := find(g); len(found) > 0 {
				t.Errorf("all digits are givens, but there is a step: %v", found)
			}
			return
		}
		cell, digit := g.Rules.Split(s.Placed)
		g.Cells[cell], g.Placed[cell] = digit, true
	}
	t.Error("no step")
}

// TestCore checks the technique that searches for givens, which no puzzle of these tests needs.
func TestCore(t *testing.T) {
	for _, text := range unprobed {
		g := sudokutest.Parse(nine, text)
		s, err := newHinter(g).core(background)
		if err != nil {
			t.Fatal(err)
		}
		checkText(t, nine, s)
		cell, digit := nine.Split(s.Placed)
		reason := &Reason{Question: Question{Cell: cell, Digit: digit}, Givens: s.Givens}
		if g.Cells[cell] != 0 || denied(reason.Puzzle(g), reason.Question) || len(s.Details) == 0 {
			t.Errorf("%v: %v is not forced", g.Cells, s)
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
	if err != nil || len(steps) != 1 || steps[0].String() != "R1C36=36, last cell: row 1 has all other digits" {
		t.Errorf("got %v, %v", steps, err)
	}
	beyond := sudoku.NewGrid(sudoku.Must(sudoku.Latin(technique.MaxSize + 1)))
	for cell := range technique.MaxSize {
		beyond.Cells[cell] = cell + 1
	}
	steps, err = Hint(background, beyond)
	if err != nil || len(steps) != 1 || steps[0].String() != "R1C65=65, naked single: all other digits are excluded" {
		t.Errorf("got %v, %v", steps, err)
	}
}

func TestHintErrors(t *testing.T) {
	r := kinds[0].Rules
	var contradiction *Contradiction
	for text, given := range map[string]bool{"11..............": true, "123...4.........": false, "12.3..4.........": false} {
		if _, err := Hint(background, sudokutest.Parse(r, text)); !errors.As(err, &contradiction) || (contradiction.Conflict != nil) != given {
			t.Errorf("%s: got %v", text, err)
		}
	}
	var ambiguity *Ambiguity
	g := sudokutest.Parse(r, "1234............")
	if _, err := Path(background, g); !errors.As(err, &ambiguity) {
		t.Fatalf("got %v", err)
	}
	a, b := ambiguity.Solutions[0], ambiguity.Solutions[1]
	if g.With(a).Solves(g) != nil || g.With(b).Solves(g) != nil || a[ambiguity.Cell] == b[ambiguity.Cell] || !slices.Equal(a[:ambiguity.Cell], b[:ambiguity.Cell]) {
		t.Errorf("%v and %v differ in %d", a, b, ambiguity.Cell)
	}
	full := sudokutest.Parse(r, "1234341221434321")
	if steps, err := Hint(background, full); err != nil || len(steps) > 0 {
		t.Errorf("of a solution: %v, %v", steps, err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := Path(ctx, sudokutest.Parse(nine, unprobed[0])); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
