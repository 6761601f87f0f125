package sudoku

import (
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
	"sator/internal/fuzztest"
)

// A model can be decoded with the formula and its comments alone.
func ExampleReadMap() {
	g := NewGrid(Must(Standard(4)))
	copy(g.Cells, []int{1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2})
	cnf, err := g.Encode(Coding{Encoding: "reduced"})
	if err != nil {
		fmt.Println(err)
		return
	}
	comments := cnf.Map.Comments()
	for _, line := range comments {
		fmt.Println("c", line)
	}
	m, err := ReadMap(comments)
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := m.Decode(nil) // the givens decide every cell
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(solution.Cells)
	// Output:
	// c sudoku rules 4 boxes 2x2
	// c sudoku encoding reduced
	// c sudoku at-most-one mixed
	// c sudoku numbering dense
	// c sudoku givens R1C1=1 R2C3=3 R3C2=4 R4C4=2
	// c sudoku placed R1C2=3 R1C3=2 R1C4=4 R2C1=4 R2C2=2 R2C4=1 R3C1=2 R3C3=1
	// c sudoku placed R3C4=3 R4C1=3 R4C2=1 R4C3=4
	// [1 3 2 4 4 2 3 1 2 4 1 3 3 1 4 2]
}

// TestMap writes the maps of random puzzles to a file and reads them back.
func TestMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for name, v := range small() {
		r := Must(v)
		for _, c := range codings() {
			if c.AtMostOne != "pairs" {
				continue // the at-most-one encoding does not affect the map
			}
			g := randomPuzzle(rng, r)
			cnf, err := g.Encode(c)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := dimacs.Write(&b, cnf.Formula, append([]string{"of a test", "sudoku"}, cnf.Map.Comments()...)...); err != nil {
				t.Fatal(err)
			}
			reader := dimacs.Reader{Keep: CommentWord}
			f, err := reader.Read(iotest.HalfReader(strings.NewReader(b.String())))
			if err != nil {
				t.Fatal(err)
			}
			m, err := ReadMap(reader.Kept)
			if err != nil {
				t.Fatalf("%s: %+v: %v", name, c, err)
			}
			if m.Rules.String() != r.String() || m.Coding.Encoding != c.Encoding || m.Vars() != cnf.Map.Vars() || !slices.Equal(m.lit, cnf.Map.lit) || !slices.Equal(m.placed, cnf.Map.placed) {
				t.Fatalf("%s: %+v: the map changed", name, c)
			}
			puzzle, err := m.Units(f)
			if err != nil {
				t.Fatal(err)
			}
			recovered(t, cnf, g, puzzle)
		}
	}
}

// recovered checks that the puzzle read from a formula has the givens of the
// original puzzle and, unless the givens were propagated, its marks.
func recovered(t *testing.T, cnf *CNF, g, puzzle *Grid) {
	t.Helper()
	if !slices.Equal(puzzle.Cells, g.Cells) && len(g.Rules.Cages()) == 0 && g.Rules.Size() > 1 {
		t.Fatalf("%+v: the givens %v became %v", cnf.Map.Coding, g.Cells, puzzle.Cells)
	}
	for cell, digit := range g.Cells {
		if digit != 0 && puzzle.Cells[cell] != digit {
			t.Fatalf("%+v: the givens %v became %v", cnf.Map.Coding, g.Cells, puzzle.Cells)
		}
	}
	if cnf.Map.placed != nil || g.Marks == nil {
		return
	}
	for candidate, possible := range g.Marks {
		if !possible && (puzzle.Marks == nil || puzzle.Marks[candidate]) {
			t.Fatalf("%+v: the marks lost candidate %d", cnf.Map.Coding, candidate)
		}
	}
}

