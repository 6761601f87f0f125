package text

import (
	"bytes"
	"io"

	"sator/dimacs"
	"sator/sudoku"
)

// Recognition of formats.
//
// A format is recognized by content, never by the name of the file, and by the
// first line that can belong to a puzzle. The recognizers are tried in a fixed
// order. Each decides whether a line begins its format, and reads the puzzle if
// it does. Unmistakable formats come first (a game id, a JSON object, a "p cnf"
// line), rows of cells last because nearly every line could be one.
//
// Between puzzles the reader skips blank lines, comments that begin with #, %
// or //, frames of dashes, labels such as "Grid 01", and sections other than
// [Puzzle]. It also skips a line with a single number if the number is the size
// of the following grid, the square root of that size, or the number of puzzles
// in the following lines.
// Tags such as [code] around a grid are removed.
//
// Everything else is read, or an error, or there is a warning that it is not read. The
// table in parts_test.go has the parts of all formats.
//
// Many lines are ambiguous. The reader resolves them as follows:
//
//   - A line whose first long field has n*n characters is a puzzle, for n from
//     7. The field after it is its solution if it is a solution, else a label.
//     A field of 729 characters, each of which is a blank or the digit of its
//     position in its group of 9, has pencil marks.
//   - A line of 16, 25 or 36 cells (as numbers also 49, 64 and so on) can be a
//     row or a whole puzzle, for example of size 4 for 16 cells. It is a row if
//     a digit is too large for the puzzle, and a puzzle if a digit occurs
//     twice, which cannot happen in a row. If neither holds, the following
//     lines are examined in the same way, as many as a grid of such rows has.
//     If no line decides, the first line is a row if all lines of such a grid
//     exist, else a puzzle.
//   - A line of four or nine cells is a row.
//   - Cells separated by blanks or commas are numbers if every cell is a number
//     up to the number of cells in the row, or a single character. Otherwise
//     they are pencil marks if each cell has digits in ascending order and
//     there are at most nine cells. Otherwise they are characters in groups, as
//     in "400 000 805".
//   - A line of dashes, stars or underscores is a row of blanks if other rows
//     of the grid use the same character as a blank and the length is right;
//     otherwise it is part of a frame. A line with two kinds of such characters
//     and no digit is part of a frame.
//   - Bars at regular positions show the width of the boxes. Without bars the
//     boxes are as square as possible and no higher than wide.
//   - The variables of unit clauses without an informative header are
//     100r+10c+d for a grid of size 9 or, if a literal does not fit, 289r+17c+d
//     for size 16.
//   - For the characters of digits see alphabet.go.
//
// A "# rules" line, or [Reader.Rules], fixes the size and removes all ambiguity
// about it. Lines that do not fit this size are errors.

// A Reader reads puzzles one after the other. Fields must be set before the
// first call of Next.
type Reader struct {
	// Rules, if not nil, are the rules of all puzzles. Otherwise the reader
	// uses the rules that the input states, or those of a standard grid of the
	// size found. Input that states different rules is an error.
	Rules *sudoku.Rules

	// Zero makes 0 the first digit instead of a blank.
	Zero bool

	// Format, if not empty, is the only format that is read, one of
	// [InputFormats].
	Format string

	// Warn, if not nil, is called with warnings about parts of the input that are
	// not read, and about incomplete input that is read, such as triples without an
	// end. One warning stands for all parts of a kind.
	Warn func(*dimacs.SyntaxError)

	in           scanner
	err          error                    // the first error; Next returns it again
	statedRules  *sudoku.Rules            // the rules in the last "# rules" comment
	boxRulesMade map[boxes]*sudoku.Rules  // the results of boxRules
	zeros        [sudoku.MaxSize + 1]bool // by size: 0 is a digit, according to an earlier puzzle
	symbols      []symbol                 // symbols of the puzzle that is being read
	ahead        []symbol                 // symbols of a line that is examined
	row          row                      // the row that is being read
	barLines     []line                   // lines of bars alone, and frames below them, above the current line
	csv          *table                   // header of the current table, or nil
	units        units                    // state of the current formula
	skipping     bool                     // the current section contains no puzzle
	label        string                   // label of the next puzzle
	labelLine    int                      // the line of label, 0 after a warning about it
	announced    announcement             // the last number of puzzles in a line of its own
	puzzles      int                      // number of puzzles that Next returned, invalid ones included
	declaredSize int                      // size of the next grid according to the line before it, or 0
	badRulesLine int                      // line of the last "# rules" comment if it is invalid, else 0
	pending      []result                 // results for the next calls of Next
	skipRest     func()                   // skips the rest of the puzzle with the error err; nil if it has ended
	noArray      int                      // number of the last line of a text that begins with a bracket and is no array
	warned       map[string]bool          // formats of the warnings of warnOnce
	inList       bool                     // the last puzzle was a line
	plain        bool                     // the last puzzle was read by readFast and has plain rules
	splitObjects bool                     // a line that begins a JSON object ends the object before it
}

