package text

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
)

// readOn returns the puzzles of an input as lines, and errors as "line: message". It
// fails if there are more of them than bytes.
func readOn(t testing.TB, r *Reader, text string) []string {
	var got []string
	for range len(text) + 3 {
		p, err := r.Next()
		switch {
		case err == nil:
			got = append(got, Line(p.Grid))
		case r.Resume():
			got = append(got, "error "+err.Error())
		case err == io.EOF:
			return got
		default:
			return append(got, "end "+err.Error())
		}
	}
	t.Fatalf("%d puzzles and errors in %d bytes: %q", len(got), len(text), text)
	return nil
}

// xml returns a file of OpenSudoku with some puzzles.
func asXML(puzzles ...string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n <name>Some</name>\n <game created=\"0\" data=\"" +
		strings.Join(puzzles, "\" />\n <game created=\"0\" data=\"") + "\" />\n</opensudoku>\n"
}

// sdk returns a file of SadMan's program with one puzzle.
func sdk(puzzle string) string {
	return "#A somebody\n[Puzzle]\n" + puzzle + "\n[State]\n" + rows(done9, 9)
}

// without returns a grid without one of its lines.
func without(grid string, i int) string {
	lines := strings.SplitAfter(grid, "\n")
	return strings.Join(slices.Delete(lines, i, i+1), "")
}