// TestNewMap compares the maps that NewMap returns with the maps of encoded
// formulas.
func TestNewMap(t *testing.T) {
	for name, v := range small() {
		r := Must(v)
		for _, c := range codings() {
			m, err := NewMap(r, c)
			if i := slices.IndexFunc(Encodings, func(e Encoding) bool { return e.Name == c.Encoding }); Encodings[i].PropagatesGivens {
				if err == nil {
					t.Errorf("%s: a map for %+v without a puzzle", name, c)
				}
				continue
			}
			cnf, other := r.Encode(c)
			if err != nil || other != nil {
				t.Fatal(err, other)
			}
			if !slices.Equal(m.lit, cnf.Map.lit) || m.Vars() != cnf.Map.Vars() || m.DescribeVariables() != cnf.Map.DescribeVariables() {
				t.Errorf("%s: another map for %+v", name, c)
			}
		}
	}
	if _, err := NewMap(Must(Standard(4)), Coding{Numbering: "foo"}); err == nil {
		t.Error("a map with a numbering that there is not")
	}
}

// TestNumberings pins the variable numbers of a candidate.
func TestNumberings(t *testing.T) {
	for _, test := range []struct {
		size      int
		numbering string
		want      int
	}{{4, "dense", 2*16 + 1*4 + 4}, {4, "rcd", 324}, {9, "dense", 2*81 + 1*9 + 4}, {9, "rcd", 324}, {10, "rcd", 3*121 + 2*11 + 4}, {16, "rcd", 3*289 + 2*17 + 4}} {
		r := Must(Standard(test.size))
		m, err := NewMap(r, Coding{Numbering: test.numbering})
		if err != nil {
			t.Fatal(err)
		}
		if l, ok := m.Lit(r.Candidate(2*test.size+1, 4)); !ok || l.Int() != test.want {
			t.Errorf("size %d, %s: R3C2 has the digit 4 is %v, want %d", test.size, test.numbering, l, test.want)
		}
	}
}

func TestReadMapErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    `no comment begins with "sudoku rules"`,
		"sudokurules 4":                       `no comment begins with "sudoku rules"`,
		"sudoku rules 0":                      "invalid size 0",
		"sudoku encoding extended":            "no rules before it",
		"sudoku rules 4|sudoku rules 4":       "",
		"sudoku rules 4|sudoku rules 4 x":     `the rules are already "4"`,
		"sudoku rules 4|sudoku encoding foo":  `unknown encoding "foo"`,
		"sudoku rules 4|sudoku foo 4":         `unknown key "foo"`,
		"sudoku rules 4|sudoku givens R1":     `invalid cell "R1"`,
		"sudoku rules 4|sudoku givens R1C1=5": `invalid digit "5": want 1 to 4`,
		"sudoku rules 4|sudoku left R1C5 1":   "no cell R1C5",
		"sudoku rules 4|sudoku left R1C1 1 x": `invalid digit "x"`,
		"sudoku rules 4|sudoku numbering rcd|sudoku numbering dense": `the value is already "rcd"`,
		"sudoku rules 4|sudoku rules foo":                            `invalid size "foo"`,
		"sudoku " + strings.Repeat("long ", 40):                      "no rules before it",
	} {
		_, err := ReadMap(strings.Split(text, "|"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	r := Must(Standard(4))
	g := NewGrid(r)
	g.Cells[1] = 2
	cnf, err := g.Encode(Coding{})
	if err != nil {
		t.Fatal(err)
	}
	solution := []int{1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1}
	for want, change := range map[string]func(dimacs.Model){
		"":                             func(dimacs.Model) {},
		"R1C1 has no digit":            func(m dimacs.Model) { clear(m) },
		"R1C3 has two digits, 1 and 3": func(m dimacs.Model) { m[r.Candidate(2, 1)] = dimacs.True },
		"R1C1 and R1C2 both have the digit 2 in row 1": func(m dimacs.Model) {
			m[r.Candidate(0, 1)], m[r.Candidate(0, 2)] = dimacs.False, dimacs.True
		},
		"R1C2 has the digit 4, but 2 is given": func(m dimacs.Model) {
			m[r.Candidate(1, 2)], m[r.Candidate(1, 4)] = dimacs.Unassigned, dimacs.True
		},
	} {
		m := make(dimacs.Model, cnf.Map.Vars())
		for cell, digit := range solution {
			m[r.Candidate(cell, digit)] = dimacs.True
		}
		change(m)
		got, err := cnf.Map.Decode(m)
		if want == "" && (err != nil || !slices.Equal(got.Cells, solution)) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	f := dimacs.NewFormula(64)
	f.AddInts(1)
	f.AddInts(2)
	if _, err := cnf.Map.Units(f); err == nil || err.Error() != "R1C1 has two givens, 1 and 2" {
		t.Error(err)
	}
}

func TestReadModel(t *testing.T) {
	for text, want := range map[string]string{
		"s SATISFIABLE\nv 1 -2 0\n":  "SATISFIABLE [1 -2]",
		"SAT\n1 -2 3 0\n":            "SATISFIABLE [1 -2 3]",
		"UNSAT\n":                    "UNSATISFIABLE []",
		"1 -2 3 0\n":                 "SATISFIABLE [1 -2 3]",
		"1 0\n-2 0\n":                "SATISFIABLE [1 -2]",
		"c x\np cnf 3 2\n1 0\n3 0\n": "SATISFIABLE [1 3]",
		"1 0\n2 0\n1 0\n":            "SATISFIABLE [1 2]",
		"":                           "UNKNOWN []",
		"c nothing\n\np cnf 0 0\n":   "UNKNOWN []",
		"p cnf 2 2\n1 2 0\n1 0\n":    "model: not a model: clause 1 has 2 literals, want unit clauses",
		"1 0\n-1 0\n":                "model: contradictory model: both 1 and -1 are true",
		"\ufeff":                     "UNKNOWN []",
		"\ufeffv 1 0\n":              "SATISFIABLE [1]",
		"\x00\x00":                   "model: not a model: want s and v lines, or numbers",
		"c x\np cnf 1 1\n..9 0\n":    "model: not a model: want s and v lines, or numbers",
		"1 y 0\n":                    "model:1:3: \"y\" is not a number",
		"s SATISFIABLE\nv 1 -1 0\n":  "",
	} {
		s, _, err := ReadModel(strings.NewReader(text), "model")
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%v %v", s.Status, s.Model.Lits())
		}
		if want == "" && err == nil || want != "" && got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if _, _, err := ReadModel(iotest.ErrReader(io.ErrUnexpectedEOF), "model"); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}

func FuzzReadMap(f *testing.F) {
	var seeds [][]byte
	g := NewGrid(Must(small()["mixture"]))
	for _, e := range Encodings {
		cnf, err := g.Encode(Coding{Encoding: e.Name})
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, []byte(strings.Join(cnf.Map.Comments(), "\n")))
	}
	words := []string{"sudoku", "c sudoku", "size", "cells", "encoding", "boxes", "digits", "9", "1-9", ",", ":"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		m, err := ReadMap(strings.Split(string(in), "\n"))
		if err != nil {
			return
		}
		again, err := ReadMap(m.Comments())
		if err != nil || again.Vars() != m.Vars() || !slices.Equal(again.lit, m.lit) || !slices.Equal(again.placed, m.placed) {
			t.Fatalf("the map changed: %v\n%s", err, strings.Join(m.Comments(), "\n"))
		}
		if _, err := m.Decode(nil); err == nil && m.placed == nil {
			t.Fatal("a solution of nothing")
		}
	})
}

func FuzzReadModel(f *testing.F) {
	var seeds [][]byte
	for _, text := range []string{"s SATISFIABLE\nv 1 -2 0\n", "SAT\n1 -2 0\n", "1 0\n-2 0\n", "p cnf 2 1\n1 0\n", "UNSAT", "c\n"} {
		seeds = append(seeds, []byte(text))
	}
	words := []string{"s", "v", "SATISFIABLE", "UNSATISFIABLE", "SAT", "p cnf 2 1\n", "c", "0\n", "1 -2 0\n"}
	large := regexp.MustCompile("[0-9]{6}") // a model takes a byte per variable
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		if large.Match(in) {
			return
		}
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, _, err := ReadModel(src, "")
			return err
		})
		s, _, err := ReadModel(fuzztest.Pieces(in), "")
		if err != nil {
			return
		}
		var b strings.Builder
		if err := dimacs.WriteSolution(&b, s.Status, s.Model); err != nil {
			t.Fatal(err)
		}
		again, _, err := ReadModel(strings.NewReader(b.String()), "")
		if err != nil || again.Status != s.Status || !slices.Equal(again.Model.Lits(), s.Model.Lits()) {
			t.Fatalf("%+v became %+v, %v", s, again, err)
		}
	})
}
