package solve_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/classic"
	"sator/internal/effort"
	"sator/internal/pipeline"
	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// variants returns small rules of all kinds.
func variants() []*sudoku.Rules {
	x4, jigsaw, x6, cages := sudoku.Standard(4), sudoku.Latin(4), sudoku.Standard(6), sudoku.Standard(4)
	x4.X = true
	jigsaw.Regions = []int{0, 0, 0, 1, 2, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3}
	x6.X = true
	cages.Cages = []sudoku.Cage{{Sum: 5, Cells: []int{0, 1}}, {Sum: 9, Cells: []int{6, 7, 11}}}
	hyper := sudoku.Standard(4)
	hyper.Hyper = true
	knight := sudoku.Latin(5)
	knight.AntiKnight = true
	var rules []*sudoku.Rules
	for _, v := range []sudoku.Variant{sudoku.Standard(4), x4, jigsaw, sudoku.Latin(4), hyper, cages, knight, sudoku.Standard(6), x6, sudoku.Standard(1), sudoku.Standard(2)} {
		rules = append(rules, sudoku.Must(v))
	}
	for _, text := range []string{
		"4 boxes 2x2 disjoint all-sums",
		"4 boxes 2x2 difference 2:R1C1+R1C2 thermo R2C1+R3C2+R4C4 minimum R3C3",
		"4 boxes 2x2 arrow R1C1+R2C2+R3C3 sum 6:R1C4+R2C3+R3C1 different R1C1+R4C4",
		"4 sandwich 5:R1C1+R1C2+R1C3+R1C4 skyscraper 2:R1C1+R2C1+R3C1+R4C1 x-sum 5:R1C2+R2C2+R3C2+R4C2",
		"4 boxes 2x2 grids R1C1,R3C3",
		"4 boxes 2x2 grids R1C3,R2C1 non-consecutive thermo R1C3+R2C3+R3C2",
		"4 boxes 2x2 grids R1C1,R1C4 x",
		"4 renban R1C1+R2C2+R3C3 palindrome R4C4+R3C4+R4C2 even R4C1 ratio R2C4+R1C4 contains 13:R2C2+R2C3+R3C2+R3C3",
	} {
		v, err := sudoku.ParseVariant(text)
		if err != nil {
			panic(err)
		}
		rules = append(rules, sudoku.Must(v))
	}
	return rules
}

// draw returns a random puzzle: some digits of a solution, if there is one, in some
// puzzles with one digit changed, and in some with pencil marks.
func draw(r *rand.Rand, rules *sudoku.Rules) *sudoku.Grid {
	g := sudoku.NewGrid(rules)
	n := rules.Size()
	// A random first row leads to different solutions.
	start := g.Clone()
	for digit, cell := range r.Perm(n) {
		start.Cells[cell] = digit + 1 // in the first row
	}
	solutions := sudokutest.Solutions(start, 1)
	if len(solutions) == 0 {
		solutions = sudokutest.Solutions(g, 1)
	}
	if len(solutions) == 0 {
		return g
	}
	share := 2 + r.IntN(8)
	for cell, digit := range solutions[0] {
		if r.IntN(10) < share {
			g.Cells[cell] = digit
		}
	}
	if r.IntN(4) == 0 {
		g.Cells[r.IntN(len(g.Cells))] = r.IntN(n + 1)
	}
	if r.IntN(4) == 0 {
		g.Marks = make([]bool, len(g.Cells)*n)
		for c := range g.Marks {
			cell, digit := rules.Split(c)
			g.Marks[c] = g.Cells[cell] == digit || r.IntN(5) > 0
		}
	}
	return g
}

// want checks an answer of Count against all solutions.
func want(g *sudoku.Grid, limit int, all [][]int, a solve.Answer) error {
	n := len(all)
	if limit > 0 {
		n = min(n, limit)
	}
	switch {
	case a.Err != nil:
		return a.Err
	case a.Count != n:
		return fmt.Errorf("%d solutions, want %d of %d", a.Count, n, len(all))
	case a.Complete != (limit == 0 || len(all) < limit) && !(a.Complete && n == len(all)):
		return fmt.Errorf("complete is %v with %d of %d solutions", a.Complete, n, len(all))
	case (a.Status == dimacs.Satisfiable) != (n > 0) || a.Status == dimacs.Unknown:
		return fmt.Errorf("status %v with %d solutions", a.Status, n)
	case len(a.Solutions) != min(n, 2):
		return fmt.Errorf("%d solutions shown of %d", len(a.Solutions), n)
	case n > 1 && slices.Equal(a.Solutions[0], a.Solutions[1]):
		return fmt.Errorf("the same solution twice: %v", a.Solutions[0])
	case (a.Conflict != nil) != (g.Conflict() != nil):
		return fmt.Errorf("conflict %v, want %v", a.Conflict, g.Conflict())
	}
	for _, s := range a.Solutions {
		if err := g.With(s).Solves(g); err != nil {
			return err
		}
	}
	return nil
}

