package text

import (
	"bytes"
	"io"
	"math"

	"sator/sudoku"
)

// Grids: rows of cells, one per line, with or without a frame; and whole
// puzzles in one line of numbers or groups of characters.

// A shape is the interpretation of a line as cells of a grid.
type shape struct {
	size      int
	numbers   bool // a cell is a token, not a character
	whole     bool // the line has all cells of the grid
	wholeSize int  // size of the grid if an ambiguous line is a whole puzzle; 0 if the line is not ambiguous
}

// minRow is the least number of cells in a row that is recognized by content.
const minRow = 4

// beginsGrid accepts every line, because grids are the last format that is
// tried.
func (r *Reader) beginsGrid(line) bool { return true }

// readGrid reads a grid from its first line on, or skips a line without cells.
func (r *Reader) readGrid(l line) (*Puzzle, error) {
	w := &r.row
	w.scan(l)
	switch {
	case w.bad >= 0:
		r.failInFirst(l)
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
	if err != nil {
		r.failInFirst(l)
	}
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

// completeGrid makes a puzzle of its symbols: digits or pencil marks.
func (r *Reader) completeGrid(s shape, rules *sudoku.Rules, format string) (*Puzzle, error) {
	if s.numbers && r.cellsAreMarks(s.size) {
		return r.marksPuzzle(rules), nil
	}
	if r.Format == "marks" {
		return nil, r.in.at(r.row.line, 0, "no pencil marks: want digits in ascending order")
	}
	return r.puzzleOf(r.symbols, rules, format)
}

// maxSkipped limits how many lines are peeked at for each row that is searched.
// It bounds the memory used for a pipe.
const maxSkipped = 4

// declaresSize reports whether a line is a number before a grid: its size, the
// square root of its size, or the number of puzzles in the following lines. It
// stores a size. It does not store a square root, because the next line could
// still be a row or a whole puzzle.
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

// badCharacter returns the error of a line with a character that belongs to no
// grid.
func (r *Reader) badCharacter(w *row) error {
	c := []rune(string(w.line.text[w.bad:min(len(w.line.text), w.bad+4)]))[0]
	return r.in.at(w.line, w.bad, "unexpected %q: want the cells of a puzzle", c)
}

// firstShape returns the shape of the first line of a grid. It is determined by
// the first line that has a digit. The size is 0 if the line is part of a
// frame.
func (r *Reader) firstShape(w *row) (shape, error) {
	if w.digits {
		return r.shapeOf(w)
	}
	var ahead row
	s, same := r.shapeOfBlanks(w), 1
	for i := 0; same < s.size && !s.whole && i < maxSkipped*s.size; i++ {
		l, err := r.in.peek(i)
		if err != nil {
			break
		}
		ahead.scan(l)
		switch {
		case ahead.bad >= 0 || ahead.digits:
			return r.shapeFromNext(w, &ahead, s), nil
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

// shapeFromNext returns the shape of a row without digits before a row that has some: the
// shape of the next row if it fits, else alone, the shape that the row has by itself. A row
// of dashes that does not fit is part of a frame.
func (r *Reader) shapeFromNext(w, next *row, alone shape) shape {
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

// shapeOfBlanks returns the shape of a row without digits. Its cells are numbers
// if there are at least 10 tokens of two characters, or at least 100 of three.
func (r *Reader) shapeOfBlanks(w *row) shape {
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
		return r.shapeOfSize(w, n)
	}
	k, m := len(w.tokens), len(w.symbols)
	switch n := squareRoot(m); {
	case k >= minRow && w.areMarks(k):
		return shape{size: k, numbers: true}, nil
	case sizeIfWhole(k) > 0 && w.areMarks(sizeIfWhole(k)):
		return shape{size: sizeIfWhole(k), numbers: true, whole: true}, nil
	case k >= minRow && k <= sudoku.MaxSize && w.areNumbers(k):
		return shape{size: k, numbers: true, wholeSize: sizeIfWhole(k)}, nil
	case k > sudoku.MaxSize && (squareRoot(k) > sudoku.MaxSize || w.areNumbers(k) && squareRoot(k) == 0):
		return shape{}, r.in.at(w.line, 0, "%d numbers in a line: a row has at most %d, the largest size", k, sudoku.MaxSize)
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

// sizeIfWhole returns the size of the puzzle with that number of cells, or 0 if
// the cells can only be a row.
func sizeIfWhole(cells int) int {
	if n := squareRoot(cells); n >= minRow {
		return n
	}
	return 0
}

// shapeOfSize returns the shape of a row with digits in a grid of known size.
func (r *Reader) shapeOfSize(w *row, n int) (shape, error) {
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
	return shape{}, r.in.at(w.line, 0, "%d cells: want %d for a row or %d for a puzzle of size %d", w.cellsFor(n), n, n*n, n)
}

// cellsFor returns the number of cells that a row of a grid of size n most
// likely has: the number of its numbers or of its characters.
func (w *row) cellsFor(n int) int {
	if w.areNumbers(n) || n > len(digitChars)+1 {
		return len(w.tokens)
	}
	return len(w.symbols)
}

// sizeError returns the error of a line that fits no size.
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
		return r.in.at(w.line, 0, "%s: unknown size of a row of %d: want at least %d cells", quoted(w.line.text), m, minRow)
	}
	n := 1
	for n*n < m {
		n++
	}
	if n > len(digitChars) {
		return r.in.at(w.line, 0, "%d characters in a line: grids of characters have sizes up to %d with %d cells", m, len(digitChars), len(digitChars)*len(digitChars))
	}
	return r.in.at(w.line, 0, "%d characters in a line: size %d has %d cells, size %d has %d, and a row has at most %d characters",
		m, n-1, (n-1)*(n-1), n, n*n, len(digitChars))
}

// count returns the number of cells of a row with the given shape.
func (w *row) count(s shape) int {
	if s.numbers {
		return len(w.tokens)
	}
	return len(w.symbols)
}

// cells appends the cells of a row with the given shape. It returns false if
// their number is wrong.
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

// isRow reports whether an ambiguous line is a row and not a whole puzzle.
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

// boxBars are the bars between boxes in the rows of a grid.
type boxBars struct {
	width   int // number of cells between bars, 0 without bars
	columns int // number of columns of a box, 0 without boxes
}

// readRows reads the rows of a grid. The first one is in r.row.
func (r *Reader) readRows(s shape) (*Puzzle, error) {
	r.symbols = r.symbols[:0]
	var d boxBars
	var g gap
	for rows := 1; ; rows++ {
		var ok bool
		if r.symbols, ok = r.row.cells(r.symbols, s); !ok {
			err := r.in.at(r.row.line, 0, "row %d of the grid has %d cells, want %d", rows, r.row.count(s), s.size)
			r.failInRow(r.row.line, s, nil, rows)
			return nil, err
		}
		if err := r.addBars(&d, s, rows); err != nil {
			r.failInRow(r.row.line, s, nil, rows)
			return nil, err
		}
		if rows == s.size {
			break
		}
		if err := r.nextRow(&g, s, rows); err != nil {
			return nil, err
		}
	}
	return r.completeGrid(s, r.rulesFor(s.size, d.columns), "grid")
}

// nextRow scans the lines up to the next row. It returns an error if the next row
// belongs to another grid.
func (r *Reader) nextRow(g *gap, s shape, rows int) error {
	before, apart := r.row.line, false
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
			err := r.badCharacter(w)
			r.failInRow(l, s, nil, rows+1)
			return err
		}
		switch isRow := !w.isEmpty() && (w.digits || !isDash(w.blank) || w.count(s) == s.size && r.isGridBlank(w.blank)); {
		case isRow && apart && !r.continues(g, s, nil, rows):
			r.in.unread(l)
			return r.endsEarly(g, rows, s.size)
		case isRow:
			return nil
		default:
			g.extend(l, apart)
			apart = true
		}
	}
}

// lineInGrid returns the line after a line of a grid. The end of the input is a
// syntax error that contains the number of rows read.
func (r *Reader) lineInGrid(before line, rows, size int) (line, error) {
	l, err := r.in.next()
	if err == io.EOF {
		err = r.in.errorf(before.number+1, 1, "the input ends after %d of %d rows of a grid", rows, size)
	}
	return l, err
}

// isGridBlank reports whether a character that is used in frames is a blank of
// the grid that is being read. The rows read so far decide; if they have no
// blank, the following lines decide.
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

// addBars records the bars inside a row. They must be equal in all rows with
// bars and show boxes.
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
	return r.in.at(r.row.line, 0, "the bars in row %d of the grid show no boxes: state regions in a \"# rules\" line before the grid", rows)
}

// cellsAreMarks reports whether all cells of a grid are pencil marks: every cell has
// digits in ascending order, and at least one value is too large for a digit.
func (r *Reader) cellsAreMarks(n int) bool {
	most := 0
	for _, s := range r.symbols {
		if n > 9 || !isAscending(s, n) {
			return false
		}
		most = max(most, s.value())
	}
	return most > n
}

// marksPuzzle makes a puzzle of pencil marks. A single digit is a given unless
// it is marked as found.
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
