package technique

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/internal/effort"
	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/internal/bands"
	"sator/sudoku/solve"
)

// only returns the solution of a puzzle of size 9, nil unless there is exactly one.
func only(g *sudoku.Grid) []int {
	var s bands.Solver
	var found []int
	n := 0
	s.Visit(context.Background(), g, func() bool {
		found = make([]int, 81)
		s.Solution(found)
		n++
		return n < 2
	})
	if n != 1 {
		return nil
	}
	return found
}

// loaded returns the board of a puzzle of size 9 with one solution, and the solution.
func loaded(line string) (*Board, []int) {
	g := sudokutest.Parse(sudokutest.Nine, line)
	b := NewBoard(g.Rules)
	b.Load(g)
	b.Unique, b.Alone = true, true
	return b, only(g)
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
		if solution[c/b.size] == c%b.size+1 || !b.holds(c) {
			t.Fatalf("%s: %s, eliminates %s", s.Technique.Name, text, b.statement(on(c)))
		}
	}
}

// checkLinks checks the links of a step: candidates that exclude each other, and candidates of a group of two, which
// is in the reason.
func checkLinks(t *testing.T, b *Board, s *Step, used map[string]int) {
	t.Helper()
	strong, weak := b.Links(s)
	if used["strong"] += len(strong); len(s.chain) > 0 && (len(strong) == 0 || len(strong)+len(weak) >= len(s.chain)) {
		t.Fatalf("%s: %v and %v are the links of %d literals", b.Reason(s), strong, weak, len(s.chain))
	}
	if len(s.events) > 0 && len(weak) == 0 {
		t.Fatalf("%s: no candidate is excluded by another", b.Reason(s))
	}
	for _, pair := range slices.Concat(strong, weak) {
		if !b.holds(pair[0]) || !b.holds(pair[1]) {
			t.Fatalf("%s: the link %v of a candidate that is excluded", b.Reason(s), pair)
		}
	}
	for _, pair := range weak {
		if x, y := pair[0], pair[1]; x/b.size != y/b.size && (x%b.size != y%b.size || !b.sees(x/b.size, y/b.size)) {
			t.Fatalf("%s: the weak link %v", b.Reason(s), pair)
		}
	}
	for _, pair := range strong {
		if !slices.ContainsFunc(s.groups, func(group int) bool {
			members := b.members(group, nil)
			return slices.Contains(members, pair[0]) && slices.Contains(members, pair[1])
		}) {
			t.Fatalf("%s: the strong link %v", b.Reason(s), pair)
		}
	}
}

// follow solves a puzzle by hints and checks each step, also its premises if these are wanted. It
// counts the techniques in used.
func follow(t *testing.T, g *sudoku.Grid, solution []int, used map[string]int, premises bool) Rating {
	t.Helper()
	b := NewBoard(g.Rules)
	b.Load(g)
	b.Unique, b.Alone = true, true
	r, err := Path(context.Background(), b, func(now *Board, s *Step) {
		used[s.Technique.Name]++
		checkStep(t, now, s, solution)
		checkLinks(t, now, s, used)
		if premises {
			checkPremises(t, now, s)
		}
	})
	if err != nil || !r.Solved {
		t.Fatalf("%v is not solved: %+v, %v", g.Cells, r, err)
	}
	return r
}

// TestSteps checks each step of generated puzzles against the solution, and that each
// follows from its premises. The rating is that of the path.
func TestSteps(t *testing.T) {
	used := make(map[string]int)
	for _, g := range sudokutest.Generated() {
		r := follow(t, g, only(g), used, true)
		b := NewBoard(g.Rules)
		b.Load(g)
		b.Unique, b.Alone = true, true
		again, err := Rate(context.Background(), b)
		if err != nil || again != r || r.Steps < 81-g.Givens() || r.Sum < r.Hardest || ByName(r.Technique).Rating > r.Hardest || r.Diamond > r.Pearl || r.Pearl > r.Hardest {
			t.Errorf("%v: %+v, the path %+v; %v", g.Cells, again, r, err)
		}
	}
	if t.Log(used); used["strong"] < 100 {
		t.Errorf("%d strong links", used["strong"])
	}
}

