package text

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"sator/sudoku"
)

// An OutputFormat is a text format that a [Writer] writes.
type OutputFormat struct {
	Name, Help string

	// append appends a grid, with line feeds after all lines except the last.
	// It returns an error if the format cannot express the grid.
	append func(b []byte, g *sudoku.Grid) ([]byte, error)

	header string      // written before the first grid
	gap    bool        // an empty line separates two grids
	marks  bool        // the format can express pencil marks
	rules  ruleSupport // how the format states the rules

	// ambiguous, if not nil, reports whether a reader without rules could read
	// the grid with another size.
	ambiguous func(g *sudoku.Grid) bool
}

// A ruleSupport says how a format states rules.
type ruleSupport int

const (
	rulesInComment ruleSupport = iota // in a "# rules" comment, unless a reader assumes these rules
	rulesInFormat                     // the format states the rules itself
	classicOnly                       // the format has grids of size 9 with boxes of 3x3 only
)

// OutputFormats lists the formats that a [Writer] writes.
var OutputFormats = []OutputFormat{
	{Name: "line", Help: "a line of size*size characters: 1 to 9, A to Z, and . for blanks; beyond size 35 numbers and commas", append: appendLine, ambiguous: isAmbiguousLine},
	{Name: "rows", Help: "rows of such characters, up to size 35", append: appendRows, gap: true, ambiguous: isAmbiguousGrid},
	{Name: "grid", Help: "rows with bars between the boxes", append: appendGrid, gap: true, ambiguous: isAmbiguousGrid},
	{Name: "numbers", Help: "rows of right-aligned numbers, 0 for blanks", append: appendRowsOfNumbers, gap: true, ambiguous: isAmbiguousGrid},
	{Name: "marks", Help: "a line of size*size*size characters: each possible digit of each cell, a dot for each other digit; up to size 35", append: appendMarks, marks: true, ambiguous: isAmbiguousMarks},
	{Name: "candidates", Help: "rows of the possible digits of each cell, with bars between the boxes; up to size 9", append: appendCandidates, gap: true, marks: true, ambiguous: isAmbiguousCandidates},
	{Name: "csv", Help: `a table with the columns "puzzle" and "solution"`, append: appendField, header: "puzzle,solution"},
	{Name: "sdk", Help: "rows under the header [Puzzle], the format of SadMan Software's Sudoku; size 9", append: appendSdk, gap: true, rules: classicOnly},
	{Name: "sdm", Help: "a line of 81 digits, 0 for blanks; size 9", append: appendSdm, rules: classicOnly},
	{Name: "ss", Help: "a drawn grid, the format of Simple Sudoku; size 9", append: appendSs, gap: true, rules: classicOnly},
	{Name: "sgt", Help: "a game id of Simon Tatham's Solo: boxes, regions, diagonals, cages", append: appendGame, rules: rulesInFormat},
	{Name: "json", Help: "a JSON object on a line", append: appendJSON, marks: true, rules: rulesInFormat},
	{Name: "units", Help: "givens as unit clauses in DIMACS, variables without gaps", append: appendUnits, marks: true, rules: rulesInFormat},
}

// OutputFormatNames returns the names of the [OutputFormats].
func OutputFormatNames() []string {
	var names []string
	for _, f := range OutputFormats {
		names = append(names, f.Name)
	}
	return names
}

// A Writer writes puzzles one after the other in one format.
type Writer struct {
	w           *bufio.Writer
	format      *OutputFormat
	statedRules string // the rules in the last comment
	begun       bool   // a grid was written
	buf         []byte

	rules    *sudoku.Rules // rules of the previous grid
	words    string        // text of these rules
	standard bool          // a reader assumes these rules
}

// NewWriter returns a writer of the named format. It returns an error for an
// unknown name.
func NewWriter(w io.Writer, format string) (*Writer, error) {
	for i := range OutputFormats {
		if OutputFormats[i].Name == format {
			return &Writer{w: bufio.NewWriter(w), format: &OutputFormats[i]}, nil
		}
	}
	return nil, fmt.Errorf("unknown format %q: want %s", format, strings.Join(OutputFormatNames(), ", "))
}

// Write writes a grid and flushes the output. It returns an error of the
// output, or an error if the format cannot express the grid; then it writes
// nothing.
func (w *Writer) Write(g *sudoku.Grid) error { return w.write(g, nil) }

