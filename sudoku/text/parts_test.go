package text

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"sator/dimacs"
)

// An effect is what a change of an input changes.
type effect string

const (
	inError    effect = "error"
	inPosition effect = "position" // the rules, digits, marks and placed digits
	inSolution effect = "solution"
	inLabel    effect = "label"
	inWarnings effect = "warnings"
)

// effects has the effects, the strongest first.
var effects = []effect{inError, inPosition, inSolution, inLabel, inWarnings}

// read returns what reading an input results in, by effect.
func read(text string) map[effect]string {
	got := make(map[effect]string)
	r := NewReader(strings.NewReader(text), "f")
	r.Warn = func(w *dimacs.SyntaxError) { got[inWarnings] += w.Msg + "\n" }
	for {
		p, err := r.Next()
		switch {
		case err == io.EOF:
			return got
		case err != nil:
			got[inError] = err.Error()
			return got
		}
		got[inPosition] += fmt.Sprintln(normal(p.Grid, true), p.Given().Cells)
		got[inSolution] += fmt.Sprintln(p.Solution)
		got[inLabel] += fmt.Sprintln(p.Label)
	}
}

// A part is a change of one part of a sample: a text, another in its place, and the
// strongest effect.
type part struct {
	name, old, new string
	want           effect
}

// A formParts is a form with a sample and its parts.
type formParts struct {
	form, sample string
	parts        []part
}

