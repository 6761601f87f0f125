package text

import (
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