// TestLinks checks the steps of a puzzle with a hint that eliminates candidates of the links of its later steps.
func TestLinks(t *testing.T) {
	g := sudokutest.Parse(sudokutest.Nine, "9.4..5...25.6..1..31......8.7...9...4..26......147....7.......2...3..8.6.4.....9.")
	follow(t, g, only(g), make(map[string]int), false)
}

// TestPublished checks the steps of published puzzles with relations, those that are found in time.
func TestPublished(t *testing.T) {
	used := make(map[string]int)
	limit := time.Second / 4
	if effort.Whole() {
		limit = time.Second
	}
	for _, g := range sudokutest.Published() {
		a := solve.New(solve.Options{}).Solve(context.Background(), g)
		b := NewBoard(g.Rules)
		b.Load(g)
		b.Unique, b.Alone = true, true
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		Path(ctx, b, func(now *Board, s *Step) {
			used[s.Technique.Name]++
			checkStep(t, now, s, a.Solutions[0])
		})
		cancel()
	}
	if t.Log(used); used["relation"] < 200 {
		t.Errorf("relation found %d steps", used["relation"])
	}
}

// TestLists checks the steps of the puzzles of lists against their solutions, and the
// order of the lists by median rating.
func TestLists(t *testing.T) {
	most := 100
	if effort.Whole() {
		most = 1 << 30
	}
	medians := make(map[string]Difficulty)
	total := 0
	for _, name := range []string{"easy50.txt", "variants/gen_intermediate.txt", "variants/gen_expert.txt", "top95.txt", "damnhard-35.txt", "study-1011.txt", "17clue-8000.txt", "top1465.txt"} {
		used := make(map[string]int)
		var ratings []Difficulty
		for _, g := range sudokutest.List(t, name) {
			solution := only(g)
			if solution == nil || len(ratings) == most {
				continue
			}
			ratings = append(ratings, follow(t, g, solution, used, false).Hardest)
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
	delete(missing, ByName("cage"))     // see TestCage
	delete(missing, ByName("relation")) // see TestPublished
	delete(missing, ByName("innies and outies"))
	for _, line := range []string{
		".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8",
		".97..5...8..4.......1..2..4......83..7..3.....45.9..6...2.7.5.....6....2....291..",
		"...1..8...7.56..2.63...7.4.....3.7.5.......9.5....23..9...86....8.4.....76.3..1..",
		".2.....8.....61..5.....83.7.39.2.......6..43.7........5......9...38.4...67..5..1.",
		"7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........",
		".43..2.766....318.......2....8.5..2.4..7.8..1.7..6.8....1.......271....596.2..71.",
		".9...5.14.7....6......43......6...5...8.3......49.7...........3689.....7..3.1.98.",
	} {
		b, solution := loaded(line)
		for s := b.next(); s != nil && !b.Solved() && len(missing) > 0; s = b.next() {
			for x := range missing {
				if s := x.first(b); s != nil {
					delete(missing, x)
					checkStep(t, b, s, solution)
					checkPremises(t, b, s)
					t.Logf("%s, %v: %s", x.Name, s.Rating, b.Reason(s))
				}
			}
			b.apply(s)
		}
	}
	for x := range missing {
		t.Errorf("no puzzle has a step of %s", x.Name)
	}
}

// TestFind checks all steps that all techniques below forcing chains find on the way to the solution of
// some puzzles.
func TestFind(t *testing.T) {
	overlaps := 0
	for i, line := range []string{
		".97..5...8..4.......1..2..4......83..7..3.....45.9..6...2.7.5.....6....2....291..",
		".43..2.766....318.......2....8.5..2.4..7.8..1.7..6.8....1.......271....596.2..71.",
		"...7....2...2.1.4.9...4..7..97..6....1....23.3........73.4...2.5....3..9...15....",
		".2.....8.....61..5.....83.7.39.2.......6..43.7........5......9...38.4...67..5..1.",
		"3..87.19..6..9...8.....3.7253....6...2.....84..74.5.1.8..........6..8......71....",
	} {
		b, solution := loaded(line)
		for s := b.next(); s != nil && s.Rating < 80; s = b.next() {
			for _, x := range All {
				if x.Rating >= 80 {
					break
				}
				for k, s := range b.Find(x) {
					checkStep(t, b, s, solution)
					if x.Name == "ALS-XY-wing" && slices.ContainsFunc(s.cells[:s.ends[0]], func(cell int) bool { return slices.Contains(s.cells[s.ends[0]:s.ends[1]], cell) }) {
						overlaps++
					}
					if (k+i)%50 == 0 {
						checkPremises(t, b, s)
					}
				}
			}
			b.apply(s)
		}
	}
	if overlaps < 10 {
		t.Errorf("%d wings of sets that overlap", overlaps)
	}
}

// TestGraves checks all steps of bivalue universal graves on the way to the solutions of some
// puzzles, and that each type occurs.
func TestGraves(t *testing.T) {
	grave := ByName("bivalue universal grave")
	kinds := make(map[int]int)
	for _, line := range []string{
		".2....5938..5..46.94..6...8..2.3.....6..8.73.7..2.........4.38..7....6..........5",
		"2.....1.5.6.3.9......4.....5.1...7..8...........9.........1.2...4.....9........3.",
		".43..2.766....318.......2....8.5..2.4..7.8..1.7..6.8....1.......271....596.2..71.",
		"...7....2...2.1.4.9...4..7..97..6....1....23.3........73.4...2.5....3..9...15....",
		"1..9....3.45...6.......2....9..2...5....4.83....3657........1.4.....4.7.28.......",
	} {
		b, solution := loaded(line)
		for s := b.next(); s != nil && s.Rating < 85; s = b.next() {
			grave.find(b, func(s *Step) bool {
				checkStep(t, b, grave.sign(s), solution)
				kinds[s.kind]++
				return true
			})
			b.apply(s)
		}
	}
	if len(kinds) != 4 || kinds[0] > 0 {
		t.Errorf("steps by type: %v", kinds)
	}
}

// TestBlockers checks that the cells of a single with the digits in them suffice for it.
func TestBlockers(t *testing.T) {
	singles := 0
	for _, g := range sudokutest.Generated() {
		b := NewBoard(g.Rules)
		b.Load(g)
		for s := b.Single(); s != nil && g.Marks == nil; s = b.Single() {
			cells, _ := b.Pattern(s)
			only := sudoku.NewGrid(g.Rules)
			for _, cell := range cells {
				only.Cells[cell] = b.Digit(cell)
			}
			for _, h := range s.houses {
				for _, cell := range g.Rules.Houses()[h].Cells {
					only.Cells[cell] = b.Digit(cell)
				}
			}
			alone := NewBoard(g.Rules)
			alone.Load(only)
			same := slices.ContainsFunc(alone.Find(s.Technique), func(x *Step) bool { return x.Placed == s.Placed })
			if !same && s.Technique.Name != "last cell" {
				t.Fatalf("%v: %s does not follow from the cells %v", g.Cells, b.Reason(s), cells)
			}
			singles++
			b.apply(s)
		}
	}
	if singles < 500 {
		t.Errorf("%d singles", singles)
	}
}

// TestCage compares the eliminations of cages with an enumeration of all assignments. A cage does
// not look at the assignment of digits to cells.
func TestCage(t *testing.T) {
	v := sudoku.Standard(6)
	v.Cages = []sudoku.Cage{{Sum: 6, Cells: []int{0, 1, 2}}, {Sum: 11, Cells: []int{6, 12}}, {Sum: 9, Cells: []int{21, 22, 28}}}
	r := sudoku.Must(v)
	b := NewBoard(r)
	for _, c := range []int{0, 6 * 21, 6*22 + 1, 6*28 + 2} {
		b.remove(c)
	}
	b.Place(r.Candidate(1, 2))
	var got, want []int
	ByName("cage").find(b, func(s *Step) bool {
		got = append(got, s.Eliminated...)
		return true
	})
	for _, cage := range r.Cages() {
		possible := make(map[int]bool)
		var assign func(i, sum int, used uint64, chosen []int)
		assign = func(i, sum int, used uint64, chosen []int) {
			if i == len(cage.Cells) {
				for _, c := range chosen {
					possible[c] = possible[c] || sum == cage.Sum
				}
				return
			}
			for _, digit := range digitsOf(b.digits[cage.Cells[i]] &^ used) {
				assign(i+1, sum+digit, used|1<<(digit-1), append(chosen, r.Candidate(cage.Cells[i], digit)))
			}
		}
		assign(0, 0, 0, nil)
		for _, cell := range cage.Cells {
			for _, digit := range digitsOf(b.digits[cell]) {
				if c := r.Candidate(cell, digit); !possible[c] {
					want = append(want, c)
				}
			}
		}
	}
	if !slices.Equal(got, want) || len(got) < 10 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRefusal checks that techniques that do not hold on a board say so, and find nothing.
func TestRefusal(t *testing.T) {
	knight, killer := sudoku.Standard(9), sudoku.Standard(9)
	knight.AntiKnight = true
	killer.Cages = []sudoku.Cage{{Sum: 3, Cells: []int{0, 1}}}
	for _, test := range []struct {
		variant sudoku.Variant
		unique  bool
		name    string
		want    string
	}{
		{sudoku.Standard(9), true, "bivalue universal grave", ""},
		{sudoku.Standard(9), false, "bivalue universal grave", "bivalue universal grave: the puzzle has not been proved to have one solution"},
		{sudoku.Standard(9), false, "unique rectangle", "unique rectangle: the puzzle has not been proved to have one solution"},
		{knight, true, "unique rectangle", "unique rectangle: the exchange of digits may break the anti-knight rule"},
		{killer, true, "bivalue universal grave", "bivalue universal grave: the exchange of digits may change the sum of a cage"},
		{killer, true, "XY-wing", ""},
		{sudoku.Standard(16), true, "forcing chains", ""},
		{sudoku.Standard(25), true, "forcing chains", "forcing chains: not searched for above size 16"},
		{sudoku.Variant{Size: 9, Grids: []sudoku.Place{{}, {Row: 6, Col: 6}}}, true, "nested forcing chains", "nested forcing chains: not searched for in more than 81 cells"},
		{sudoku.Standard(16), true, "nested forcing chains", "nested forcing chains: not searched for above size 9"},
	} {
		b := NewBoard(sudoku.Must(test.variant))
		b.Unique = test.unique
		if got := ByName(test.name).refusal(b); got != test.want {
			t.Errorf("%v: got %q, want %q", b.rules, got, test.want)
		}
	}
}

// TestDetails checks that the details of a step contain each link of its chains, and that each link
// follows from links before it.
func TestDetails(t *testing.T) {
	g := sudokutest.Parse(sudokutest.Nine, "7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........")
	b := NewBoard(g.Rules)
	b.Load(g)
	for steps := range 12 {
		for _, name := range []string{"naked pair", "XY-chain", "alternating inference chain", "forcing chains", "dynamic forcing chains +", "nested forcing chains"} {
			if s := ByName(name).first(b); s != nil {
				checkDetails(t, b, s)
			}
		}
		s := b.next()
		if s == nil {
			t.Fatal("no step", steps)
		}
		b.apply(s)
	}
}

func checkDetails(t *testing.T, b *Board, s *Step) {
	t.Helper()
	lines := b.Details(s)
	want := 0
	for _, chain := range append(slices.Clone(s.branches), s.chain) {
		want += len(chain)
		for _, l := range chain {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, b.statement(l.literal)) }) {
				t.Fatalf("%s: no line about %s: %q", s.Technique.Name, b.statement(l.literal), lines)
			}
		}
	}
	for _, e := range s.events {
		want++
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(strings.TrimPrefix(strings.TrimSpace(line), "if "), b.statement(e.literal))
		}) {
			t.Fatalf("%s: no line about %s: %q", s.Technique.Name, b.statement(e.literal), lines)
		}
	}
	if len(lines) < want || want == 0 && lines != nil || want > 0 && !strings.HasPrefix(strings.TrimSpace(lines[len(lines)-1]), b.lastDetail(s)) {
		t.Fatalf("%s: %d lines for %d links: %q", s.Technique.Name, len(lines), want, lines)
	}
}