// allParts returns the parts of all forms.
func allParts() []formParts {
	return []formParts{
		{"line", nine9 + " easy # hard\n", []part{
			{"a given", "53..7", "54..7", inPosition},
			{"a blank", "53..7", "53.27", inPosition},
			{"the length", "53..7", "53.7", inError},
			{"a foreign character", "53..7", "53?.7", inError},
			{"a digit beyond the size", "53..7", "53a.7", inError},
			{"a label", "easy", "easier", inLabel},
			{"a comment behind the puzzle", "hard", "harder", inLabel},
			{"the rules", "53..7", "# rules 9\n53..7", inPosition},
			{"rules that are written otherwise", "53..7", "# Rules: 9\n53..7", inWarnings},
		}},
		{"line with a solution", nine9 + "," + done9 + "\n", []part{
			{"a digit of the solution", "179\n", "189\n", inSolution},
			{"a given in the solution", ",53", ",35", inSolution},
			{"the length of the solution", "179\n", "17\n", inSolution},
		}},
		{"line with another line", nine9 + " a\n", []part{{"a second puzzle", " a", " " + strings.Repeat(".", 81), inLabel}, {"a field like a solution", " a", done9[1:] + "5", inError}}},
		{"letters", letters(sixteen) + "\n", []part{{"a letter", "A.B", "A.C", inPosition}}},
		{"hexadecimal", hex(sixteen) + "\n", []part{{"zero", "0.1", "..1", inPosition}, {"the largest digit", "F...", "G...", inPosition}}},
		{"lines and their number", "4\n" + strings.Repeat(nine9+"\n", 4), []part{
			{"the number", "4\n5", "5\n5", inWarnings},
			{"a line", "4\n" + nine9, "4", inPosition},
		}},
		{"HoDoKu", ":0603:3:5+3" + nine9[2:] + ":124 113:364:829:7\n", []part{
			{"the technique", "0603", "0604", inLabel},
			{"its digits", ":3:5", ":4:5", inLabel},
			{"a given", ":5+3", ":4+3", inPosition},
			{"a placed digit", "5+3", "5+4", inPosition},
			{"the plus", "5+3", "53", inPosition},
			{"a plus before a blank", "5+3.", "5+.3", inError},
			{"a deleted candidate", "124 113", "124 213", inPosition},
			{"all deleted candidates", ":124 113:", "::", inPosition},
			{"a candidate of two digits", "124 113", "124 11", inError},
			{"a comment among candidates", "124 113", "124 #113", inError},
			{"the eliminations", ":364", ":365", inLabel},
			{"the placements", ":829", ":828", inLabel},
			{"the comment", ":7\n", ":8\n", inLabel},
		}},
		{"OpenSudoku, characters", "<?xml version='1.0'?><opensudoku><name>a</name><game data=\"" + blank(nine9, "0") + "\" /><game data=\"" + done9 + "\"/></opensudoku>\n", []part{
			{"a digit", "5300", "5400", inPosition},
			{"the other game", "<game data=\"534", "<!-- <game data=\"534", inError},
			{"the attribute", "data=\"53007", "date=\"x53007", inError},
			{"a cell", "5300", "530", inError},
			{"a tag that does not end", "/></opensudoku>", "", inError},
		}},
		{"OpenSudoku, version 1", openSudoku(1, "-", "1,2,"), openSudokuParts(1, "-", "1,2,")},
		{"OpenSudoku, version 2", openSudoku(2, "0", "3|"), openSudokuParts(2, "0", "3|")},
		{"OpenSudoku, version 3", openSudoku(3, "0", "3"), openSudokuParts(3, "0", "3")},
		{"rows", "Grid 01\n" + rows(nine9, 9) + "\n# a comment\n" + rows(done9, 9), []part{
			{"a digit", "53..", "54..", inPosition},
			{"a row", ".98....6.\n", "", inError},
			{"the label", "Grid 01", "Grid 02", inLabel},
			{"the rules in a comment", "# a comment", "# rules 9", inPosition},
			{"rules that do not exist", "# a comment", "# rules 9 boxes 2x2", inError},
			{"a label without a puzzle", "179\n", "179\nThe end\n", inWarnings},
		}},
		{"rows and their size", "6\n" + rows(six, 6), []part{{"the size", "6\n1", "7\n1", inError}}},
		{"drawn", framed(six, 3, 2), []part{
			{"a digit", "| 1 .", "| 2 .", inPosition},
			{"a bar", ". . | . . 6", ". | . . . 6", inError},
			{"all bars and lines", framed(six, 3, 2), framed(six, 2, 3), inPosition},
			{"the lines", framed(six, 3, 2), framed(six, 3, 3), inWarnings},
		}},
		{"lines without bars", framed(six, 6, 2), []part{{"the lines", framed(six, 6, 2), framed(six, 6, 3), inPosition}}},
		{"drawn, with rules", "# rules 6 boxes 2x3\n" + framed(six, 3, 2), []part{
			{"the boxes", "2x3", "3x2", inPosition},
			{"the bars", framed(six, 3, 2), framed(six, 2, 2), inWarnings},
			{"the lines", framed(six, 3, 2), framed(six, 3, 3), inWarnings},
			{"the bars with spaces for blanks", framed(six, 3, 2), blank(framed(six, 2, 2), " "), inWarnings},
			{"a diagonal", "2x3", "2x3 x", inPosition},
		}},
		{"spaces for blanks", blank(drawn9, " "), []part{
			{"a digit", "| 5 3", "| 5 4", inPosition}, {"the place of a digit", "|   9 8", "|  9  8", inError}, {"text behind a row", "|     3 |", "|     3 | 6", inError}, {"text behind the first row", "3   |   7   |       |", "3   |   7   |       | 6", inError}}},
		{"numbers", spread(rows(blank(nine9, "0"), 9), " "), []part{{"a digit", "5 3", "5 4", inPosition}, {"a number beyond the size", "5 3", "5 13", inError}}},
		{"fields", fieldsOf(nine9, ","), []part{
			{"a digit", "5,3,", "5,4,", inPosition},
			{"an empty field", "5,3,,,", "5,,3,,", inPosition},
			{"a field", "5,3,,", "5,3,", inError},
			{"two digits in a field", "5,3", "5,33", inError},
		}},
		{"fields, first row empty", fieldsOf("........."+nine9[9:], "\t"), []part{{"the first row", strings.Repeat("\t", 8) + "\n", "", inError}}},
		{"fields, first row full", fieldsOf(done9[:9]+nine9[9:], ";"), []part{{"a digit", "5;3", "5;", inPosition}}},
		{"fields in a line", strings.ReplaceAll(strings.TrimSpace(fieldsOf(nine9, ",")), "\n", ",") + "\n", []part{{"a digit", "5,3", "5,2", inPosition}, {"a field", "5,3", "5", inError}}},
		{"marks in a grid", candidates9, []part{
			{"a mark", " 12 |", " 13 |", inPosition},
			{"a placed digit", "| 5 3", "| u5 3", inPosition},
			{"the order", " 1357 ", " 1375 ", inError},
		}},
		{"marks in a line", "123456789" + strings.Repeat("12.......", 80) + " easy\n", []part{
			{"a mark", "912.......", "91........", inPosition},
			{"a mark in the place of another", "912.......", "921.......", inPosition},
			{"the label", "easy", "hard", inLabel},
		}},
		{"table", "id,puzzle,solution,rules\n7," + nine9 + "," + done9 + ",9 boxes 3x3\n", []part{
			{"the column of puzzles", "puzzle", "riddle", inError},
			{"the column of solutions", "solution", "sum", inSolution},
			{"the column of rules", "rules", "laws", inLabel},
			{"a blank", "53..", "53.6", inPosition},
			{"a given", "53..", "54..", inError},
			{"a digit of the solution", "179,", "17.,", inError},
			{"the rules", "9 boxes 3x3", "9 boxes 3x3 x", inPosition},
			{"the size of the rules", "9 boxes 3x3", "16 boxes 4x4", inError},
			{"invalid rules", "9 boxes 3x3", "9 boxes", inError},
			{"another column", "\n7,", "\n8,", inLabel},
			{"a field", ",9 boxes 3x3", "", inError},
			{"text behind a quoted field", nine9, "\"" + nine9 + "\" 5", inError},
		}},
		{"table of rate", "label,digits,rules,puzzle,class\n," + nine9 + ",9,1,up\n," + done9 + ",9,2,up\n", []part{{"a digit", "53..", "54..", inPosition}, {"the rules", "9,1", "9 x,1", inPosition}, {"the class", "1,up", "1,fl", inLabel}}},
		{"object", `{"label":"a","size":4,"rules":"4 boxes 2x2","grid":[[1,0,null,4],"..1.",["",3,".",0],[4,0,0,3]],"solution":"1234341223414123","placed":["R1C1"],"marks":[[1],[3,4],` +
			strings.Repeat("[1,2,3,4],", 13) + "[3]]}", []part{
			{"the label", `"a"`, `"b"`, inLabel},
			{"the size", `"size":4`, `"size":9`, inError},
			{"the rules", "2x2", "2x2 x", inPosition},
			{"a digit", "[1,0,null", "[2,0,null", inError},
			{"a blank", "0,null", "2,null", inPosition},
			{"a cell", "0,null", "0", inError},
			{"an object as a cell", "0,null", `{"value":2},null`, inPosition},
			{"a digit of the solution", "1234", "1324", inSolution},
			{"a placed digit", "R1C1", "R4C1", inPosition},
			{"a placed digit in an empty cell", "R1C1", "R1C2", inError},
			{"a mark", "[3,4]", "[3]", inPosition},
			{"another member", `"size"`, `"diagonal":true,"size"`, inWarnings},
			{"another grid", `"size"`, `"cells":"` + four + `","size"`, inError},
			{"the name of the grid", `"grid"`, `"field"`, inError},
		}},
		{"objects as cells", `{"grid":[[{"value":1,"given":true},{},{"value":null},{"value":4}],"..1.",".3..","4..3"]}`, []part{
			{"a digit", `"value":1`, `"value":2`, inPosition},
			{"a placed digit", "true", "false", inPosition},
			{"another member", `{},`, `{"value":0,"color":3},`, inWarnings},
			{"no value", `{},`, `{"color":3},`, inError},
			{"a cage of f-puzzles", `{"grid"`, `{"killercage":[],"grid"`, inError},
			{"regions of SudokuPad", `{"grid"`, `{"regions":[],"grid"`, inError},
			{"earmarks of GNOME Sudoku", `{},`, `{"value":0,"earmarks":[]},`, inError},
		}},
		{"LaTeX", latexFour, []part{
			{"a digit", "|1|", "|2|", inPosition},
			{"a blank", "| |4", "|3|4", inPosition},
			{"a bar", "|1| |", "|1 |", inError},
			{"a period", "|4|.", "|4|", inError},
			{"a macro", "|1|", `|\bf 1|`, inError},
			{"a row", "| |3| | |.\n", "", inError},
			{"the end", `\end{sudoku}`, "", inError},
			{"another command", `\begin{document}`, "", inWarnings},
		}},
		{"KSudoku", kSudoku(`type="sudoku"`, ""), []part{
			{"a value", "b__e", "___e", inPosition},
			{"another value", "b__e", "c__e", inError},
			{"a value too many", "b__e", "b___e", inError},
			{"an unusable cell", "b__e", "b_.e", inError},
			{"the order", `order="4"`, `order="9"`, inError},
			{"the type", `"sudoku"`, `"roxdoku"`, inError},
			{"the solution", "<solution>b", "<solution>c", inError},
			{"an event", `value="3"`, `value="2"`, inPosition},
			{"an event elsewhere", `index="1"`, `index="16"`, inError},
			{"notes", "<history>", `<history><simple-event index="2" markers="0010"/>`, inWarnings},
			{"several moves at once", "</history>", `<complex-event><simple-event index="2" value="1"/></complex-event></history>`, inPosition},
			{"an unknown move", "</history>", "<event/></history>", inError},
			{"another game", "</game>", "</game><game></game>", inError},
			{"the end", "</ksudoku>", "", inError},
		}},
		{"KSudoku with houses", kSudoku(kSudokuBoard, kSudokuHouses), []part{
			{"a cell of a region", "0 4 8 9<", "0 4 8 5<", inPosition},
			{"a cell outside", "0 4 8 9<", "0 4 8 16<", inError},
			{"a row", "<clique>0 4 8 12</clique>", "", inError},
			{"a diagonal", "<clique>3 6 9 12</clique>", "<clique>3 6 9 8</clique>", inPosition},
			{"the sum of a cage", `value="7"`, `value="6"`, inPosition},
			{"a product", `operator="4"`, `operator="3"`, inError},
			{"a cage of Mathdoku", "KillerSudoku", "Mathdoku", inPosition},
			{"another dimension", `sizeZ="1"`, `sizeZ="4"`, inError},
			{"another grid", "<clique>0 1 2 3<", `<sudokugroups at="9"/><clique>0 1 2 3<`, inError},
		}},
		{"GNOME Sudoku", `{"difficulty_category":"EASY_CATEGORY","cells":[` + "\n" + `{"position":[0,1],"value":5,"fixed":true,"earmarks":[]},{"position":[8,8],"value":4,"fixed":false,"earmarks":[]}]}`, []part{
			{"a row", "[0,1]", "[1,1]", inPosition},
			{"a digit", ":5", ":6", inPosition},
			{"a digit beyond the size", ":5", ":10", inError},
			{"a column beyond the size", "[0,1]", "[0,9]", inError},
			{"a placed digit", "false", "true", inPosition},
			{"notes", `4,"fixed":false,"earmarks":[]`, `4,"fixed":false,"earmarks":[2]`, inWarnings},
			{"the cells", `"cells"`, `"squares"`, inError},
		}},
		{"a page", `{"displayDate":"x","easy":{"puzzle_data":{"puzzle":[1,0,0,4,0,0,1,0,0,3,0,0,4,0,0,3],"solution":[1,3,2,4,2,4,1,3,3,3,4,1,4,1,3,3]}},"hard":{"puzzle_data":{"puzzle":[0,2,0,4,0,0,1,0,0,3,0,0,4,0,0,3]}}}`, []part{
			{"a digit of the second", "[0,2", "[0,3", inPosition},
			{"a digit of the solution", "[1,3,2,4,2", "[1,3,2,4,3", inSolution},
			{"another solution", "[1,3,2,4,2", "[2,3,2,4,2", inError},
			{"a digit beyond the size", "[0,2", "[0,5", inError},
			{"no puzzle", `"hard":{"puzzle_data"`, `"hard":{"data"`, inError},
		}},
		{"array", "[[1,null,0,4],\n[null,0,1,0],\n[0,3,0,0],[4,0,0,3]]\n", []part{{"a digit", "[[1", "[[2", inPosition}, {"a blank", "0,4", "3,4", inPosition}, {"a cell", ",0,4", ",4", inError}, {"a row", "[0,3,0,0],", "", inError}}},
		{"array of several lines", "[\n [\n1,\nnull,\n0,\n4\n],\n [null,0,1,0],\n[0,3,0,0],[4,0,0,3]]\n", []part{{"a digit", "1,", "2,", inPosition}, {"a word", "1,", "None,", inError}, {"the end", "3]]", "3]", inError}}},
		{"array of strings", `["1..4","..1.",".3..","4..3"]` + "\n", []part{{"a digit", `"1`, `"2`, inPosition}, {"a row", `,".3.."`, "", inError}}},
		{"array of puzzles", `["` + four + `","` + four + `"]` + "\n", []part{{"a digit of the second", `,"1`, `,"2`, inPosition}, {"a cell of the second", `,"1`, `,"`, inError}}},
		{"array of grids", `[[[1,0,0,4],[0,0,1,0],[0,3,0,0],[4,0,0,3]],[[0,0,0,4],[0,0,1,0],[0,3,0,0],[4,0,0,3]]]`, []part{{"a digit of the second", "[[0", "[[1", inPosition}, {"a grid", "[[1", "[[],[[1", inError}}},
		{"game", "2x2:1b4b1b3b4b3\n", []part{
			{"the boxes", "2x2", "4j", inError},
			{"the diagonals", "2x2", "2x2x", inPosition},
			{"a digit", ":1b", ":2b", inPosition},
			{"a run of blanks", ":1b4b", ":1c4a", inPosition},
			{"a short run of blanks", ":1b", ":1a", inError},
			{"more", "b3\n", "b3,a\n", inError},
			{"an unknown parameter", "2x2", "2x2q", inError},
		}},
		{"game with regions", writtenBy("sgt", "4 regions 1,1,1,2,3,1,2,2,3,3,4,2,3,4,4,4"), []part{{"a wall", ",", ",_", inError}, {"the regions", "4j", "2x2", inError}}},
		{"game with cages", writtenBy("sgt", "4 boxes 2x2 cages 5:R1C1+R1C2,7:R3C3+R4C3"), []part{{"a sum", ",5", ",6", inPosition}, {"no sum", ",5", ",a", inError}, {"a sum elsewhere", ",5", ",_5_1", inError}, {"the cages", "2x2k", "2x2", inError}}},
		{"unit clauses", "c a comment\np cnf 64 3\n1 0\n-5 0\n-1 -2 0\n", []part{
			{"the number of variables", "64", "729", inPosition},
			{"the number of clauses", "64 3", "64 2", inWarnings},
			{"a given", "\n1 0", "\n2 0", inPosition},
			{"the sign of a literal", "\n1 0", "\n-1 0", inPosition},
			{"an excluded digit", "-5 0", "-6 0", inPosition},
			{"a rule", "-1 -2 0", "-1 -18 0", inWarnings},
			{"a clause of both signs", "-1 -2 0", "-1 2 0", inWarnings},
			{"a literal that is none", "-5 0", "x 0", inError},
			{"no end", "-1 -2 0", "-1 -2", inError},
			{"rules in a comment", "c a comment", "c sudoku rules 4 boxes 2x2 x", inPosition},
			{"a numbering in a comment", "c a comment", "c sudoku rules 4 boxes 2x2\nc sudoku numbering rcd", inPosition},
			{"an unknown comment about Sudoku", "c a comment", "c sudoku rules 4 boxes 2x2\nc sudoku shape 4", inError},
			{"clauses behind the end", "-1 -2 0\n", "-1 -2 0\n%\n9 0\n", inWarnings},
		}},
		{"triples", "start9\n0 0 5\n1 0 3\nend\n", []part{
			{"the size", "start9", "start16", inPosition},
			{"a column", "1 0 3", "2 0 3", inPosition},
			{"a row", "1 0 3", "1 2 3", inPosition},
			{"a digit", "1 0 3", "1 0 4", inPosition},
			{"a fourth number", "1 0 3", "1 0 3 4", inError},
			{"the end", "end", "", inWarnings},
		}},
		{"formula", writtenBy("formula", "4 boxes 2x2"), []part{{"a given", "v11 = 1", "v11 = 2", inPosition}, {"a difference", "v11 != v12", "v11 != v34", inError}}},
		{"sections", "#A somebody\n[Puzzle]\n" + rows(nine9, 9), []part{{"the header", "[Puzzle]", "[State]", inPosition}, {"a digit", "53..", "54..", inPosition}, {"another section", "79\n", "79\n[State]\n", inWarnings}}},
		{"two other sections", "[Puzzle]\n" + rows(nine9, 9) + "[State]\n[Colors]\n", []part{{"the second", "Colors", "Marks", inWarnings}}},
		{"tags of forums", "[code]\n" + rows(nine9, 9) + "[/code]\n", []part{{"a digit", "53..", "54..", inPosition}, {"another tag", "[code]", "[spoiler]", inPosition}}},
		{"HTML", "<pre>" + rows(nine9, 9) + "</pre>\n", []part{{"a digit", "53..", "54..", inPosition}, {"another tag", "<pre>", "<td>", inError}}},
		{"foreign", nine9 + "\n#\n" + nine9 + "\n", []part{
			{"a link to f-puzzles", "#", "https://www.f-puzzles.com/?load=N4I", inError},
			{"a link to SudokuPad", "#", "https://sudokupad.app/abc", inError},
			{"a link without a scheme", "#", "sudokupad.app/abc", inError},
			{"a code of f-puzzles", "#", "N4IgzglgXgpiBcBOANCA5gJwgEwQ", inError},
			{"a code of SudokuPad", "#", "sclN4IgtghgTgLiBcIBCBXAlg", inError},
			{"UTF-16", nine9 + "\n#", "\xff\xfe5\x003", inError},
			{"an error of a command", "#", "error: no puzzle", inError},
		}},
	}
}