// All engines find all solutions with all encodings.
func TestCount(t *testing.T) {
	ctx := context.Background()
	all := variants()
	for _, seed := range effort.Seeds(3, 6) {
		for name, options := range settings() {
			r := rand.New(rand.NewPCG(seed, 1))
			s := solve.New(options)
			for range 2 * len(all) {
				g := draw(r, all[r.IntN(len(all))])
				solutions := sudokutest.Solutions(g, 300)
				limit := []int{1, 2, 3, 0}[r.IntN(4)]
				if len(solutions) == 300 && limit == 0 {
					limit = 299
				}
				if err := want(g, limit, solutions, s.Count(ctx, g, limit)); err != nil {
					t.Fatalf("seed %d, %s, limit %d, %s %v: %v", seed, name, limit, g.Rules, g.Cells, err)
				}
				a := s.Solve(ctx, g)
				if (a.Status == dimacs.Satisfiable) != (len(solutions) > 0) {
					t.Fatalf("seed %d, %s, %v: Solve says %v, but there are %d solutions", seed, name, g.Cells, a.Status, len(solutions))
				}
			}
		}
	}
}

// settings returns options of all kinds by name.
func settings() map[string]solve.Options {
	m := map[string]solve.Options{}
	for _, e := range solve.Engines {
		m[e.Name] = solve.Options{Engine: e.Name}
	}
	for _, e := range sudoku.Encodings {
		if strings.HasPrefix(e.Name, "2sat") {
			continue
		}
		for _, engine := range []string{"cdcl", "dpll"} {
			m[engine+" "+e.Name] = solve.Options{Engine: engine, Coding: sudoku.Coding{Encoding: e.Name}}
		}
	}
	for _, a := range sudoku.AtMostOnes {
		m["cdcl "+a.Name] = solve.Options{Coding: sudoku.Coding{AtMostOne: a.Name}}
		m["dpll "+a.Name] = solve.Options{Engine: "dpll", Coding: sudoku.Coding{AtMostOne: a.Name, Numbering: "rcd"}}
	}
	m["dpll random"] = solve.Options{Engine: "dpll", Heuristic: "random"}
	return m
}

// The answer of a solver does not depend on earlier calls.
func TestHistory(t *testing.T) {
	ctx := context.Background()
	rules := append(variants(), sudoku.Must(sudoku.Standard(9)))
	for name, options := range settings() {
		r := rand.New(rand.NewPCG(7, 7))
		var puzzles []*sudoku.Grid
		var answers, solved []solve.Answer
		for range 40 {
			g := draw(r, rules[r.IntN(len(rules))])
			puzzles = append(puzzles, g)
			answers = append(answers, solve.New(options).Count(ctx, g, 3))
			solved = append(solved, solve.New(options).Solve(ctx, g))
		}
		for range 3 {
			s := solve.New(options)
			for _, i := range r.Perm(len(puzzles)) {
				if got := s.Count(ctx, puzzles[i], 3); !same(got, answers[i]) {
					t.Fatalf("%s: puzzle %d: %v, but alone %v", name, i, got, answers[i])
				}
				if got := s.Solve(ctx, puzzles[i]); !same(got, solved[i]) {
					t.Fatalf("%s: puzzle %d: Solve says %v, but alone %v", name, i, got, solved[i])
				}
			}
		}
	}
}

// The first puzzle with some regions has a formula of its own, and later puzzles
// with these regions share one. In both cases the same solution is found first.
func TestRegionsTwice(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(8, 8))
	jigsaw := sudoku.Latin(6)
	for _, region := range "111222113222133444333444555666555666" {
		jigsaw.Regions = append(jigsaw.Regions, int(region-'1'))
	}
	rules := sudoku.Must(jigsaw)
	for _, h := range classic.Heuristics {
		s := solve.New(solve.Options{Engine: "dpll", Heuristic: h.Name})
		for range 10 {
			g := draw(r, rules)
			if got, alone := s.Solve(ctx, g), solve.New(solve.Options{Engine: "dpll", Heuristic: h.Name}).Solve(ctx, g); !same(got, alone) {
				t.Fatalf("%s: %v, but alone %v", h.Name, got, alone)
			}
		}
	}
}

func same(a, b solve.Answer) bool {
	return a.Status == b.Status && a.Count == b.Count && a.Complete == b.Complete &&
		slices.EqualFunc(a.Solutions, b.Solutions, slices.Equal[[]int])
}

// known has puzzles with one solution: the first of a list of hard puzzles, and
// some with few givens.
var known = []string{
	"4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
	"7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........",
	".4.7...6...39............57.......3.2...8.....19...57.6...4.....5.1......2...6.84",
	"7.....4...2..7..8...3..8..9...5..3...6..2..9...1..7..6...3..9...3..4..6...9..1..5",
}

