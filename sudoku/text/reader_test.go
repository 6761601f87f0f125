package text

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sator/sudoku"
)

// Ambiguous inputs have a size that removes the ambiguity.
var samples = []struct {
	name, text string
	want       []string
}{
	{"nothing", "", nil},
	{"comments", "# one\n\n % two\n// three\r\n", nil},
	{"line", nine9 + "\n" + done9, []string{nine9, done9}},
	{"HoDoKu library", ":0000:x:" + nine9 + ":::\n:0100:5:+4" + nine9[1:] + ":612 624:R1C1=4::\n", []string{nine9, "4" + nine9[1:]}},
	{"OpenSudoku", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n  <name>Easy</name>\n  <game created=\"0\" data=\"" + blank(nine9, "0") + "\" />\n  <game data=\"" + blank(nine9, "0") + "\"/>\n</opensudoku>\n", []string{nine9, nine9}},
	{"JSON with numbers", `{"puzzle": 7, "givens": 30, "grid": "` + nine9 + `"}`, []string{nine9}},
	{"line, zeros", blank(nine9, "0"), []string{nine9}},
	{"line, stars", blank(nine9, "*"), []string{nine9}},
	{"line, underscores", blank(nine9, "_"), []string{nine9}},
	{"line, dashes", blank(nine9, "-") + "\n", []string{nine9}},
	{"line, x", blank(nine9, "x") + "\n" + blank(nine9, "X"), []string{nine9, nine9}},
	{"line, spaces", blank(nine9, " "), []string{nine9}},
	{"line, empty", strings.Repeat(".", 81) + "\n" + strings.Repeat("0", 81), []string{strings.Repeat(".", 81), strings.Repeat(".", 81)}},
	{"line, mixed blanks", strings.Replace(blank(nine9, "0"), "0", "x", 1), []string{nine9}},
	{"line, carriage returns", nine9 + "\r\n\r\n" + nine9 + "\r\n", []string{nine9, nine9}},
	{"line, byte order mark", "\xef\xbb\xbf" + nine9, []string{nine9}},
	{"line, indented", "  \t" + nine9, []string{nine9}},
	{"line, quoted", `"` + nine9 + `",`, []string{nine9}},
	{"line, checksum before and rating behind", "da39a3ee5e6b4b0d3255bfef95601890afd80709 " + nine9 + "  7.2", []string{nine9}},
	{"line, indexed", "1: " + nine9 + "\n2: " + nine9, []string{nine9, nine9}},
	{"rows in tags", "[code=text]" + rows(nine9, 9) + "[/code]\n<pre class=\"a\">" + nine9 + "</pre>\n", []string{nine9, nine9}},
	{"line, in an element of XML", "<a><b>" + nine9 + "</b><b>" + done9 + "</b></a>", []string{nine9, done9}},
	{"line, in XML", `<game data="` + blank(nine9, "0") + `" />`, []string{nine9}},
	{"lines and their number", "2\n" + nine9 + "\n" + nine9, []string{nine9, nine9}},
	{"line after a comment of DIMACS", "c a list\nc\n" + nine9 + "\n" + nine9, []string{nine9, nine9}},
	{"line, joined rows", strings.ReplaceAll(rows(nine9, 9), "\n", "/"), []string{nine9}},
	{"line, joined rows, spaces", strings.ReplaceAll(rows(nine9, 9), "\n", " "), []string{nine9}},
	{"line, groups of three", strings.ReplaceAll(rows(blank(nine9, "0"), 3), "\n", " "), []string{nine9}},
	{"line of numbers", spread(blank(nine9, "0"), ","), []string{nine9}},
	{"line of numbers, spaces", spread(nine9, " "), []string{nine9}},
	{"size 4", four + "\n" + four + "\r\n", []string{four, four}},
	{"size 4, no digit twice", "12..............\n..34............\n", []string{"12..............", "..34............"}},
	{"size 4, decided by the next", "12..............\n" + four + "\n", []string{"12..............", four}},
	{"size 4 of numbers", spread(blank(four, "0"), " "), []string{four}},
	{"size 4 in groups", "1..4 ..1. .3.. 4..3", []string{"1..4..1..3..4..3"}},
	{"size 4 with a solution", four + ",1234341223414123\n" + strings.Repeat(".", 16) + " easy\n", []string{four, strings.Repeat(".", 16)}},
	{"size 4, rows", rows(four, 4), []string{four}},
	{"size 6", six, []string{six}},
	{"size 6, rows", rows(six, 6), []string{six}},
	{"size 8", strings.Repeat("12345678", 8), []string{strings.Repeat("12345678", 8)}},
	{"size 16", sixteen + "\n" + strings.ToLower(sixteen), []string{sixteen, sixteen}},
	{"size 16, rows that could be puzzles", rows(sixteen, 16), []string{sixteen}},
	{"size 16, rows in groups", grouped(rows(sixteen, 16), 4), []string{sixteen}},
	{"size 16, empty rows", rows(strings.Repeat(".", 256), 16), []string{strings.Repeat(".", 256)}},
	{"size 16, letters", letters(sixteen), []string{sixteen}},
	{"size 16, hexadecimal", hex(sixteen), []string{sixteen}},
	{"size 16, hexadecimal from the second on", hex(sixteen) + "\n" + strings.Replace(hex(sixteen), "0", ".", 2),
		[]string{sixteen, strings.Replace(sixteen, "1", ".", 2)}},
	{"size 16, zero as a blank beside G", strings.Replace(sixteen, ".", "0", 5), []string{sixteen}},
	{"rows", rows(nine9, 9), []string{nine9}},
	{"rows, two grids and labels", "Grid 01\n" + rows(blank(nine9, "0"), 9) + "Grid 02\n" + rows(done9, 9), []string{nine9, done9}},
	{"rows, no line feed at the end", strings.TrimSuffix(rows(nine9, 9), "\n"), []string{nine9}},
	{"rows, comments among them", "#ASomebody\n#DA sample\n" + strings.Replace(rows(nine9, 9), "\n", " # the first\n# more\n", 1), []string{nine9}},
	{"rows, dashes for blanks", rows(blank("........."+nine9[9:], "-"), 9), []string{"........." + nine9[9:]}},
	{"rows, underscores for blanks", spread(rows(blank("........."+nine9[9:], "_"), 9), " "), []string{"........." + nine9[9:]}},
	{"rows, first one full", rows(blank(done9[:9]+"........."+nine9[18:], "-"), 9), []string{done9[:9] + "........." + nine9[18:]}},
	{"rows, first one empty", rows("........."+nine9[9:], 9), []string{"........." + nine9[9:]}},
	{"rows, all empty", rows(strings.Repeat("-", 81), 9) + rows(nine9, 9), []string{strings.Repeat(".", 81), nine9}},
	{"rows, spaces for blanks", rows(blank(nine9, " "), 9), []string{nine9}},
	{"rows, x for blanks", rows(blank("........."+nine9[9:], "x"), 9), []string{"........." + nine9[9:]}},
	{"rows, x for blanks, separated", spread(rows(blank(nine9, "X"), 9), " "), []string{nine9}},
	{"rows of a solution in letters", grouped(rows(letters(done9), 9), 3), []string{done9}},
	{"sections", "[Puzzle]\n" + rows(nine9, 9) + "[State]\n" + rows(done9, 9), []string{nine9}},
	{"drawn", drawn9 + "Simple Sudoku\n  Version 4.2n\n", []string{nine9}},
	{"drawn, lines", unicode.Replace(drawn9), []string{nine9}},
	{"drawn, bars only between boxes", strings.NewReplacer("| ", "|", " |", "|", "+-------+-------+-------+", "---|---|---").Replace(drawn9), []string{nine9}},
	{"drawn, rows between rows", strings.ReplaceAll(drawn9, " |\n", " |\n|       |       |       |\n"), []string{nine9}},
	{"drawn, rows between rows, a line behind them", strings.ReplaceAll(drawn9, " |\n", " |\n|       |       |       |\n") + nine9 + "\n", []string{nine9, nine9}},
	{"drawn, spaces for blanks", blank(drawn9, " "), []string{nine9}},
	{"drawn, spaces for blanks, digits below a frame", below4, []string{"........1..2...."}},
	{"drawn, spaces for blanks, an empty grid above", strings.NewReplacer("1", " ", "2", " ").Replace(below4) + below4, []string{"........1..2...."}},
	{"drawn, spaces for blanks, close", strings.ReplaceAll(strings.ReplaceAll(blank(drawn9, "#"), " ", ""), "#", " "), []string{nine9}},
	{"drawn, first row empty", strings.NewReplacer("5 3", "   ", " 7 ", "   ").Replace(blank(drawn9, " ")[:52]) + blank(drawn9, " ")[52:], []string{"........." + nine9[9:]}},
	{"drawn, dots and dashes", strings.NewReplacer("+-------+-------+-------+", ".-------.-------.-------.").Replace(drawn9), []string{nine9}},
	{"numbers with a size", "9\n" + spread(rows(nine9, 9), " "), []string{nine9}},
	{"numbers with the root of the size", "3\n" + spread(rows(nine9, 9), " "), []string{nine9}},
	{"numbers padded", strings.NewReplacer(" ", "  ").Replace(" " + spread(rows(blank(nine9, "0"), 9), " ")), []string{nine9}},
	{"numbers, two digits", strings.NewReplacer("0", "00", "5", "05").Replace(spread(rows(blank(nine9, "0"), 9), " ")), []string{nine9}},
	{"numbers, a digit twice in a row", "3 5 3 3 4\n" + strings.Repeat("0 0 0 0 0\n", 4), []string{"35334" + strings.Repeat(".", 20)}},
	{"candidates, a full row", "|    1    2 |    3    4 |\n|    3    4 |    1    2 |\n+-----------+-----------+\n|    2    1 |    4    3 |\n|    4 1234 | 1234 1234 |\n", []string{"1234341221434..."}},
	{"braces", "int grid[9][9] = {\n  {" + strings.ReplaceAll(spread(strings.TrimSpace(rows(blank(nine9, "0"), 9)), ", "), "\n", "},\n  {") + "}\n};\n", []string{nine9}},
	{"brackets and quotes", `[["` + strings.ReplaceAll(spread(strings.TrimSpace(rows(nine9, 9)), `","`), "\n", "\"],\n[\"") + `"]]`, []string{nine9}},
	{"commas", strings.ReplaceAll(spread(rows(blank(nine9, "0"), 9), ","), "\n", ",\n"), []string{nine9}},
	{"table", "quizzes,solutions\n" + blank(nine9, "0") + "," + done9 + "\n" + nine9 + ",\n", []string{nine9, nine9}},
	{"table, columns the other way", "id;solution;puzzle\r\n7;" + done9 + ";\"" + nine9 + "\"\r\n", []string{nine9}},
	{"table without header", nine9 + "," + done9 + "\n", []string{nine9}},
	{"triples", "start9\n0 0 5\n1 0 3\n\n8 8 9\nend\nstart4\n3 0 4\nend\n", []string{"53" + strings.Repeat(".", 78) + "9", "...4" + strings.Repeat(".", 12)}},
	{"units", "c a comment\np cnf 999 3\n115 0\n123 0\n999 0\n", []string{"53" + strings.Repeat(".", 78) + "9"}},
	{"units without a header", "115 0\n123 0\n999 0\n", []string{"53" + strings.Repeat(".", 78) + "9"}},
	{"units, dense", "p cnf 729 2\n5 0 12 0\n", []string{"53" + strings.Repeat(".", 79)}},
	{"units, size 4", "p cnf 444 2\n111 0\n144\n0\n", []string{"1..4" + strings.Repeat(".", 12)}},
	{"units, rules after givens", "p cnf 64 9\n1 0\n1 2 3 4 0\n-1 -2 0\n", []string{"1" + strings.Repeat(".", 15)}},
	{"units, rules before givens", "p cnf 64 9\n1 2 3 4 0\n-1 -2 0\np cnf 64 1\n1 0\n", []string{"1" + strings.Repeat(".", 15)}},
	{"units, two puzzles", "p cnf 64 1\n1 0\np cnf 64 1\n2 0\n", []string{"1" + strings.Repeat(".", 15), "2" + strings.Repeat(".", 15)}},
	{"units, none", "p cnf 64 0\np cnf 64 1\n1 0\n%\n0\n", []string{strings.Repeat(".", 16), "1" + strings.Repeat(".", 15)}},
	{"game", "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9", []string{nine9}},
	{"game, generated", "3x3r4dn:5_3zzza\n", []string{"53" + strings.Repeat(".", 79)}},
	{"object", `{"size": 9, "grid": "` + nine9 + `"}`, []string{nine9}},
	{"objects in an array", "[\n {\"x\": [1, {\"grid\": 0}],\n  \"puzzle\": [[1, 0, null, \"4\"], [\"\", \".\", 1, 0],\n[0,3,0,0],[4,0,0,3]]},\n{\"board\":[\"1..4\",\"..1.\",\".3..\",\"4..3\"]}]\n",
		[]string{four, four}},
	{"object with escapes", `{"grid": "\u0031..4..1..3..4..3"}`, []string{four}},
	{"rules stated", "# rules 3 boxes 1x3\n1.3 ... ...\n123\n...\n...\n# rules\n" + nine9, []string{"1.3......", "123......", nine9}},
}

