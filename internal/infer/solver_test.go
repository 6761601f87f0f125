package infer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/internal/sudokutest"
	"sator/sudoku"
)

var background = context.Background()

// every returns all combinations of options.
func every() []Options {
	var all []Options
	for _, schedule := range []Schedule{Auto, Never, Root, Every} {
		for i := range 4 {
			if schedule > Never || schedule == Never && i&1 == 0 || schedule == Auto && i == 3 {
				all = append(all, Options{Rule: schedule, Trivalue: i&1 != 0, NoLocked: i&2 != 0})
			}
		}
	}
	return all
}

var jigsaw6 = []int{
	0, 0, 0, 1, 1, 1,
	0, 0, 2, 2, 1, 1,
	0, 2, 2, 2, 2, 1,
	3, 3, 3, 4, 4, 4,
	3, 3, 5, 5, 4, 4,
	3, 5, 5, 5, 5, 4,
}

// variants returns small rules of all kinds.
func variants() map[string]sudoku.Variant {
	all := map[string]sudoku.Variant{
		"1": sudoku.Standard(1), "4": sudoku.Standard(4), "6": sudoku.Standard(6), "latin5": sudoku.Latin(5),
		"jigsaw6": {Size: 6, Regions: jigsaw6},
		"hyper4":  {Size: 4, BoxRows: 2, BoxCols: 2, Hyper: true},
	}
	x, knight, killer := sudoku.Standard(6), sudoku.Standard(6), sudoku.Standard(6)
	x.X, knight.AntiKnight = true, true
	killer.Cages = []sudoku.Cage{{Sum: 9, Cells: []int{0, 1}}, {Sum: 11, Cells: []int{2, 3, 8}}, {Sum: 16, Cells: []int{14, 15, 20, 21}}, {Sum: 4, Cells: []int{35}}}
	all["x6"], all["knight6"], all["killer6"] = x, knight, killer
	return all
}

// nines returns rules of size 9, for which other engines count the solutions.
func nines() map[string]sudoku.Variant {
	x, hyper, killer := sudoku.Standard(9), sudoku.Standard(9), sudoku.Standard(9)
	x.X, hyper.Hyper = true, true
	killer.Cages = []sudoku.Cage{{Sum: 10, Cells: []int{0, 1, 9}}, {Sum: 24, Cells: []int{4, 5, 6}}, {Sum: 15, Cells: []int{40, 49, 58}}, {Sum: 5, Cells: []int{70, 79}}}
	return map[string]sudoku.Variant{"9": sudoku.Standard(9), "x9": x, "hyper9": hyper, "killer9": killer}
}

// emptied returns a full grid with some digits removed. Sometimes one of the
// other digits is changed.
func emptied(rng *rand.Rand, full *sudoku.Grid, empty int) *sudoku.Grid {
	g := full.Clone()
	for _, cell := range rng.Perm(len(g.Cells))[:min(empty, len(g.Cells))] {
		g.Cells[cell] = 0
	}
	if rng.IntN(4) == 0 {
		g.Cells[rng.IntN(len(g.Cells))] = rng.IntN(g.Rules.Size()) + 1
	}
	return g
}

// full returns a random full grid: a solution of random digits without
// conflicts, if there is one.
func full(rng *rand.Rand, r *sudoku.Rules) *sudoku.Grid {
	s := New(r, Options{})
	for {
		g := sudoku.NewGrid(r)
		for range r.Size() * 3 / 2 {
			cell := rng.IntN(len(g.Cells))
			before := g.Cells[cell]
			if g.Cells[cell] = rng.IntN(r.Size()) + 1; g.Conflict() != nil {
				g.Cells[cell] = before
			}
		}
		if solutions, _ := s.Solutions(background, g, 1); len(solutions) > 0 {
			return g.With(solutions[0])
		}
	}
}

// sorted returns grids ordered by their digits.
func sorted(grids [][]int) [][]int {
	slices.SortFunc(grids, slices.Compare[[]int])
	return grids
}

// TestBrute compares the solutions of random puzzles with brute force.
func TestBrute(t *testing.T) {
	const most = 400
	seen := map[bool]int{} // by whether there are several solutions
	for name, v := range variants() {
		rng := rand.New(rand.NewPCG(1, uint64(len(name))))
		r := sudoku.Must(v)
		solvers := map[Options]*Solver{}
		for _, o := range every() {
			solvers[o] = New(r, o)
		}
		for range 40 {
			g := emptied(rng, full(rng, r), rng.IntN(r.Cells()*4/5+1))
			want := sudokutest.Solutions(g, most)
			if len(want) == most {
				continue
			}
			seen[len(want) > 1]++
			for o, s := range solvers {
				got, complete := s.Solutions(background, g, 0)
				if !complete || !slices.EqualFunc(sorted(got), want, slices.Equal) {
					t.Fatalf("%s: %+v: %v: %d solutions, complete is %v, not %d", name, o, g.Cells, len(got), complete, len(want))
				}
			}
		}
	}
	if seen[true] < 50 || seen[false] < 50 {
		t.Errorf("puzzles with more solutions: %v", seen)
	}
}

