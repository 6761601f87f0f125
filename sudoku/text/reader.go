package text

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/sudoku"
)

// How a form is recognized.
//
// By what is in it, never by the name of a file; line by line, and by the first
// line that can belong to a puzzle. The recognizers are asked one after the
// other: each says whether a line is the beginning of its form, and reads it if
// so. What comes first is what cannot be mistaken (a game id, a JSON object, a "p
// cnf" line), last are rows of cells, which nearly any line could be.
//
// What is between puzzles is skipped: blank lines, comments that begin with #,
// % or //, frames of dashes, labels such as "Grid 01", sections other than
// [Puzzle], and a number by itself that is the size of the grid below it, or the
// root of that, or stands before puzzles in lines and is how many there are.
//
// Many lines have two readings. Those taken are:
//
//   - A line whose first long field has n*n characters is a puzzle, for n from
//     7. What follows the field is its solution if it is one, else a label. 729
//     characters of which each is a blank or the digit of its place in its group
//     of 9 are pencil marks.
//   - Sixteen cells, and 25 or 36, and as numbers 49, 64 and so on, may be a row
//     or a whole puzzle, of size 4 for 16. They are a row if a digit is too large
//     for the puzzle, and a puzzle if a digit occurs twice, which it cannot in a
//     row. If neither is so the lines after it are looked at in the same way, as
//     many as a grid of such rows has. If that does not help they are a row if
//     all those lines are there, and a puzzle if not.
//   - Four and nine cells are a row.
//   - Cells that are separated by blanks or commas are numbers if all of them are
//     numbers up to how many there are in the row, or single characters. If not,
//     they are pencil marks if each is digits in ascending order and there are at
//     most nine of them. If not that either, they are characters in groups, as in
//     "400 000 805".
//   - A line of dashes, stars or underscores alone is a row of blanks where other
//     rows of that grid have the same character as a blank and the length is
//     right; else it is part of a frame. A line with two kinds of such characters
//     and no digit is part of a frame.
//   - Bars at regular places show how wide the boxes are. Without bars they are as
//     near to squares as can be, no higher than wide.
//   - Unit clauses without a helpful header have variables 100r+10c+d of a grid of
//     size 9.
//   - Characters: see alphabet.go.
//
// A "# rules" line, or [Reader.Rules], tells the size and ends all doubts about
// it. What is then not of that size is an error.

// A Reader reads puzzles one after the other.
type Reader struct {
	// Rules, if not nil, are those of all puzzles. Otherwise they are found by
	// content: those that the input states, else those of a standard grid of the
	// size that is there. An input that states others than these is an error.
	Rules *sudoku.Rules

	// Zero makes 0 a digit, the first one, in place of a blank.
	Zero bool

	// Format, if not empty, is the only form that is read, one of [InputFormats].
	Format string

	// Warn, if not nil, is told of what is read although it is not as it should
	// be: a grid of triples without an end.
	Warn func(*dimacs.SyntaxError)

	in           scanner
	err          error // the first one; there is nothing after it
	statedRules  *sudoku.Rules
	standard     map[boxes]*sudoku.Rules
	zeros        [sudoku.MaxSize + 1]bool // the sizes at which 0 turned out to be a value
	symbols      []symbol                 // of the puzzle being read
	row          row                      // the row being read
	barLines     []line                   // lines of bars alone, right above
	csv          *table
	units        units
	skipping     bool   // a section that holds no puzzle
	label        string // for the next puzzle
	declaredSize int    // the size of the next grid by the line before it, 0 if there is none
}

// boxes tell standard rules from each other.
type boxes struct{ size, columns int }

// NewReader returns a reader of the puzzles in src. The name is for messages and
// may be empty.
func NewReader(src io.Reader, name string) *Reader {
	return &Reader{in: scanner{src: src, name: name}, standard: make(map[boxes]*sudoku.Rules)}
}

// A Puzzle is a grid as it stood in an input.
type Puzzle struct {
	*sudoku.Grid

	Line     int    // of its first cell, from 1
	Label    string // what stood beside or before it: a name, a rating; may be empty
	Solution []int  // the digits of all cells, if the input has them; else nil
	Format   string // one of [InputFormats]

	// Symbols has the characters that stood for the digits, in order, if they
	// were others than 1 to 9 and A to Z.
	Symbols string

	column    int        // of the first cell, if the cells stand side by side
	positions []position // of the cells, if not
}

