package text

import (
	"bytes"
	"io"

	"sator/sudoku"
)

// Grids: rows of cells, one per line, with or without a frame; and whole
// puzzles in one line of numbers or groups of characters.

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
		r.holdBarLine(l, w.frame || len(w.bars) == 0 && !isEmptyRow(l))
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

// badCharacter returns the error of a line with a character that belongs to no
// grid.
func (r *Reader) badCharacter(w *row) error {
	c := []rune(string(w.line.text[w.bad:min(len(w.line.text), w.bad+4)]))[0]
	return r.in.at(w.line, w.bad, "unexpected %q: want the cells of a puzzle", c)
}

// boxBars are the bars between boxes in the rows of a grid.
type boxBars struct {
	width   int // number of cells between bars, 0 without bars
	columns int // number of columns of a box, 0 without boxes
	band    int // number of rows before the first line of a frame in the grid, 0 without one
}

// checkRules warns of bars and lines that show other boxes than the rules have.
func (d *boxBars) checkRules(r *Reader, rules *sudoku.Rules) {
	v, rows := rules.Variant(), d.band
	if d.columns > 0 && d.columns != v.BoxCols {
		r.warnOnce(r.row.line.number, "the bars in the grid show boxes of %d columns, the rules are %s", d.columns, shortName(rules))
	}
	if rows > 1 && v.Size%rows == 0 && rows != v.BoxRows && v.Regions == nil {
		r.warnOnce(r.row.line.number, "the lines in the grid show boxes of %d rows, the rules are %s", rows, shortName(rules))
	}
}

// readRows reads the rows of a grid. The first one is in r.row.
func (r *Reader) readRows(s shape) (*Puzzle, error) {
	r.symbols = r.symbols[:0]
	var d boxBars
	var g gap
	first := r.row.line
	for rows := 1; ; rows++ {
		var ok bool
		if r.symbols, ok = r.row.cells(r.symbols, s); !ok {
			n := r.row.count(s)
			err := r.in.at(r.row.line, 0, "row %d of the grid has %d cells, want %d", rows, n, s.size)
			if rows == 2 && n >= 16 && squareRoot(n) > 0 {
				err = r.in.at(first, 0, "%d cells are neither a puzzle nor a row of a grid: the next line has %d cells", s.size, n)
			}
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
		if err := r.nextRow(&g, &d, s, rows); err != nil {
			return nil, err
		}
	}
	if d.columns == 0 && d.band > 1 && s.size%d.band == 0 {
		d.columns = s.size / d.band
	}
	rules := r.rulesFor(s.size, d.columns)
	d.checkRules(r, rules)
	return r.completeGrid(s, rules, "grid")
}

// nextRow scans the lines up to the next row. It returns an error if the next row
// belongs to another grid.
func (r *Reader) nextRow(g *gap, d *boxBars, s shape, rows int) error {
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
			if (w.frame || len(w.symbols) > 0) && d.band == 0 {
				d.band = rows
			}
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
	if rules := r.fixedRules(); rules != nil && rules.Variant().Regions != nil {
		return nil // they can show any part of the borders of regions
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
