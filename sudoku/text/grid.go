package text

import (
	"bytes"
	"io"
	"math"

	"sator/sudoku"
)

// Grids: rows of cells, a line each, with or without a frame; and whole puzzles
// in one line whose cells are in groups or are numbers.

// A shape is what a line says of the grid it is in.
type shape struct {
	size      int
	numbers   bool // a cell is a token, not a character
	whole     bool // the line has all cells
	wholeSize int  // if the line is a row or has all cells: the size if it has
}

// minRow is the least number of cells that make a row by content.
const minRow = 4

// beginsGrid takes every line: it is the last form that is tried.
func (r *Reader) beginsGrid(line) bool { return true }

// readGrid reads a grid from its first line on, or skips a line without cells.
func (r *Reader) readGrid(l line) (*Puzzle, error) {
	w := &r.row
	w.scan(l)
	switch {
	case w.bad >= 0:
		return nil, r.badCharacter(w)
	case w.isEmpty():
		r.holdBarLine(w)
		return nil, nil
	}
	if lay, ok := r.findLayout(w); ok {
		return r.readSpaced(l, lay)
	}
	r.barLines = r.barLines[:0]
	if r.declaresSize(w) {
		return nil, nil
	}
	s, err := r.firstShape(w)
	if err != nil || s.size == 0 {
		return nil, err
	}
	if s.wholeSize > 0 && (r.Format == "line" || r.Format != "grid" && !r.isRow(w, s)) {
		s = shape{size: s.wholeSize, numbers: s.numbers, whole: true}
	}
	if s.whole && r.Format == "grid" || !s.whole && r.Format == "line" {
		return nil, r.wrongFormat(l)
	}
	if s.whole {
		r.symbols, _ = w.cells(r.symbols[:0], s)
		return r.completeGrid(s, r.rulesFor(s.size, 0), "line")
	}
	return r.readRows(s)
}

// complete makes a puzzle of its symbols, digits or pencil marks.
func (r *Reader) completeGrid(s shape, rules *sudoku.Rules, format string) (*Puzzle, error) {
	if s.numbers && r.haveMarks(s.size) {
		return r.marksPuzzle(rules), nil
	}
	if r.Format == "marks" {
		return nil, r.in.at(r.row.line, 0, "the cells are no pencil marks, digits in ascending order")
	}
	return r.puzzleOf(r.symbols, rules, format)
}

// lookout is how many lines without cells are looked over for each row that is
// looked for. What is held of a pipe is so bounded.
const maxSkipped = 4

// tells reports whether a line is a number that tells the size of the grid below
// it, or the root of it, or how many puzzles there are in lines. The size is
// kept; the root says too little, for a row may then be a whole puzzle as before.
func (r *Reader) declaresSize(w *row) bool {
	if r.size() > 0 || len(w.tokens) != 1 {
		return false
	}
	number, ok := w.tokenSymbol(w.tokens[0])
	n := number.value()
	if !ok || n < 1 || number.isLetter() {
		return false
	}
	var ahead row
	for i := range maxSkipped {
		l, err := r.in.peek(i)
		if err != nil {
			return false
		}
		if r.beginsLine(l) {
			return true
		}
		if ahead.scan(l); ahead.bad >= 0 {
			return false
		}
		if ahead.isEmpty() {
			continue
		}
		k, m := len(ahead.tokens), len(ahead.symbols)
		if n < 2 || n > sudoku.MaxSize {
			return false
		}
		if k == n || m == n {
			r.declaredSize = n
		}
		return k == n || m == n || k == n*n || m == n*n
	}
	return false
}

// unexpected returns the error of a line with a character that no grid has.
func (r *Reader) badCharacter(w *row) error {
	c := []rune(string(w.line.text[w.bad:min(len(w.line.text), w.bad+4)]))[0]
	return r.in.at(w.line, w.bad, "unexpected %q; expected the cells of a puzzle", c)
}

