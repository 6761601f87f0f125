package explain

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/internal/fuzztest"
	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// denied reports whether a puzzle has a solution in which the statement of a
// question is false.
func denied(g *sudoku.Grid, q Question) bool {
	if !q.Not {
		marks := slices.Repeat([]bool{true}, g.Rules.Cells()*g.Rules.Size())
		copy(marks, g.Marks)
		marks[g.Rules.Candidate(q.Cell, q.Digit)] = false
		g = g.Clone()
		g.Marks = marks
		return solvable(g)
	}
	if given := g.Cells[q.Cell]; given != 0 {
		return given == q.Digit
	}
	g = g.Clone()
	g.Cells[q.Cell] = q.Digit
	return solvable(g)
}

var (
	dpllSolver = solve.New(solve.Options{Engine: "dpll"})
	modern     = solve.New(solve.Options{})
)

// solvable reports whether a puzzle has a solution: by backtracking, or by an
// engine for large puzzles.
func solvable(g *sudoku.Grid) bool {
	switch n := g.Rules.Size(); {
	case n <= 5:
		return len(sudokutest.Solutions(g, 1)) > 0
	case n <= 6:
		return dpllSolver.Solve(background, g).Count > 0
	}
	return modern.Solve(background, g).Count > 0
}

// TestWhy asks about random cells of random puzzles, some with several solutions,
// and checks the answers by backtracking: the set forces the digit, every given in
// it is needed, and at size 4 no smaller set forces it.
func TestWhy(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, k := range kinds {
		for i := range 36 / k.Size() {
			g, solution := puzzle(rng, k.Rules, []float64{0.2, 0.6, 1}[i%3])
			if i%5 == 4 {
				g.Cells[slices.IndexFunc(g.Cells, func(digit int) bool { return digit != 0 })] = 0
			}
			q := Question{Cell: rng.IntN(k.Cells())}
			switch rng.IntN(3) {
			case 1:
				q.Digit = solution[q.Cell]
			case 2:
				q.Not = true
				q.Digit = solution[q.Cell]%k.Size() + 1
			}
			reason, err := Why(background, g, q, WhyOptions{})
			if notForced := (*NotForced)(nil); errors.As(err, &notForced) {
				checkNotForced(t, k.name, g, notForced)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v: %+v: %v", k.name, g.Cells, q, err)
			}
			if q.Digit == 0 && reason.Digit != solution[q.Cell] {
				t.Fatalf("%s: the digit is %d, not %d", k.name, solution[q.Cell], reason.Digit)
			}
			checkReason(t, k.name, g, reason)
		}
	}
}

func checkReason(t *testing.T, name string, g *sudoku.Grid, reason *Reason) {
	t.Helper()
	few := reason.Puzzle(g)
	if few.Givens() != len(reason.Givens) || !slices.IsSorted(reason.Givens) || reason.AtLeast > len(reason.Givens) || !reason.Minimal {
		t.Fatalf("%s: %+v", name, reason)
	}
	if denied(few, reason.Question) {
		t.Fatalf("%s: %v: %+v is not forced by %v", name, g.Cells, reason.Question, reason.Givens)
	}
	for _, cell := range reason.Givens {
		without := few.Clone()
		without.Cells[cell] = 0
		if !denied(without, reason.Question) {
			t.Fatalf("%s: %v: %+v is forced by %v without %s", name, g.Cells, reason.Question, reason.Givens, g.Rules.CellName(cell))
		}
	}
	if !reason.Smallest() {
		t.Errorf("%s: %v: %+v: %v is not proved smallest", name, g.Cells, reason.Question, reason.Givens)
	}
	if g.Rules.Size() == 4 {
		if want := fewest(g, reason.Question); len(reason.Givens) != want {
			t.Fatalf("%s: %v: %+v is forced by %d givens, not only by %v", name, g.Cells, reason.Question, want, reason.Givens)
		}
	}
}