func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			puzzles, err := all(NewReader(iotest.OneByteReader(strings.NewReader(s.text)), "sample"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range puzzles {
				got = append(got, Line(p.Grid))
				checkPositions(t, s.text, p)
			}
			if !slices.Equal(got, s.want) {
				t.Errorf("got\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(s.want, "\n"))
			}
		})
	}
}

// checkPositions checks that the positions of a puzzle have its digits, for
// formats that write each digit.
func checkPositions(t *testing.T, text string, p *Puzzle) {
	lines := strings.Split(text, "\n")
	for cell, digit := range p.Cells {
		line, column := p.Position(cell)
		if line < 1 || line > len(lines) || column < 1 || column > len(lines[line-1])+1 {
			t.Fatalf("%s is at %d:%d", p.Rules.CellName(cell), line, column)
		}
		if digit == 0 || p.Symbols != "" || p.Format == "units" || p.Format == "triples" || p.Format == "formula" || strings.Contains(text, `\u`) || p.Format == "marks" {
			continue
		}
		if got := strings.TrimLeft(lines[line-1][column-1:], "0"); !strings.HasPrefix(strings.ToUpper(got), digitChars[digit-1:digit]) {
			t.Fatalf("%s, a %d, is at %d:%d: %.10q", p.Rules.CellName(cell), digit, line, column, got)
		}
	}
}