// A place is a line and a column, from 1.
type position struct{ line, column int32 }

// Position returns the line and the column of a cell in the input, both from 1, the
// column in bytes. For forms that do not write blanks it is that of the number
// or the run of blanks that the cell is in.
func (p *Puzzle) Position(cell int) (line, column int) {
	if p.positions == nil {
		return p.Line, p.column + cell
	}
	return int(p.positions[cell].line), int(p.positions[cell].column)
}

// An InputFormat is a kind of text that puzzles are read from.
type InputFormat struct{ Name, Help string }

// InputFormats are the forms that a [Reader] tells apart.
var InputFormats = []InputFormat{
	{"line", "all cells in one line, as characters or numbers, with labels and a solution beside them"},
	{"grid", "a row in each line, with or without a frame, as characters or numbers"},
	{"marks", "the possible digits of each cell, in a line of size*size*size characters or as groups of digits"},
	{"csv", `a table with a header that names the column "puzzle" or the like`},
	{"json", `an object with the member "grid" or the like`},
	{"sgt", "game ids of Simon Tatham's Solo"},
	{"units", "unit clauses in DIMACS, with or without the rules"},
	{"triples", `"start9", a column, a row and a digit in each line, "end"`},
	{"formula", `a formula about cells, "v11 != v12 * v11 = 8"`},
}

// InputFormatNames returns the names of the forms.
func InputFormatNames() []string {
	var names []string
	for _, f := range InputFormats {
		names = append(names, f.Name)
	}
	return names
}

// A recognizer tells lines that begin a form, and reads it.
type recognizer struct {
	format string // as [Reader.Format] may name it; empty if there is no puzzle in it
	begins func(r *Reader, l line) bool
	// read reads what begins with the line. It returns nil if there is no puzzle
	// in that.
	read func(r *Reader, l line) (*Puzzle, error)
}

// recognizers are asked in this order. It is made by init because they refer to
// what refers to it.
var recognizers []recognizer

func init() {
	recognizers = []recognizer{
		{"", (*Reader).beginsSection, (*Reader).readSection},
		{"csv", (*Reader).beginsTable, (*Reader).readTable},
		{"sgt", (*Reader).beginsGame, (*Reader).readGame},
		{"formula", (*Reader).beginsFormula, (*Reader).readFormula},
		{"json", (*Reader).beginsObject, (*Reader).readObject},
		{"triples", (*Reader).beginsTriples, (*Reader).readTriples},
		{"units", (*Reader).beginsUnits, (*Reader).readUnits},
		{"line", (*Reader).beginsLine, (*Reader).readLine},
		{"marks", (*Reader).beginsMarks, (*Reader).readMarks},
		{"", (*Reader).beginsLabel, (*Reader).readLabel},
		{"grid", (*Reader).beginsGrid, (*Reader).readGrid},
	}
}

// Next returns the next puzzle as soon as it is complete, and io.EOF after the
// last one. An input that makes no sense gives a [sator/dimacs.SyntaxError] with
// its place. After an error there is nothing more. What is kept does not grow
// with the number of puzzles.
func (r *Reader) Next() (*Puzzle, error) {
	if r.err != nil {
		return nil, r.err
	}
	p, err := r.next()
	if err != nil {
		r.err = err
		return nil, err
	}
	return p, nil
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
		p, err := r.recognize(l)
		if p != nil || err != nil {
			return p, err
		}
	}
}

// last returns the puzzle that only the end of the input completes.
func (r *Reader) lastPuzzle(err error) (*Puzzle, error) {
	if err != io.EOF || !r.units.begun {
		return nil, err
	}
	p, bad := r.endUnits()
	if p == nil && bad == nil {
		return nil, io.EOF
	}
	return p, bad
}

// begin reads what begins with a line.
func (r *Reader) recognize(l line) (*Puzzle, error) {
	if done, err := r.skip(l); done || err != nil {
		return nil, err
	}
	for _, f := range recognizers {
		if r.isWanted(f.format) && f.begins(r, l) {
			if f.format != "units" {
				r.units = units{} // comments alone
			}
			return f.read(r, l)
		}
	}
	return nil, r.wrongFormat(l)
}