// TestEngines compares the number of solutions with the counts of the SAT
// engines.
func TestEngines(t *testing.T) {
	for name, v := range nines() {
		rng := rand.New(rand.NewPCG(2, uint64(len(name))))
		r := sudoku.Must(v)
		for range 4 {
			g := emptied(rng, full(rng, r), 50)
			cnf, err := g.Encode(sudoku.Coding{})
			if err != nil {
				t.Fatal(err)
			}
			classic := classic.New(classic.DefaultOptions())
			classic.AddFormula(cnf.Formula)
			n, all := classic.Count(background, nil)
			if !all || n.Int64() > 500 {
				continue
			}
			models := count(cnf.Formula)
			for _, o := range every() {
				got, complete := New(r, o).Solutions(background, g, 0)
				if !complete || len(got) != models || int64(len(got)) != n.Int64() {
					t.Fatalf("%s: %+v: %v: %d solutions, not %v, not %d", name, o, g.Cells, len(got), n, models)
				}
				for _, cells := range got {
					if err := g.With(cells).Solves(g); err != nil {
						t.Fatalf("%s: %+v: %v", name, o, err)
					}
				}
			}
		}
	}
}

// count counts the models of a formula with blocking clauses.
func count(f *dimacs.Formula) int {
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	for n := 0; ; n++ {
		if s.Solve(background) != dimacs.Satisfiable {
			return n
		}
		var other []dimacs.Lit
		for v, value := range s.Model() {
			if value == dimacs.True {
				other = append(other, dimacs.Var(v).Lit().Not())
			}
		}
		s.Add(other...)
	}
}

// TestRule checks that inference without branching finds only literals that are
// true in every solution, and misses no single.
func TestRule(t *testing.T) {
	for name, v := range variants() {
		rng := rand.New(rand.NewPCG(3, uint64(len(name))))
		r := sudoku.Must(v)
		singles := sudoku.NewCandidates(r)
		for i := range 20 {
			g := emptied(rng, full(rng, r), rng.IntN(r.Cells()*4/5+1))
			solutions := sudokutest.Solutions(g, 400)
			for _, o := range every() {
				s := New(r, o)
				s.run = run{rule: o.Rule, fits: i%2 == 0} // with the closure, or the graph of the node
				c := s.candidatesAt(0)
				ok := c.Load(g) && s.propagate(background, c)
				consistent := singles.Load(g) && singles.Singles()
				if !ok && len(solutions) > 0 || ok && !consistent {
					t.Fatalf("%s: %+v: %v: consistent is %v with %d solutions", name, o, g.Cells, ok, len(solutions))
				}
				for x := 0; ok && x < r.Cells()*r.Size(); x++ {
					cell, digit := r.Split(x)
					if c.Has(x) && !singles.Has(x) {
						t.Fatalf("%s: %+v: %v: singles eliminate %d in %s", name, o, g.Cells, digit, r.CellName(cell))
					}
					if !c.Has(x) && slices.ContainsFunc(solutions, func(cells []int) bool { return cells[cell] == digit }) {
						t.Fatalf("%s: %+v: %v: %d in %s was eliminated", name, o, g.Cells, digit, r.CellName(cell))
					}
				}
			}
		}
	}
}

// TestNoTable finds the same solutions if tables would be too large.
func TestNoTable(t *testing.T) {
	puzzles := sudokutest.Lines(hard...)
	with, without := New(puzzles[0].Rules, Options{Rule: Every}), New(puzzles[0].Rules, Options{Rule: Every})
	without.closureLimit = 0
	for _, g := range puzzles {
		a, _ := with.Solutions(background, g, 0)
		b, _ := without.Solutions(background, g, 0)
		if without.closure.active || !slices.EqualFunc(a, b, slices.Equal) {
			t.Fatalf("%v: %v, but %v without a table", g.Cells, a, b)
		}
	}
	if a, b := with.Stats(), without.Stats(); a.Forced == 0 || b.Forced == 0 || a.Contradictions == 0 || b.Contradictions == 0 {
		t.Errorf("%+v, %+v", a, b)
	}
}

// TestAgain checks that answers do not depend on earlier puzzles.
func TestAgain(t *testing.T) {
	puzzles := sudokutest.Lines(hard...)
	for _, o := range every() {
		again := New(puzzles[0].Rules, o)
		for range 2 {
			for _, g := range puzzles {
				g = g.Clone()
				g.Cells[slices.IndexFunc(g.Cells, func(digit int) bool { return digit != 0 })] = 0
				fresh := New(g.Rules, o)
				want, _ := fresh.Solutions(background, g, 7)
				before := again.Stats().Nodes
				got, _ := again.Solutions(background, g, 7)
				if !slices.EqualFunc(got, want, slices.Equal) || again.Stats().Nodes-before != fresh.Stats().Nodes {
					t.Fatalf("%+v: %v: a solver used before finds others", o, g.Cells)
				}
			}
		}
	}
}