// TestSourceError reads inputs that end with a read error.
func TestSourceError(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{nine9 + "\n", rows(nine9, 9)[:30], "start9\n", "{", "p cnf 999 1\n", "................\n"} {
		r := NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "f")
		if _, err := all(r); err != broken {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestPipe checks that Next returns a puzzle when its line or its last row has
// ended, and does not wait for more input.
func TestPipe(t *testing.T) {
	for _, text := range []string{
		nine9 + "\n", nine9 + "," + done9 + "\n", rows(nine9, 9), four + "\n", sixteen + "\n", rows(sixteen, 16), drawn9[:strings.LastIndex(drawn9, "\n+")+1],
		spread(rows(nine9, 9), " "), "3x3:5_3zzza\n", `{"grid":"` + four + `"}` + "\n", "start9\nend\n",
	} {
		src, dst := io.Pipe()
		go func() { dst.Write([]byte(text)) }()
		if _, err := NewReader(src, "pipe").Next(); err != nil {
			t.Errorf("%.30q: %v", text, err)
		}
		dst.Close()
	}
}

// TestReaderRules sets the rules of a Reader.
func TestReaderRules(t *testing.T) {
	x := sudoku.Standard(9)
	x.X = true
	for _, test := range []struct {
		rules sudoku.Variant
		text  string
		want  string // the error
	}{
		{x, nine9, ""},
		{x, rows(nine9, 9), ""},
		{x, "3x3x:5_3zzza", ""},
		{x, "3x3:5_3zzza", "want \"9 boxes 3x3 x\""},
		{x, "# rules 9 boxes 3x3\n", "want \"9 boxes 3x3 x\""},
		{x, `{"rules": "9 boxes 3x3", "grid": "` + nine9 + `"}`, "want \"9 boxes 3x3 x\""},
		{x, four, "want 9 for a row or 81 for a puzzle"},
		{x, "start4\nend\n", "want size 9"},
		{x, "2x2:p", "want size 9"},
		{sudoku.Standard(2), "12\n..\n1...", ""},
		{sudoku.Standard(3), "123 ... ..1\n...\n123\n...\n.........", ""},
		{sudoku.Standard(4), "12..............", ""},
		{sudoku.Standard(16), rows(strings.Repeat("1...............", 16), 16), ""},
	} {
		r := NewReader(strings.NewReader(test.text), "f")
		r.Rules = sudoku.Must(test.rules)
		puzzles, err := all(r)
		if test.want == "" && (err != nil || len(puzzles) == 0) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%.30q by the rules %s: %v, want %q", test.text, r.Rules, err, test.want)
		}
		for _, p := range puzzles {
			if p.Rules != r.Rules {
				t.Errorf("%.30q has the rules %s", test.text, p.Rules)
			}
		}
	}
}

// TestZero reads zeros as digits.
func TestZero(t *testing.T) {
	r := NewReader(strings.NewReader("0123..........."+".\n0 1 2 .\n. . . .\n3 . . .\n. . . .\n"), "f")
	r.Zero = true
	puzzles, err := all(r)
	if err != nil || len(puzzles) != 2 {
		t.Fatal(puzzles, err)
	}
	if got := Line(puzzles[0].Grid) + Line(puzzles[1].Grid) + puzzles[0].Symbols; got != "1234............"+"123.....4......."+"0123" {
		t.Error(got)
	}
}

// TestFormat reads a single format.
func TestFormat(t *testing.T) {
	marks, err := NewReader(strings.NewReader(candidates9), "").Next()
	if err != nil {
		t.Fatal(err)
	}
	allMarks, _ := appendMarks(nil, marks.Grid)
	for _, test := range []struct {
		format, text string
		sizes        string
		want         string // the error
	}{
		{"line", "12..............\n1...\n", "[4 2]", ""},
		{"line", spread(blank(four, "0"), " "), "[4]", ""},
		{"line", rows(six, 6), "[]", `f:1:1: "1....6" does not begin a puzzle in the format "line"`},
		{"grid", rows(four+strings.Repeat(".", 240), 16), "[16]", ""},
		{"grid", nine9, "[]", "does not begin a puzzle in the format \"grid\""},
		{"grid", spread(nine9, " "), "[81]", "the input ends after 1 of 81 rows"},
		{"csv", nine9, "[]", "f:1:1: want the header of a table"},
		{"csv", "puzzle\n" + nine9, "[9]", ""},
		{"sgt", "# a game\n2x2:p\n", "[4]", ""},
		{"sgt", nine9, "[]", `does not begin a puzzle in the format "sgt"`},
		{"marks", candidates9, "[9]", ""},
		{"marks", string(allMarks), "[9]", ""},
		{"marks", rows(four, 4), "[]", "f:4:1: no pencil marks"},
	} {
		r := NewReader(strings.NewReader(test.text), "f")
		r.Format = test.format
		puzzles, err := all(r)
		sizes := []int{}
		for _, p := range puzzles {
			sizes = append(sizes, p.Rules.Size())
		}
		if test.want == "" && (err != nil || fmt.Sprint(sizes) != test.sizes) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s, %.20q: sizes %v, %v; want %s %q", test.format, test.text, sizes, err, test.sizes, test.want)
		}
	}
}