// lastDetail returns how the last line of the details begins: with the contradiction, or with the
// conclusion.
func (b *Board) lastDetail(s *Step) string {
	switch {
	case s.events != nil:
		return b.emptied(s.empty)
	case s.Placed >= 0:
		return b.statement(on(s.Placed))
	}
	return b.statement(off(s.Eliminated[0]))
}

// TestLargeReasons checks the reasons of steps with more names than a sentence has room for.
func TestLargeReasons(t *testing.T) {
	v := sudoku.Standard(64)
	v.Cages = []sudoku.Cage{{Sum: 64 * 65 / 2, Cells: make([]int, 64)}}
	for i := range 64 {
		v.Cages[0].Cells[i] = 64*10 + i
	}
	b := NewBoard(sudoku.Must(v))
	for d := range 63 {
		b.remove(d)
		b.remove(b.rules.Candidate(70, 1) + d)
	}
	for _, s := range []*Step{ByName("naked single").first(b), {Technique: ByName("cage"), cells: v.Cages[0].Cells, kind: v.Cages[0].Sum}} {
		if text := b.Reason(s); text == "" || len(text) > MaxReason {
			t.Errorf("%s: %q", s.Technique.Name, text)
		}
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
	solver := cdcl.New(cdcl.Options{})
	var all []int
	for _, group := range s.groups {
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
		rules  *sudoku.Rules
		unique bool
		cells  [4]int
		want   bool
	}{
		{sudokutest.Nine, true, [4]int{0, 3, 9, 12}, true},
		{sudokutest.Nine, false, [4]int{0, 3, 9, 12}, false},
		{sudokutest.Nine, true, [4]int{0, 3, 36, 39}, false}, // four boxes
		{sudokutest.Nine, true, [4]int{0, 1, 9, 10}, false},  // one box
		{sudoku.Must(x), true, [4]int{0, 3, 9, 12}, false},
		{sudoku.Must(knight), true, [4]int{0, 3, 9, 12}, false},
	} {
		b := NewBoard(test.rules)
		b.Unique = test.unique
		for _, cell := range test.cells[:3] {
			for d := 2; d < 9; d++ {
				b.eliminate(cell, d)
			}
		}
		s := ByName("unique rectangle").first(b)
		if s != nil != test.want || s != nil && !slices.Equal(s.Eliminated, []int{test.cells[3] * 9, test.cells[3]*9 + 1}) {
			t.Errorf("%v, unique %v, cells %v: got %+v", test.rules, test.unique, test.cells, s)
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
	g := sudokutest.Parse(sudokutest.Nine, "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")
	solution := only(g)
	b := NewBoard(sudokutest.Nine)
	b.Load(g)
	for s := b.next(); s != nil; s = b.next() {
		checkStep(t, b, s, solution)
		if s.Technique == ByName("nested forcing chains") {
			checkPremises(t, b, s)
			return
		}
		b.apply(s)
	}
	t.Error("no nested forcing chain")
}

// next returns the first step of the easiest technique that finds one, or nil. The
// board must not be broken.
func (b *Board) next() *Step {
	for _, t := range All {
		if s := t.first(b); s != nil {
			return s
		}
	}
	return nil
}