// notForm returns the error of a line that does not begin the form asked for.
func (r *Reader) wrongFormat(l line) error {
	return r.in.at(l, 0, "%s is not the beginning of a puzzle in the form %q", quoted(l.text), r.Format)
}

// allows reports whether a form may be tried: what holds no puzzle always.
func (r *Reader) isWanted(form string) bool {
	return r.Format == "" || form == r.Format || form == "" || r.sharesGrid(form)
}

// shares reports whether the recognizer of one form also reads the form that is
// asked for: lines and marks of many kinds are read as grids are.
func (r *Reader) sharesGrid(form string) bool {
	return form == "grid" && (r.Format == "line" || r.Format == "marks")
}

// skip skips lines between puzzles. Those within a formula are its own.
func (r *Reader) skip(l line) (bool, error) {
	text := bytes.TrimSpace(l.text)
	switch {
	case len(text) == 0:
		return true, nil
	case text[0] == '#':
		return true, r.readComment(l, text[1:])
	case text[0] == '%' && r.units.begun:
		r.units.finished = true
		return true, nil
	case text[0] == '%', bytes.HasPrefix(text, []byte("//")):
		return true, nil
	case r.skipping && !r.beginsSection(l):
		return true, nil
	}
	return false, nil
}

// comment reads a comment, which may state the rules of what follows.
func (r *Reader) readComment(l line, text []byte) error {
	words, ok := bytes.CutPrefix(bytes.TrimLeft(text, " \t"), []byte("rules"))
	if !ok || len(words) > 0 && words[0] != ' ' && words[0] != '\t' {
		return nil
	}
	return r.stateRules(l, string(bytes.TrimSpace(words)))
}

// state makes the rules of that text those of what follows; none if it is
// empty.
func (r *Reader) stateRules(l line, words string) error {
	if words == "" {
		r.statedRules = nil
		return nil
	}
	rules, err := r.parseRules(words)
	if err != nil {
		return r.in.at(l, max(bytes.Index(l.text, []byte(words)), 0), "rules: %v", err)
	}
	if err := r.checkRules(l, rules); err != nil {
		return err
	}
	r.statedRules = rules
	return nil
}

// rulesIn returns the rules that a puzzle at a line states itself. They must be
// equal to Reader.Rules if these are set.
func (r *Reader) rulesIn(l line, words string) (*sudoku.Rules, error) {
	rules, err := r.parseRules(words)
	if err != nil {
		return nil, r.in.at(l, 0, "%v", err)
	}
	return rules, r.checkRules(l, rules)
}

// parse makes rules of their text.
func (r *Reader) parseRules(words string) (*sudoku.Rules, error) {
	v, err := sudoku.ParseVariant(words)
	if err != nil {
		return nil, err
	}
	for _, known := range []*sudoku.Rules{r.statedRules, r.Rules} {
		if known != nil && known.String() == v.String() {
			return known, nil
		}
	}
	if hasOnlyBoxes(v) {
		return r.boxRules(boxes{v.Size, v.BoxCols}), nil
	}
	return sudoku.New(v)
}

// plain reports whether there are boxes and nothing else.
func hasOnlyBoxes(v sudoku.Variant) bool {
	only := sudoku.Variant{Size: v.Size, BoxRows: v.BoxRows, BoxCols: v.BoxCols}
	return v.BoxRows > 0 && v.String() == only.String()
}

// agree returns an error if rules that the input states are not those that are
// asked for.
func (r *Reader) checkRules(l line, rules *sudoku.Rules) error {
	if r.Rules != nil && r.Rules != rules && r.Rules.String() != rules.String() {
		return r.in.at(l, 0, "the rules are stated as %s; expected %s", shortName(rules), shortName(r.Rules))
	}
	return nil
}

