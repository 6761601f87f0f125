package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
)

// character returns the character of a digit up to 35.
func character(digit int, blank byte) byte {
	if digit == 0 {
		return blank
	}
	return digitChars[digit-1]
}

func appendCells(b []byte, cells []int, blank byte) []byte {
	for _, digit := range cells {
		b = append(b, character(digit, blank))
	}
	return b
}

func appendLine(b []byte, g *sudoku.Grid) ([]byte, error) {
	if g.Rules.Size() <= len(digitChars) {
		return appendCells(b, g.Cells, '.'), nil
	}
	return appendSeparated(b, g.Cells, ','), nil
}

// appendField appends the digits of a grid in one line without commas.
func appendField(b []byte, g *sudoku.Grid) ([]byte, error) {
	if g.Rules.Size() <= len(digitChars) {
		return appendCells(b, g.Cells, '.'), nil
	}
	return appendSeparated(b, g.Cells, ' '), nil
}

func appendSeparated(b []byte, cells []int, separator byte) []byte {
	for i, digit := range cells {
		if i > 0 {
			b = append(b, separator)
		}
		b = strconv.AppendInt(b, int64(digit), 10)
	}
	return b
}

func appendSdm(b []byte, g *sudoku.Grid) ([]byte, error) { return appendCells(b, g.Cells, '0'), nil }

// eachRow appends the rows of a grid, separated by line feeds.
func eachRow(b []byte, g *sudoku.Grid, row func(b []byte, i int, cells []int) []byte) []byte {
	n := g.Rules.Size()
	for i := range n {
		if i > 0 {
			b = append(b, '\n')
		}
		b = row(b, i, g.Cells[i*n:i*n+n])
	}
	return b
}

// rowOf returns the digits in a row, with -1 at places outside of several grids.
func rowOf(g *sudoku.Grid, row int) (digits []int) {
	plan := g.Rules.Plan()
	for col := range plan.Cols {
		digit := -1
		if cell := plan.Cell(row, col); cell >= 0 {
			digit = g.Cells[cell]
		}
		digits = append(digits, digit)
	}
	return digits
}

func appendRows(b []byte, g *sudoku.Grid) ([]byte, error) {
	if n := g.Rules.Size(); n > len(digitChars) {
		return nil, fmt.Errorf("size %d is too large: want at most %d", n, len(digitChars))
	}
	for row := range g.Rules.Plan().Rows {
		if row > 0 {
			b = append(b, '\n')
		}
		for _, digit := range rowOf(g, row) {
			if digit < 0 {
				b = append(b, ' ')
			} else {
				b = append(b, character(digit, '.'))
			}
		}
		b = bytes.TrimRight(b, " ")
	}
	return b, nil
}

func appendRowsOfNumbers(b []byte, g *sudoku.Grid) ([]byte, error) {
	width := len(strconv.Itoa(g.Rules.Size()))
	return eachRow(b, g, func(b []byte, _ int, cells []int) []byte {
		for i, digit := range cells {
			if i > 0 {
				b = append(b, ' ')
			}
			b = fmt.Appendf(b, "%*d", width, digit)
		}
		return b
	}), nil
}

func appendSs(b []byte, g *sudoku.Grid) ([]byte, error) {
	b = append(b, " *-----------*\n"...)
	b = eachRow(b, g, func(b []byte, i int, cells []int) []byte {
		if i == 3 || i == 6 {
			b = append(b, " |---+---+---|\n"...)
		}
		b = append(b, ' ')
		for c := 0; c < 9; c += 3 {
			b = appendCells(append(b, '|'), cells[c:c+3], '.')
		}
		return append(b, '|')
	})
	return append(b, "\n *-----------*"...), nil
}

// appendGrid draws a grid with right-aligned cells and bars between boxes.
func appendGrid(b []byte, g *sudoku.Grid) ([]byte, error) {
	if g.Rules.Variant().Grids != nil {
		return appendRows(b, g)
	}
	width := len(strconv.Itoa(g.Rules.Size()))
	return appendDrawn(b, g, width, func(cell int) string {
		if g.Cells[cell] == 0 {
			return "."
		}
		return strconv.Itoa(g.Cells[cell])
	}), nil
}

// appendDrawn draws a grid with a text of at most the given width in each cell.
func appendDrawn(b []byte, g *sudoku.Grid, width int, text func(cell int) string) []byte {
	v := g.Rules.Variant()
	n, rows, columns := v.Size, v.BoxRows, v.BoxCols
	if columns < 2 || rows < 2 {
		rows, columns = n, n
	}
	dashes := strings.Repeat("-", columns*(width+1)+1)
	frame := "+" + strings.Repeat(dashes+"+", n/columns)
	b = append(append(b, frame...), '\n')
	return eachRow(b, g, func(b []byte, i int, _ []int) []byte {
		for c := range n {
			if c%columns == 0 {
				b = append(b, "| "...)
			}
			b = fmt.Appendf(b, "%*s ", width, text(i*n+c))
		}
		b = append(b, '|')
		if (i+1)%rows == 0 {
			b = append(append(b, '\n'), frame...)
		}
		return b
	})
}

// marksOf returns the possible digits of a cell.
func marksOf(g *sudoku.Grid, cell int) []int {
	var digits []int
	for digit := 1; digit <= g.Rules.Size(); digit++ {
		if g.IsPossible(cell, digit) {
			digits = append(digits, digit)
		}
	}
	return digits
}

