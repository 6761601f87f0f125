package text

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/internal/sudokutest"
)

// Codes made by lz-string 1.5.0 of JSON as f-puzzles writes it.
const (
	codePuzzle   = "N4IgzglgXgpiBcBOANCALhNAbO8QBUBLsNAAkFo5EVAQwFc0ALAewCcEQBBKkAcxYgAmCANrDgAX2QSpk6XNkKZAXWRjF8mZo2gAbtSy1cARlQ8IOmADsEaFofEq1W9bJB6DuAEynzVm3Zh1N31DBABmHwtreFt7ZVVtFylgj3DIvxiAoPdQ+G9eX2jYwPinORTckwKo/zjynNwAFnSirOdnR20K3ABWFtqSxK1uhAA2fsy6hwTXBrTqjOKkofqQpomlztm1hAB2DbauufgADgOp9t0dpHPAzpH4cYXWuof8sxrJweWH/eeB5YOJTiIA"
	codeVariant  = "N4IgzglgXgpiBcBOANCALhNAbO8QBUBLsNAAkFo5EVAQwFc0ALAewCcEQBBKkAcxYgAmCANrDgAX2QSpk6XNkKZAXWRjF8mZo0SVareoP7d2wyeWqzlg8dO2jFu1fN6nVm/o9uVIANYQsOCwAxtQ8uGIgQTABYCIgAEoAjADCidxJyQBMIN4AbtRYtLggACwgspHRWLHwwgmZqTmo+YW4AKzi3tQAdhg+3RA8DGgIaCxFqAIQoUzdBQDUo+Mwk9M8swUAtEsTIOM4YDAjeAByTKT9g8Ox4kA"
	codeRegions  = "N4IgzglgXgpiBcAWANCALhNAbO8QlQHMAnCAEwQG1LQA3AQywFdcBGIiWmAOwTWJapiMQhAD2veAAYAvslDDREhLPkhF4yaoUjNCdiAbNcAJhkBdZDXW7l0uTqWTWDm0/2uNdg6K7cACjwAxhBYALL0xADWYFTsAMzmFlaOevBmal6SGal2OW5p8cnWWQj5pfBFmbaSVbm1FpYgkcRiAO5UTdwi9BhcnTJAA"
	codeArrow    = "N4IgzglgXgpiBcBOANCALhNAbO8QBUBLsNAAkFo5EVAQwFc0ALAewCcEQBBKkAcxYgAmCANrDgAX2QSpk6XNkKZAXWRjF8mZo0SVareoP7d2wyeWqzlg8dO2jFu1fN6nVm/o9uVIaixZMAdxFQLAgAOxgwESVxb0YYFgBbJkSYNASRAEYYoA"
	codeDiagonal = "N4IgzglgXgpiBcBOANCALhNAbO8QBUBLsNAAkFo5EVAQwFc0ALAewCcEQBBKkAcxYgAmCANrDgAX2QSpk6XNkKZAXWRjF8mZo0SVareoP7d2wyeWqzlg8dO2jFu1fN6nVm/o9uVIARGo8mADtqLABqBDQWWhhxIA"
	codeCage     = "N4IgzglgXgpiBcBOANCALhNAbO8QBUBLsNAAkFo5EVAQwFc0ALAewCcEQBBKkAcxYgAmCANrDgAX2QSpk6XNkKZAXWRjF8mZo0SVareoP7d2wyeWqzlg8dO2jFu1fN6nVm/o9uVIANYQsOCwAxtQ8uGIgQTABYCIgAEoAjADCidxJyQBMIEriuUA"
)

const linkCells = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."

