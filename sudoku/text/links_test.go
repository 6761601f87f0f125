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

// Codes of SudokuPad, made by its sudokutools (fpuzzlesdecoder.js and puzzlezipper_lib.js) of JSON of f-puzzles.
const (
	padPuzzleCode = "ctcN4IglgJiBcIGYAcCuAvFAbApgYwBwQEMA2AIwAYcBGTATktyKN0rIHY4CHKAmVymiCW4gANCGyZ06AMpgUmGAFYyYiVIDOMANpbgAXxH7DBo6ZPnjAXRG6LZ4w/ugAbgXRIF0Snuu3HdkxBXd09uOyC3DxgAZnNfJwDDCJCY8OCo6DCrGydkjO9HPM8AFkSzeLTIz0UyypToIjicwPTPWP8O3NaYUoqk7uhWMqKYXFr+qpgaHxyRhpbJzPGXRaHOn2sQACdMAHMwAHsAO01oHS0VMl8VSmuRbl9KESubJ9vX+99uZ6+Rd61vg9fBcRNE7sU7opHqDoRCPlCbN8wYiRHCASIocCVEQ7qw7rhoTiPniPgSUUT0ST0QTgdEfjY6f86Q8bMV6Vo2f82SytIp2Xz/nygTYtHTkaLUb46QiOTDWZL5TK+eK+Wi+ZiRXSKXSqXSybKKWyqWz9XyKXyqXyaSKiOzbf9bTzWOznf9nTzcOzPf9PcKdLbxba0baZc7xc60c6ZZ7xZ60Z6Nf6RBTbVTbfrnRTnVTnfrPRTPVTPTTNtgCLtMKddHMQAAXMC1rDQAAEABUAJfqWvNwC0ciAFvUQAQkLWABYHLYtgCC/Ymg62SCw6hbADkDs2F0vmwgtgdnJBMBBm3AJ82x2B1NvUBhMAA6ZsABSwBHUmGb2FHOAA1mfPxvJAQtaHs2+4QJg66ngA7pgJDqA2b4nlsG6LpWt79pYehAA=="
	padCages      = "sclN4SwJgXA5AZgDgVwF5IDYFMBMBWADAFgCN90BmbAYwEMtMBGGXXC9fATgHZKjtTSrsUADQUAzhDwj0EANozgANwh0AvkPUBdITPVCtOzdt2LlKjVoBO0uTNxDc+u3X117Loc/22hmR0NLuvtquAV6YbtrhztqkETKxntoy4UHJ/vqxqbGhWtSyJlAALiCFGBAABACShQA6UKLldQAW6FZ1UGoFVAiFTQD2FhUAHh1CBRYIGOLlAMJUAOboojUAdlRgYOUIcAB0o8AIKyAAjgjShUKiCAC2ELEsst4O2k7mQkqknYcnZxAXD3JXM8ZK5omlPF8jqdzlJHrFgQlzJ0lPU+qgeiA+isKnRMKR8PjcfQCQT6B0NCogA="
	padKnight     = "sclN4SwJgXA5AZgDgVwF5IDYFMAs6BGOBsA7IQIYAchY+AjAMzpkBMYtmmADO/gJzoDG1dPgFQANAFt0AFxIAREjIjASAOykgA1ipABzABZSIU0avUaQKnUYC+ovgGcIAVnZ30EANofgANwjVbUSDRAF1RD2CgsIjI6MjQ8Pi42LCAJ3cvD1d2aNdqXNFGaOpRHPCS/PLCkOis0VoCzAKnYvrWpqqW2sZS6J7Kjx6i8NpekdEB0aLutvCejsHRFvGG8YXRrvCPTDHtieid4Y8nXZOBk+mtndW9hZ3l49nHhZOusL4ST19odSkMCAABFIoLZvlBUggMI4AakQaIwSQEFI9AB7VKAgCqKi0KIA7ioQSFrEA=="
	padXV         = "sclN4SwJgXA5AZgDgVwF5IDYFMAcAWAjLgZgAYBOAJmwGNTMYxcTcBWSysmZ7L9Adm3SgAaSgGcITIsPQQA2jMEKAuoPlKVCwctWblAJ2lyZkolsm4tuQSZWXzWo4LKnBBC47ev7ZK1u/mVBD4BgnYqMt5OKt6uwZEygZ7KlACGssAAbtAALiBZGBAABFlQAL6CGdDJCFkAFgD2uoUAqgB2ANYtdQDuLaXlmVC6CBhiBQBydQVDIwVwunXp4OhgBTANRTUgIrPIaOgAdAUAChjJIugFlDXolG0bF/qoyVnLBYtg6JPrXegARiK5C5rXRTYboET7UrKOppNgQADEADFhLgEcjKFlZER9kwQsoYGIyJZGjBBF0INiyLiahT9lTBC9oAANKElIA==="
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
		{"https://sudokupad.app/" + padPuzzleCode, linkCells + " T\u00e9st \u4e2d", noRules},
		{"https://sudokupad.app/" + padCages + "?setting-nogrid=1", "1..............1 4 boxes 2x2 cages 3:R1C1+R1C2 different R2C1+R2C2+R3C2", `the rules in words, which are not read: "Cages\nadd up."`},
		{"https://sudokupad.app/scfooepCr0DWBs0jQr0ERc96Wb", linkCells, ""}, // PuzzleTools.zip
		{"https://sudokupad.app/scfooepCr0DWBs0jQr0ERc96W", "a link to SudokuPad, which is not read", ""},
		{padKnight, "1................................... 6 boxes 2x3 anti-knight anti-king", `the rules in words, which are not read: "r"`},
		{padXV, "drawings with a meaning in words are not read: overlays", ""},
		{padFour(`"lines":[],"metadata":{"title":"t","foglight":[1]}`), "................ t", "a member of SudokuPad that is not read: foglight"},
		{padFour(`"regions":[[[0,0],[0,1],[0,2],[1,0]],[[0,3],[1,1],[1,2],[1,3]],[[2,0],[2,1],[2,2],[3,0]],[[2,3],[3,1],[3,2],[3,3]]]`),
			"................ 4 regions 1,1,1,2,1,2,2,2,3,3,3,4,3,4,4,4", ""},
		{padFour(`"regions":[[[0,0],[0,1],[1,0],[1,1],[2,0],[2,1],[3,0],[3,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,2],[2,3],[3,2],[3,3]]]`), "region 1 has 8 cells, want 4", ""},
		{padFour(`"regions":[[[0,0],[0,0]]]`), "the region with R1C1 overlaps another, or the edge", ""},
		{padFour(`"regions":[[[0,0],[0,1]]]`), "a cell without a region", ""},
		{padFour(`"metadata":{"norowcol":true}`), "a rule that is not known: norowcol", ""},
		{padFour(`"metadata":{"bgimage":"x"}`), "an image with a meaning in words is not read: bgimage", ""},
		{padFour(`"cages":[{"cells":[[0,0],[0,1]]}]`), "a cage with neither a sum nor unique digits: [R1C1 R1C2]", ""},
		{padFour(`"cages":[{"cells":[[0,0],[1,2]],"value":"3","unique":false}]`), "a cage with digits that may repeat: [R1C1 R2C3]", ""},
		{padFour(`"cages":[{"cells":[[0,0],[1,2]],"value":"=3"}]`), `a cage with the sum "=3" is a rule that is not known`, ""},
		{padFour(`"cages":[{"value":"x"}]`), `a cage without cells: "x"`, ""},
		{padFour(`"cages":[{"cells":[[0,0],[4,0]],"unique":true}]`), "a cage beyond the grid: [R1C1 R5C1]", ""},
		{padFour(`"cages":[{"value":"solution: 12343412214343"}]`), "................", "a solution that is not read"},
		{strings.Replace(padFour(`"cages":[{"value":"solution: 1234341221434321"}]`), "{}", `{"value":2}`, 1), "the solution does not contain the givens", ""},
		{strings.Replace(fFour(`"antiking":true`), "{}", `{"givenPencilMarks":[1]}`, 1), "................ 4 boxes 2x2 anti-king", ""},
		{strings.Replace(padFour(`"cellSize":50`), "{}", `{"value":"A"}`, 1), "value A in the cell R1C1, where only digits are read", ""},
		{strings.Replace(padFour(`"cellSize":50`), "{}", `{"pencilMarks":[1]}`, 1), "pencilMarks [1] in the cell R1C1", ""},
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

// noRules is the warning of rules that f-puzzles does not have.
const noRules = `the rules in words, which are not read: "No rules provided for this puzzle. Please check the related video or website for rules."`

// padFour returns an empty puzzle of size 4 with some members, as JSON of SudokuPad.
func padFour(members string) string {
	if !strings.Contains(members, "regions") {
		members += `,"regions":[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]]`
	}
	row := "[{},{},{},{}]"
	return `{"cells":[` + strings.Join([]string{row, row, row, row}, ",") + "]," + members + "}"
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