// TestResume reads inputs with an invalid puzzle between two others. Each of them must
// be one result.
func TestResume(t *testing.T) {
	const other = "834...9.................................................................8.1......"
	short, long, foreign := nine9[1:], nine9+"1", nine9[:40]+"?"+nine9[41:]
	grid, band := rows(nine9, 9), func(s string) string { // with a blank line after three rows
		return s[:30] + "\n" + s[30:60] + "\n" + s[60:]
	}
	const two = "1...\n....\n......\n......\n  ....\n  ...1\n" // of two grids
	hodoku := func(s string) string { return ":0000:x:" + s + ":::\n" }
	object := func(s string) string { return `{"grid": "` + s + "\"}\n" }
	pretty := func(s string) string { return "{\n  \"size\": 9,\n  \"grid\": \"" + s + "\"\n}\n" }
	for _, test := range []struct {
		name             string
		first, bad, last string
		want             string // part of the error
	}{
		{"line, short", nine9 + "\n", short + "\n", other + "\n", "2:1: 80 characters in a line"},
		{"line, long", nine9 + "\n", long + "\n", other, "2:1: 82 characters"},
		{"line, a foreign character", nine9 + "\n", foreign + "\n", other, "2:41: unexpected '?'"},
		{"line, a letter", nine9 + "\n", nine9[:80] + "k\n", other, "2:81: invalid digit 'k'"},
		{"line, no puzzle", nine9 + "\n", "5 is not a puzzle!\n", other, "2:1: 13 cells are neither a puzzle nor a row of a grid: the next line has 81 cells"},
		{"line, of the sdm format", nine9 + "\r\n", short + "\r\n", other + "\r\n", "2:1: 80 characters"},
		{"line of numbers", spread(nine9, " ") + "\n", spread(short, " ") + "\n", spread(other, " "), "2:1: 80 cells are neither a puzzle"},
		{"line, size 4", four + "\n", four[1:] + "\n", four, "2:1: 15 cells are neither a puzzle"},
		{"line, size 4, a foreign character", four + "\n", "?" + four[1:] + "\n", four, "2:1: unexpected '?'"},
		{"an error of a command", nine9 + "\n", "error: a.txt:1:1: no puzzle\n", other, "2:1: error: a.txt:1:1: no puzzle"},
		{"grid, a missing row", grid + "\n", without(grid, 8) + "\n", rows(other, 9), "19:1: the grid ends after 8 of 9 rows"},
		{"grid, missing bands", grid + "\n", grid[:30] + "\n", rows(other, 9), "14:1: the grid ends after 3 of 9 rows"},
		{"grid, a missing row and a label", "Grid 01\n" + grid, "Grid 02\n" + without(grid, 2), "Grid 03\n" + rows(other, 9), "20:1: row 9 of the grid has 6 cells, want 9"},
		{"grid, a missing row in bands", band(grid) + "\n", without(band(grid), 5) + "\n", band(rows(other, 9)), "23:1: the grid ends after 8 of 9 rows"},
		{"grid, a missing row in a frame", drawn9, without(drawn9, 10), drawn9, "25:1: the grid ends after 8 of 9 rows"},
		{"grid, a missing row, Unicode", unicode.Replace(drawn9), unicode.Replace(without(drawn9, 5)), unicode.Replace(drawn9), "25:1: the grid ends after 8 of 9 rows"},
		{"grid, a missing row, size 4", rows(four, 4) + "\n", rows(four, 4)[:15] + "\n", rows(four, 4), "9:1: the grid ends after 3 of 4 rows"},
		{"grid, a short row", grid + "\n", grid[:33] + grid[34:] + "\n", rows(other, 9), "14:1: row 4 of the grid has 8 cells, want 9"},
		{"grid, a short row, no gap", grid, grid[:33] + grid[34:], rows(other, 9), "13:1: row 4 of the grid has 8 cells, want 9"},
		{"grid, a short first row", grid + "\n", grid[1:] + "\n", rows(other, 9), "12:1: row 2 of the grid has 9 cells, want 8"},
		{"grid, a foreign character", grid + "\n", grid[:33] + "?" + grid[34:] + "\n", rows(other, 9), "14:4: unexpected '?'"},
		{"grid, a foreign character first", grid + "\n", "?" + grid[1:] + "\n", rows(other, 9), "11:1: unexpected '?'"},
		{"grid, a foreign character first, no gap", grid, "?" + grid[1:], rows(other, 9), "10:1: unexpected '?'"},
		{"grid, a line of words before it", grid + "\n", "5 is odd!?\n", rows(other, 9), "11:"},
		{"grid, a foreign character everywhere", grid + "\n", blank(grid, "?") + "\n", rows(other, 9), "11:3: unexpected '?'"},
		{"grid, a letter", grid + "\n", grid[:78] + "k" + grid[79:] + "\n", rows(other, 9), "18:9: invalid digit 'k'"},
		{"grid, irregular bars", drawn9 + "\n", strings.Replace(drawn9, "8 . 3 |", "8 . | 3", 1) + "\n", drawn9, "21:1: the bars in row 5"},
		{"grid, spaces for blanks", blank(drawn9, " ") + "\n", without(blank(drawn9, " "), 10) + "\n", blank(drawn9, " "), "26:1: the grid ends after 8 of 9 rows"},
		{"grid, spaces for blanks, a foreign character", blank(drawn9, " "), strings.Replace(blank(drawn9, " "), "9 8", "9 ?", 1), blank(drawn9, " "), "17:1: "},
		{"grid of numbers", spread(grid, " ") + "\n", spread(without(grid, 4), " ") + "\n", spread(rows(other, 9), " "), "19:1: the grid ends after 8 of 9 rows"},
		{"several grids, a short row", twoGrids + "\n" + two, twoGrids + "\n" + two[:7] + two[8:] + "\n", twoGrids + "\n" + two, "12:1: 3 cells, want 4"},
		{"several grids, no gap", twoGrids + "\n" + two, two[:5] + "x9" + two[7:], twoGrids + "\n" + two, "10:2: invalid digit '9'"},
		{"several grids, a missing row", twoGrids + "\n" + two, "\n" + two[:24] + "\n", twoGrids + "\n" + two, "15:1: a comment after 4 of 6 lines"},
		{"csv, short", "puzzle,solution\n" + nine9 + "," + done9 + "\n", short + "," + done9 + "\n", other + ",\n", "3:1: 80 cells, not a square number"},
		{"csv, a missing column", "puzzle,solution\n" + nine9 + "," + done9 + "\n", nine9 + "\n", other + ",\n", "3:82: 1 columns, want 2"},
		{"csv, a wrong solution", "puzzle,solution\n" + nine9 + "," + done9 + "\n", nine9 + ",1" + done9[1:] + "\n", other + ",\n", "3:83: the solution"},
		{"json", object(nine9), object(short), object(other), "2:"},
		{"json, a missing brace", object(nine9), `{"grid": "` + nine9 + "\"\n", object(other), "4:1: the input ends in a JSON object"},
		{"json, a missing bracket", object(nine9), "{\"grid\": [1,2}\n", object(other), "4:1: the input ends in a JSON object"},
		{"json, a missing quote", object(nine9), `{"grid": "` + nine9 + "}\n", object(other), "2:"},
		{"json, an error", object(nine9), "{\"grid\": [1,,2]}\n", object(other), "2:13: JSON: invalid character ','"},
		{"json, no grid", object(nine9), "{\"givens\": 5}\n", object(other), "a JSON object without a member"},
		{"json of several lines", pretty(nine9), pretty(short), pretty(other), "80 cells"},
		{"json of several lines, a missing brace", pretty(nine9), strings.TrimSuffix(pretty(nine9), "}\n"), pretty(other), "the input ends in a JSON object"},
		{"json of several lines, a missing quote", pretty(nine9), strings.Replace(pretty(nine9), "\"\n", "\n", 1), pretty(other), "JSON: invalid character"},
		{"json in an array", "[\n" + pretty(nine9) + ",", pretty(short) + ",", pretty(other) + "]\n", "80 cells"},
		{"sdk", sdk(grid), sdk(without(grid, 8)), sdk(rows(other, 9)), "the grid ends after 8 of 9 rows"},
		{"sdk, a foreign character", sdk(grid), sdk("?" + grid[1:]), sdk(rows(other, 9)), "unexpected '?'"},
		{"ss", strings.NewReplacer("| ", "|", " |", "|", " ", "").Replace(drawn9), "1..|...|...\n" + grid[:20], "*-----------*\n" + strings.ReplaceAll(drawn9, " ", ""), "the grid ends after 3 of 9 rows"},
		{"OpenSudoku", asXML(nine9), asXML(short), asXML(other), "9:20: the attribute \"data\" is no puzzle"},
		{"OpenSudoku, no data", asXML(nine9), "<game\n created=\"0\"\n/>\n", asXML(other), "6:1: an element \"game\" without"},
		{"OpenSudoku, a tag of several lines", "<game\n data=\"" + nine9 + "\"\n/>\n", "<game\n data=\"" + short + "\"\n/>\n", "<game data=\"" + other + "\"\n/>", "5:2: the attribute"},
		{"HoDoKu", hodoku(nine9), hodoku(short), hodoku(other), "2:9: 80 cells"},
		{"game", "3x3:5_3zzza\n", "3x3:5?\n", "3x3:5_3zzza\n", "2:6: unexpected '?'"},
		{"triples", "start9\n0 0 5\nend\n", "start9\n9 0 5\n1 1 1\nend\n", "start9\n1 0 5\nend\n", "5:1: invalid column"},
		{"triples of size 0", "start9\n0 0 5\nend\n", "start0\n1 1 1\nend\n", "start9\n1 0 5\nend\n", "4:1: invalid size"},
		{"units", "p cnf 729 1\n5 0\n", "p cnf 729 1\n5x 0\n6 0\n", "p cnf 729 1\n7 0\n", "4:1: invalid literal"},
		{"units, two digits", "p cnf 729 1\n5 0\n", "p cnf 729 1\n5 0\n6 0\n", "p cnf 729 1\n7 0\n", "5:1: digit 6 for R1C1"},
		{"units, a header", "p cnf 729 1\n5 0\n", "p cnf 729\n5 0\n6 0\n", "p cnf 729 1\n7 0\n", "3:1: \"p cnf 729\""},
		{"rules", nine9 + "\n", "# rules 9 boxes 2x2\n", "# rules\n" + other, "2:9: rules: invalid boxes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.first + test.bad + test.last
			got := readOn(t, NewReader(strings.NewReader(text), "f"), text)
			if len(got) != 3 || strings.HasPrefix(got[0], "error") || !strings.HasPrefix(got[1], "error f:") || !strings.Contains(got[1], test.want) || strings.HasPrefix(got[2], "error") {
				t.Fatalf("%q\nwant a puzzle, %q, a puzzle", got, test.want)
			}
			if before := readOn(t, NewReader(strings.NewReader(test.first), "f"), test.first); before[0] != got[0] {
				t.Errorf("the first puzzle is %s, alone %s", got[0], before[0])
			}
			if strings.HasPrefix(test.name, "csv") || strings.HasPrefix(test.name, "json in") {
				return
			}
			if after := readOn(t, NewReader(iotest.OneByteReader(strings.NewReader(test.last)), "f"), test.last); after[0] != got[2] {
				t.Errorf("the last puzzle is %s, alone %s", got[2], after[0])
			}
		})
	}
}