// TestLinks reads links and codes, and names what they have beyond the known rules.
func TestLinks(t *testing.T) {
	for _, test := range []struct{ text, want, warning string }{
		{"https://www.f-puzzles.com/?load=" + codePuzzle, linkCells + " T\u00e9st \u4e2d", ""},
		{"https://www.f-puzzles.com/?load=" + strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(codePuzzle), linkCells + " T\u00e9st \u4e2d", ""},
		{"https://sudokupad.app/fpuz" + codePuzzle, linkCells + " T\u00e9st \u4e2d", ""},
		{"sudokupad.app/?puzzleid=fpuzzles" + codePuzzle + "&x=1", linkCells + " T\u00e9st \u4e2d", ""},
		{codePuzzle, linkCells + " T\u00e9st \u4e2d", ""},
		{codeVariant, strings.Repeat(".", 81) + " 9 boxes 3x3 x anti-knight cages 4:R1C1+R1C2,5:R2C1", "the rules in words, which are not read: \"No knights\""},
		{codeRegions, "1..2............ 4 regions 1,1,1,2,1,2,2,2,3,3,3,4,3,4,4,4", ""},
		{"https://www.sudokuwiki.org/sudoku.htm?bd=" + strings.ReplaceAll(linkCells, ".", "0"), linkCells, ""},
		{"https://sudokuexchange.com/play/?s=" + linkCells + "&d=1", linkCells, ""},
		{`{"size":4,"title":"x","antiknight":false,"grid":[[{"value":1,"given":true},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"arrow":[]}`, "1............... x", ""},
		{codeArrow, "thermometer: ", ""},
		{codeDiagonal, strings.Repeat(".", 81) + " 9 boxes 3x3 different R1C9+R2C8+R3C7+R4C6+R5C5+R6C4+R7C3+R8C2+R9C1", ""},
		{codeCage, strings.Repeat(".", 81) + " 9 boxes 3x3 different R1C1+R1C2", ""},
		{fFour(`"nabner":[{"lines":[["R1C1","R1C2"]]}],"doublearrow":[1]`), "rules or clues that are not known: doublearrow, nabner", ""},
		{fFour(`"thermometer":[{"lines":[["R1C1","R1C2"],["R1C1","R2C1"]]}]`), "................ 4 boxes 2x2 thermo R1C1+R1C2,R1C1+R2C1", ""},
		{fFour(`"arrow":[{"cells":["R1C1","R1C2"],"lines":[["R1C2","R2C3","R3C4","R2C1","R3C2"]]}]`), "................ 4 boxes 2x2 arrow 2:R1C1+R1C2+R2C3+R3C4+R2C1+R3C2", ""},
		{fFour(`"whispers":[{"value":"2","lines":[["R1C1","R1C2","R2C2","R1C1"]]}]`), "................ 4 boxes 2x2 whispers R1C1+R1C2+R2C2,R2C2+R1C1", ""},
		{fFour(`"difference":[{"cells":["R1C1","R1C2"],"value":""}],"ratio":[{"cells":["R2C1","R2C2"],"value":3}],"nonconsecutive":true,"negative":["ratio","xv"]`), "................ 4 boxes 2x2 non-consecutive all-ratios all-sums difference R1C1+R1C2 ratio 3:R2C1+R2C2", ""},
		{fFour(`"xv":[{"cells":["R1C1","R1C2"],"value":"V"}],"littlekillersum":[{"cell":"R0C1","cells":["R1C2","R2C3","R3C4"],"direction":"DR","value":"7"}]`), "................ 4 boxes 2x2 sum 5:R1C1+R1C2,7:R1C2+R2C3+R3C4", ""},
		{fFour(`"xv":[{"cells":["R1C1","R1C2"],"value":"I"}]`), "xv: ", ""},
		{fFour(`"renban":[{"lines":[["R1C1","R1C2","R2C2","R1C1"]]}]`), "................ 4 boxes 2x2 renban R1C1+R1C2+R2C2", ""},
		{fFour(`"palindrome":[{"lines":[["R1C1","R1C2","R2C2","R1C1"]]}]`), "palindrome: palindrome with R1C1 twice", ""},
		{fFour(`"littlekillersum":[{"cells":["R1C2","R2C3"],"direction":"DR","value":"7"}]`), `littlekillersum: invalid cell ""`, ""},
		{fFour(`"clone":[{"cells":["R1C1","R1C2"],"cloneCells":["R3C3"]}]`), "clone: 2 cells with 1 clones", ""},
		{fFour(`"quadruple":[{"cells":["R1C1","R1C2","R2C1","R2C2"],"values":[1,10]}]`), "quadruple: the digit 10, want 1 to 9", ""},
		{fFour(`"negative":["difference"]`), "all clues of difference given is a rule that is not known", ""},
		{fFour(`"sandwichsum":[{"cell":"R2C0","value":"5"}],"skyscraper":[{"cell":"R5C1","value":"2"}],"xsum":[{"cell":"R1C5","value":"5"}]`),
			"................ 4 boxes 2x2 sandwich 5:R2C1+R2C2+R2C3+R2C4 x-sum 5:R1C4+R1C3+R1C2+R1C1 skyscraper 2:R4C1+R3C1+R2C1+R1C1", ""},
		{fFour(`"lockout":[{"lines":[["R1C1","R1C2"]]}],"entropicline":[{"lines":[["R1C1","R1C2","R2C2","R2C1","R1C1"]]}]`),
			"................ 4 boxes 2x2 lockout R1C1+R1C2 entropic R1C1+R1C2+R2C2+R2C1,R2C2+R2C1+R1C1+R1C2", ""},
		{fFour(`"minimum":[{"cell":"R1C1"},{"cell":"R1C2"}],"quadruple":[{"cells":["R1C1","R1C2","R2C1","R2C2"],"values":[1,"3"]}],"clone":[{"cells":["R1C1"],"cloneCells":["R3C3"]}]`),
			"................ 4 boxes 2x2 palindrome R1C1+R3C3 contains 13:R1C1+R1C2+R2C1+R2C2 minimum R1C1+R1C2", ""},
		{fFour(`"killercage":[{"cells":["R1C1","R1C2"],"value":"4"},{"cells":["R1C2","R1C3"],"value":"5"}],"line":[{"lines":[["R1C1","R1C2"]],"fromConstraint":"Renban"}]`),
			"................ 4 boxes 2x2 cages 4:R1C1+R1C2 sum 5:R1C2+R1C3 different R1C2+R1C3", ""},
		{fFour(`"line":[{"lines":[["R1C1","R1C2"]]}]`), "rules or clues that are not known: line", ""},
		{codePuzzle[:40], "the code is damaged or incomplete", ""},
		{"https://sudokupad.app/abcdefghijklmnop", "a link to SudokuPad, which is not read", ""},
		{"https://example.org/?page=1234567890123456789", "a link, which is not read", ""},
	} {
		warning := ""
		r := NewReader(strings.NewReader(test.text+"\n"), "f")
		r.Warn = func(w *dimacs.SyntaxError) { warning = w.Msg }
		p, err := r.Next()
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = Line(p.Grid)
			if rules := p.Rules.String(); rules != "9 boxes 3x3" && rules != "4 boxes 2x2" {
				got += " " + rules
			} else if p.Label != "" {
				got += " " + p.Label
			}
		}
		if err == nil && got != test.want || err != nil && !strings.Contains(got, test.want) || warning != test.warning {
			t.Errorf("%.60s: got %s, want %s; warning %q", test.text, got, test.want, warning)
		}
	}
	p, err := NewReader(strings.NewReader(codeRegions), "f").Next()
	if err != nil || p.Givens() != 1 || p.IsPossible(7, 2) || !p.IsPossible(7, 3) || !p.IsPossible(6, 2) {
		t.Errorf("placed digits and given marks: %+v, %v", p, err)
	}
	r := NewReader(strings.NewReader(codePuzzle+"\n"+linkCells+"\n"), "f")
	for i := range 3 {
		if _, err := r.Next(); (err == io.EOF) != (i == 2) {
			t.Fatalf("puzzle %d: %v", i, err)
		}
	}
}