// TestInputFormats compares the recognizers with the table of formats.
func TestInputFormats(t *testing.T) {
	var formats []string
	for _, r := range recognizers {
		if r.format != "" {
			formats = append(formats, r.format)
		}
	}
	names := InputFormatNames()
	slices.Sort(formats)
	slices.Sort(names)
	formats = slices.Compact(formats)
	if !slices.Equal(formats, names) {
		t.Errorf("%v are recognized, %v are in the table", formats, names)
	}
	for _, s := range samples {
		puzzles, _ := all(NewReader(strings.NewReader(s.text), ""))
		for _, p := range puzzles {
			if !slices.Contains(names, p.Format) {
				t.Errorf("%s has the format %q", s.name, p.Format)
			}
		}
	}
}

func ExampleReader() {
	r := NewReader(strings.NewReader(`
# rules 6 boxes 2x3 x
1 . . | . . 6
. . 2 | 3 . .
------+------
. 6 1 | . . .
. . 3 | 5 . .
------+------
2 . 5 | . . .
4 . . | 1 . .
`), "puzzles.txt")
	p, err := r.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(Line(p.Grid), "by the rules", p.Rules)
	c := p.Conflict()
	line, column := p.Position(c.Cells[1])
	fmt.Printf("%v (line %d, column %d)\n", c, line, column)
	// Output:
	// 1....6..23...61.....35..2.5...4..1.. by the rules 6 boxes 2x3 x
	// R1C1 and R3C3 both have the digit 1 in diagonal 1 (line 6, column 5)
}

