package classic_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/classic"
)

// Sudokus in the extended encoding, which the two programs use that started the
// discussion about branching on Sudokus. A variable means that a digit is in a
// cell. There is a positive clause for each cell, and for each digit in each row,
// column and box, and no two literals of such a clause are true.

// A sudoku contains the rules of size n = 4 or 9 as an exact cover problem: exactly
// one literal of each column is true.
type sudoku struct {
	n       int
	columns [][]dimacs.Lit
}

func newSudoku(n int) *sudoku {
	p := &sudoku{n: n}
	b := 2
	if n == 9 {
		b = 3
	}
	for i := range n {
		for j := range n {
			var cs [4][]dimacs.Lit
			for k := range n {
				cs[0] = append(cs[0], p.at(i, j, k))
				cs[1] = append(cs[1], p.at(k, j, i))
				cs[2] = append(cs[2], p.at(j, k, i))
				cs[3] = append(cs[3], p.at(j/b*b+k/b, j%b*b+k%b, i))
			}
			p.columns = append(p.columns, cs[:]...)
		}
	}
	return p
}

// at returns the literal of a digit in a cell, all counted from 0.
func (p *sudoku) at(row, column, digit int) dimacs.Lit {
	return dimacs.Var((digit*p.n+row)*p.n + column).Lit()
}

// formula returns the rules as clauses, the positive ones first.
func (p *sudoku) formula() *dimacs.Formula {
	f := dimacs.NewFormula(p.n * p.n * p.n)
	for _, c := range p.columns {
		f.Add(c...)
	}
	for _, c := range p.columns {
		for i, l := range c {
			for _, k := range c[:i] {
				f.Add(l.Not(), k.Not())
			}
		}
	}
	return f
}

// givens returns the literals of a puzzle, which has the cells row by row and dots
// for empty ones.
func (p *sudoku) givens(puzzle string) []dimacs.Lit {
	var ls []dimacs.Lit
	for i := range p.n * p.n {
		if d := puzzle[i]; '1' <= d && d <= '9' {
			ls = append(ls, p.at(i/p.n, i%p.n, int(d-'1')))
		}
	}
	return ls
}

// with returns the formula with the literals as unit clauses at its end.
func with(f *dimacs.Formula, ls []dimacs.Lit) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	g.Append(f)
	for _, l := range ls {
		g.Add(l)
	}
	return g
}

// A cover is a search for exact covers. If a column has one row left, the row is
// taken. If it has no row left, the branch fails. Otherwise the search tries the
// rows of the first column with the fewest rows.
type cover struct {
	columns   [][]dimacs.Lit
	through   [][]int // by row: its columns
	taken     []bool  // by row: it is in the cover
	removed   []bool  // by row: it shares a column with a row in the cover
	decisions int64   // rows tried, without the last ones of their columns
	tried     int64   // rows tried
}

func newCover(p *sudoku) *cover {
	rows := p.n * p.n * p.n
	x := &cover{columns: p.columns, through: make([][]int, rows)}
	for i, c := range p.columns {
		for _, l := range c {
			x.through[l.Var()] = append(x.through[l.Var()], i)
		}
	}
	x.taken, x.removed = make([]bool, rows), make([]bool, rows)
	return x
}

// take adds a row to the cover and removes the rows that share a column with it.
func (x *cover) take(row int) {
	x.taken[row] = true
	for _, i := range x.through[row] {
		for _, l := range x.columns[i] {
			if int(l.Var()) != row {
				x.removed[l.Var()] = true
			}
		}
	}
}

// left returns the rows that are left in column i, and whether it is covered.
func (x *cover) left(i int) (rows []int, covered bool) {
	for _, l := range x.columns[i] {
		switch v := int(l.Var()); {
		case x.taken[v]:
			return nil, !x.removed[v]
		case !x.removed[v]:
			rows = append(rows, v)
		}
	}
	return rows, false
}

// solve reports whether there is a cover.
func (x *cover) solve() bool {
	column, ok := x.propagate()
	if !ok {
		return false
	}
	if column < 0 {
		return true
	}
	rows, _ := x.left(column)
	for i, row := range rows {
		x.tried++
		if i < len(rows)-1 {
			x.decisions++
		}
		taken, removed := slices.Clone(x.taken), slices.Clone(x.removed)
		if x.take(row); x.solve() {
			return true
		}
		x.taken, x.removed = taken, removed
	}
	return false
}

// propagate takes rows that are the last of their columns, and returns the column
// to branch on, or -1 if all are covered. It reports false if a column has no row.
func (x *cover) propagate() (column int, ok bool) {
	for again := true; again; {
		again = false
		column = -1
		least := len(x.taken)
		for i := range x.columns {
			rows, covered := x.left(i)
			switch {
			case covered:
			case len(rows) == 0:
				return 0, false
			case len(rows) == 1:
				x.take(rows[0])
				again = true
			case len(rows) < least:
				column, least = i, len(rows)
			}
		}
	}
	return column, true
}