// fFour returns an empty puzzle of size 4 with some members, as JSON of f-puzzles.
func fFour(members string) string {
	row := "[{},{},{},{}]"
	return `{"size":4,"grid":[` + strings.Join([]string{row, row, row, row}, ",") + "]," + members + "}"
}

// TestClues writes published puzzles with relations as links, and reads them.
func TestClues(t *testing.T) {
	for i, g := range sudokutest.Published() {
		if g.Rules.Variant().Grids != nil {
			continue
		}
		var b bytes.Buffer
		if err := Write(&b, g, "link"); err != nil {
			t.Fatal(err)
		}
		p, err := NewReader(&b, "f").Next()
		if err != nil || p.Rules.String() != g.Rules.String() || Line(p.Grid) != Line(g) {
			t.Errorf("puzzle %d: %v; %v is read as %+v", i+1, err, g.Rules, p)
		}
	}
}

// TestCodes compresses and decompresses as lz-string does, and decompresses damaged codes.
func TestCodes(t *testing.T) {
	for code, want := range map[string]string{
		"IY18ZXTt/DFOS1b0c17Pd/wYUcSaWeRZVdTbXfQ408y62+x519z73/wMFDhI0WPETJU6TNlyZQA=": strings.Repeat("a", 3000),
		"Q===":                         "",
		"CcN4P4p6aDTmh5UdMEMBGBjZbXqA": "\u00e4\u00f6\u00fc\u65e5\u672c\u8a9e\u65e5\u672c\u8a9eabcabcabcabc",
	} {
		if got, err := unpack(code); got != want || err != nil {
			t.Errorf("%.40s: got %.60q, %v", code, got, err)
		}
		if got := pack(want); got != code {
			t.Errorf("%.40q: the code is %s, want %s", want, got, code)
		}
	}
	for n := range len(codePuzzle) - 4 {
		if text, err := unpack(codePuzzle[:n]); err == nil {
			t.Errorf("%d characters: %.60q", n, text)
		}
	}
	for i := range codePuzzle {
		unpack(codePuzzle[:i] + "7" + codePuzzle[i+1:]) // no panic
	}
}
