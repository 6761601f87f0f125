package study

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sator/cmd/internal/stat"
	"sator/sudoku"
	"sator/sudoku/text"
)

// paperPuzzles reads the puzzles of the paper's experiment from the directory
// named by SATOR_SUDOKU. They are not part of the project.
func paperPuzzles(t *testing.T) []*sudoku.Grid {
	t.Helper()
	dir := os.Getenv("SATOR_SUDOKU")
	if dir == "" {
		t.Skip("SATOR_SUDOKU is not set")
	}
	f, err := os.Open(filepath.Join(dir, "study-1011.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var puzzles []*sudoku.Grid
	for in := text.NewReader(f, f.Name()); ; {
		p, err := in.Next()
		if err == io.EOF {
			return puzzles
		} else if err != nil {
			t.Fatal(err)
		}
		puzzles = append(puzzles, p.Grid)
	}
}

// The paper's Table 1 is reproduced: coefficients to three decimals, p-values
// to three digits.
func TestPublishedTable(t *testing.T) {
	p, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: paperPuzzles(t), Levels: map[string]string{
		"propagation": "single-round", "accumulate": "yes", "heuristic": "first,jw1,jw2,lph,moh,mom"}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := (&Runner{Plan: p, Dir: t.TempDir()}).Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	x := &Results{plan: p, rows: rows}
	for _, rule := range roundRules {
		own := x.only("heuristic", rule.name).rows
		g := values(own, attribute("givens"))
		e, b := stat.Pearson(g, values(own, evaluations)), stat.Pearson(g, values(own, backtracks))
		want := paperTable[rule.paper]
		for _, tt := range []struct{ got, want, within float64 }{
			{e.R, want.rEvaluations, 0.0006}, {b.R, want.rBacktracks, 0.0006},
			{e.P, want.pEvaluations, 0.006 * want.pEvaluations}, {b.P, want.pBacktracks, 0.006 * want.pBacktracks},
		} {
			if math.Abs(tt.got-tt.want) > tt.within {
				t.Errorf("%s: %g, in the paper %g", rule.paper, tt.got, tt.want)
			}
		}
	}
}

// DPLL with propagation to the fixpoint, on the published rules, has the same
// mean counts as an independent program.
func TestFixpointTable(t *testing.T) {
	puzzles := paperPuzzles(t)
	p, err := NewPlan(context.Background(), Studies[0], Options{Puzzles: puzzles, Levels: map[string]string{
		"pairs": "twice", "heuristic": "first,mom,jw1,jw2,moh,positive"}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := (&Runner{Plan: p, Dir: t.TempDir()}).Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	x := &Results{plan: p, rows: rows}
	for _, tt := range []struct {
		heuristic               string
		evaluations, backtracks float64
	}{
		{"first", 8.5, 2.9}, {"mom", 6.6, 2.2}, {"jw1", 238.6, 113.7}, {"jw2", 213, 101}, {"moh", 8.8, 3.4}, {"positive", 6.0, 2.0},
	} {
		own := x.only("heuristic", tt.heuristic).rows
		e, b := mean(values(own, evaluations)), mean(values(own, backtracks))
		if math.Abs(e/tt.evaluations-1) > 0.15 || math.Abs(b/tt.backtracks-1) > 0.15 {
			t.Errorf("%s: %.1f evaluations and %.1f backtracks, want %.1f and %.1f", tt.heuristic, e, b, tt.evaluations, tt.backtracks)
		}
	}
}

// Added givens are correct, and those for k-1 are a subset of those for k.
func TestAddedGivens(t *testing.T) {
	subjects, err := puzzleSubjects(context.Background(), samplePuzzles(t), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range subjects {
		if !s.puzzle.minimal() {
			t.Errorf("puzzle %s is not minimal", s.Text)
		}
		before := s.Puzzle
		for k := range 12 {
			g := s.with(k)
			if g.Givens() != s.Puzzle.Givens()+k {
				t.Fatalf("with %d extra givens, %d givens became %d", k, s.Puzzle.Givens(), g.Givens())
			}
			for cell, digit := range g.Cells {
				if digit != 0 && digit != s.puzzle.solution[cell] || before.Cells[cell] != 0 && digit == 0 {
					t.Fatalf("with %d extra givens, cell %d is %d", k, cell, digit)
				}
			}
			before = g
		}
		if full := s.with(1000); !full.Full() {
			t.Error("with 1000 extra givens the grid is not full")
		}
	}
}

// wellFormed returns an error if a page has unclosed tags.
func wellFormed(page []byte) error {
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict = false
	d.AutoClose = []string{"meta"}
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestReport(t *testing.T) {
	p := paperPlan(t)
	dir := t.TempDir()
	rows, err := (&Runner{Plan: p, Dir: dir, Untimed: true}).Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(nil, p, rows, dir, "sator-lab study givens <three>"); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	md, page := read("report.md"), read("report.html")
	if err := wellFormed([]byte(page)); err != nil {
		t.Errorf("report.html: %v", err)
	}
	for _, want := range []string{"sator-lab study givens <three>", "## The paper's Table 1 beside ours", "| 1_sided_jw (jw1) | +0.032 |", "## Givens and search, within puzzles", "3 of 3 are minimal"} {
		if !strings.Contains(md, want) {
			t.Errorf("report.md does not contain %q", want)
		}
	}
	if !strings.Contains(page, "sator-lab study givens &lt;three&gt;") || strings.Contains(page, "NaN") {
		t.Error("report.html has unescaped text or NaN")
	}
	for line := range strings.Lines(md) {
		name, ok := strings.CutPrefix(line, "![")
		if !ok {
			continue
		}
		_, name, _ = strings.Cut(name, "](")
		name = strings.TrimSuffix(strings.TrimSpace(name), ".png)")
		if svg := read(name + ".svg"); !strings.Contains(page, svg[strings.Index(svg, "<svg"):]) {
			t.Errorf("%s.svg is not embedded in the page", name)
		}
		if png := read(name + ".png"); !strings.HasPrefix(png, "\x89PNG") {
			t.Errorf("%s.png is not a PNG file", name)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{number(3), "3"}, {number(0.333), "0.33"}, {number(12.34), "12.3"}, {number(1234.5), "1234"}, {number(0.00012), "0.00012"}, {number(math.NaN()), "-"},
		{pValue(0.04), "0.040"}, {pValue(1e-5), "1.0e-05"}, {pValue(1e-20), "< 1e-12"}, {coefficient(-0.25), "-0.250"}, {percent(0.5), "50 %"},
		{percent(0), "0 %"}, {percent(0.0001), "< 1 %"}, {percent(0.99), "99 %"}, {percent(0.9999), "> 99 %"}, {percent(1), "100 %"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func Example() {
	s := givensStudy()
	rules := sudoku.Must(sudoku.Standard(4))
	puzzle := sudoku.NewGrid(rules)
	copy(puzzle.Cells, []int{1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2})
	plan, err := NewPlan(context.Background(), s, Options{Puzzles: []*sudoku.Grid{puzzle}, Levels: map[string]string{"heuristic": "mom", "add": "0,2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, _ := os.MkdirTemp("", "study")
	defer os.RemoveAll(dir)
	rows, err := (&Runner{Plan: plan, Dir: dir}).Do(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range rows {
		fmt.Println(row.Attributes, row.Answer, row.Backtracks)
	}
	// Output:
	// [4 yes] SATISFIABLE 0
	// [6 no] SATISFIABLE 0
}