// WritePuzzle writes a puzzle, with its solution if it has one and the format
// can express it.
func (w *Writer) WritePuzzle(p *Puzzle) error { return w.write(p.Grid, p.Solution) }

func (w *Writer) write(g *sudoku.Grid, solution []int) error {
	f := w.format
	if err := f.checkGrid(g); err != nil {
		return err
	}
	b, err := w.appendPrefix(w.buf[:0], g), error(nil)
	if b, err = f.append(b, g); err != nil {
		return fmt.Errorf("the format %s: %w", f.Name, err)
	}
	if f.Name == "csv" {
		b = append(b, ',')
		if solution != nil {
			b, _ = appendField(b, g.With(solution))
		}
	}
	w.buf, w.begun = append(b, '\n'), true
	if f.rules == rulesInComment {
		w.statedRules = w.rulesToState(g)
	}
	if _, err := w.w.Write(w.buf); err != nil {
		return err
	}
	return w.w.Flush()
}

// appendPrefix appends the text before a grid.
func (w *Writer) appendPrefix(b []byte, g *sudoku.Grid) []byte {
	f := w.format
	switch {
	case !w.begun && f.header != "":
		b = append(append(b, f.header...), '\n')
	case w.begun && f.gap:
		b = append(b, '\n')
	}
	if f.rules == rulesInComment {
		if words := w.rulesToState(g); words != w.statedRules {
			b = append(append(append(b, "# rules "...), words...), '\n')
		}
	}
	return b
}

// rulesToState returns the rules that a comment before the grid must state or
// has stated already, or an empty text if a reader assumes the right rules.
func (w *Writer) rulesToState(g *sudoku.Grid) string {
	if w.rules != g.Rules {
		w.rules, w.words = g.Rules, g.Rules.String()
		w.standard = w.words == sudoku.Standard(g.Rules.Size()).String()
	}
	if w.statedRules == "" && w.standard && (w.format.ambiguous == nil || !w.format.ambiguous(g)) {
		return ""
	}
	return w.words
}

// checkGrid returns an error if the format cannot express the grid.
func (f *OutputFormat) checkGrid(g *sudoku.Grid) error {
	switch {
	case g.Marks != nil && !f.marks:
		return fmt.Errorf("the format %s cannot express pencil marks: use marks, candidates, json or units", f.Name)
	case f.rules == classicOnly && g.Rules.String() != sudoku.Standard(9).String():
		return fmt.Errorf("the format %s supports only grids of size 9 with boxes of 3x3 and no other rules", f.Name)
	}
	return nil
}

// Write writes one grid in the named format, see [Writer.Write].
func Write(w io.Writer, g *sudoku.Grid, format string) error {
	out, err := NewWriter(w, format)
	if err != nil {
		return err
	}
	return out.Write(g)
}

// Line returns the digits of a grid in one line, without rules and marks: one
// character per cell up to size 35, numbers separated by commas beyond.
func Line(g *sudoku.Grid) string {
	b, _ := appendLine(make([]byte, 0, len(g.Cells)), g)
	return string(b)
}

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

func appendSdk(b []byte, g *sudoku.Grid) ([]byte, error) {
	return appendRows(append(b, "[Puzzle]\n"...), g)
}

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

func appendRows(b []byte, g *sudoku.Grid) ([]byte, error) {
	if n := g.Rules.Size(); n > len(digitChars) {
		return nil, fmt.Errorf("size %d is too large: want at most %d", n, len(digitChars))
	}
	return eachRow(b, g, func(b []byte, _ int, cells []int) []byte {
		return appendCells(b, cells, '.')
	}), nil
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

func appendCandidates(b []byte, g *sudoku.Grid) ([]byte, error) {
	n := g.Rules.Size()
	if n > 9 {
		return nil, fmt.Errorf("size %d is too large: want at most 9", n)
	}
	texts, width := make([]string, len(g.Cells)), 1
	for cell := range g.Cells {
		for _, digit := range marksOf(g, cell) {
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
	n := g.Rules.Size()
	b = fmt.Appendf(b, "c sudoku rules %s\nc sudoku numbering dense\np cnf %d %d", g.Rules, n*n*n, len(literals))
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
