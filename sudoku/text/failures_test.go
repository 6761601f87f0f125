package text

import (
	"errors"
	"strings"
	"testing"

	"sator/dimacs"
)

const twoGrids = "# two grids\n# rules 4 boxes 2x2 grids R1C1,R3C3"

// failures has invalid inputs, and the position and message of the error.
var failures = []struct{ name, text, want string }{
	{"short row", "53..7....\n6..195...\n.98....6\n", "3:1: row 3 of the grid has 8 cells, want 9"},
	{"long row", "53..7....\n6..195....\n", "2:1: row 2 of the grid has 10 cells, want 9"},
	{"end in a grid", "53..7....\n6..195...\n\n", "4:1: the input ends after 2 of 9 rows of a grid"},
	{"another grid in a grid", "53..7....\n6..195...\nGrid 02\n", "3:1: row 3 of the grid has 6 cells, want 9"},
	{"80 characters", nine9[1:] + "\n", "1:1: 80 characters in a line: size 8 has 64 cells, size 9 has 81, and a row has at most 35 characters"},
	{"too many characters", strings.Repeat("1", 1600), "1600 characters in a line: grids of characters have sizes up to 35"},
	{"a foreign character", nine9[:80] + "?", "1:81: unexpected '?'"},
	{"a foreign character in UTF-8", "5é", "1:2: unexpected 'é'"},
	{"a letter in a line", nine9[:80] + "k", "1:81: invalid digit 'k' for size 9: want 1 to 9 or a blank"},
	{"a letter in a row", rows(nine9[:77]+"a"+nine9[78:], 9), "9:6: invalid digit 'a'"},
	{"a letter for size 16", sixteen[:250] + "....H.", "1:255: invalid digit 'H' for size 16: want 1 to G"},
	{"a number in a row", "1 2 3 4 5 6 7 8 21\n", "1:17: 21 is too large for a row of 9 numbers"},
	{"a number in a later row", "1 2 3 4 5 6 7 8 0\n" + strings.Repeat("0 0 0 0 0 0 0 0 12\n", 8), "2:17: 12 is too large for a grid of size 9"},
	{"a number beyond 64 bits", "1 2 3 4 5 6 7 8 0\n" + strings.Repeat("0 0 0 0 0 0 0 0 18446744073709551617\n", 8), "2:1: row 2 of the grid has"},
	{"two cells", "12\n", `1:1: "12": unknown size of a row of 2`},
	{"three rows of three", "123\n231\n312\n", "unknown size of a row of 3: want at least 4 cells"},
	{"irregular bars", "1 2|3 4 5|6 7 8 9\n", "1:1: the bars in row 1 of the grid show no boxes"},
	{"changing bars", "123|456|789\n1234|5678|9\n", "2:1: the bars in row 2 of the grid show no boxes"},
	{"unknown rules", "# rules 9 boxes 3x4\n", "1:9: rules: invalid boxes 3x4: a box has 9 cells"},
	{"another size than stated", "# rules 16 boxes 4x4\n" + nine9, "2:1: 81 cells: want 16 for a row or 256 for a puzzle of size 16"},
	{"numbers for another size than stated", "# rules 16 boxes 4x4\n1 2 3 4 5 6 7 8 9 10\n", "2:1: 10 cells: want 16 for a row"},
	{"a table without solution", "puzzle,solution\n" + nine9 + "\n", "2:82: 1 columns, want 2"},
	{"a table with 80", "puzzle\n" + nine9[1:] + "\n", "2:1: 80 cells, not a square number"},
	{"a solution of another puzzle", "puzzle,solution\n" + nine9 + ",1" + done9[1:] + "\n", "2:83: the solution has the digit 1 at R1C1, but 5 is given"},
	{"a solution with a blank", "puzzle,solution\n" + nine9 + "," + done9[:80] + ".\n", "2:163: the solution has no digit at R9C9"},
	{"a solution of another size", "puzzle,solution\n" + nine9 + "," + four + "\n", "2:83: a solution of size 4 for a puzzle of size 9"},
	{"two grids of too few cells", twoGrids + "\n12345\n", "3:1: 5 cells: want 4 in the first of 6 rows, 16 for a grid, or 28 for all"},
	{"a row of two grids that is short", twoGrids + "\n1234\n12\n", "4:1: 2 cells, want 4"},
	{"two grids that are cut off", twoGrids + "\n1234\n\n3412\n", "6:1: the input ends after 2 of 6 lines of a puzzle of several grids"},
	{"a digit outside of two grids", twoGrids + "\n1234..\n34121.\n", "4:5: a digit outside of the grids"},
	{"a shared cell with two digits", twoGrids + "\n..........1.....\n2...............\n", "4:1: R3C3 has two digits in the grids that share it"},
	{"a large digit in two grids", twoGrids + "\n" + strings.Repeat(".", 27) + "5\n", "3:28: invalid digit '5' for size 4"},
	{"an object of two grids", `{"rules":"4 boxes 2x2 grids R1C1,R3C3","grid":"1234"}`, "4 cells, want 28"},
	{"a table of two grids", twoGrids + "\nrules,puzzle\n", "3:1"},
	{"triples with two numbers", "start9\n1 2\n", `2:1: "1 2": want a column, a row and a digit`},
	{"triples beyond the grid", "start9\n9 0 1\n", "2:1: invalid column or row 9: want 0 to 8"},
	{"triples with a digit", "start9\n8 0 a\n", "2:5: invalid digit 10 for size 9"},
	{"triples with two digits", "start9\n8 0 1\n8 0 2\n", "3:5: digit 2 for R1C9, which has the digit 1 in line 2"},
	{"triples of size 256", "start256\n", `1:1: invalid size in "start256": want 1 to 255`},
	{"a header", "p cnf 9\n", `1:1: "p cnf 9": want "p cnf"`},
	{"a header without numbers", "p cnf x y\n", "want the number of variables and the number of clauses"},
	{"a clause without an end", "p cnf 999 1\n115 0\n123\n", "3:1: the last clause does not end in 0"},
	{"a literal", "p cnf 999 1\n115 0\n12x 0\n", `3:1: invalid literal "12x"`},
	{"no candidate", "p cnf 999 1\n115 0\n120 0\n", "3:1: literal 120 is no candidate: want variables such as 100*row"},
	{"two digits of a cell", "p cnf 999 1\n115 0\n116 0\n", "3:1: digit 6 for R1C1, which has the digit 5 in line 2"},
	{"unknown variables", "p cnf 1234 1\n1 0\n", "1:1: unknown numbering of variables"},
	{"a map without sense", "c sudoku rules 9 boxes 2x2\np cnf 9 1\n", "1:1: comment"},
	{"a game with a wrong character", "3x3:5?", `1:6: unexpected '?' after 1 of 81 cells`},
	{"a game with a wrong character, no difficulty", "3x3d:?", `1:6: unexpected '?' after 0 of 81 cells`},
	{"a game that is short", "3x3:5zz", "1:8: unexpected end of line after 53 of 81 cells"},
	{"a game that is long", "2x2:zz", "1:5: more blanks than the 16 cells"},
	{"a game with a large digit", "2x2:5o", "1:5: 5 is too large for a grid of size 4"},
	{"a game without regions", "4j:p", "1:5: unexpected end of line: want a comma and walls"},
	{"a game with few walls", "4j:p,ab", "1:8: unexpected end of line after 5 of 24 places for walls"},
	{"a game with many walls", "4j:p,zz", "1:6: the runs exceed the 24 places for walls"},
	{"a game with uneven regions", "4j:p,x", "1:1: region"},
	{"a game with more", "2x2:p,a", `1:6: unexpected ",a" after a game id`},
	{"a game without sums", "2x2k:p,x", "1:9: unexpected end of line: want a comma and sums"},
	{"a game of no size", "0x3:a", "1:1: invalid boxes 0x3"},
	{"an object that ends", "{\"grid\": [\n", "2:1: the input ends in a JSON object"},
	{"an object with an error", "{\"size\": 9,\n \"grid\": [[1 2]]}", "2:14: JSON:"},
	{"an object without a grid", `{"size": 9}`, `a JSON object without a member "grid"`},
	{"an object with 3 cells", `{"grid": [1,2,3]}`, "3 cells, not a square number"},
	{"an object of another size", `{"size": 9, "grid": [1,2,3,4]}`, "4 cells, want 81 for size 9"},
	{"an object with a bad size", `{"size": "9"}`, "1:12: JSON: unexpected string: want a size"},
	{"an object with a large digit", "{\"grid\":\n[[1,2,3,4],[5,0,0,0],[0,0,0,0],[0,0,0,0]]}", "2:13: invalid digit '5' for size 4"},
	{"an object with marks of 1 cell", `{"grid": "` + four + `", "marks": [[1]]}`, "marks of 1 cells, want 16"},
	{"an object in a grid", `{"grid": [{"a":1}]}`, "1:17: JSON: 0 values in an object: want cells"},
	{"UTF-16, little-endian", "\xff\xfe5\x003\x00\n\x00", "1:1: the input is UTF-16: want UTF-8 or ASCII"},
	{"UTF-16, big-endian", "\xfe\xff\x005\x003\x00\n", "1:1: the input is UTF-16"},
	{"an object of 256x256", `{"grid": [` + strings.Repeat("0,", 256*256-1) + "0]}", "65536 cells for size 256: the largest size is 255"},
	{"a line of 256x256", strings.Repeat("1 ", 256*256), "1:1: 65536 numbers in a line: a row has at most 255, the largest size"},
	{"a row of 300", strings.Repeat("1 ", 300), "1:1: 300 numbers in a line: a row has at most 255"},
	{"a table with 256x256", "puzzle\n" + strings.Repeat("0 ", 256*256), "2:1: cells for size 256: the largest size is 255"},
	{"an object with a number alone", `{"givens": 551}`, `a JSON object without a member "grid"`},
	{"a library with 80", ":0000:x:" + nine9[1:] + ":::", "1:9: 80 cells in a line of a HoDoKu library: want 81"},
	{"a library with a plus", ":0000:x:" + nine9[:80] + "+:::", "1:89: unexpected '+'"},
	{"a game of XML", "<game data=\"" + nine9[1:] + "\" />", "1:7: the attribute \"data\" is no puzzle"},
	{"a formula", nine9 + "\nv11 != v12 *\n v13 ? 4", "3:6: "},
}

func TestFailures(t *testing.T) {
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(f.text), "f")
			_, err := all(r)
			if err == nil || !strings.Contains(err.Error(), f.want) {
				t.Fatalf("got %v, want %s", err, f.want)
			}
			if syntax := (*dimacs.SyntaxError)(nil); !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("%v has no place", err)
			}
			if _, again := r.Next(); again != err {
				t.Errorf("after %v there is %v", err, again)
			}
		})
	}
}