// firstShape returns the shape of the grid that a line begins, by the first
// line that has a digit. The size is 0 if the line is part of a frame.
func (r *Reader) firstShape(w *row) (shape, error) {
	if w.digits {
		return r.shapeOf(w)
	}
	var ahead row
	s, same := r.blankShape(w), 1
	for i := 0; same < s.size && !s.whole && i < maxSkipped*s.size; i++ {
		l, err := r.in.peek(i)
		if err != nil {
			break
		}
		ahead.scan(l)
		switch {
		case ahead.bad >= 0 || ahead.digits:
			return r.shapeBefore(w, &ahead, s), nil
		case ahead.isEmpty():
		case ahead.blank == w.blank && len(ahead.symbols) == len(w.symbols) && len(ahead.tokens) == len(w.tokens):
			same++
			continue
		default:
			same = s.size + 1
		}
	}
	if isDash(w.blank) && same != s.size {
		return shape{}, nil
	}
	if s.size == 0 {
		_, err := r.shapeOf(w)
		return shape{}, err
	}
	return s, nil
}

// beside returns the shape of a row without digits that stands before one with
// some, and the shape that it has by itself.
func (r *Reader) shapeBefore(w, next *row, alone shape) shape {
	if next.bad < 0 {
		s, err := r.shapeOf(next)
		if err == nil && !s.whole && w.count(s) == s.size && (!isDash(w.blank) || next.hasBlank(w.blank)) {
			return s
		}
	}
	if isDash(w.blank) {
		return shape{}
	}
	return alone
}

// emptyShape returns the shape of a row without digits: numbers if it has as
// many tokens as numbers of their width would call for.
func (r *Reader) blankShape(w *row) shape {
	k := len(w.tokens)
	if width := len(w.symbols) / k; width == 2 && k >= 10 || width == 3 && k >= 100 {
		return shape{size: k, numbers: true, wholeSize: sizeIfWhole(k)}
	}
	s, err := r.shapeOf(w)
	if err != nil {
		return shape{}
	}
	return s
}

// shapeOf returns the shape of a row with digits.
func (r *Reader) shapeOf(w *row) (shape, error) {
	if n := r.size(); n > 0 {
		return r.shapeFor(w, n)
	}
	k, m := len(w.tokens), len(w.symbols)
	switch n := squareRoot(m); {
	case k >= minRow && w.areMarks(k):
		return shape{size: k, numbers: true}, nil
	case sizeIfWhole(k) > 0 && w.areMarks(sizeIfWhole(k)):
		return shape{size: sizeIfWhole(k), numbers: true, whole: true}, nil
	case k >= minRow && k <= sudoku.MaxSize && w.areNumbers(k):
		return shape{size: k, numbers: true, wholeSize: sizeIfWhole(k)}, nil
	case k > sudoku.MaxSize && squareRoot(k) > 0 && w.areNumbers(squareRoot(k)):
		return shape{size: squareRoot(k), numbers: true, whole: true}, nil
	case k >= minRow && w.hasUnevenNumbers():
	case n >= minWholeSize && n <= len(digitChars):
		return shape{size: n, whole: true}, nil
	case m >= minRow && m <= len(digitChars)+1:
		return shape{size: m, wholeSize: sizeIfWhole(m)}, nil
	}
	return shape{}, r.sizeError(w)
}

// perhaps returns the size of the puzzle that so many cells are if they are no
// row, 0 if they can only be a row.
func sizeIfWhole(cells int) int {
	if n := squareRoot(cells); n >= minRow {
		return n
	}
	return 0
}

// shapeFor returns the shape of a row with digits of a grid of known size.
func (r *Reader) shapeFor(w *row, n int) (shape, error) {
	k, m := len(w.tokens), len(w.symbols)
	switch {
	case k == n && w.areMarks(n):
		return shape{size: n, numbers: true}, nil
	case k == n*n && (w.areNumbers(sudoku.MaxSize) || w.areMarks(n)):
		return shape{size: n, numbers: true, whole: true}, nil
	case m == n*n && n <= len(digitChars):
		return shape{size: n, whole: true}, nil
	case k == n && w.areNumbers(math.MaxInt):
		return shape{size: n, numbers: true}, nil
	case m == n && n <= len(digitChars)+1:
		return shape{size: n}, nil
	}
	return shape{}, r.in.at(w.line, 0, "%d cells; expected %d for a row or %d for a puzzle of size %d", w.cellsFor(n), n, n*n, n)
}