// TestResumeEnd checks that Resume does nothing except after a syntax error, and that
// input without a recognizable border is skipped once.
func TestResumeEnd(t *testing.T) {
	r := NewReader(strings.NewReader(nine9+"\n"), "f")
	if r.Resume() {
		t.Error("Resume before the first puzzle")
	}
	if _, err := r.Next(); err != nil || r.Resume() {
		t.Error("Resume after a puzzle; ", err)
	}
	if _, err := r.Next(); err != io.EOF || r.Resume() {
		t.Error("Resume at the end; ", err)
	}
	broken := NewReader(io.MultiReader(strings.NewReader("53..7....\n"), iotest.ErrReader(io.ErrUnexpectedEOF)), "f")
	if _, err := broken.Next(); err != io.ErrUnexpectedEOF || broken.Resume() {
		t.Error("Resume after", err)
	}
	for text, want := range map[string]string{
		"\xff\xfe5\x003\x00\n\x006\x00\n\x00": "[error f:1:1: the input is UTF-16: want UTF-8 or ASCII]",
		nine9 + "\nv11 != v12 * v13 ? 4\nv1":  "[" + nine9 + " error f:2:18: ",
		"# rules 9 boxes 1x1\n" + nine9 + "\n" + nine9 + "\n# rules\n" + nine9: "[error f:1:9: rules: invalid boxes 1x1: a box has 9 cells " +
			"error f:2:1: unknown rules: the rules in line 1 are invalid error f:3:1: unknown rules: the rules in line 1 are invalid " + nine9 + "]",
	} {
		if got := fmt.Sprint(readOn(t, NewReader(strings.NewReader(text), "f"), text)); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestResumeLongLine skips a line that is too long, which is not read as several.
func TestResumeLongLine(t *testing.T) {
	long := io.LimitReader(zeros{}, 3*maxLine)
	r := NewReader(io.MultiReader(strings.NewReader(nine9+"\n"), long, strings.NewReader("\n"+done9+"\n")), "f")
	got := readOn(t, r, "\n")
	if len(got) != 3 || !strings.HasPrefix(got[1], "error f:2:1: a line of more than") || got[2] != done9 {
		t.Errorf("%.400q", got)
	}
}

// TestLabelInList checks that a line of words in a list of puzzles is a warning.
func TestLabelInList(t *testing.T) {
	r := NewReader(strings.NewReader("Grid 01\n"+rows(nine9, 9)+"Grid 02\n"+nine9+"\nHard ones:\n"+nine9), "f")
	var warnings []string
	r.Warn = func(w *dimacs.SyntaxError) { warnings = append(warnings, w.Error()) }
	puzzles, err := all(r)
	if want := `["f:13:1: \"Hard ones:\" is read as the label of the next puzzle"]`; err != nil || len(puzzles) != 3 || fmt.Sprintf("%q", warnings) != want {
		t.Errorf("%d puzzles, %v, warnings %q, want %s", len(puzzles), err, warnings, want)
	}
}
