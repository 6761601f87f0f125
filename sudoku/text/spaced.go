package text

import "bytes"

// Grids with spaces for blanks. These are drawn grids, in which bars determine
// the positions of the cells,
//
//	| 4     |       | 8   5 |
//	|   3   |       |       |
//
// and rows or whole puzzles with a character for each cell, spaces included.

// A layout describes where the cells of a row are.
type layout struct {
	size   int
	whole  bool
	bars   int // number of parts between bars, 0 without bars
	width  int // number of characters of a part
	pitch  int // distance between adjacent cells
	offset int // position of the first cell in a part

	comma byte // the separator if each cell is a field, see empty_fields.go; else 0
}

// asciiText returns the characters of a line in ASCII, and the indices of these
// characters in the line.
func asciiText(l line) (text []byte, at []int) {
	for i := 0; i < len(l.text); {
		c, width := asciiChar(l.text[i:])
		text, at = append(text, c), append(at, i)
		i += width
	}
	return text, at
}

// findLayout returns the layout of a row with spaces for blanks.
func (r *Reader) findLayout(w *row) (layout, bool) {
	if !w.digits || len(w.symbols) == len(w.line.text) {
		return layout{}, false
	}
	for _, s := range w.symbols {
		if kinds[s.char] == isBlank {
			return layout{}, false
		}
	}
	if len(w.tokens) == len(w.symbols) || bytes.IndexByte(w.line.text, ',') >= 0 || bytes.IndexByte(w.line.text, '\t') >= 0 {
		if lay, ok := r.fieldLayout(w); ok {
			return lay, true
		}
	}
	text, _ := asciiText(w.line)
	if len(w.bars) > 0 {
		return r.barLayout(w, text)
	}
	n := r.size()
	for _, lay := range []layout{{size: 9, whole: true}, {size: 9}, {size: n, whole: true}, {size: n}} {
		lay.pitch, lay.width = 1, lay.size
		if lay.whole {
			lay.width *= lay.size
		}
		if lay.size > 0 && len(text) == lay.width && (n == 0 || n == lay.size) && !r.isDense(w) {
			if _, ok := lay.cells(w.line); ok {
				return lay, true
			}
		}
	}
	return layout{}, false
}

// isDense reports whether a row can be read without treating spaces as blanks.
func (r *Reader) isDense(w *row) bool {
	cells, ok := w.tokenSymbols(nil)
	return ok && len(cells) >= minRow && w.areNumbers(len(cells))
}

// barLayout returns the layout of a row with bars. The second result is false
// if the row has no layout with more cells than digits.
func (r *Reader) barLayout(w *row, text []byte) (layout, bool) {
	parts := splitBars(text)
	if len(w.tokens) < len(w.symbols) && len(w.tokens)%len(parts) == 0 && (w.areMarks(len(w.tokens)) || r.isDense(w)) {
		return layout{}, false
	}
	for n := minRow; n <= len(digitChars); n++ {
		if known := r.size(); known > 0 && n != known || n%len(parts) != 0 || n < len(w.symbols) {
			continue
		}
		c, width := n/len(parts), len(parts[0])
		for _, lay := range []layout{
			{width: c, pitch: 1},
			{width: 2*c + 1, pitch: 2, offset: 1},
			{width: 2*c - 1, pitch: 2},
			{width: 3 * c, pitch: 3, offset: 1},
		} {
			lay.size, lay.bars = n, len(parts)
			if lay.width != width || c == 1 && lay.pitch == 2 && width != 3 {
				continue
			}
			if _, ok := lay.cells(w.line); ok {
				return lay, n > len(w.symbols) && !r.cellsBelow(w)
			}
		}
	}
	return layout{}, false
}

// cellsBelow reports whether each digit of a row is a cell of a grid of n rows and columns: the n-1 rows below
// it have n cells as well, and one of these cells has several digits.
func (r *Reader) cellsBelow(w *row) bool {
	var below row
	n, rows, several := len(w.tokens), 1, false
	for i := 0; rows < n && w.areNumbers(n); i++ {
		next, err := r.in.peek(i)
		if err != nil {
			return false
		}
		if below.scan(next); below.frame && below.isEmpty() {
			continue
		}
		if len(below.bars) != len(w.bars) || len(below.tokens) != n || !below.areNumbers(n) && !below.areMarks(n) {
			return false
		}
		rows++
		several = several || len(below.symbols) > n
	}
	return several
}

// splitBars returns the parts of a line between bars. Text outside of a first
// or last bar at the ends of the line is no part.
func splitBars(text []byte) [][]byte {
	text = bytes.TrimSpace(text)
	text = bytes.TrimPrefix(text, []byte("|"))
	text = bytes.TrimSuffix(text, []byte("|"))
	return bytes.Split(text, []byte("|"))
}

