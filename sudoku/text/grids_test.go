package text

import (
	"fmt"
	"strings"
	"testing"

	"sator/sudoku"
)

// TestGrids reads a Samurai in all forms: cells alone, with blanks outside of the grids, drawn with a
// frame, and grid by grid.
func TestGrids(t *testing.T) {
	v := sudoku.Standard(4)
	v.Grids = []sudoku.Place{{Row: 0, Col: 0}, {Row: 0, Col: 4}, {Row: 2, Col: 2}, {Row: 4, Col: 0}, {Row: 4, Col: 4}}
	rules := sudoku.Must(v)
	const rows = "1234 1234\n.... ....\n2.......\n........\n........\n.......3\n.... ....\n4321 4321"
	want := strings.NewReplacer("\n", "", " ", "").Replace(rows)
	grids := "1234....2.......,1234............,................,............4321,.......3....4321"
	for name, text := range map[string]string{
		"rows":                rows,
		"a line":              want,
		"characters for void": strings.ReplaceAll(rows, " ", ""),
		"a frame":             "+----+----+\n|" + strings.NewReplacer(" ", "|", "\n", "|\n-----------\n|").Replace(rows) + "|",
		"grid by grid":        strings.ReplaceAll(grids, ",", "\n"),
		"numbers":             strings.Join(strings.Split(want, ""), " "),
	} {
		p, err := NewReader(strings.NewReader("# rules 4 boxes 2x2 samurai\n"+text+"\n"), "").Next()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := Line(p.Grid); got != want || p.Rules.String() != rules.String() {
			t.Errorf("%s:\n%s, want\n%s", name, got, want)
		}
	}
	wide := sudoku.Standard(4)
	wide.Grids = []sudoku.Place{{Row: 0, Col: 0}, {Row: 2, Col: 2}}
	r := NewReader(strings.NewReader("12....\n......\n......\n......\n......\n....34\n1234............\n..............34\n"), "")
	r.Rules = sudoku.Must(wide)
	for _, want := range []string{"12.........................34"[:26] + "34", "1234......................34"} {
		p, err := r.Next()
		if err != nil || Line(p.Grid) != want {
			t.Errorf("%v, %v, want %s", p, err, want)
		}
	}
}

// TestKSudokuGrids reads two grids of KSudoku that share a box, which the first one states.
func TestKSudokuGrids(t *testing.T) {
	const values = "b___..____..__e____d____..____..___c"
	for _, test := range []struct{ second, clique, values, want string }{
		{"14", "", values, "4 boxes 2x2 grids R1C1,R3C3 1......3..4................2"},
		{"14", "<clique>0 7 14 21</clique>", values, "4 boxes 2x2 grids R1C1,R3C3 different R1C1+R2C2+R3C3+R4C4 1......3..4................2"},
		{"7", "", values, "a board of 6 by 6 cells with grids in 5 by 5"},
		{"14", "<clique>0 1 2 24</clique>", values, `the index "24" of a cell`},
		{"14", `<sudokugroups at="99"/>`, values, "no grid in column 7"},
		{"14", "", "c" + values, "37 values: want 36"},
		{"14", "", strings.Replace(values, "..", "._", 1), "the value '_' at the index 5, outside of the grids"},
	} {
		text := `<ksudoku><game><puzzle><graph order="4" type="custom" specific-type="Samurai" sizeX="6" sizeY="6" sizeZ="1">
<sudokugroups at="0" withblocks="1"/><sudokugroups at="` + test.second + `" withblocks="0"/><clique>16 17 22 23</clique><clique>26 27 32 33</clique><clique>28 29 34 35</clique>` + test.clique + `</graph><values>` + test.values + `</values></puzzle></game></ksudoku>
`
		p, err := NewReader(strings.NewReader(text), "f").Next()
		got := fmt.Sprint(err)
		if err == nil {
			got = p.Rules.String() + " " + Line(p.Grid)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s %s: got %s, want %s", test.second, test.clique, got, test.want)
		}
	}
}