// TestParts changes each part of each form: the change must have the stated effect, and no
// stronger one.
func TestParts(t *testing.T) {
	for _, f := range allParts() {
		before := read(f.sample)
		if before[inError] != "" || before[inPosition] == "" {
			t.Errorf("%s: %v", f.form, before)
			continue
		}
		for _, p := range f.parts {
			changed := strings.Replace(f.sample, p.old, p.new, 1)
			if changed == f.sample {
				t.Errorf("%s, %s: no %q in %.200q", f.form, p.name, p.old, f.sample)
				continue
			}
			after := read(changed)
			i := slices.IndexFunc(effects, func(e effect) bool { return before[e] != after[e] })
			switch {
			case i < 0:
				t.Errorf("%s, %s: no effect, want %s; in %.400q", f.form, p.name, p.want, changed)
			case effects[i] != p.want:
				t.Errorf("%s, %s: effect on the %s, want %s:\n%s\nbecame\n%s", f.form, p.name, effects[i], p.want, before[effects[i]], after[effects[i]])
			}
		}
	}
}

// TestWrittenParts writes puzzles with each part in each format. A part must be read again,
// or there is an error or a warning.
func TestWrittenParts(t *testing.T) {
	for _, test := range []struct {
		name, text string
		effect     effect
	}{
		{"digits", nine9, inPosition},
		{"zero as a digit", hex(sixteen), inPosition},
		{"marks", candidates9, inPosition},
		{"placed digits", ":0:0:+" + nine9 + "::::", inPosition},
		{"a label", nine9 + " easy", inLabel},
		{"a solution", nine9 + "," + done9, inSolution},
		{"boxes", "# rules 9 boxes 9x1\n" + nine9, inPosition},
		{"no boxes", "# rules 9\n" + nine9, inPosition},
		{"diagonals", "# rules 9 boxes 3x3 x\n" + nine9, inPosition},
		{"windows", "# rules 9 boxes 3x3 hyper\n" + nine9, inPosition},
		{"knights", "# rules 9 boxes 3x3 anti-knight\n" + nine9, inPosition},
		{"cages", "# rules 9 boxes 3x3 cages 8:R1C1+R1C2,9:R1C3+R2C3\n" + nine9, inPosition},
		{"regions", "# rules 4 regions 1,1,1,2,3,1,2,2,3,3,4,2,3,4,4,4\n" + four, inPosition},
	} {
		want := read(test.text)
		for _, f := range OutputFormats {
			p, err := NewReader(strings.NewReader(test.text), "f").Next()
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			var out strings.Builder
			w, err := NewWriter(&out, f.Name)
			if err != nil {
				t.Fatal(err)
			}
			warned := false
			w.Warn = func(string) { warned = true }
			if err := w.WritePuzzle(p); err != nil || warned {
				continue
			}
			want := maps.Clone(want)
			want[inPosition] = fmt.Sprintln(normal(readAgain(f.Name, p.Grid), true), p.Given().Cells)
			if got := read(out.String()); got[test.effect] != want[test.effect] || got[inError] != "" {
				t.Errorf("%s in the format %s:\n%sbecame\n%sin\n%s%s", test.name, f.Name, want[test.effect], got[test.effect], out.String(), got[inError])
			}
		}
	}
}