// fewest returns the size of a smallest forcing set, by trying all sets of givens.
func fewest(g *sudoku.Grid, q Question) int {
	var givens []int
	for cell, digit := range g.Cells {
		if digit != 0 {
			givens = append(givens, cell)
		}
	}
	least := len(givens)
	for set := range 1 << len(givens) {
		if bits.OnesCount(uint(set)) >= least {
			continue
		}
		some := g.With(make([]int, len(g.Cells)))
		for i, cell := range givens {
			if set>>i&1 != 0 {
				some.Cells[cell] = g.Cells[cell]
			}
		}
		if !denied(some, q) {
			least = bits.OnesCount(uint(set))
		}
	}
	return least
}

func checkNotForced(t *testing.T, name string, g *sudoku.Grid, e *NotForced) {
	t.Helper()
	q := e.Question
	for i, solution := range e.Solutions {
		if err := g.With(solution).Solves(g); err != nil {
			t.Fatalf("%s: %v: witness %d: %v", name, g.Cells, i, err)
		}
		if affirms := (solution[q.Cell] == q.Digit) != q.Not; affirms != (i == 1) {
			t.Fatalf("%s: %v: %+v: witness %d has the digit %d", name, g.Cells, q, i, solution[q.Cell])
		}
	}
}

// TestWhyOfMarks asks about puzzles with marks that exclude candidates.
func TestWhyOfMarks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	r := kinds[0].Rules
	for range 30 {
		g, solution := puzzle(rng, r, 1)
		g.Marks = make([]bool, r.Cells()*r.Size())
		for candidate := range g.Marks {
			cell, digit := r.Split(candidate)
			g.Marks[candidate] = solution[cell] == digit || rng.IntN(3) > 0
		}
		reason, err := Why(background, g, Question{Cell: rng.IntN(r.Cells())}, WhyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		checkReason(t, "marks", g, reason)
	}
}