func appendMarks(b []byte, g *sudoku.Grid) ([]byte, error) {
	n := g.Rules.Size()
	if n > len(digitChars) {
		return nil, fmt.Errorf("size %d is too large: want at most %d", n, len(digitChars))
	}
	for cell := range g.Cells {
		for digit := 1; digit <= n; digit++ {
			if g.IsPossible(cell, digit) {
				b = append(b, character(digit, '.'))
			} else {
				b = append(b, '.')
			}
		}
	}
	return b, nil
}

// possibleAt returns the marks of a cell without the digits that givens exclude, unless one digit would
// be left, as in the cell of a given.
func possibleAt(g *sudoku.Grid, cell int) []int {
	marks := marksOf(g, cell)
	left := slices.DeleteFunc(slices.Clone(marks), func(digit int) bool {
		return slices.ContainsFunc(g.Rules.Peers(cell), func(peer int) bool { return g.Cells[peer] == digit })
	})
	if g.Cells[cell] != 0 || len(left) < 2 {
		return marks
	}
	return left
}

func appendCandidates(b []byte, g *sudoku.Grid) ([]byte, error) {
	n := g.Rules.Size()
	if n > 9 {
		return nil, fmt.Errorf("size %d is too large: want at most 9", n)
	}
	texts, width := make([]string, len(g.Cells)), 1
	for cell := range g.Cells {
		for _, digit := range possibleAt(g, cell) {
			texts[cell] += strconv.Itoa(digit)
		}
		if texts[cell] == "" {
			return nil, fmt.Errorf("no digit is possible at %s", g.Rules.CellName(cell))
		}
		width = max(width, len(texts[cell]))
	}
	return appendDrawn(b, g, width, func(cell int) string { return texts[cell] }), nil
}

func appendUnits(b []byte, g *sudoku.Grid) ([]byte, error) {
	var literals []int
	for cell, digit := range g.Cells {
		if digit != 0 {
			literals = append(literals, g.Rules.Candidate(cell, digit)+1)
		}
	}
	for candidate, possible := range g.Marks {
		if !possible {
			literals = append(literals, -candidate-1)
		}
	}
	b = fmt.Appendf(b, "c sudoku rules %s\nc sudoku numbering dense\np cnf %d %d", g.Rules, g.Rules.Cells()*g.Rules.Size(), len(literals))
	for _, l := range literals {
		b = fmt.Appendf(b, "\n%d 0", l)
	}
	return b, nil
}

// isAmbiguousLine reports whether a line of all cells can also be a row, or
// pencil marks.
func isAmbiguousLine(g *sudoku.Grid) bool {
	n := g.Rules.Size()
	if n > len(digitChars) {
		return n*n <= sudoku.MaxSize
	}
	if k := cubeRoot(n * n); k > 0 && arePositionalMarks([]byte(Line(g)), k) {
		return true
	}
	return n < minWholeSize && (n < minRow || !hasRepeated(g.Cells)) || g.Givens() == 0 && n < minWholeSize
}

// hasRepeated reports whether a digit occurs twice.
func hasRepeated(cells []int) bool {
	var seen [sudoku.MaxSize + 1]bool
	for _, digit := range cells {
		if digit != 0 && seen[digit] {
			return true
		}
		seen[digit] = true
	}
	return false
}

// isAmbiguousGrid reports whether the first row of a grid can also be a whole
// puzzle, or is too short to be recognized as a row.
func isAmbiguousGrid(g *sudoku.Grid) bool {
	n := g.Rules.Size()
	if n < minRow {
		return true
	}
	small := sizeIfWhole(n)
	if small == 0 {
		return false
	}
	for _, digit := range g.Cells[:n] {
		if digit > small {
			return false
		}
	}
	return true
}

func isAmbiguousMarks(g *sudoku.Grid) bool {
	n := g.Rules.Size()
	if n < minRow {
		return true
	}
	b, err := appendMarks(nil, g)
	return err == nil && !arePositionalMarks(b, n)
}

func isAmbiguousCandidates(g *sudoku.Grid) bool { return g.Rules.Size() < minRow }

// appendJSON writes a grid as an object on one line.
func appendJSON(b []byte, g *sudoku.Grid) ([]byte, error) {
	n := g.Rules.Size()
	b = fmt.Appendf(b, `{"size":%d,"rules":%q,"grid":[`, n, g.Rules)
	for row := range g.Rules.Plan().Rows {
		if row > 0 {
			b = append(b, ',')
		}
		b = appendArray(b, slices.DeleteFunc(rowOf(g, row), func(digit int) bool { return digit < 0 }))
	}
	b = append(b, ']')
	if g.Marks != nil {
		b = append(b, `,"marks":[`...)
		for cell := range g.Cells {
			if cell > 0 {
				b = append(b, ',')
			}
			b = appendArray(b, marksOf(g, cell))
		}
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

func appendArray(b []byte, numbers []int) []byte {
	b = append(b, '[')
	for i, x := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return append(b, ']')
}

// appendParts writes the other parts of a puzzle behind its grid, and the end of the object.
func appendParts(b []byte, p *Puzzle) []byte {
	var placed []string
	for cell, digit := range p.Given().Cells {
		if digit != p.Cells[cell] {
			placed = append(placed, p.Rules.CellName(cell))
		}
	}
	if placed != nil {
		b = appendMember(b, "placed", placed)
	}
	if p.Solution != nil {
		b = appendArray(append(b, `,"solution":`...), p.Solution)
	}
	if p.Label != "" {
		b = appendMember(b, "label", p.Label)
	}
	return append(b, '}')
}

// appendMember writes a member of an object.
func appendMember(b []byte, name string, value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // value is a string or a slice of strings
	}
	return append(fmt.Appendf(b, ",%q:", name), text...)
}