// cellsFor returns how many cells of a grid of size n a row most likely has:
// as many as it has numbers, or characters.
func (w *row) cellsFor(n int) int {
	if w.areNumbers(n) || n > len(digitChars)+1 {
		return len(w.tokens)
	}
	return len(w.symbols)
}

// noSize returns the error of a line that fits no size.
func (r *Reader) sizeError(w *row) error {
	k, m := len(w.tokens), len(w.symbols)
	if k >= minRow && k < m && k <= sudoku.MaxSize {
		for _, t := range w.tokens {
			if s, ok := w.tokenSymbol(t); ok && s.value() > k {
				return r.in.errorf(int(s.line), int(s.column), "%d is too large for a row of %d numbers", s.value(), k)
			}
		}
	}
	if m < minRow {
		return r.in.at(w.line, 0, "%s: a row of %d has no size that is known by content; a row has at least %d cells", quoted(w.line.text), m, minRow)
	}
	n := 1
	for n*n < m {
		n++
	}
	if n > len(digitChars) {
		return r.in.at(w.line, 0, "%d characters in a line; grids up to size %d are written by characters, which has %d cells", m, len(digitChars), len(digitChars)*len(digitChars))
	}
	return r.in.at(w.line, 0, "%d characters in a line; size %d has %d cells, size %d has %d, and a row has at most %d characters",
		m, n-1, (n-1)*(n-1), n, n*n, len(digitChars))
}

// count returns the number of cells of a row in a grid of that shape.
func (w *row) count(s shape) int {
	if s.numbers {
		return len(w.tokens)
	}
	return len(w.symbols)
}

// cells appends the cells of a row in a grid of that shape. It returns false if
// their number is not right.
func (w *row) cells(to []symbol, s shape) ([]symbol, bool) {
	n := s.size
	if s.whole {
		n *= n
	}
	switch {
	case len(w.tokens) == n && (s.numbers || len(w.symbols) != n):
		return w.tokenSymbols(to)
	case len(w.symbols) == n:
		return append(to, w.symbols...), true
	}
	return to, false
}

// areRows reports whether a line is a row of its shape, and not a whole puzzle.
func (r *Reader) isRow(w *row, s shape) bool {
	var ahead row
	for i, rows := 0, 1; ; {
		cells, ok := w.cells(nil, s)
		switch {
		case !ok:
			return false
		case largestValue(cells) > s.wholeSize:
			return true
		case hasRepeatedSymbol(cells):
			return false
		case rows == s.size:
			return true
		}
		for w = &ahead; ; i++ {
			l, err := r.in.peek(i)
			if err != nil || i == maxSkipped*s.size {
				return false
			}
			if w.scan(l); w.bad >= 0 {
				return false
			}
			if !w.isEmpty() {
				break
			}
		}
		i++
		rows++
	}
}

// A drawing is what the frame of a grid shows.
type boxBars struct {
	width   int // between bars; 0 if none was seen
	columns int // of a box, 0 if there are none
}

// readRows reads the rows of a grid. The first one was scanned.
func (r *Reader) readRows(s shape) (*Puzzle, error) {
	r.symbols = r.symbols[:0]
	var d boxBars
	for rows := 1; ; rows++ {
		var ok bool
		if r.symbols, ok = r.row.cells(r.symbols, s); !ok {
			return nil, r.in.at(r.row.line, 0, "row %d of the grid has %d cells; expected %d", rows, r.row.count(s), s.size)
		}
		if err := r.addBars(&d, s, rows); err != nil {
			return nil, err
		}
		if rows == s.size {
			break
		}
		if err := r.nextRow(s, rows); err != nil {
			return nil, err
		}
	}
	return r.completeGrid(s, r.rulesFor(s.size, d.columns), "grid")
}