// TestAuto checks that a search that restarts reports every solution once,
// however early it restarts.
func TestAuto(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	r := sudoku.Must(sudoku.Standard(9))
	solution := full(rng, r)
	again := 0
	for i := range 1000 {
		g := emptied(rng, solution, 47+rng.IntN(8))
		want, all := New(g.Rules, Options{Rule: Never}).Solutions(background, g, 100)
		if !all {
			continue
		}
		s := New(g.Rules, Options{NoLocked: true})
		s.autoLimit = 1 + i%2
		got, complete := s.Solutions(background, g, 0)
		if !complete || !slices.EqualFunc(sorted(got), sorted(want), slices.Equal) {
			t.Fatalf("%v: %d solutions, complete is %v, not %d", g.Cells, len(got), complete, len(want))
		}
		if s.run.rule == Every && len(s.run.reported) > 0 {
			again++
		}
	}
	if again < 5 {
		t.Errorf("%d searches began again after a solution", again)
	}
}

func TestLimits(t *testing.T) {
	r := sudoku.Must(sudoku.Standard(4)) // has 288 solutions
	for _, o := range every() {
		s := New(r, o)
		for _, x := range []struct {
			limit, found int
			complete     bool
		}{{1, 1, false}, {5, 5, false}, {288, 288, false}, {289, 288, true}, {0, 288, true}} {
			got, complete := s.Solutions(background, sudoku.NewGrid(r), x.limit)
			if len(got) != x.found || complete != x.complete {
				t.Errorf("%+v, limit %d: %d solutions, complete is %v", o, x.limit, len(got), complete)
			}
		}
	}
}

func TestContext(t *testing.T) {
	ended, cancel := context.WithCancel(background)
	cancel()
	for _, o := range every() {
		s := New(sudoku.Must(sudoku.Standard(9)), o)
		g := sudoku.NewGrid(s.Rules())
		if got, complete := s.Solutions(ended, g, 1); len(got) != 0 || complete {
			t.Errorf("%+v: %d solutions after the end", o, len(got))
		}
		ctx, cancel := context.WithCancel(background)
		n := 0
		if s.Visit(ctx, g, func(*sudoku.Candidates) bool {
			if n++; n == 10 {
				cancel()
			}
			return true
		}) || n < 10 || n > 10+1<<16 {
			t.Errorf("%+v: complete after the end, with %d solutions", o, n)
		}
		cancel()
	}
}

func TestMisuse(t *testing.T) {
	r := sudoku.Must(sudoku.Standard(4))
	for name, f := range map[string]func(){
		"no such rule": func() { New(r, Options{Rule: 4}) },
		"another size": func() { New(r, Options{}).Solutions(background, sudokutest.Lines(hard[0])[0], 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// TestAllocations checks that nodes do not allocate: a puzzle with hundreds of
// nodes allocates memory for its solutions only.
func TestAllocations(t *testing.T) {
	g := sudokutest.Lines(hard...)[0]
	s := New(g.Rules, Options{})
	got := testing.AllocsPerRun(5, func() {
		if solutions, complete := s.Solutions(background, g, 2); len(solutions) != 1 || !complete {
			t.Fatal(len(solutions), "solutions")
		}
	})
	if nodes := s.Stats().Nodes / 6; nodes < 100 || got > 4 {
		t.Errorf("%v allocations for %d nodes", got, nodes)
	}
}

func TestStats(t *testing.T) {
	puzzles := sudokutest.Lines(hard...)
	for _, o := range every() {
		s := New(puzzles[0].Rules, o)
		var sum Stats
		for _, g := range puzzles {
			one := New(g.Rules, o)
			s.Solutions(background, g, 2)
			one.Solutions(background, g, 2)
			st := one.Stats()
			// A search with B branches ends at B+1 leaves: the solution and B
			// dead ends.
			if st.DeadEnds != st.Branches || st.Nodes != 1+2*st.Branches || st.NoBranch != 1 && st.Branches == 0 {
				t.Errorf("%+v: %+v", o, st)
			}
			if (st.Instances == 0) != (o.Rule <= Never) || st.Clauses < st.Instances {
				t.Errorf("%+v: %+v", o, st)
			}
			sum.Add(st)
		}
		if got := s.Stats(); got != sum {
			t.Errorf("%+v: %+v, not %+v", o, got, sum)
		}
	}
	if s := fmt.Sprint(Auto, Never, Root, Every, Schedule(7)); s != "auto never root every Schedule(7)" {
		t.Error(s)
	}
}

// TestDeadEnds checks the limit of dead ends per puzzle.
func TestDeadEnds(t *testing.T) {
	g := sudokutest.Lines(hard...)[0]
	s := New(g.Rules, Options{})
	s.Solutions(background, g, 2)
	all := s.Stats().DeadEnds
	for _, limit := range []int64{1, 5, all, all + 1} {
		s := New(g.Rules, Options{DeadEnds: limit})
		_, complete := s.Solutions(background, g, 2)
		if got := s.Stats().DeadEnds; complete != (limit >= all) || got != min(limit, all) {
			t.Errorf("limit %d: %d dead ends of %d, complete is %v", limit, got, all, complete)
		}
	}
}