// cells returns the symbols of a row. It returns false if the row does not have
// the layout.
func (lay layout) cells(l line) ([]symbol, bool) {
	if lay.comma != 0 {
		return lay.fieldCells(l)
	}
	text, at := asciiText(l)
	if lay.bars == 0 {
		return lay.partCells(nil, l, text, at)
	}
	start := bytes.IndexByte(text, '|')
	if start < 0 {
		return nil, false
	}
	if len(bytes.TrimSpace(text[:start])) == 0 {
		start++
	} else {
		start = 0
	}
	var symbols []symbol
	if end := start + lay.bars*(lay.width+1); end < len(text) && len(bytes.TrimSpace(text[end:])) > 0 {
		return nil, false // no cells behind the last bar
	}
	for i := range lay.bars {
		from := start + i*(lay.width+1)
		end := min(from+lay.width, len(text))
		if from > end || end < len(text) && text[end] != '|' {
			return nil, false
		}
		var ok bool
		if symbols, ok = lay.partCells(symbols, l, text[from:end], at[from:end]); !ok {
			return nil, false
		}
	}
	return symbols, len(symbols) == lay.size
}

// partCells appends the symbols of a part. Spaces at its end can be missing.
func (lay layout) partCells(to []symbol, l line, text []byte, at []int) ([]symbol, bool) {
	if len(text) > lay.width {
		return nil, false
	}
	for i := range lay.width {
		c, column := byte(' '), len(l.text)
		if i < len(text) {
			c, column = text[i], at[i]
		}
		cell := i >= lay.offset && (i-lay.offset)%lay.pitch == 0
		switch {
		case c == ' ' && !cell:
			continue
		case c == ' ':
			c = dot
		case !cell || kinds[c] == isOther:
			return nil, false
		}
		to = append(to, symbol{char: c, line: int32(l.number), column: int32(l.offset + column + 1)})
	}
	return to, true
}

// holdBarLine stores a line of bars or separators of fields alone, because it can be the
// first row of a grid with spaces or nothing for blanks, and a frame below such lines, as a line without text.
// Between two frames, or a frame and a blank line, grids end.
func (r *Reader) holdBarLine(l line, frame bool) {
	switch n := len(r.barLines); {
	case n > 0 && r.barLines[n-1].text == nil && (frame || len(bytes.TrimSpace(l.text)) == 0), frame && n == 0:
		r.barLines = r.barLines[:0]
	case frame:
		r.barLines = append(r.barLines, line{})
	case n < 2*len(digitChars):
		l.text = bytes.Clone(l.text)
		r.barLines = append(r.barLines, l)
	}
}

// readSpaced reads a grid with spaces for blanks, from its first row on.
func (r *Reader) readSpaced(l line, lay layout) (*Puzzle, error) {
	r.symbols = r.symbols[:0]
	for _, above := range r.barLines {
		if len(r.symbols) >= lay.size*(lay.size-1) && above.text == nil {
			r.symbols = r.symbols[:0] // a grid without digits
		}
		if cells, ok := lay.cells(above); ok && (lay.bars > 0 || lay.comma != 0) {
			r.symbols = append(r.symbols, cells...)
		}
	}
	r.barLines = r.barLines[:0]
	cells, _ := lay.cells(l)
	r.symbols = append(r.symbols, cells...)
	var g gap
	s, apart := shape{size: lay.size}, false
	for len(r.symbols) < lay.size*lay.size {
		rows := len(r.symbols) / lay.size
		var err error
		if l, err = r.lineInGrid(l, rows, lay.size); err != nil {
			return nil, err
		}
		cells, err := r.spacedRow(l, lay)
		switch {
		case err != nil:
			r.failInRow(l, s, &lay, rows+1)
			return nil, err
		case cells == nil:
			g.extend(l, apart)
		case apart && !r.continues(&g, s, &lay, rows):
			r.in.unread(l)
			return nil, r.endsEarly(&g, rows, lay.size)
		}
		apart = cells == nil
		r.symbols = append(r.symbols, cells...)
	}
	columns := 0
	if lay.bars > 0 && lay.bars < lay.size {
		columns = lay.size / lay.bars
	}
	rules := r.rulesFor(lay.size, columns)
	(&boxBars{columns: columns}).checkRules(r, rules)
	return r.puzzleOf(r.symbols[:lay.size*lay.size], rules, "grid")
}

// spacedRow returns the symbols of a row after the first, or no symbols if the
// line is no row.
func (r *Reader) spacedRow(l line, lay layout) ([]symbol, error) {
	if cells, ok := lay.cells(l); ok {
		return cells, nil
	}
	if r.row.scan(l); r.row.bad < 0 && r.row.isEmpty() && (r.row.frame || len(r.row.bars) == 0) {
		return nil, nil
	}
	return nil, r.in.at(l, 0, "%s is not a row of a grid of size %d with spaces for blanks", quoted(l.text), lay.size)
}