// readPuzzles reads the first lines of a file, without comments.
func readPuzzles(t testing.TB, name string, most int) []string {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var ps []string
	for line := range strings.Lines(string(data)) {
		if len(line) >= 81 && line[0] != '#' && len(ps) < most {
			ps = append(ps, line[:81])
		}
	}
	return ps
}

// solveSudoku solves a puzzle, with the givens as assumptions, and returns the
// statistics of the call. The solver has the rules.
func solveSudoku(t testing.TB, s *classic.Solver, givens []dimacs.Lit) (used classic.Stats) {
	before := s.Stats()
	if s.Solve(context.Background(), givens...) != dimacs.Satisfiable {
		t.Fatal("a Sudoku without a solution")
	}
	st := s.Stats()
	return classic.Stats{
		Decisions: st.Decisions - before.Decisions, Backtracks: st.Backtracks - before.Backtracks,
		Propagations: st.Propagations - before.Propagations, Nodes: st.Nodes - before.Nodes,
	}
}

// TestPositiveIsExactCover checks that branching on the shortest positive clause,
// Knuth's choice of a column, takes about as many decisions as a search for exact
// covers.
func TestPositiveIsExactCover(t *testing.T) {
	comparePositive(t, readPuzzles(t, "testdata/17clue.txt", 20))
}

func comparePositive(t *testing.T, puzzles []string) {
	p := newSudoku(9)
	s := classic.New(options("positive", classic.PureOff))
	s.AddFormula(p.formula())
	var ours, theirs, tried int64
	for _, puzzle := range puzzles {
		givens := p.givens(puzzle)
		ours += solveSudoku(t, s, givens).Decisions
		x := newCover(p)
		for _, l := range givens {
			x.take(int(l.Var()))
		}
		if !x.solve() {
			t.Fatalf("%s has no exact cover", puzzle)
		}
		for v, taken := range x.taken {
			if s.Value(dimacs.Var(v).Lit()) == dimacs.True != taken {
				t.Fatalf("%s has two solutions", puzzle)
			}
		}
		theirs, tried = theirs+x.decisions, tried+x.tried
	}
	t.Logf("%d puzzles: %d decisions by positive, %d by exact cover, which tries %d rows", len(puzzles), ours, theirs, tried)
	if theirs == 0 || float64(ours) > 1.2*float64(theirs) {
		t.Errorf("%d decisions, but %d by exact cover", ours, theirs)
	}
}

// TestShortestIsATie checks that the heuristic shortest depends on the order of the
// clauses: with positive clauses first it makes the trees of positive, and with
// negative clauses first those of brute force.
func TestShortestIsATie(t *testing.T) {
	p := newSudoku(9)
	f := p.formula()
	for _, test := range []struct {
		same string
		f    *dimacs.Formula
	}{{"positive", f}, {"first", arranged(f, negativeFirst(f))}} {
		shortest, same := load(options("shortest", classic.PureOff), test.f), load(options(test.same, classic.PureOff), test.f)
		for _, puzzle := range readPuzzles(t, "testdata/17clue.txt", 20) {
			a, b := solveSudoku(t, shortest, p.givens(puzzle)), solveSudoku(t, same, p.givens(puzzle))
			if a.Nodes != b.Nodes || a.Backtracks != b.Backtracks {
				t.Errorf("%s: %+v by shortest, %+v by %s", puzzle, a, b, test.same)
			}
		}
	}
}

// TestReferenceSudoku compares the trees of Sudokus with the reference program,
// under all heuristics.
func TestReferenceSudoku(t *testing.T) {
	p := newSudoku(4)
	r := rand.New(rand.NewPCG(4, 4))
	puzzles := 12
	if testing.Short() {
		puzzles = 3
	}
	var decisions int64
	for range puzzles {
		var givens []dimacs.Lit
		for range 2 + r.IntN(4) { // possibly contradictory
			givens = append(givens, p.at(r.IntN(4), r.IntN(4), r.IntN(4)))
		}
		f := with(p.formula(), givens)
		for _, h := range classic.Heuristics {
			for _, pure := range pures {
				_, st := sameTree(t, options(h.Name, pure), f)
				decisions += st.Decisions
			}
		}
	}
	if decisions == 0 {
		t.Error("no puzzle needed a decision")
	}
}

// BenchmarkSudoku proves that puzzles have one solution, with one solver for all.
func BenchmarkSudoku(b *testing.B) {
	p := newSudoku(9)
	var givens [][]dimacs.Lit
	for _, puzzle := range readPuzzles(b, "testdata/17clue.txt", 20) {
		givens = append(givens, p.givens(puzzle))
	}
	for _, name := range []string{"positive", "shortest", "mom", "first"} {
		b.Run(name, func(b *testing.B) {
			s := classic.New(options(name, classic.PureOff))
			s.AddFormula(p.formula())
			for b.Loop() {
				for _, ls := range givens {
					if n, all := s.Count(context.Background(), nil, ls...); !all || n.Int64() != 1 {
						b.Fatalf("%v solutions", n)
					}
				}
			}
			b.ReportMetric(float64(b.N*len(givens))/b.Elapsed().Seconds(), "puzzles/s")
		})
	}
}

