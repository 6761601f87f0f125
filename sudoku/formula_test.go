package sudoku

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

func ExampleGrid_WriteCellFormula() {
	g := NewGrid(Must(Standard(4)))
	g.Cells[0] = 3
	var b strings.Builder
	if err := g.WriteCellFormula(&b, false); err != nil {
		fmt.Println(err)
		return
	}
	for i, line := range strings.Split(b.String(), "\n") {
		if i < 2 || i > 8 && i < 11 {
			fmt.Println(line)
		}
	}
	again, err := ReadCellFormula(strings.NewReader(b.String()), "puzzle")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Rules, again.Cells)
	// Output:
	// v11 != v12 * v11 != v13 * v11 != v14 * v12 != v13 * v12 != v14 * v13 != v14 * v21 != v22 *
	// v21 != v23 * v21 != v24 * v22 != v23 * v22 != v24 * v23 != v24 * v31 != v32 * v31 != v33 *
	// v11 = 3 *
	// v12 = 1 + v12 = 2 + v12 = 3 + v12 = 4 *
	// 4 boxes 2x2 [3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]
}

// TestCellFormula writes puzzles of all variants and reads them back.
func TestCellFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for name, v := range variants() {
		if v.Size > 12 {
			continue
		}
		if v.BoxRows == 1 {
			v = Latin(v.Size) // its formula is that of a Latin square
		}
		r := Must(v)
		for i := range 6 {
			g := randomPuzzle(rng, r)
			var b strings.Builder
			if err := g.WriteCellFormula(&b, i%2 == 0); (err != nil) != (len(v.Cages) > 0 || v.Grids != nil) {
				t.Fatalf("%s: %v", name, err)
			} else if err != nil {
				continue
			}
			again, err := ReadCellFormula(strings.NewReader(b.String()), name)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, b.String())
			}
			if again.Rules.String() != r.String() {
				t.Fatalf("%s became %s", r, again.Rules)
			}
			for cell := range g.Cells {
				for digit := 1; digit <= r.Size(); digit++ {
					if g.IsPossible(cell, digit) != again.IsPossible(cell, digit) {
						t.Fatalf("%s: the candidate %d of %s changed", name, digit, r.CellName(cell))
					}
				}
			}
			if g.Marks == nil && (again.Marks != nil || !slices.Equal(g.Cells, again.Cells)) {
				t.Fatalf("%s: %v became %v", name, g.Cells, again.Cells)
			}
		}
	}
}

// TestCellFormulaContradiction checks that a given excluded by the marks is
// still a contradiction after reading.
func TestCellFormulaContradiction(t *testing.T) {
	g := NewGrid(Must(Standard(4)))
	g.Exclude(2)
	g.Cells[0] = 3
	var b strings.Builder
	if err := g.WriteCellFormula(&b, false); err != nil {
		t.Fatal(err)
	}
	again, err := ReadCellFormula(strings.NewReader(b.String()), "")
	if err != nil {
		t.Fatal(err)
	}
	if NewCandidates(again.Rules).Load(again) {
		t.Errorf("%v with the marks %v", again.Cells, again.Marks)
	}
}

func TestCellFormulaErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "f:1:1: unexpected end of input: want a cell",
		"v11 = 1":                              "",
		"  (* x *) v1_1 = 1 * ":                "",
		"v11 != 1":                             "",
		"v11 = 1 *\n v12 =":                    "f:2:7: unexpected end of input: want a digit or a cell",
		"v11 = 2":                              "f:1:8: the inequalities match no known rules",
		"v11 = 1 v11 = 1":                      "f:1:9: unexpected cell of row 1, column 1: want *",
		"v11 = 1\n*\n  v12 = *":                "f:3:9: unexpected \"*\": want a digit or a cell",
		"v11 = 1 + v12 = 1":                    "f:1:11: cell of row 1, column 2 in a disjunction about another cell",
		"v11 = 1 + v11 != 2":                   "f:1:15: an inequality in a disjunction",
		"v11 != v12 + v11 = 2":                 "f:1:5: an inequality in a disjunction",
		"v11 = v12":                            "f:1:7: unexpected cell of row 1, column 2: want a digit",
		"v1 = 2":                               "f:1:1: invalid cell: want a row and a column",
		"v1_ = 2":                              "f:1:1: invalid cell: want a row and a column",
		"v111 = 2":                             "f:1:1: invalid cell: want a row and a column",
		"v01 = 2":                              "f:1:1: invalid number: want 1 to 255",
		"v1_256 = 2":                           "f:1:1: invalid number: want 1 to 255",
		"v11 = 999999999999":                   "f:1:7: invalid number: want 1 to 255",
		"v11 ! 2":                              "f:1:5: unexpected '!'",
		"v11 * 2":                              "f:1:5: unexpected \"*\": want = or !=",
		"v11 = 1 * 7 = v11":                    "f:1:11: unexpected number 7: want a cell",
		"v11 = 1 (* ":                          "f:1:9: the comment is not closed",
		"v11 = 1 (*) ":                         "f:1:9: the comment is not closed",
		"v11 = 2 (* rules 2 *)":                "f:1:22: the inequalities differ from the rules in the comment",
		"v11 = 1 (* rules foo *)":              "f:1:9: invalid size \"foo\"",
		"v22 = 2 (* rules 1 *)":                "f:1:22: the inequalities differ from the rules in the comment",
		"v11 = 1 (* ruled *)":                  "",
		"v11 = 1 * (* rules 1 cages 1:R1C1 *)": "the inequalities differ from the rules in the comment",
		"v11=1*v12!=v11*v21!=v11*v21!=v22*v22!=v12": "",
	} {
		_, err := ReadCellFormula(strings.NewReader(text), "f")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestIsCellFormula(t *testing.T) {
	for text, want := range map[string]bool{"v11 = 8": true, "\r\n v1_1": true, " (* rules 4 *)": true, "(1": false, "v 1 -2 0": false, "v": false, "": false, "p cnf": false, "..1": false} {
		if IsCellFormula([]byte(text)) != want {
			t.Errorf("%q is a formula: %v", text, !want)
		}
	}
}

// TestBrokenFormula checks that the error of the source is returned at any place.
func TestBrokenFormula(t *testing.T) {
	const text = "v11 = 1 * v12 != v1_1 * v21!=v11*v21!=v22*v22!=v12 (* rules 2 *)"
	for at := range len(text) {
		fuzztest.CheckBrokenAt(t, []byte(text), at, func(src io.Reader) error {
			_, err := ReadCellFormula(src, "")
			return err
		})
	}
}

func FuzzReadCellFormula(f *testing.F) {
	seeds := [][]byte{[]byte("v11 != v11 (* rules 1 *)")}
	for _, v := range variants() {
		if v.Size > 6 || len(v.Cages) > 0 || v.Grids != nil {
			continue
		}
		var b strings.Builder
		if err := NewGrid(Must(v)).WriteCellFormula(&b, false); err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, []byte(b.String()))
	}
	words := []string{"v11", "v12", "v4_4", "=", "!=", "(*", "*)", "rules", "and", "or", "/\\", "\\/", "&", "(", ")", "~"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		fuzztest.CheckBroken(t, in, func(src io.Reader) error {
			_, err := ReadCellFormula(src, "")
			return err
		})
		g, err := ReadCellFormula(fuzztest.Pieces(in), "")
		if err != nil {
			return
		}
		var b strings.Builder
		if err := g.WriteCellFormula(&b, false); err != nil {
			t.Fatal(err)
		}
		again, err := ReadCellFormula(strings.NewReader(b.String()), "")
		if err != nil || !slices.Equal(again.Cells, g.Cells) || again.Rules.Size() != g.Rules.Size() {
			t.Fatalf("%v became %v, %v", g, again, err)
		}
	})
}