// boxes identifies rules with boxes only.
type boxes struct{ size, columns int }

// NewReader returns a Reader of src. The name is for messages and may be empty.
func NewReader(src io.Reader, name string) *Reader {
	return &Reader{in: scanner{src: src, name: name}, boxRulesMade: make(map[boxes]*sudoku.Rules)}
}

// An InputFormat is a text format that a [Reader] reads.
type InputFormat struct{ Name, Help string }

// InputFormats lists the formats that a [Reader] recognizes.
var InputFormats = []InputFormat{
	{"line", "all cells in one line, as characters or numbers, optionally with labels and a solution; lines of HoDoKu, XML of OpenSudoku and KSudoku"},
	{"grid", "one row per line, with or without a frame, as characters, numbers or fields of a spreadsheet; LaTeX of the package sudoku"},
	{"marks", "the possible digits of each cell, in a line of size*size*size characters or as groups of digits"},
	{"csv", `a table whose header has a column "puzzle" or a similar name`},
	{"link", "links with the cells or a code of f-puzzles or SudokuPad; a code alone, and their JSON"},
	{"json", `an object with a member "grid" or a similar name, or an array of rows, cells or grids; games of GNOME Sudoku, and pages with easy, medium and hard puzzles`},
	{"sgt", "game ids of Simon Tatham's Solo"},
	{"units", "unit clauses in DIMACS, with or without the rules"},
	{"triples", `"start9", lines with a column, a row and a digit, "end"`},
	{"formula", `a formula about cells, "v11 != v12 * v11 = 8"`},
}

// InputFormatNames returns the names of the [InputFormats].
func InputFormatNames() []string {
	var names []string
	for _, f := range InputFormats {
		names = append(names, f.Name)
	}
	return names
}

// A recognizer recognizes the first line of a format and reads a puzzle in it.
type recognizer struct {
	format string // name in [InputFormats]; empty for lines without a puzzle
	begins func(r *Reader, l line) bool
	// read reads the input that begins with the line. It returns nil if it
	// contains no puzzle.
	read func(r *Reader, l line) (*Puzzle, error)
}

// recognizers lists the recognizers in the order in which they are tried. It is
// initialized in init to avoid an initialization cycle.
var recognizers []recognizer

func init() {
	recognizers = []recognizer{
		{"", (*Reader).beginsReport, (*Reader).readReport},
		{"grid", (*Reader).beginsGrids, (*Reader).readGrids},
		{"link", (*Reader).beginsLink, (*Reader).readLink},
		{"", (*Reader).beginsForeign, (*Reader).readForeign},
		{"", (*Reader).beginsSection, (*Reader).readSection},
		{"csv", (*Reader).beginsTable, (*Reader).readTable},
		{"sgt", (*Reader).beginsGame, (*Reader).readGame},
		{"formula", (*Reader).beginsFormula, (*Reader).readFormula},
		{"json", (*Reader).beginsJSON, (*Reader).readJSON},
		{"triples", (*Reader).beginsTriples, (*Reader).readTriples},
		{"units", (*Reader).beginsUnits, (*Reader).readUnits},
		{"grid", (*Reader).beginsLatex, (*Reader).readLatex},
		{"", (*Reader).beginsCommand, (*Reader).readCommand},
		{"line", (*Reader).beginsKSudoku, (*Reader).readKSudoku},
		{"", (*Reader).beginsElement, (*Reader).readElement},
		{"line", (*Reader).beginsLine, (*Reader).readLine},
		{"marks", (*Reader).beginsMarks, (*Reader).readMarks},
		{"", (*Reader).beginsLabel, (*Reader).readLabel},
		{"grid", (*Reader).beginsGrid, (*Reader).readGrid},
	}
}