func TestKnown(t *testing.T) {
	for _, e := range solve.Engines {
		s := solve.New(solve.Options{Engine: e.Name})
		for _, line := range known {
			if a := s.Count(context.Background(), sudokutest.Parse(sudokutest.Nine, line), 2); !a.Unique() {
				t.Errorf("%s: %s has %d solutions", e.Name, line, a.Count)
			}
		}
	}
}

// Without one given a puzzle has several solutions; all engines agree on the
// number.
func TestCountAgrees(t *testing.T) {
	g := sudokutest.Parse(sudokutest.Nine, known[3])
	given := slices.IndexFunc(g.Cells, func(digit int) bool { return digit != 0 })
	g.Cells[given] = 0
	first := solve.New(solve.Options{}).Count(context.Background(), g, 0)
	for _, e := range solve.Engines {
		a := solve.New(solve.Options{Engine: e.Name}).Count(context.Background(), g, 0)
		if !a.Complete || a.Count != first.Count || a.Count < 2 {
			t.Errorf("%s: %d solutions, complete is %v; the first engine found %d", e.Name, a.Count, a.Complete, first.Count)
		}
	}
}

// A call whose context is done returns the solutions found so far.
func TestUnknown(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, e := range solve.Engines {
		s := solve.New(solve.Options{Engine: e.Name})
		if a := s.Count(done, sudokutest.Parse(sudokutest.Nine, known[0]), 2); a.Status != dimacs.Unknown || a.Complete || a.Count != 0 {
			t.Errorf("%s: %v under a context that is done", e.Name, a)
		}
		soon, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		a := s.Count(soon, sudoku.NewGrid(sudoku.Must(sudoku.Standard(9))), 0)
		cancel()
		if a.Complete || a.Status == dimacs.Unsatisfiable {
			t.Errorf("%s: the empty grid: %v, %d solutions, complete is %v", e.Name, a.Status, a.Count, a.Complete)
		}
		if a := s.Count(context.Background(), sudokutest.Parse(sudokutest.Nine, known[0]), 2); !a.Unique() {
			t.Errorf("%s: %v after a call that was ended", e.Name, a)
		}
	}
}

func TestConflict(t *testing.T) {
	g := sudokutest.Parse(sudokutest.Nine, known[0])
	g.Cells[1] = 4
	a := solve.New(solve.Options{}).Solve(context.Background(), g)
	if a.Conflict == nil || !slices.Equal(a.Conflict.Cells, []int{0, 1}) || a.Status != dimacs.Unsatisfiable {
		t.Errorf("two 4 in a row: %+v", a)
	}
}

func TestCheck(t *testing.T) {
	for _, o := range []solve.Options{
		{Engine: "z3"},
		{Coding: sudoku.Coding{Encoding: "2sat"}},
		{Coding: sudoku.Coding{Encoding: "none"}},
		{Engine: "dpll", Heuristic: "luck"},
	} {
		if err := o.Check(); err == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}

// Puzzles have more different rules than are kept loaded.
func TestManyRules(t *testing.T) {
	s := solve.New(solve.Options{})
	for range 2 {
		for size := 1; size <= 17; size++ {
			g := sudoku.NewGrid(sudoku.Must(sudoku.Latin(size)))
			if a := s.Solve(context.Background(), g); a.Status != dimacs.Satisfiable {
				t.Fatalf("the empty grid of size %d: %v", size, a.Status)
			}
		}
	}
}

// The answers do not depend on the number of solvers that share the puzzles.
func TestJobs(t *testing.T) {
	effort.Comparison(t)
	r := rand.New(rand.NewPCG(11, 11))
	rules := append(variants(), sudoku.Must(sudoku.Standard(9)))
	var puzzles []*sudoku.Grid
	for range 150 {
		puzzles = append(puzzles, draw(r, rules[r.IntN(len(rules))]))
	}
	for _, engine := range []string{"auto", "cdcl"} {
		var first []solve.Answer
		for _, jobs := range []int{1, 2, 5} {
			var answers []solve.Answer
			next := 0
			run := pipeline.Map[int, solve.Answer]{
				Jobs: jobs,
				Next: func() (int, error) {
					if next++; next > len(puzzles) {
						return 0, io.EOF
					}
					return next, nil
				},
				NewWorker: func() func(context.Context, int) solve.Answer {
					s := solve.New(solve.Options{Engine: engine})
					return func(ctx context.Context, n int) solve.Answer { return s.Count(ctx, puzzles[n-1], 3) }
				},
				Deliver: func(_ int, a solve.Answer) error { answers = append(answers, a); return nil },
			}
			if err := run.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = answers
			}
			if !slices.EqualFunc(first, answers, same) {
				t.Errorf("%s: other answers with %d workers", engine, jobs)
			}
		}
	}
}
