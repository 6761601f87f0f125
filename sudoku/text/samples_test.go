package text

import (
	"fmt"
	"io"
	"strings"
)

// The puzzles of most samples.
const (
	four  = "1..4..1..3..4..3"
	six   = "1....6..23...61....35..2.5...4..1..."
	nine9 = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	done9 = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
)

// sixteen is a grid of size 16 whose first rows could be puzzles of size 4.
var sixteen = strings.Repeat(".", 16) + "1.2.3.4........." + "....1.2.3.4....." + strings.Repeat(".", 9*16) + "G..............." + strings.Repeat(".", 3*16)

// all returns all puzzles of an input.
func all(r *Reader) ([]*Puzzle, error) {
	var puzzles []*Puzzle
	for {
		p, err := r.Next()
		if err == io.EOF {
			return puzzles, nil
		}
		if err != nil {
			return puzzles, err
		}
		puzzles = append(puzzles, p)
	}
}

// rows splits a line into rows of n characters.
func rows(line string, n int) string {
	var b strings.Builder
	for i := 0; i < len(line); i += n {
		b.WriteString(line[i:i+n] + "\n")
	}
	return b.String()
}

func blank(line, blank string) string { return strings.ReplaceAll(line, ".", blank) }

// spread puts a separator between characters.
func spread(text, separator string) string {
	return strings.ReplaceAll(strings.Join(strings.Split(text, ""), separator), separator+"\n"+separator, "\n")
}

// grouped splits each line into groups of characters.
func grouped(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSuffix(strings.ReplaceAll(rows(strings.TrimSpace(line), width), "\n", " "), " ") + "\n")
	}
	return b.String()
}

// hex converts a line of size 16 to hexadecimal numbers, with 0 for the digit
// 1.
func hex(line string) string {
	return strings.Map(func(c rune) rune {
		if i := strings.IndexRune(digitChars, c); i >= 0 {
			return rune("0123456789ABCDEF"[i])
		}
		return c
	}, line)
}

// letters converts a line to letters, with A for the digit 1.
func letters(line string) string {
	return strings.Map(func(c rune) rune {
		if i := strings.IndexRune(digitChars, c); i >= 0 {
			return rune('A' + i)
		}
		return c
	}, line)
}

const below4 = `+-----+-----+
|     |     |
|     |     |
+-----+-----+
| 1   |   2 |
|     |     |
+-----+-----+
`

const drawn9 = `+-------+-------+-------+
| 5 3 . | . 7 . | . . . |
| 6 . . | 1 9 5 | . . . |
| . 9 8 | . . . | . 6 . |
+-------+-------+-------+
| 8 . . | . 6 . | . . 3 |
| 4 . . | 8 . 3 | . . 1 |
| 7 . . | . 2 . | . . 6 |
+-------+-------+-------+
| . 6 . | . . . | 2 8 . |
| . . . | 4 1 9 | . . 5 |
| . . . | . 8 . | . 7 9 |
+-------+-------+-------+
`

// unicode replaces ASCII frames by box drawing characters.
var unicode = strings.NewReplacer("|", "│", "-", "─", "+", "┼", ".", "·")

// candidates9 has possible digits of each cell of nine9. Only naked singles in
// the same row are used.
const candidates9 = `*-----------------------*
| 5 3 12 | 46 7 46 | 189 129 128 |
| 6 247 24 | 1 9 5 | 378 2347 24578 |
| 12 9 8 | 23 34 24 | 1357 6 2457 |
*-----------------------*
| 8 125 159 | 579 6 147 | 4579 259 3 |
| 4 25 2569 | 8 5 3 | 579 259 1 |
| 7 15 1359 | 59 2 14 | 4589 59 6 |
*-----------------------*
| 139 6 134579 | 35 35 7 | 2 8 4 |
| 23 278 237 | 4 1 9 | 36 3 5 |
| 123 1245 12345 | 2356 8 26 | 1346 7 9 |
*-----------------------*
`

