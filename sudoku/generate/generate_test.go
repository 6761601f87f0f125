package generate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/internal/effort"
	"sator/sudoku"
	"sator/sudoku/explain"
	"sator/sudoku/solve"
	"sator/sudoku/technique"
)

func Example() {
	g, err := New(Options{Variant: sudoku.Standard(4), Symmetry: Symmetries[1], Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := g.Make(context.Background(), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range 4 {
		fmt.Println(p.Cells[4*row:4*row+4], p.Solution[4*row:4*row+4])
	}
	// Output:
	// [0 0 3 0] [2 4 3 1]
	// [1 0 0 0] [1 3 4 2]
	// [0 0 0 4] [3 1 2 4]
	// [0 2 0 0] [4 2 1 3]
}

// variant returns a variant with changes.
func variant(size int, change func(*sudoku.Variant)) sudoku.Variant {
	v := sudoku.Standard(size)
	change(&v)
	return v
}

var (
	withX      = func(v *sudoku.Variant) { v.X = true }
	withHyper  = func(v *sudoku.Variant) { v.Hyper = true }
	withKnight = func(v *sudoku.Variant) { v.AntiKnight = true }
	withRegion = func(v *sudoku.Variant) {
		v.BoxRows, v.BoxCols = 0, 0
		v.Regions = regions(v.Size, rand.New(rand.NewPCG(5, 5)))
	}
)

// wishes has options of all kinds, and how many puzzles the tests make of each.
var wishes = []struct {
	name  string
	o     Options
	count uint64
}{
	{"1", Options{Variant: sudoku.Standard(1)}, 1},
	{"2", Options{Variant: sudoku.Standard(2)}, 3},
	{"4", Options{Variant: sudoku.Standard(4)}, 10},
	{"6", Options{Variant: sudoku.Standard(6), Symmetry: Symmetries[3]}, 6},
	{"7", Options{Variant: sudoku.Standard(7)}, 3},
	{"9", Options{Variant: sudoku.Standard(9)}, 6},
	{"samurai", Options{Variant: grids(9, sudoku.Place{}, sudoku.Place{Col: 12}, sudoku.Place{Row: 6, Col: 6}, sudoku.Place{Row: 12}, sudoku.Place{Row: 12, Col: 12}), Symmetry: Symmetries[1]}, 3},
	{"two grids", Options{Variant: grids(9, sudoku.Place{Row: 2}, sudoku.Place{Col: 4})}, 3},
	{"9 up", Options{Variant: sudoku.Standard(9), Class: "up"}, 4},
	{"9 fl", Options{Variant: sudoku.Standard(9), Class: "fl"}, 3},
	{"9 up minimal", Options{Variant: sudoku.Standard(9), Class: "up", Minimal: true}, 2},
	{"9 30", Options{Variant: sudoku.Standard(9), MinGivens: 30, MaxGivens: 30, Symmetry: Symmetries[1]}, 4},
	{"9 28 to 35", Options{Variant: sudoku.Standard(9), MinGivens: 28, MaxGivens: 35}, 6},
	{"9 21", Options{Variant: sudoku.Standard(9), MaxGivens: 21}, 1},
	{"9 minimal", Options{Variant: sudoku.Standard(9), Minimal: true, Symmetry: Symmetries[1]}, 1},
	{"9 minimal 24", Options{Variant: sudoku.Standard(9), Minimal: true, MinGivens: 24, MaxGivens: 24}, 8},
	{"12", Options{Variant: sudoku.Standard(12)}, 1},
	{"16", Options{Variant: sudoku.Standard(16), Class: "up", MinGivens: 110, MaxGivens: 120}, 2},
	{"25", Options{Variant: sudoku.Standard(25), MinGivens: 330, MaxGivens: 330, Symmetry: Symmetries[1]}, 1},
	{"latin", Options{Variant: sudoku.Latin(6)}, 4},
	{"x", Options{Variant: variant(9, withX)}, 2},
	{"hyper", Options{Variant: variant(9, withHyper), Symmetry: Symmetries[9]}, 2},
	{"knight", Options{Variant: variant(9, withKnight)}, 1},
	{"regions", Options{Variant: variant(6, withRegion), Symmetry: Symmetries[6]}, 3},
	{"jigsaw", Options{Variant: sudoku.Standard(9), Jigsaw: true}, 2},
	{"killer", Options{Variant: sudoku.Standard(6), Killer: true}, 2},
	{"killer 9", Options{Variant: sudoku.Standard(9), Killer: true, LimitGivens: true}, 2},
	{"killer x", Options{Variant: variant(6, withX), Killer: true, LimitGivens: true}, 2},
	{"killer jigsaw", Options{Variant: sudoku.Standard(4), Killer: true, Jigsaw: true, LimitGivens: true, MaxGivens: 2}, 3},
}

// TestMake makes puzzles and checks their properties with engines that the
// generator does not use.
func TestMake(t *testing.T) {
	for _, wish := range wishes {
		t.Run(wish.name, func(t *testing.T) {
			wish.o.Seed = 7
			g, err := New(wish.o)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for number := range wish.count {
				p, err := g.Make(context.Background(), number)
				if err != nil {
					t.Fatal(err)
				}
				examine(t, &wish.o, p)
				if key := fmt.Sprint(p.Solution); seen[key] && wish.o.Variant.Size >= 6 {
					t.Errorf("puzzle %d has the solution of another", number)
				} else {
					seen[key] = true
				}
			}
		})
	}
}

// A judge counts solutions with another engine than the generator.
type judge struct{ *solve.Solver }

func newJudge(r *sudoku.Rules) judge {
	engine := "cdcl"
	if r.Size() <= 6 {
		engine = "dpll"
	}
	return judge{solve.New(solve.Options{Engine: engine})}
}

func (j judge) unique(g *sudoku.Grid) (is bool, solution []int) {
	a := j.Count(context.Background(), g, 2)
	if len(a.Solutions) == 0 {
		return false, nil
	}
	return a.Unique(), a.Solutions[0]
}

// examine checks that a puzzle has the properties of the options.
func examine(t *testing.T, o *Options, p *Puzzle) {
	t.Helper()
	if err := p.With(p.Solution).Solves(p.Grid); err != nil {
		t.Fatalf("the solution: %v", err)
	}
	j := newJudge(p.Rules)
	unique, solution := j.unique(p.Grid)
	if !unique || !slices.Equal(solution, p.Solution) {
		t.Errorf("%v is not the only solution of %v", p.Solution, p.Cells)
	}
	if n := p.Givens(); o.MaxGivens > 0 && (n < o.MinGivens || n > o.MaxGivens) {
		t.Errorf("%d givens, not %d to %d", n, o.MinGivens, o.MaxGivens)
	}
	if o.Symmetry != nil {
		orbits, err := o.Symmetry.orbits(p.Rules.Plan())
		if err != nil {
			t.Fatal(err)
		}
		for _, orbit := range orbits {
			for _, cell := range orbit {
				if (p.Cells[cell] == 0) != (p.Cells[orbit[0]] == 0) {
					t.Fatalf("the givens %v are not symmetric (%s)", p.Cells, o.Symmetry.Name)
				}
			}
		}
	}
	if o.Class != "" {
		if class, err := explain.NewProber(p.Rules).Class(context.Background(), p.Grid); err != nil || class.String() != o.Class {
			t.Errorf("class %v, want %s", class, o.Class)
		}
	}
	// A puzzle is minimal if givens were removed as long as the solution was unique.
	proved := o.Class == "" && o.Symmetry == nil && o.MinGivens == 0 && o.Variant.Size <= ProvedSize
	if o.Minimal || proved {
		for cell, digit := range p.Cells {
			if digit == 0 {
				continue
			}
			without := p.Clone()
			without.Cells[cell] = 0
			if unique, _ := j.unique(without); unique {
				t.Errorf("%v does not need the given at %d", p.Cells, cell)
			}
		}
	}
	if o.Killer && len(p.Rules.Cages()) == 0 || o.Jigsaw && p.Rules.Variant().Regions == nil {
		t.Errorf("rules %v", p.Rules)
	}
}

// TestLarge makes large grids without solver calls: singles solve them. It takes
// about a second.
func TestLarge(t *testing.T) {
	for _, o := range []Options{
		{Variant: sudoku.Standard(49)},
		{Variant: sudoku.Latin(64), Symmetry: Symmetries[2]},
		{Variant: sudoku.Standard(100), MinGivens: 7000, MaxGivens: 7000},
	} {
		g, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		p, err := g.Make(context.Background(), 3)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("size %d: %d givens, %v", o.Variant.Size, p.Givens(), time.Since(begin))
		c := sudoku.NewCandidates(p.Rules)
		if !c.Load(p.Grid) || !c.Singles() || !c.Solved() || !slices.Equal(c.Cells(), p.Solution) {
			t.Errorf("singles do not solve the grid of size %d", o.Variant.Size)
		}
		if 10*p.Givens() > 9*p.Rules.Cells() || o.MaxGivens > 0 && p.Givens() != o.MaxGivens {
			t.Errorf("size %d: %d givens", o.Variant.Size, p.Givens())
		}
	}
}

// TestEach compares the puzzles of several workers with those of one worker.
func TestEach(t *testing.T) {
	g, err := New(Options{Variant: sudoku.Standard(6), Symmetry: Symmetries[2], Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	var want []*Puzzle
	for _, jobs := range []int{1, 2, 5, 0} {
		var got []*Puzzle
		err := g.Each(context.Background(), 10, 20, jobs, func(p *Puzzle) error {
			got = append(got, p)
			return nil
		})
		if err != nil || len(got) != 20 || got[0].Number != 10 {
			t.Fatalf("%d jobs: %d puzzles, %v", jobs, len(got), err)
		}
		if want == nil {
			want = got
		}
		for i := range got {
			if !reflect.DeepEqual(got[i].Cells, want[i].Cells) || !reflect.DeepEqual(got[i].Solution, want[i].Solution) {
				t.Fatalf("%d jobs: puzzle %d differs", jobs, i)
			}
		}
	}
	full := errors.New("full")
	n := 0
	if err := g.Each(context.Background(), 0, 0, 3, func(*Puzzle) error {
		if n++; n == 7 {
			return full
		}
		return nil
	}); err != full || n != 7 {
		t.Errorf("%d puzzles, %v", n, err)
	}
}

// TestImpossible checks the errors for puzzles that do not exist.
func TestImpossible(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    Options
		want string
	}{
		{"few givens", Options{Variant: sudoku.Standard(9), MaxGivens: 16, Effort: 3000}, "givens"},
		{"easy", Options{Variant: sudoku.Standard(4), Class: "search", Effort: 500}, "of class"},
		{"symmetric and minimal", Options{Variant: sudoku.Standard(9), Minimal: true, Symmetry: Symmetries[9], Effort: 500}, "minimal"},
		{"rules", Options{Variant: variant(4, func(v *sudoku.Variant) { v.X, v.Hyper, v.AntiKnight = true, true, true }), Effort: 500}, "no solution"},
		{"killer", Options{Variant: sudoku.Standard(6), Killer: true, LimitGivens: true, Effort: 1}, "several solutions"},
	} {
		g, err := New(tt.o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Make(context.Background(), 1)
		var exhausted *Exhausted
		if !errors.As(err, &exhausted) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v", tt.name, p, err)
		}
	}
}

// TestStopped cancels the context: Make and Each return its cause.
func TestStopped(t *testing.T) {
	cause := errors.New("enough")
	for _, o := range []Options{
		{Variant: sudoku.Standard(9), MaxGivens: 17, Effort: 1 << 30},
		{Variant: sudoku.Standard(81)},
	} {
		g, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		time.AfterFunc(time.Millisecond, func() { cancel(cause) })
		if p, err := g.Make(ctx, 0); err != cause {
			t.Errorf("%v, %v", p, err)
		}
		if err := g.Each(ctx, 0, 0, 2, func(*Puzzle) error { return nil }); err != cause {
			t.Errorf("Each: %v", err)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{Variant: sudoku.Standard(0)}, "size 0"},
		{Options{Variant: sudoku.Standard(9), MinGivens: 30, MaxGivens: 20}, "range is empty"},
		{Options{Variant: sudoku.Standard(9), MinGivens: 80, MaxGivens: 82}, "81 cells"},
		{Options{Variant: sudoku.Standard(9), Class: "evil"}, "evil"},
		{Options{Variant: sudoku.Standard(9), Effort: -1}, "effort"},
		{Options{Variant: grids(4, sudoku.Place{}, sudoku.Place{Row: 2, Col: 2}), Killer: true}, "of one grid"},
		{Options{Variant: grids(4, sudoku.Place{}, sudoku.Place{Row: 2, Col: 2}), Symmetry: Symmetries[3]}, "lack the symmetry horizontal"},
		{Options{Variant: variant(4, func(v *sudoku.Variant) { v.Cages = []sudoku.Cage{{Sum: 3, Cells: []int{0, 1}}} }), Killer: true}, "cages"},
	} {
		if _, err := New(tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// TestRegions checks that random regions are connected, and different for
// different seeds.
func TestRegions(t *testing.T) {
	for n := 1; n <= 12; n++ {
		of := regions(n, rand.New(rand.NewPCG(1, uint64(n))))
		if _, err := sudoku.New(sudoku.Variant{Size: n, Regions: of}); err != nil {
			t.Errorf("size %d: %v", n, err)
		}
		s := regionShaper{n: n, of: of, seen: make([]int, n*n)}
		for cell := range of {
			if !s.connected(cell) {
				t.Errorf("size %d: the region of cell %d is not connected: %v", n, cell, of)
			}
		}
		if other := regions(n, rand.New(rand.NewPCG(2, uint64(n)))); n > 3 && slices.Equal(of, other) {
			t.Errorf("size %d: the same regions by another seed", n)
		}
	}
}

// TestCages checks that random cages cover the grid, are connected, and have
// different digits.
func TestCages(t *testing.T) {
	for number := range uint64(20) {
		rng := rand.New(rand.NewPCG(3, number))
		r := sudoku.Must(sudoku.Standard(9))
		full, _ := new(filler).solution(context.Background(), r, rng)
		v := sudoku.Standard(9)
		v.Cages = cages(9, full, rng)
		killer := sudoku.Must(v)
		if err := sudoku.NewGrid(killer).With(full).Solves(sudoku.NewGrid(killer)); err != nil {
			t.Fatal(err)
		}
		single := 0
		for i, cage := range killer.Cages() {
			if len(cage.Cells) == 1 {
				single++
			}
			for _, cell := range cage.Cells[1:] {
				if !slices.ContainsFunc(neighbors(cell, 9), func(next int) bool { return killer.CageOf(next) == i }) {
					t.Errorf("cell %d is apart from its cage", cell)
				}
			}
		}
		for cell := range full {
			if killer.CageOf(cell) < 0 {
				t.Errorf("cell %d is in no cage", cell)
			}
		}
		if single > 3 {
			t.Errorf("%d cages of one cell", single)
		}
	}
}

// TestSolutions finds full grids of many rules, and different grids for different
// seeds.
func TestSolutions(t *testing.T) {
	for _, v := range []sudoku.Variant{
		sudoku.Standard(8), sudoku.Standard(16), sudoku.Standard(25), sudoku.Standard(42), sudoku.Latin(10), sudoku.Latin(40),
		variant(16, withX), variant(9, withKnight), variant(8, withRegion), variant(9, withHyper),
	} {
		r := sudoku.Must(v)
		var before []int
		for seed := range uint64(3) {
			full, _ := new(filler).solution(context.Background(), r, rand.New(rand.NewPCG(seed, 0)))
			if full == nil {
				t.Fatalf("%v: none", v)
			}
			if err := sudoku.NewGrid(r).With(full).Solves(sudoku.NewGrid(r)); err != nil {
				t.Fatalf("%v: %v", v, err)
			}
			if slices.Equal(before, full) {
				t.Errorf("%v: twice the same", v)
			}
			before = full
		}
	}
}

// TestSolutionByLearning finds a full grid where backtracking finds none.
func TestSolutionByLearning(t *testing.T) {
	r := sudoku.Must(variant(16, withHyper))
	full, possible := solutionByLearning(context.Background(), r, rand.New(rand.NewPCG(1, 1)))
	if !possible || full == nil {
		t.Fatal("none")
	}
	if err := sudoku.NewGrid(r).With(full).Solves(sudoku.NewGrid(r)); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkMake(b *testing.B) {
	for _, bench := range []struct {
		name string
		o    Options
	}{
		{"any", Options{Variant: sudoku.Standard(9)}},
		{"minimal", Options{Variant: sudoku.Standard(9), Minimal: true}},
		{"rotate180", Options{Variant: sudoku.Standard(9), Symmetry: Symmetries[1]}},
		{"up", Options{Variant: sudoku.Standard(9), Class: "up"}},
		{"killer", Options{Variant: sudoku.Standard(9), Killer: true, LimitGivens: true}},
		{"16", Options{Variant: sudoku.Standard(16)}},
		{"100", Options{Variant: sudoku.Standard(100)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			g, err := New(bench.o)
			if err != nil {
				b.Fatal(err)
			}
			number := uint64(0)
			for b.Loop() {
				if _, err := g.Make(context.Background(), number); err != nil {
					b.Fatal(err)
				}
				number++
			}
		})
	}
}

// TestBounded checks that a call ends at the node budget, with the same result each
// time.
func TestBounded(t *testing.T) {
	empty := sudoku.NewGrid(sudoku.Must(sudoku.Standard(16)))
	c := boundedFor(empty.Rules)
	var counts []int
	for range 2 {
		solutions, complete := c.Solutions(context.Background(), empty, 1<<30)
		if complete || len(solutions) == 0 || len(solutions) > maxCallNodes {
			t.Fatalf("%d solutions, complete %v", len(solutions), complete)
		}
		counts = append(counts, len(solutions))
	}
	if counts[0] != counts[1] {
		t.Errorf("%v solutions", counts)
	}
}

// grids returns rules of grids with these first cells.
func grids(size int, corners ...sudoku.Place) sudoku.Variant {
	return variant(size, func(v *sudoku.Variant) { v.Grids = corners })
}

// TestGridHints solves generated puzzles of several grids by hints, and checks each step against the
// solution.
func TestGridHints(t *testing.T) {
	used := make(map[string]int)
	for seed := range uint64(6) {
		v := grids(9, sudoku.Place{Row: int(seed % 4), Col: int(seed % 3)}, sudoku.Place{Row: 0, Col: 6}, sudoku.Place{Row: 6})
		for _, s := range hints(t, Options{Variant: v, Minimal: seed%2 == 0, Seed: seed}) {
			used[s.Technique]++
		}
	}
	if t.Log(used); used["hidden single"] == 0 || used["claiming"] == 0 || used["naked pair"] == 0 {
		t.Errorf("the paths have the steps %v", used)
	}
}

// hints returns the path of a generated puzzle, and checks its steps against the solution.
func hints(t *testing.T, o Options) []explain.Step {
	t.Helper()
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Make(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	path, err := explain.Path(context.Background(), p.Grid)
	if err != nil {
		t.Fatal(err)
	}
	right := func(candidate int) bool {
		cell, digit := p.Rules.Split(candidate)
		return p.Solution[cell] == digit
	}
	for _, s := range path {
		if s.Placed >= 0 && !right(s.Placed) || slices.ContainsFunc(s.Eliminated, right) {
			t.Fatalf("%v: %v contradicts the solution", p.Rules, s)
		}
	}
	return path
}

// TestKillerHints solves generated killers by hints, without chains, and checks each step against the
// solution.
func TestKillerHints(t *testing.T) {
	for seed := range uint64(10) {
		sums := 0
		for _, s := range hints(t, Options{Variant: sudoku.Standard(9), Killer: true, Seed: seed}) {
			if s.Technique == "innies and outies" {
				sums++
			}
			if s.Rating > 55 {
				t.Errorf("seed %d: %v", seed, s)
			}
		}
		if sums == 0 {
			t.Errorf("seed %d: no step by the 45 rule", seed)
		}
	}
}

// TestRating checks that generated puzzles have the rating that the options select, and
// that New refuses ratings of puzzles that have none.
func TestRating(t *testing.T) {
	for _, bounds := range [][2]technique.Difficulty{{10, 15}, {30, 45}, {66, 75}} {
		g, err := New(Options{Variant: sudoku.Standard(9), MinRating: bounds[0], MaxRating: bounds[1]})
		if err != nil {
			t.Fatal(err)
		}
		for number := range uint64(3) {
			p, err := g.Make(context.Background(), number)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := explain.NewPeopleRater(p.Rules, "se", nil).Rate(context.Background(), p.Grid); err != nil || r.Hardest < bounds[0] || r.Hardest > bounds[1] {
				t.Errorf("the rating is %v, not from %v to %v; %v", r.Hardest, bounds[0], bounds[1], err)
			}
		}
	}
	for _, o := range []Options{
		{Variant: sudoku.Standard(16), MaxRating: 20},
		{Variant: sudoku.Standard(9), Killer: true, MaxRating: 20},
		{Variant: sudoku.Standard(9), MinRating: 30, MaxRating: 20},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}

// TestSearch makes puzzles that failed literals do not solve, in plain grids of size 9. A probe
// that shares no code with the generator's confirms the class.
func TestSearch(t *testing.T) {
	count := uint64(2)
	if effort.Whole() {
		count = 40
	}
	g, err := New(Options{Variant: sudoku.Standard(9), Class: "search", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(sudoku.Must(sudoku.Standard(9)))
	seen := make(map[string]bool)
	for number := range count {
		p, err := g.Make(context.Background(), number)
		if err != nil {
			t.Fatal(err)
		}
		if is, solution := j.unique(p.Grid); !is || !slices.Equal(solution, p.Solution) {
			t.Fatalf("%v has not the one solution %v", p.Cells, p.Solution)
		}
		if failedLiteralsSolve(p.Grid) {
			t.Fatalf("%v is solved by failed literals", p.Cells)
		}
		seen[fmt.Sprint(p.Cells)] = true
	}
	if len(seen) != int(count) {
		t.Errorf("%d different puzzles of %d", len(seen), count)
	}
}

// failedLiteralsSolve eliminates candidates that fail by singles, until none does.
func failedLiteralsSolve(g *sudoku.Grid) bool {
	c, trial := sudoku.NewCandidates(g.Rules), sudoku.NewCandidates(g.Rules)
	c.Load(g)
	c.Singles()
	for changed := true; changed; {
		changed = false
		for candidate := range g.Rules.Cells() * g.Rules.Size() {
			if cell, _ := g.Rules.Split(candidate); c.Digit(cell) != 0 || !c.Has(candidate) {
				continue
			}
			trial.CopyFrom(c)
			if !trial.Place(candidate) || !trial.Singles() {
				c.Eliminate(candidate)
				c.Singles()
				changed = true
			}
		}
	}
	return c.Solved()
}

// TestProgress checks that the reported effort grows up to the limit.
func TestProgress(t *testing.T) {
	last, calls, reason := 0, 0, ""
	g, err := New(Options{Variant: sudoku.Standard(9), MinRating: 99, MaxRating: 99, Seed: 3, Effort: 2000, Progress: func(effort int, why string) {
		if effort < last {
			t.Fatalf("the effort is %d after %d", effort, last)
		}
		last, reason = effort, why
		calls++
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Make(t.Context(), 0); err == nil {
		t.Fatal("a puzzle with a rating of 9.9")
	}
	if calls < 100 || last < 1500 || !strings.Contains(reason, "rating") {
		t.Errorf("%d calls, the last with effort %d and %q", calls, last, reason)
	}
}