func ExampleWriter() {
	r := NewReader(strings.NewReader("2x2x:1b4b1b3b4b3\n1..4\n..1.\n.3..\n4..3\n"), "")
	w, err := NewWriter(os.Stdout, "line")
	for err == nil {
		var p *Puzzle
		if p, err = r.Next(); err == nil {
			err = w.WritePuzzle(p)
		}
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	// Output:
	// # rules 4 boxes 2x2 x
	// 1..4..1..3..4..3
	// # rules 4 boxes 2x2
	// 1..4..1..3..4..3
}

// TestFast compares the fast path with the general reader, on lines that it
// accepts and on lines with small differences.
func TestFast(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	taken := 0
	for range 3000 {
		n := fastSizes[rng.IntN(len(fastSizes))]
		text := make([]byte, n*n)
		odd := rng.IntN(300)
		for i := range text {
			switch {
			case rng.IntN(300) < odd/100:
				text[i] = "0xX-_*?=Zz"[rng.IntN(10)]
			case rng.IntN(3) == 0:
				text[i] = digitChars[rng.IntN(n)]
			default:
				text[i] = '.'
			}
		}
		l := line{append(text, []string{"", " # label", ",1", "x"}[rng.IntN(4)]...), 1, 0}
		fast := NewReader(strings.NewReader(""), "").readFast(l)
		if fast == nil {
			continue
		}
		taken++
		slow, err := NewReader(strings.NewReader(""), "").recognize(l)
		if err != nil {
			t.Fatalf("%s: %v", l.text, err)
		}
		same := normal(fast.Grid, false) == normal(slow.Grid, false) && fast.Label == slow.Label && fast.Format == slow.Format && fast.Symbols == slow.Symbols
		for cell := range fast.Cells {
			line1, column1 := fast.Position(cell)
			line2, column2 := slow.Position(cell)
			same = same && line1 == line2 && column1 == column2
		}
		if !same {
			t.Fatalf("%s: %v by the fast path, %v by the others", l.text, fast, slow)
		}
	}
	if taken < 500 {
		t.Errorf("only %d lines were taken", taken)
	}
}
