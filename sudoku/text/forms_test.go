package text

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
	"sator/sudoku"
)

// TestTrailers reads labels, solutions and alphabets.
func TestTrailers(t *testing.T) {
	for _, test := range []struct{ text, label, symbols string }{
		{nine9 + " # ED=7.1/1.2", "ED=7.1/1.2", ""},
		{"7;" + nine9 + ";" + done9 + ";hard", "7 hard", ""},
		{nine9 + "," + done9, "", ""},
		{"Grid 01\n" + rows(nine9, 9), "Grid 01", ""},
		{"id,puzzle,solution\n17," + nine9 + "," + done9, "17", ""},
		{"label: x\n" + letters(sixteen), "label: x", "ABCDEFGHIJKLMNOP"},
		{hex(sixteen), "", "0123456789ABCDEF"},
		{`{"label":"a b","grid":"` + nine9 + `","solution":"` + done9 + `"}`, "a b", ""},
	} {
		p, err := NewReader(strings.NewReader(test.text), "f").Next()
		if err != nil {
			t.Errorf("%.30q: %v", test.text, err)
			continue
		}
		if p.Label != test.label || p.Symbols != test.symbols {
			t.Errorf("%.30q: label %q, symbols %q", test.text, p.Label, p.Symbols)
		}
		if got := p.Text(p.Cells); !strings.Contains(strings.ReplaceAll(test.text, "\n", ""), got) {
			t.Errorf("%.30q: %s", test.text, got)
		}
		if has := strings.Contains(test.text, done9); has != (p.Solution != nil) || has && Line(p.With(p.Solution)) != done9 {
			t.Errorf("%.30q: solution %v", test.text, p.Solution)
		}
	}
}

// TestMarks reads pencil marks in all formats.
func TestMarks(t *testing.T) {
	p, err := NewReader(strings.NewReader(candidates9), "f").Next()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(marksOf(p.Grid, 2), marksOf(p.Grid, 0), p.Cells[0], p.Cells[2]); got != "[1 2] [5] 5 0" {
		t.Error(got)
	}
	if line, column := p.Position(2); line != 2 || column != 7 {
		t.Errorf("R1C3 is at %d:%d", line, column)
	}
	want := normal(p.Grid, true)
	marks, err := appendMarks(nil, p.Grid)
	if err != nil {
		t.Fatal(err)
	}
	sdx := strings.NewReplacer("| ", "", " |", "", "*-----------------------*\n", "", "8 5 3", "8 u5 3").Replace(candidates9)
	groups := strings.Join(strings.Fields(strings.NewReplacer("|", "", "*-----------------------*\n", "").Replace(candidates9)), " ")
	for _, text := range []string{string(marks), string(marks) + " # rating", groups, strings.ReplaceAll(string(marks), ".", "0"), sdx} {
		p, err := NewReader(strings.NewReader(text), "f").Next()
		if err != nil {
			t.Errorf("%.30q: %v", text, err)
			continue
		}
		if normal(p.Grid, true) != want {
			t.Errorf("%.30q became %s, want %s", text, normal(p.Grid, true), want)
		}
		if given := p.Given().Cells[4*9+4]; p.Cells[4*9+4] != 5 || (given == 0) != (text == sdx) {
			t.Errorf("%.30q: R5C5 has the given %d", text, given)
		}
	}
}

// TestExcluded reads unit clauses that exclude digits.
func TestExcluded(t *testing.T) {
	p, err := NewReader(strings.NewReader("p cnf 64 2\n1 0\n-5 0\n"), "f").Next()
	if err != nil || p.Cells[0] != 1 || p.Marks == nil || fmt.Sprint(marksOf(p.Grid, 1)) != "[2 3 4]" {
		t.Error(p, err)
	}
}

// TestEncoded reads formulas of all encodings of package sudoku.
func TestEncoded(t *testing.T) {
	g, err := NewReader(strings.NewReader(six), "f").Next()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range sudoku.Encodings {
		for _, n := range sudoku.Numberings {
			c, err := g.Encode(sudoku.Coding{Encoding: e.Name, Numbering: n.Name})
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, comment := range c.Map.Comments() {
				fmt.Fprintln(&b, "c", comment)
			}
			if err := dimacs.Write(&b, c.Formula); err != nil {
				t.Fatal(err)
			}
			p, err := NewReader(strings.NewReader(b.String()), "f").Next()
			if err != nil || Line(p.Grid) != six || p.Rules.String() != g.Rules.String() {
				t.Errorf("%s, %s: %v %v", e.Name, n.Name, p, err)
			}
		}
	}
}

// TestFormula reads a formula about cells.
func TestFormula(t *testing.T) {
	g, err := NewReader(strings.NewReader(four), "f").Next()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := g.WriteCellFormula(&b, false); err != nil {
		t.Fatal(err)
	}
	puzzles, err := all(NewReader(strings.NewReader(six+"\n"+b.String()), "f"))
	if err != nil || len(puzzles) != 2 || Line(puzzles[1].Grid) != four || puzzles[1].Line != 2 {
		t.Error(puzzles, err)
	}
}

// TestWarn reads an incomplete puzzle.
func TestWarn(t *testing.T) {
	r := NewReader(strings.NewReader("start9\n0 0 1\n"), "f")
	var warnings []string
	r.Warn = func(err *dimacs.SyntaxError) { warnings = append(warnings, err.Error()) }
	if p, err := r.Next(); err != nil || p.Cells[0] != 1 || len(warnings) != 1 || !strings.Contains(warnings[0], `f:3:1: the input ends`) {
		t.Error(p, err, warnings)
	}
}

// TestLongLine reads a line that is too long for a puzzle.
func TestLongLine(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(nine9+"\n"), iotest.OneByteReader(strings.NewReader("1")), zeros{})
	r := NewReader(endless, "f")
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "f:2:1: a line of more than") {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}