// samples has inputs in each format, and the puzzles in them as lines.
// latexFour is a document with a puzzle.
const latexFour = `\begin{document}
\begin{sudoku}
|1| | |4|.
| | |1| |.
| |3| | |.
|4| | |3|.
\end{sudoku}
`

// kSudoku returns a file of KSudoku with a board of size 4 and more elements in its graph.
func kSudoku(board, elements string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE ksudoku>
<ksudoku><game><puzzle><graph order="4" %s>%s</graph>
<values>b__e__d___e_e__d</values><solution>bdcecedbdbececbd</solution>
</puzzle><history><simple-event index="1" value="3"/></history></game></ksudoku>
`, board, elements)
}

// A board with its rows, columns, regions, diagonals and a cage.
const (
	kSudokuBoard  = `type="custom" specific-type="KillerSudoku" sizeX="4" sizeY="4" sizeZ="1"`
	kSudokuHouses = `<clique>0 4 8 12</clique><clique>1 5 9 13</clique><clique>2 6 10 14</clique><clique>3 7 11 15</clique>
<clique>0 1 2 3</clique><clique>4 5 6 7</clique><clique>8 9 10 11</clique><clique>12 13 14 15</clique>
<clique>0 4 8 9</clique><clique>12 13 14 10</clique><clique>1 2 3 5</clique><clique>6 7 11 15</clique>
<clique>0 5 10 15</clique><clique>3 6 9 12</clique><cage operator="4" value="7">0 1</cage>`
)

// openSudoku returns a file of OpenSudoku with cells in a version. Blanks have been
// placed or not: they have the notes, if these are not empty.
func openSudoku(version int, none, notes string) string {
	var cells strings.Builder
	for i, c := range blank(nine9, "0") {
		if i == 2 {
			fmt.Fprintf(&cells, "0|%s|1|", notes)
		} else {
			fmt.Fprintf(&cells, "%c|%s|0|", c, none)
		}
	}
	return fmt.Sprintf("<opensudoku>\n<game data=\"version: %d&#10;%s\" />\n</opensudoku>\n", version, cells.String())
}

// openSudokuParts returns the parts of such a file.
func openSudokuParts(version int, none, notes string) []part {
	return []part{
		{"the version", fmt.Sprintf("version: %d", version), "version: 4", inError},
		{"a digit", "&#10;5|", "&#10;4|", inPosition},
		{"a placed digit", "&#10;5|" + none + "|0|", "&#10;5|" + none + "|1|", inPosition},
		{"notes", "0|" + notes + "|1|", "0|" + none + "|1|", inWarnings},
		{"a cell", "&#10;5|" + none + "|0|", "&#10;", inError},
		{"a field", "&#10;5|" + none + "|0|", "&#10;5|" + none + "|", inError},
		{"a flag", "&#10;5|" + none + "|0|", "&#10;5|" + none + "|2|", inError},
	}
}

// framed returns a drawn grid with bars between groups of columns, and lines between groups of rows.
func framed(line string, columns, rows int) string {
	n := squareRoot(len(line))
	var b strings.Builder
	for i := range n {
		for c := range n {
			if c%columns == 0 {
				b.WriteString("| ")
			}
			b.WriteString(line[i*n+c:i*n+c+1] + " ")
		}
		b.WriteString("|\n")
		if (i+1)%rows == 0 && i+1 < n {
			b.WriteString("+-------+\n")
		}
	}
	return b.String()
}

// fieldsOf returns the rows of a grid as fields, which are empty for blanks.
func fieldsOf(line, comma string) string {
	return strings.ReplaceAll(spread(strings.TrimSpace(rows(line, squareRoot(len(line)))), comma), ".", "") + "\n"
}

// writtenBy returns the puzzle four with rules in a format.
func writtenBy(format, rules string) string {
	var b strings.Builder
	p, err := NewReader(strings.NewReader("# rules "+rules+"\n"+four), "").Next()
	if err == nil && format == "formula" {
		err = p.WriteCellFormula(&b, false)
	} else if err == nil {
		err = Write(&b, p.Grid, format)
	}
	if err != nil {
		panic(err)
	}
	return b.String()
}
