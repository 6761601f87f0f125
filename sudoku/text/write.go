package text

import (
	"bufio"
	"fmt"
	"io"
	"slices"
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
	grids  bool        // the format can express several grids

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
	{Name: "line", Help: "a line of size*size characters: 1 to 9, A to Z, and . for blanks; beyond size 35 numbers and commas", append: appendLine, grids: true, ambiguous: isAmbiguousLine},
	{Name: "rows", Help: "rows of such characters, up to size 35", append: appendRows, gap: true, grids: true, ambiguous: isAmbiguousGrid},
	{Name: "grid", Help: "rows with bars between the boxes; several grids as by rows", append: appendGrid, gap: true, grids: true, ambiguous: isAmbiguousGrid},
	{Name: "numbers", Help: "rows of right-aligned numbers, 0 for blanks", append: appendRowsOfNumbers, gap: true, ambiguous: isAmbiguousGrid},
	{Name: "marks", Help: "a line of size*size*size characters: each possible digit of each cell, a dot for each other digit; up to size 35", append: appendMarks, marks: true, ambiguous: isAmbiguousMarks},
	{Name: "candidates", Help: "rows of the possible digits of each cell, with bars between the boxes; up to size 9", append: appendCandidates, gap: true, marks: true, ambiguous: isAmbiguousCandidates},
	{Name: "csv", Help: `a table with the columns "puzzle" and "solution"`, append: appendField, header: "puzzle,solution"},
	{Name: "sdk", Help: "rows under the header [Puzzle], the format of SadMan Software's Sudoku; size 9", append: func(b []byte, g *sudoku.Grid) ([]byte, error) { return appendRows(append(b, "[Puzzle]\n"...), g) }, gap: true, rules: classicOnly},
	{Name: "sdm", Help: "a line of 81 digits, 0 for blanks; size 9", append: appendSdm, rules: classicOnly},
	{Name: "ss", Help: "a drawn grid, the format of Simple Sudoku; size 9", append: appendSs, gap: true, rules: classicOnly},
	{Name: "latex", Help: "the environment sudoku of LaTeX's package of this name; size 9", append: appendLatex, gap: true, rules: classicOnly},
	{Name: "sgt", Help: "a game id of Simon Tatham's Solo: boxes, regions, diagonals, cages", append: appendGame, rules: rulesInFormat},
	{Name: "link", Help: "a link to f-puzzles with the puzzle in a code: regions, cages and most other rules; up to size 16", append: appendLink, marks: true, rules: rulesInFormat},
	{Name: "json", Help: "a JSON object on a line", append: appendJSON, marks: true, grids: true, rules: rulesInFormat},
	{Name: "units", Help: "givens as unit clauses in DIMACS, variables without gaps", append: appendUnits, marks: true, grids: true, rules: rulesInFormat},
}

// OutputFormatNames returns the names of the [OutputFormats].
func OutputFormatNames() []string {
	var names []string
	for _, f := range OutputFormats {
		names = append(names, f.Name)
	}
	return names
}

// A Writer writes puzzles one after the other in one format. The field Warn must be set
// before the first call of WritePuzzle.
type Writer struct {
	// Warn, if not nil, is called for the first puzzle with a label, with a solution and with
	// placed digits, if the format cannot express them.
	Warn func(msg string)

	warned      [len(parts)]bool
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
func (w *Writer) Write(g *sudoku.Grid) error { return w.WritePuzzle(&Puzzle{Grid: g}) }

// parts are the parts of a puzzle besides its grid that only some formats express.
var parts = [...]struct {
	formats string // the formats that express it
	loss    string // what the other formats do
	has     func(p *Puzzle) bool
}{
	{"json", "labels are not written", func(p *Puzzle) bool { return p.Label != "" }},
	{"csv json", "solutions are not written", func(p *Puzzle) bool { return p.Solution != nil }},
	{"json", "placed digits are written as givens", func(p *Puzzle) bool { return p.Given() != p.Grid }},
}

// WritePuzzle writes a puzzle like Write, with its label, its solution and its placed
// digits if the format can express them.
func (w *Writer) WritePuzzle(p *Puzzle) error {
	f, g := w.format, p.Grid
	if err := f.checkGrid(g); err != nil {
		return err
	}
	for i, part := range parts {
		if w.Warn != nil && !w.warned[i] && part.has(p) && !slices.Contains(strings.Fields(part.formats), f.Name) {
			w.warned[i] = true
			w.Warn(fmt.Sprintf("the format %s: %s", f.Name, part.loss))
		}
	}
	b, err := w.appendPrefix(w.buf[:0], g), error(nil)
	if b, err = f.append(b, g); err != nil {
		return fmt.Errorf("the format %s: %w", f.Name, err)
	}
	switch {
	case f.Name == "csv":
		b = append(b, ',')
		if p.Solution != nil {
			b, _ = appendField(b, g.With(p.Solution))
		}
	case f.Name == "json":
		b = appendParts(b[:len(b)-1], p)
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
	case g.Rules.Variant().Grids != nil && !f.grids:
		return fmt.Errorf("the format %s cannot express several grids: use rows, line, json or units", f.Name)
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
