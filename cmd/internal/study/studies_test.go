package study

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/sudoku"
)

// small are quick options for each study.
var small = map[string]Options{
	"givens":    {Count: 1, Levels: map[string]string{"heuristic": "mom,lph", "add": "0,2"}},
	"mechanism": {Conflicts: 200, Levels: map[string]string{"program": "paper,dpll", "propagation": "single-round,fixpoint", "weights": "node,accumulated", "add": "0,4", "fill": "0,32", "heuristic": "jw1,mom"}},
	"size":      {Count: 1, Levels: map[string]string{"size": "4,9"}},
	"human":     {Count: 2},
	"families":  {Count: 1, Conflicts: 200},
	"encodings": {Count: 2, Levels: map[string]string{"amo": "pairs,commander"}},
	"twosat":    {Count: 3},
	"threshold": {Count: 2, Levels: map[string]string{"vars": "20,30", "ratio": "200,400,450,800"}},
}

// Every study has the same rows with one worker and with several, and a report
// with figures and without NaN.
func TestStudies(t *testing.T) {
	for _, s := range Studies {
		t.Run(s.Name, func(t *testing.T) {
			o, ok := small[s.Name]
			if !ok {
				t.Fatal("no options in the table small")
			}
			if s.Name == "givens" || s.Name == "mechanism" {
				o.Puzzles = samplePuzzles(t)
			}
			plan := func() *Plan {
				p, err := NewPlan(context.Background(), s, o)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			dir := t.TempDir()
			p := plan()
			rows, err := (&Runner{Plan: p, Dir: dir, Jobs: 1, Untimed: true}).Do(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			one, _ := os.ReadFile(filepath.Join(dir, rowsFile))
			if three := runAll(t, plan(), t.TempDir(), 3); !bytes.Equal(one, three) {
				t.Error("with three jobs the rows differ")
			}
			if err := Write(nil, p, rows, dir, "sator-lab study "+s.Name); err != nil {
				t.Fatal(err)
			}
			page, err := os.ReadFile(filepath.Join(dir, "report.html"))
			if err != nil {
				t.Fatal(err)
			}
			if err := wellFormed(page); err != nil {
				t.Error(err)
			}
			if n := bytes.Count(page, []byte("<svg")); n == 0 && s.Name != "families" && s.Name != "mechanism" || bytes.Contains(page, []byte("NaN")) || bytes.Contains(page, []byte("<td>all</td>")) || bytes.Contains(page, []byte(", all<")) {
				t.Errorf("the report has %d figures, or NaN, or a row named all", n)
			}
		})
	}
}

// Names of studies and columns are unique, and the default levels are valid.
func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Studies {
		if names[s.Name] {
			t.Errorf("duplicate study %s", s.Name)
		}
		names[s.Name] = true
		columns := s.header()
		slices.Sort(columns)
		if len(slices.Compact(columns)) != len(s.header()) {
			t.Errorf("%s: two columns have the same name", s.Name)
		}
		for i := range s.Factors {
			f := &s.Factors[i]
			if got, err := f.parse(strings.Join(f.Default, ",")); err != nil || len(got) == 0 {
				t.Errorf("%s: the default of %s: %v", s.Name, f.Name, err)
			}
		}
	}
}

// Inferences never eliminate a candidate of the solution, and they find
// textbook examples.
func TestInferences(t *testing.T) {
	subjects, err := puzzleSubjects(context.Background(), samplePuzzles(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 9))
	found := map[string]int{}
	for range 60 {
		s := subjects[r.IntN(len(subjects))]
		for _, inf := range inferences {
			c := sudoku.NewCandidates(s.Puzzle.Rules)
			if !c.Load(s.with(r.IntN(8))) || !c.Singles() {
				t.Fatal("a puzzle with a solution is contradictory")
			}
			changed, ok := inf.step(c)
			if !ok {
				t.Fatalf("%s: a contradiction in a puzzle with a solution", inf.name)
			}
			if changed {
				found[inf.name]++
			}
			for cell, digit := range s.puzzle.solution {
				if !c.Has(s.Puzzle.Rules.Candidate(cell, digit)) {
					t.Fatalf("%s eliminated a candidate of the solution", inf.name)
				}
			}
		}
	}
	for _, name := range []string{"locked", "pairs", "2sat"} {
		if found[name] == 0 {
			t.Errorf("%s never changed anything", name)
		}
	}

	// R1C1 and R1C2 have the candidates 1 and 2 only, which the rest of the row
	// and of the box lose. The digits 8 and 9 of row 9 have two places only,
	// which lose all other digits.
	rules := sudoku.Must(sudoku.Standard(9))
	c := sudoku.NewCandidates(rules)
	if !c.Load(sudoku.NewGrid(rules)) {
		t.Fatal("the empty grid is contradictory")
	}
	for d := 3; d <= 9; d++ {
		c.Eliminate(rules.Candidate(0, d))
		c.Eliminate(rules.Candidate(1, d))
	}
	for cell := 74; cell < 81; cell++ {
		c.Eliminate(rules.Candidate(cell, 8))
		c.Eliminate(rules.Candidate(cell, 9))
	}
	if changed, ok := pairs(c); !changed || !ok {
		t.Fatal("no pair was found")
	}
	for _, candidate := range []int{rules.Candidate(8, 1), rules.Candidate(20, 2), rules.Candidate(72, 1), rules.Candidate(73, 7)} {
		if c.Has(candidate) {
			cell, digit := rules.Split(candidate)
			t.Errorf("%s can still be %d", rules.CellName(cell), digit)
		}
	}
	if !c.Has(rules.Candidate(0, 1)) || !c.Has(rules.Candidate(72, 8)) || !c.Has(rules.Candidate(27, 1)) {
		t.Error("too many candidates were eliminated")
	}
}

// Unit propagation on the extended encoding finds the singles, so a human
// solver that branches like DPLL has the same search tree.
func TestHumanSolverAndDPLL(t *testing.T) {
	for _, g := range samplePuzzles(t) {
		subjects, err := puzzleSubjects(context.Background(), []*sudoku.Grid{g}, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := &Plan{study: humanStudy()}
		run := func(choose string) Outcome {
			return measureHuman(context.Background(), newCache(), &Run{plan: p, subject: subjects[0], levels: []string{"singles", choose}}, nil)
		}
		human, positive := run("fewest-of-both"), run("positive")
		if human.Decisions != positive.Decisions || human.Backtracks != positive.Backtracks || human.Depth != positive.Depth || human.Answer != dimacs.Satisfiable {
			t.Errorf("fewest candidates: %+v; shortest positive clause: %+v", human, positive)
		}
		for _, way := range branchings {
			if o := run(way.name); o.Answer != dimacs.Satisfiable || o.Capped {
				t.Errorf("%s: %+v", way.name, o)
			}
		}
	}
}

// A search that reaches its limit sets Capped.
func TestLimits(t *testing.T) {
	subjects, err := puzzleSubjects(context.Background(), samplePuzzles(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	rules := sudoku.Must(sudoku.Standard(9))
	c := sudoku.NewCandidates(rules)
	s := &humanSolver{ctx: context.Background(), infer: &inferences[0], branching: &branchings[1], random: rand.New(rand.NewPCG(1, 1)), limit: 1}
	answers := map[dimacs.Status]int{}
	for range 20 {
		s.outcome = Outcome{}
		answer := s.solve(c, c.Load(subjects[0].Puzzle), 0)
		answers[answer]++
		if s.outcome.Capped != (answer == dimacs.Unknown) || s.outcome.Conflicts > 1 {
			t.Fatalf("%v: %+v", answer, s.outcome)
		}
	}
	if answers[dimacs.Unknown] == 0 {
		t.Error("the limit was never reached")
	}
}

// If all runs of a size end at the limit, the answer says so instead of a mean.
func TestSizeAtLimit(t *testing.T) {
	p, err := NewPlan(context.Background(), sizeStudy(), Options{Count: 1, Conflicts: 1, Levels: map[string]string{"size": "12", "engine": "jw1,random"}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := (&Runner{Plan: p, Dir: t.TempDir(), Jobs: 1}).Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if !r.Capped {
			t.Fatal("a run ended before the limit: choose another puzzle")
		}
	}
	if got := answerSize(&Results{plan: p, rows: rows}); !strings.HasPrefix(got, "DPLL solves no puzzle") {
		t.Errorf("the answer is %q", got)
	}
}