// TestSudokuFigures computes the figures about Sudokus in the comments of this
// package. The environment names the folder with the lists of puzzles:
//
//	SATOR_SUDOKU=../shared/sudoku go test -v -run SudokuFigures ./dpll
func TestSudokuFigures(t *testing.T) {
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU does not name a folder of puzzles")
	}
	list := filepath.Join(dir, "17clue-8000.txt")
	t.Run("exact cover", func(t *testing.T) { comparePositive(t, readPuzzles(t, list, 200)) })
	t.Run("speed", func(t *testing.T) { sudokuSpeed(t, readPuzzles(t, list, 200)) })
	for _, name := range []string{"17clue-8000.txt", "top1465.txt"} {
		puzzles := readPuzzles(t, filepath.Join(dir, name), 1465)
		if name == "17clue-8000.txt" {
			puzzles = puzzles[:1000]
		}
		t.Run(name, func(t *testing.T) { branching(t, puzzles) })
	}
}

// sudokuSpeed logs how many puzzles per second are proven to have one solution.
func sudokuSpeed(t *testing.T, puzzles []string) {
	p := newSudoku(9)
	for _, name := range []string{"positive", "shortest", "mom"} {
		s := classic.New(options(name, classic.PureOff))
		s.AddFormula(p.formula())
		start, n := time.Now(), 0
		for time.Since(start) < time.Second {
			for _, puzzle := range puzzles {
				if k, _ := s.Count(context.Background(), nil, p.givens(puzzle)...); k.Int64() != 1 {
					t.Fatalf("%v solutions of %s", k, puzzle)
				}
				n++
			}
		}
		t.Logf("%-8s %7.0f puzzles/s", name, float64(n)/time.Since(start).Seconds())
	}
}

// orders are orders of the clauses of a formula.
var orders = []struct {
	name  string
	order func(f *dimacs.Formula) *dimacs.Formula
}{
	{"positive clauses first", func(f *dimacs.Formula) *dimacs.Formula { return f }},
	{"negative clauses first", func(f *dimacs.Formula) *dimacs.Formula { return arranged(f, negativeFirst(f)) }},
	{"backwards", func(f *dimacs.Formula) *dimacs.Formula {
		at := negativeFirst(f)
		slices.Sort(at)
		slices.Reverse(at)
		return arranged(f, at)
	}},
	{"shuffled, seed 1", func(f *dimacs.Formula) *dimacs.Formula { return shuffled(f, 1) }},
	{"shuffled, seed 2", func(f *dimacs.Formula) *dimacs.Formula { return shuffled(f, 2) }},
	{"shuffled, seed 3", func(f *dimacs.Formula) *dimacs.Formula { return shuffled(f, 3) }},
}

// arranged returns the formula with its clauses in that order.
func arranged(f *dimacs.Formula, at []int) *dimacs.Formula {
	g := dimacs.NewFormula(f.Vars())
	for _, i := range at {
		g.Add(f.Clause(i)...)
	}
	return g
}

// negativeFirst returns the order with the negative clauses first.
func negativeFirst(f *dimacs.Formula) []int {
	var at []int
	for _, neg := range []bool{true, false} {
		for i, c := range f.Clauses() {
			if c[0].Neg() == neg {
				at = append(at, i)
			}
		}
	}
	return at
}

func shuffled(f *dimacs.Formula, seed uint64) *dimacs.Formula {
	return arranged(f, rand.New(rand.NewPCG(seed, 0)).Perm(f.Len()))
}

// branching logs the distribution of backtracks by heuristic and by the order of
// the clauses, which breaks ties.
func branching(t *testing.T, puzzles []string) {
	p := newSudoku(9)
	var out strings.Builder
	fmt.Fprintf(&out, "%-9s %-24s %8s %8s %6s %6s %6s %8s\n", "rule", "clauses", "decided", "mean", "median", "90%", "max", "without")
	for _, name := range []string{"positive", "shortest", "lph", "mom", "first"} {
		for _, o := range orders {
			s := classic.New(options(name, classic.PureOff))
			s.AddFormula(o.order(p.formula()))
			var decisions int64
			var bs []int64
			for _, puzzle := range puzzles {
				st := solveSudoku(t, s, p.givens(puzzle))
				decisions += st.Decisions
				bs = append(bs, st.Backtracks)
			}
			slices.Sort(bs)
			sum, none := int64(0), 0
			for _, b := range bs {
				if sum += b; b == 0 {
					none++
				}
			}
			n := len(bs)
			fmt.Fprintf(&out, "%-9s %-24s %8.2f %8.2f %6d %6d %6d %7.0f%%\n", name, o.name, float64(decisions)/float64(n),
				float64(sum)/float64(n), bs[n/2], bs[n*9/10], bs[n-1], 100*float64(none)/float64(n))
		}
	}
	t.Logf("backtracks of %d puzzles\n%s", len(puzzles), out.String())
}
