package technique

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/sudoku"
	"sator/sudoku/bands"
)

var nine = sudoku.Must(sudoku.Standard(9))

// parse returns the grid of a text of digits, and dots or zeros.
func parse(r *sudoku.Rules, text string) *sudoku.Grid {
	g := sudoku.NewGrid(r)
	for cell := range g.Cells {
		if text[cell] != '.' && text[cell] != '0' {
			g.Cells[cell] = int(text[cell] - '0')
		}
	}
	return g
}

// only returns the solution of a puzzle of size 9, nil unless there is exactly one.
func only(g *sudoku.Grid) []int {
	var s bands.Solver
	var found []int
	n := 0
	s.Visit(context.Background(), g, func(cells *[81]uint8) bool {
		found = make([]int, 81)
		for i, digit := range cells {
			found[i] = int(digit)
		}
		n++
		return n < 2
	})
	if n != 1 {
		return nil
	}
	return found
}

// checkStep checks a step: it changes something, agrees with the solution, and has a reason
// of at most MaxReason bytes.
func checkStep(t *testing.T, b *Board, s *Step, solution []int) {
	t.Helper()
	text := b.Reason(s)
	if text == "" || len(text) > MaxReason || strings.Contains(text, "%!") {
		t.Fatalf("%s: %s", s.Technique.Name, text)
	}
	if s.Rating < s.Technique.Rating || !b.changes(s) {
		t.Fatalf("%s, %v: %s, changes nothing", s.Technique.Name, s.Rating, text)
	}
	if s.Placed >= 0 && solution[s.Placed/b.size] != s.Placed%b.size+1 {
		t.Fatalf("%s: %s, places %s", s.Technique.Name, text, b.statement(on(s.Placed)))
	}
	for _, c := range s.Eliminated {
		if solution[c/b.size] == c%b.size+1 || !b.Has(c) {
			t.Fatalf("%s: %s, eliminates %s", s.Technique.Name, text, b.statement(on(c)))
		}
	}
}

// follow solves a puzzle step by step and checks each step, also its premises if these are
// wanted. It counts the techniques in used.
func follow(t *testing.T, g *sudoku.Grid, solution []int, used map[string]int, premises bool) Rating {
	t.Helper()
	b := NewBoard(g.Rules)
	b.Load(g)
	b.Unique = true
	var r Rating
	for s := b.Next(); s != nil; s = b.Next() {
		used[s.Technique.Name]++
		checkStep(t, b, s, solution)
		if premises {
			checkPremises(t, b, s)
		}
		b.Apply(s)
		r.add(s)
	}
	r.Solved = b.Solved()
	return r
}

// list returns the puzzles of a file in the directory that SATOR_SUDOKU names.
func list(t *testing.T, name string) []*sudoku.Grid {
	t.Helper()
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU names no directory of puzzles")
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*sudoku.Grid
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); len(line) >= 81 && !strings.HasPrefix(line, "#") {
			all = append(all, parse(nine, line))
		}
	}
	return all
}