func TestWhyErrors(t *testing.T) {
	r := kinds[0].Rules
	for _, test := range []struct{ puzzle, question, want string }{
		{"1...............", "R1C1", ""},
		{"1...............", "R1C2<>1", ""},
		{"1...............", "R1C2", "R1C2 is not forced: it is "},
		{"1...............", "R1C2=1", "R1C2=1 is not so: R1C2="},
		{"1...............", "R1C1<>1", "R1C1<>1 is not so: R1C1=1"},
		{"1...............", "R1C1=2", "R1C1=2 is not so: R1C1=1"},
		{"11..............", "R1C1", "no solution: R1C1 and R1C2 both have the digit 1"},
		{"123...4.........", "R1C1", "the puzzle has no solution"},
		{"12.3..4.........", "R1C1", "the puzzle has no solution"},
	} {
		q, err := ParseQuestion(r, test.question)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Why(background, sudokutest.Parse(r, test.puzzle), q, WhyOptions{})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s: got %v, want %q", test.question, test.puzzle, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := Why(ctx, sudokutest.Parse(nine, unprobed[0]), Question{Cell: 1}, WhyOptions{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

// An expiring context ends after a number of calls of Err.
type expiring struct {
	context.Context
	left int
}

func (e *expiring) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestWhyStopped ends the context at many moments: Why returns either no reason,
// or a set that forces the digit.
func TestWhyStopped(t *testing.T) {
	g := sudokutest.Parse(nine, unprobed[0])
	partial := 0
	for left := 0; ; left = left*3/2 + 1 {
		reason, err := Why(&expiring{background, left}, g, Question{Cell: 1}, WhyOptions{})
		if err == nil {
			break
		}
		if err != context.Canceled {
			t.Fatalf("after %d calls of Err: %v", left, err)
		}
		if reason == nil {
			continue
		}
		if partial++; denied(reason.Puzzle(g), reason.Question) {
			t.Errorf("after %d calls of Err: %v do not force it", left, reason.Givens)
		}
	}
	if partial == 0 {
		t.Error("there was never a set before the end")
	}
}

func TestParseQuestion(t *testing.T) {
	for text, want := range map[string]Question{
		"R1C1":     {0, 0, false},
		"r2c3=9":   {11, 9, false},
		"R2C3 = 9": {11, 9, false},
		"R9C9<>1":  {80, 1, true},
		"R9C9!=1":  {80, 1, true},
	} {
		if got, err := ParseQuestion(nine, text); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "R1", "R1C10", "R1C1=", "R1C1=0", "R1C1=10", "R1C1<>x", "=1", "R1C1=1<>2"} {
		if q, err := ParseQuestion(nine, text); err == nil {
			t.Errorf("%q is the question %+v", text, q)
		}
	}
}

// TestEffort checks that the search for a smallest set respects its effort, and
// that the set is minimal even if the search ends early.
func TestEffort(t *testing.T) {
	g := sudokutest.Parse(nine, "003020600900305001001806400008102900700000008006708200002609500800203009005010300")
	for _, effort := range []int{-1, 1, 100, 0} {
		reason, err := Why(background, g, Question{Cell: 0}, WhyOptions{Effort: effort})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case effort == 0 && !reason.Smallest(), effort == 1 && reason.Smallest(), effort < 0 && reason.AtLeast != 0:
			t.Errorf("effort %d: %d givens, at least %d", effort, len(reason.Givens), reason.AtLeast)
		case !reason.Minimal:
			t.Errorf("effort %d: the set is not minimal", effort)
		case effort == 1 && reason.calls > 1000:
			t.Errorf("effort %d: %d calls", effort, reason.calls)
		}
		few := reason.Puzzle(g)
		for _, cell := range reason.Givens {
			few.Cells[cell] = 0
			if _, err := Why(background, few, Question{Cell: 0}, WhyOptions{Effort: -1}); err == nil {
				t.Errorf("effort %d: %s is not needed", effort, nine.CellName(cell))
			}
			few.Cells[cell] = g.Cells[cell]
		}
	}
}

// TestHitting compares minimum hitting sets with a search through all sets.
func TestHitting(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	for round := range 300 {
		n := 1 + rng.IntN(10)
		h := newHitting(n, 1<<40)
		var sets []int
		for range rng.IntN(12) {
			set := 1 + rng.IntN(1<<n-1)
			sets = append(sets, set)
			b := newBitset(n)
			for e := range n {
				if set>>e&1 != 0 {
					b.add(e)
				}
			}
			h.add(b)
			got, ok := h.minimum()
			if want := leastHitting(sets, n); !ok || got.len() != want || h.bound != want || !hits(sets, got) {
				t.Fatalf("round %d: %b: got %b, want %d elements", round, sets, got, want)
			}
		}
	}
	h := newHitting(70, 5)
	for e := range 69 {
		b := newBitset(70)
		b.add(e)
		b.add(e + 1)
		h.add(b)
	}
	if _, ok := h.minimum(); ok {
		t.Error("the search exceeded its effort")
	}
}

func leastHitting(sets []int, n int) int {
	least := n
	for try := range 1 << n {
		if bits.OnesCount(uint(try)) < least && !slices.ContainsFunc(sets, func(s int) bool { return s&try == 0 }) {
			least = bits.OnesCount(uint(try))
		}
	}
	return least
}

func hits(sets []int, b bitset) bool {
	return !slices.ContainsFunc(sets, func(s int) bool { return uint64(s)&b[0] == 0 })
}

// FuzzParseQuestion checks that the statement of a question with a digit parses to
// the same question.
func FuzzParseQuestion(f *testing.F) {
	words := []string{"R1C1", "r9c9=9", "R2C3<>4", "R2C3 != 4", "R1C1==1", "=", "<>"}
	var seeds [][]byte
	for _, text := range words {
		seeds = append(seeds, []byte(text))
	}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		text := string(in)
		q, err := ParseQuestion(nine, text)
		if err != nil || q.Digit == 0 {
			return
		}
		if again, err := ParseQuestion(nine, q.Statement(nine)); err != nil || again != q {
			t.Errorf("%q is %+v, but %q is %+v, %v", text, q, q.Statement(nine), again, err)
		}
	})
}