// Next returns the next puzzle as soon as it is complete, and io.EOF after the
// last one. Invalid input is reported as a [sator/dimacs.SyntaxError] with its
// position. After an error Next returns the same error again, unless Resume is
// called. The memory used does not grow with the number of puzzles.
func (r *Reader) Next() (*Puzzle, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.skipRest, r.plain = nil, false
	var p *Puzzle
	var err error
	if len(r.pending) > 0 {
		p, err = r.nextPending()
	} else {
		p, err = r.next()
	}
	if err == nil {
		err = r.checkRulesKnown(p)
	}
	if r.in.broken != nil {
		p, err = nil, r.in.broken // the puzzle may be cut off
	}
	if r.puzzles++; err != nil {
		r.err, r.plain = err, false
		return nil, err
	}
	r.inList = p.Format == "line"
	return p, nil
}

// A result is a result of Next that has been read before.
type result struct {
	p    *Puzzle
	err  error
	skip func() // skips the rest of the puzzle with the error
}

// nextPending returns the first result in r.pending.
func (r *Reader) nextPending() (*Puzzle, error) {
	x := r.pending[0]
	r.pending, r.skipRest = r.pending[1:], x.skip
	return x.p, x.err
}

func (r *Reader) next() (*Puzzle, error) {
	for {
		l, err := r.in.next()
		if err != nil {
			return r.lastPuzzle(err)
		}
		if p := r.readFast(l); p != nil {
			return p, nil
		}
		if l.number == 1 && isUTF16(l.text) {
			r.skipRest = r.skipAll
			return nil, r.in.at(l, 0, "the input is UTF-16: want UTF-8 or ASCII")
		}
		p, err := r.recognize(l)
		if p != nil || err != nil {
			return p, err
		}
	}
}

// isUTF16 reports whether a text begins with the byte order mark of UTF-16.
func isUTF16(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// lastPuzzle returns the puzzle that the end of the input completes.
func (r *Reader) lastPuzzle(err error) (*Puzzle, error) {
	if err != io.EOF {
		return nil, err
	}
	if r.units.begun {
		if p, err := r.endUnits(); p != nil || err != nil {
			return p, err
		}
	}
	r.warnAtEnd()
	return nil, io.EOF
}

// recognize reads the input that begins with a line.
func (r *Reader) recognize(l line) (*Puzzle, error) {
	if done, err := r.skip(l); done || err != nil {
		return nil, err
	}
	for _, f := range recognizers {
		if r.isWanted(f.format) && f.begins(r, l) {
			if f.format != "units" {
				r.units = units{} // the open formula has comments only
			}
			return f.read(r, l)
		}
	}
	return nil, r.wrongFormat(l)
}

// wrongFormat returns the error of a line that does not begin the requested
// format.
func (r *Reader) wrongFormat(l line) error {
	return r.in.at(l, 0, "%s does not begin a puzzle in the format %q", quoted(l.text), r.Format)
}

// isWanted reports whether a recognizer is tried. Recognizers without a puzzle
// are always tried, and that of grids where lines or pencil marks are wanted, since many
// of them are read like grids.
func (r *Reader) isWanted(format string) bool {
	return r.Format == "" || format == r.Format || format == "" ||
		format == "grid" && (r.Format == "line" || r.Format == "marks")
}