// generated returns puzzles of "sator sudoku generate -n 100 --seed 1".
func generated(t *testing.T) []*sudoku.Grid {
	t.Helper()
	data, err := os.ReadFile("testdata/generated.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []*sudoku.Grid
	for _, line := range strings.Fields(string(data)) {
		all = append(all, parse(nine, line))
	}
	return all
}

// TestSteps checks each step of generated puzzles against the solution, and that each
// follows from its premises. The rating has the same techniques.
func TestSteps(t *testing.T) {
	used := make(map[string]int)
	for _, g := range generated(t) {
		path := follow(t, g, only(g), used, true)
		b := NewBoard(nine)
		b.Load(g)
		b.Unique = true
		r, err := Rate(context.Background(), b)
		if err != nil || !r.Solved || !path.Solved || r.Steps < 81-g.Givens() || r.Sum < r.Hardest || r.Technique.Rating > r.Hardest {
			t.Errorf("%v: %+v, the path %+v; %v", g.Cells, r, path, err)
		}
	}
	t.Log(used)
}

// TestLists checks the steps of the puzzles of lists against their solutions, and the
// order of the lists by median rating.
func TestLists(t *testing.T) {
	most := 100
	if os.Getenv("SATOR_TESTS") == "whole" {
		most = 1 << 30
	}
	medians := make(map[string]Difficulty)
	total := 0
	for _, name := range []string{"easy50.txt", "variants/gen_intermediate.txt", "variants/gen_expert.txt", "top95.txt", "damnhard-35.txt", "study-1011.txt", "17clue-8000.txt", "top1465.txt"} {
		used := make(map[string]int)
		var ratings []Difficulty
		for _, g := range list(t, name) {
			solution := only(g)
			if solution == nil || len(ratings) == most {
				continue
			}
			r := follow(t, g, solution, used, false)
			if !r.Solved {
				t.Errorf("%s: %v has no rating", name, g.Cells)
			}
			ratings = append(ratings, r.Hardest)
		}
		slices.Sort(ratings)
		medians[name] = ratings[len(ratings)/2]
		total += len(ratings)
		t.Logf("%s: %d puzzles, %v to %v, median %v; %v", name, len(ratings), ratings[0], ratings[len(ratings)-1], medians[name], used)
	}
	t.Logf("%d puzzles", total)
	if e, i, h := medians["easy50.txt"], medians["variants/gen_intermediate.txt"], medians["top95.txt"]; e >= i || i >= h {
		t.Errorf("median ratings %v, %v and %v of lists that people find easy, intermediate and hard", e, i, h)
	}
}

// TestTechniques checks that each technique finds a step on the way to the solution of
// some puzzle, and that the step is sound, although an easier one may exist.
func TestTechniques(t *testing.T) {
	missing := make(map[*Technique]bool)
	for _, x := range All {
		missing[x] = true
	}
	for _, line := range []string{
		".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8",
		".97..5...8..4.......1..2..4......83..7..3.....45.9..6...2.7.5.....6....2....291..",
		"...1..8...7.56..2.63...7.4.....3.7.5.......9.5....23..9...86....8.4.....76.3..1..",
		".2.....8.....61..5.....83.7.39.2.......6..43.7........5......9...38.4...67..5..1.",
		"7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........",
	} {
		g := parse(nine, line)
		solution := only(g)
		b := NewBoard(nine)
		b.Load(g)
		b.Unique = true
		for s := b.Next(); s != nil && !b.Solved() && len(missing) > 0; s = b.Next() {
			for x := range missing {
				if s := x.Find(b); s != nil {
					delete(missing, x)
					checkStep(t, b, s, solution)
					checkPremises(t, b, s)
					t.Logf("%s, %v: %s", x.Name, s.Rating, b.Reason(s))
				}
			}
			b.Apply(s)
		}
	}
	for x := range missing {
		t.Errorf("no puzzle has a step of %s", x.Name)
	}
}

// checkPremises proves, unless the step assumes a single solution, that it follows from
// its premises: a solver refutes the formula of the premises, the exclusion of peers, and
// the negated conclusion.
func checkPremises(t *testing.T, b *Board, s *Step) {
	t.Helper()
	if s.Technique.Unique {
		return
	}
	solver := cdcl.New(cdcl.DefaultOptions())
	var all []int
	for _, group := range s.Groups {
		members := b.members(group, nil)
		var clause []dimacs.Lit
		for _, m := range members {
			clause = append(clause, dimacs.Var(m).Lit())
		}
		solver.Add(clause...)
		all = append(all, members...)
	}
	all = append(all, s.Eliminated...)
	if s.Placed >= 0 {
		all = append(all, s.Placed)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i, x := range all {
		for _, y := range all[i+1:] {
			if b.excludes(x, y) {
				solver.Add(dimacs.Var(x).Lit().Not(), dimacs.Var(y).Lit().Not())
			}
		}
	}
	var denied []dimacs.Lit
	for _, x := range s.Eliminated {
		denied = append(denied, dimacs.Var(x).Lit())
	}
	if s.Placed >= 0 {
		denied = append(denied, dimacs.Var(s.Placed).Lit().Not())
	}
	for _, l := range denied {
		if status := solver.Solve(context.Background(), l); status != dimacs.Unsatisfiable {
			t.Fatalf("%s does not follow from its premises: %s", s.Technique.Name, b.Reason(s))
		}
	}
}

// TestUnique checks that techniques that assume a single solution find nothing unless the
// board says so, or if the exchange of digits can break another rule.
func TestUnique(t *testing.T) {
	x := sudoku.Standard(9)
	x.X = true
	knight := sudoku.Standard(9)
	knight.AntiKnight = true
	for _, test := range []struct {
		rules          *sudoku.Rules
		unique, marked bool
		cells          [4]int
		want           bool
	}{
		{nine, true, false, [4]int{0, 3, 9, 12}, true},
		{nine, false, false, [4]int{0, 3, 9, 12}, false},
		{nine, true, true, [4]int{0, 3, 9, 12}, false},
		{nine, true, false, [4]int{0, 3, 36, 39}, false}, // four boxes
		{nine, true, false, [4]int{0, 1, 9, 10}, false},  // one box
		{sudoku.Must(x), true, false, [4]int{0, 3, 9, 12}, false},
		{sudoku.Must(knight), true, false, [4]int{0, 3, 9, 12}, false},
	} {
		b := NewBoard(test.rules)
		b.Unique, b.marked = test.unique, test.marked
		for _, cell := range test.cells[:3] {
			for d := 2; d < 9; d++ {
				b.eliminate(cell, d)
			}
		}
		s := ByName("unique rectangle").Find(b)
		if s != nil != test.want || s != nil && !slices.Equal(s.Eliminated, []int{test.cells[3] * 9, test.cells[3]*9 + 1}) {
			t.Errorf("%v, unique %v, marked %v, cells %v: got %+v", test.rules, test.unique, test.marked, test.cells, s)
		}
	}
}

// TestTable checks that the table is sorted by rating, and its names are unique.
func TestTable(t *testing.T) {
	for i, x := range All {
		if i > 0 && x.Rating < All[i-1].Rating || ByName(x.Name) != x || x.Help == "" {
			t.Errorf("row %d: %s, %v", i, x.Name, x.Rating)
		}
	}
}

func TestParseDifficulty(t *testing.T) {
	for text, want := range map[string]Difficulty{"4.2": 42, "4": 40, "10.5": 105, "0.1": 1, "": 0, "4.25": 0, "x": 0, "-1": 0, "4.": 0, "0": 0, "1e3": 0, " 4": 0, "100": 0} {
		if got, err := ParseDifficulty(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

// TestNested solves a puzzle that nothing but nested chains solves, up to the first one, and
// checks that step and its premises.
func TestNested(t *testing.T) {
	g := parse(nine, "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")
	solution := only(g)
	b := NewBoard(nine)
	b.Load(g)
	for s := b.Next(); s != nil; s = b.Next() {
		checkStep(t, b, s, solution)
		if s.Technique == ByName("nested forcing chains") {
			checkPremises(t, b, s)
			return
		}
		b.Apply(s)
	}
	t.Error("no nested forcing chain")
}