// nextRow scans lines up to the next row.
func (r *Reader) nextRow(s shape, rows int) error {
	before := r.row.line
	for {
		l, err := r.lineInGrid(before, rows, s.size)
		if err != nil {
			return err
		}
		before = l
		if text := bytes.TrimLeft(l.text, " \t"); len(text) > 0 && text[0] == '#' {
			continue
		}
		w := &r.row
		if w.scan(l); w.bad >= 0 {
			return r.badCharacter(w)
		}
		if !w.isEmpty() && (w.digits || !isDash(w.blank) || w.count(s) == s.size && r.isGridBlank(w.blank)) {
			return nil
		}
	}
}

// lineInGrid returns the line after a line of a grid of which the given number of
// rows were read. The end of the input is a syntax error.
func (r *Reader) lineInGrid(before line, rows, size int) (line, error) {
	l, err := r.in.next()
	if err == io.EOF {
		err = r.in.errorf(before.number+1, 1, "the input ends after %d of %d rows of a grid", rows, size)
	}
	return l, err
}

// isBlankHere reports whether a character that frames are drawn with is a blank
// of the grid being read: by the rows before, or by those after it.
func (r *Reader) isGridBlank(c byte) bool {
	for _, s := range r.symbols {
		if kinds[s.char] == isBlank && s.char != 0 {
			return s.char == c
		}
	}
	var ahead row
	for i := range sudoku.MaxSize {
		l, err := r.in.peek(i)
		if err != nil {
			return true
		}
		ahead.scan(l)
		for _, s := range ahead.symbols {
			if kinds[s.char] == isBlank && ahead.digits {
				return s.char == c
			}
		}
	}
	return false
}

// draw notes the bars inside a row. They must be the same in all rows that have
// some, and show boxes.
func (r *Reader) addBars(d *boxBars, s shape, rows int) error {
	if r.fixedRules() != nil {
		return nil
	}
	width, inside := 0, 0
	last := 0
	for _, b := range r.row.bars {
		at := b.symbols
		if len(r.row.tokens) == s.size {
			at = b.tokens
		}
		if at == last || at == s.size {
			continue
		}
		if width == 0 {
			width = at
		}
		if at-last != width {
			return r.irregularBars(rows)
		}
		last = at
		inside++
	}
	switch {
	case inside == 0:
		return nil
	case last+width != s.size, d.width > 0 && d.width != width:
		return r.irregularBars(rows)
	}
	d.width = width
	if width > 1 {
		d.columns = width
	}
	return nil
}

func (r *Reader) irregularBars(rows int) error {
	return r.in.at(r.row.line, 0, "the bars in row %d of the grid show no boxes; a line \"# rules\" before the grid can say which regions there are", rows)
}

// areMarked reports whether the cells read have pencil marks: one has more than
// any digit can be, and all are digits in ascending order.
func (r *Reader) haveMarks(n int) bool {
	most := 0
	for _, s := range r.symbols {
		if n > 9 || !isAscending(s, n) {
			return false
		}
		most = max(most, s.value())
	}
	return most > n
}

// marked makes a puzzle of pencil marks. A single digit is given, unless it is
// marked as found.
func (r *Reader) marksPuzzle(rules *sudoku.Rules) *Puzzle {
	g, n := sudoku.NewGrid(rules), rules.Size()
	g.Marks = make([]bool, n*n*n)
	for cell, s := range r.symbols {
		for v := s.value(); v > 0; v /= 10 {
			g.Marks[rules.Candidate(cell, v%10)] = true
		}
	}
	marks := g.Marks
	givensFromMarks(g)
	for cell, s := range r.symbols {
		if s.found {
			g.Cells[cell], g.Marks = 0, marks
		}
	}
	p := r.newPuzzle(g, "marks")
	p.setPositions(r.symbols)
	return p
}