// brief names rules in a message.
func shortName(rules *sudoku.Rules) string {
	s := rules.String()
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// known returns the rules that are said, nil if they are found by content.
func (r *Reader) fixedRules() *sudoku.Rules {
	if r.statedRules != nil {
		return r.statedRules
	}
	return r.Rules
}

// size returns the size that is said, 0 if it is found by content.
func (r *Reader) size() int {
	if rules := r.fixedRules(); rules != nil {
		return rules.Size()
	}
	return r.declaredSize
}

// rules returns the rules of a grid of size n that shows boxes of so many
// columns, 0 if it shows none.
func (r *Reader) rulesFor(n, columns int) *sudoku.Rules {
	if rules := r.fixedRules(); rules != nil {
		return rules
	}
	if columns == 0 {
		columns = sudoku.Standard(n).BoxCols
	}
	return r.boxRules(boxes{n, columns})
}

// boxed returns the rules with boxes and nothing else. They are made once.
func (r *Reader) boxRules(b boxes) *sudoku.Rules {
	rules := r.standard[b]
	if rules == nil {
		rules = sudoku.Must(sudoku.Variant{Size: b.size, BoxRows: b.size / b.columns, BoxCols: b.columns})
		r.standard[b] = rules
	}
	return rules
}

// finish makes a puzzle of the symbols of all its cells.
func (r *Reader) puzzleOf(symbols []symbol, rules *sudoku.Rules, format string) (*Puzzle, error) {
	g := sudoku.NewGrid(rules)
	a, err := r.digits(g.Cells, symbols, rules.Size())
	if err != nil {
		return nil, err
	}
	p := r.newPuzzle(g, format)
	p.Symbols = a.symbols()
	p.setPositions(symbols)
	return p, nil
}

// puzzle makes a puzzle of a grid, with the label that came before it.
func (r *Reader) newPuzzle(g *sudoku.Grid, format string) *Puzzle {
	p := &Puzzle{Grid: g, Format: format, Label: r.label}
	r.label, r.declaredSize = "", 0
	return p
}

// placed notes the places of all cells.
func (p *Puzzle) setPositions(symbols []symbol) {
	p.Line, p.column = int(symbols[0].line), int(symbols[0].column)
	for i, s := range symbols {
		if s.line != symbols[0].line || int(s.column) != p.column+i {
			p.positions = make([]position, len(symbols))
			break
		}
	}
	for i := range p.positions {
		p.positions[i] = position{symbols[i].line, symbols[i].column}
	}
}

// Text returns digits in one line as [Line] does, but in the characters that the
// puzzle has in the input.
func (p *Puzzle) Text(digits []int) string {
	if p.Symbols == "" {
		return Line(p.With(digits))
	}
	b := make([]byte, len(digits))
	for i, digit := range digits {
		if b[i] = '.'; digit > 0 {
			b[i] = p.Symbols[digit-1]
		}
	}
	return string(b)
}

// beginsSection reports whether a line is the header of a section, as in
// "[Puzzle]".
func (r *Reader) beginsSection(l line) bool {
	text := bytes.TrimSpace(l.text)
	if len(text) < 3 || text[0] != '[' || text[len(text)-1] != ']' {
		return false
	}
	for _, c := range text[1 : len(text)-1] {
		if kinds[c] != isLetter && c != ' ' {
			return false
		}
	}
	return true
}

// readSection reads the header of a section. Of those that SadMan's program
// writes, [Puzzle] alone has a puzzle; [State] has the same one as far as it was
// solved.
func (r *Reader) readSection(l line) (*Puzzle, error) {
	r.skipping = !strings.EqualFold(string(bytes.TrimSpace(l.text)), "[puzzle]")
	return nil, nil
}

// beginsLabel reports whether a line is words: the first one of letters alone,
// of two at least, and then a colon or another word, unless all of them are
// groups of letters of the same length and no letter is there twice, as in a row
// of a solution.
func (r *Reader) beginsLabel(l line) bool {
	words := strings.Fields(string(l.text[:min(len(l.text), 200)]))
	if len(words) == 0 {
		return false
	}
	first, colon := strings.CutSuffix(words[0], ":")
	if len(first) < 2 || !areLetters(first) {
		return false
	}
	if colon {
		return true
	}
	seen := ""
	for _, w := range words {
		if len(w) != len(first) || len(words) > 1 && strings.ContainsAny(seen, w) || !areLetters(w) {
			return true
		}
		seen += w
	}
	return false
}

func areLetters(word string) bool {
	return strings.IndexFunc(word, func(c rune) bool { return c > 127 || kinds[byte(c)] != isLetter }) < 0
}

// readLabel keeps a label for the puzzle after it: what follows the colon if
// there is one.
func (r *Reader) readLabel(l line) (*Puzzle, error) {
	r.label = string(bytes.TrimSpace(l.text[:min(len(l.text), 200)]))
	return nil, nil
}
