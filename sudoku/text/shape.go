package text

import (
	"math"

	"sator/sudoku"
)

// A shape is the interpretation of a line as cells of a grid.
type shape struct {
	size      int
	numbers   bool // a cell is a token, not a character
	whole     bool // the line has all cells of the grid
	wholeSize int  // size of the grid if an ambiguous line is a whole puzzle; 0 if the line is not ambiguous
}

// minRow is the least number of cells in a row that is recognized by content.
const minRow = 4

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
		if _, size := r.lineField(l); size > 0 || r.beginsLine(l) {
			if r.checkAnnounced(); size != n && size != n*n {
				r.announced = announcement{n, w.line.number, r.puzzles}
			}
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
