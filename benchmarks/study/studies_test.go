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

// small are options with which each study takes little time.
var small = map[string]Options{
	"givens":    {Count: 1, Levels: map[string]string{"heuristic": "mom,lph", "add": "0,2"}},
	"size":      {Count: 1, Levels: map[string]string{"size": "4,9"}},
	"human":     {Count: 2},
	"families":  {Count: 1, Conflicts: 200},
	"encodings": {Count: 2, Levels: map[string]string{"amo": "pairs,commander"}},
	"twosat":    {Count: 3},
	"threshold": {Count: 2, Levels: map[string]string{"vars": "20,30", "ratio": "200,400,450,800"}},
	"passes":    {Count: 1, Conflicts: 50, Levels: map[string]string{"technique": "default,without restart,without shrink,with chrono-reuse"}},
}

// Every study has rows, which are the same with one worker and without, and a
// report with figures and without what is no number.
func TestStudies(t *testing.T) {
	for _, s := range Studies {
		t.Run(s.Name, func(t *testing.T) {
			o, ok := small[s.Name]
			if !ok {
				t.Fatal("there are no options for it")
			}
			if s.Name == "givens" {
				o.Puzzles = somePuzzles(t)
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
			if three := all(t, plan(), t.TempDir(), 3); !bytes.Equal(one, three) {
				t.Error("with three jobs the rows differ")
			}
			if err := Write(p, rows, dir, "sator study "+s.Name); err != nil {
				t.Fatal(err)
			}
			page, err := os.ReadFile(filepath.Join(dir, "report.html"))
			if err != nil {
				t.Fatal(err)
			}
			if err := wellFormed(page); err != nil {
				t.Error(err)
			}
			if n := bytes.Count(page, []byte("<svg")); n == 0 || bytes.Contains(page, []byte("NaN")) || bytes.Contains(page, []byte("<td>all</td>")) || bytes.Contains(page, []byte(", all<")) {
				t.Errorf("the report has %d figures, or no number, or a row that says all", n)
			}
		})
	}
}

// Factors and columns have names that can be flags and columns.
func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Studies {
		if names[s.Name] {
			t.Errorf("there are two studies %s", s.Name)
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
		if found, ok := Find(s.Name); !ok || found != s {
			t.Errorf("%s is not found", s.Name)
		}
	}
}

// What pairs and the 2SAT rule exclude is in no solution, and they find the
// classical examples.
func TestInferences(t *testing.T) {
	subjects, err := puzzleSubjects(context.Background(), somePuzzles(t), 1)
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
			news, ok := inf.step(c)
			if !ok {
				t.Fatalf("%s: a contradiction in a puzzle with a solution", inf.name)
			}
			if news {
				found[inf.name]++
			}
			for cell, digit := range s.puzzle.solution {
				if !c.Has(s.Puzzle.Rules.Candidate(cell, digit)) {
					t.Fatalf("%s has struck a candidate of the solution", inf.name)
				}
			}
		}
	}
	for _, name := range []string{"locked", "pairs", "2sat"} {
		if found[name] == 0 {
			t.Errorf("%s never found anything", name)
		}
	}

	// R1C1 and R1C2 have 1 and 2 alone, which the rest of the row and of the box
	// lose; 8 and 9 in row 9 have two places, which lose all other digits.
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
	if news, ok := pairs(c); !news || !ok {
		t.Fatal("no pair was found")
	}
	for _, candidate := range []int{rules.Candidate(8, 1), rules.Candidate(20, 2), rules.Candidate(72, 1), rules.Candidate(73, 7)} {
		if c.Has(candidate) {
			cell, digit := rules.Split(candidate)
			t.Errorf("%s can still be %d", rules.CellName(cell), digit)
		}
	}
	if !c.Has(rules.Candidate(0, 1)) || !c.Has(rules.Candidate(72, 8)) || !c.Has(rules.Candidate(27, 1)) {
		t.Error("too much was struck")
	}
}

// Singles are what unit propagation finds on the extended encoding: a looker that
// chooses as DPLL does has its tree.
func TestLookerAndDPLL(t *testing.T) {
	for _, g := range somePuzzles(t) {
		subjects, err := puzzleSubjects(context.Background(), []*sudoku.Grid{g}, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := &Plan{study: humanStudy()}
		run := func(choose string) Outcome {
			return measureHuman(context.Background(), newBench(), &Run{plan: p, subject: subjects[0], levels: []string{"singles", choose}}, nil)
		}
		human, positive := run("fewest-of-both"), run("positive")
		if human.Decisions != positive.Decisions || human.Backtracks != positive.Backtracks || human.Depth != positive.Depth || human.Answer != dimacs.Satisfiable {
			t.Errorf("fewest candidates: %+v; shortest positive clause: %+v", human, positive)
		}
		for _, way := range glances {
			if o := run(way.name); o.Answer != dimacs.Satisfiable || o.Capped {
				t.Errorf("%s: %+v", way.name, o)
			}
		}
	}
}

// A search that meets its limit says so.
func TestLimits(t *testing.T) {
	subjects, err := puzzleSubjects(context.Background(), somePuzzles(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	rules := sudoku.Must(sudoku.Standard(9))
	c := sudoku.NewCandidates(rules)
	s := &looker{ctx: context.Background(), infer: &inferences[0], glance: &glances[1], random: rand.New(rand.NewPCG(1, 1)), limit: 1}
	answers := map[dimacs.Status]int{}
	for range 20 {
		s.took = Outcome{}
		answer := s.solve(c, c.Load(subjects[0].Puzzle), 0)
		answers[answer]++
		if s.took.Capped != (answer == dimacs.Unknown) || s.took.Conflicts > 1 {
			t.Fatalf("%v: %+v", answer, s.took)
		}
	}
	if answers[dimacs.Unknown] == 0 {
		t.Error("the limit was never met")
	}
}
