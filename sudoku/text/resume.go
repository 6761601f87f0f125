package text

import (
	"bytes"
	"errors"

	"sator/dimacs"
)

// Resuming after an invalid puzzle.
//
// After a syntax error, Resume skips the rest of the puzzle with the error, so that
// one invalid puzzle is one error and the next puzzle is read as if it were the
// first. The end of an invalid puzzle depends on its format:
//
//   - Formats of one line (lines of cells, game ids, rows of a table, libraries of
//     HoDoKu, elements of XML) end with the line.
//   - A grid ends after as many lines with cells as it has rows, or before them where
//     a gap shows that the next grid begins (see gap). Another format and a label end
//     it, too.
//   - A JSON object ends at its last brace. If braces or quotes are missing, it ends
//     before the next line that begins an object and is not indented more.
//   - Triples end at "end"; a formula in DIMACS at the next header; a formula about
//     cells, and a text in UTF-16, at the end of the input.
//
// Lines after a "# rules" comment with an error have unknown rules. Each puzzle up to
// the next such comment is an error.
//
// Rows of grids that follow each other without a gap have no visible borders. If such
// a grid lacks a row, all later borders are wrong, and each of these grids takes a row
// of the next one.

// Resume makes Next continue behind the puzzle with the syntax error that Next has
// returned. It returns false if the last result of Next was no syntax error; then Next
// returns the same error again.
func (r *Reader) Resume() bool {
	if syntax := (*dimacs.SyntaxError)(nil); !errors.As(r.err, &syntax) || r.in.broken != nil {
		return false
	}
	if r.err == r.in.tooLong {
		r.in.skipLine()
	}
	r.err = nil
	skip := r.skipRest
	r.skipRest = nil
	r.label, r.declaredSize, r.barLines = "", 0, r.barLines[:0]
	if skip != nil {
		skip()
	}
	return true
}

// checkRulesKnown returns an error for a puzzle behind an invalid "# rules" comment.
func (r *Reader) checkRulesKnown(p *Puzzle) error {
	if r.badRulesLine == 0 || p == nil {
		return nil
	}
	line, column := p.Position(0)
	return r.in.errorf(line, column, "unknown rules: the rules in line %d are invalid", r.badRulesLine)
}

// beginsReport reports whether a line is an error that a command printed in place of
// a puzzle.
func (r *Reader) beginsReport(l line) bool {
	return bytes.HasPrefix(l.text, []byte("error: ")) && !r.units.begun
}

// maxReport limits the length of the error in a line.
const maxReport = 400

// readReport returns the error in a line as an error of the input.
func (r *Reader) readReport(l line) (*Puzzle, error) {
	return nil, r.in.at(l, 0, "%s", l.text[:min(len(l.text), maxReport)])
}

// skipAll skips the rest of the input.
func (r *Reader) skipAll() {
	for {
		if _, err := r.in.next(); err != nil {
			return
		}
	}
}

// A lineKind is the role of a line among the rows of a grid.
type lineKind int

const (
	rowLine   lineKind = iota // cells, perhaps invalid ones
	gapLine                   // blank, or a part of a frame
	noteLine                  // a comment
	otherLine                 // begins something else
)

// kindOf returns the role of a line in a grid with the given shape. The layout, if
// not nil, is that of a grid with spaces for blanks.
func (r *Reader) kindOf(l line, s shape, lay *layout) lineKind {
	text := bytes.TrimLeft(l.text, " \t")
	switch {
	case len(text) > 0 && text[0] == '#':
		return noteLine
	case lay != nil && lay.bars > 0:
		if _, ok := lay.cells(l); ok {
			return rowLine
		}
	case len(text) == 0:
		return gapLine
	}
	var w row
	w.scan(l)
	switch {
	case w.bad < 0 && w.isEmpty():
		return gapLine
	case w.bad < 0 && w.count(s) == s.size && (w.digits || !isDash(w.blank) || r.isGridBlank(w.blank)):
		return rowLine
	case w.bad < 0 && !w.digits && isDash(w.blank):
		return gapLine
	case r.beginsOther(l):
		return otherLine
	}
	return rowLine
}

// beginsOther reports whether a line begins something that is no row of a grid.
func (r *Reader) beginsOther(l line) bool {
	return r.beginsReport(l) || r.beginsSection(l) || r.beginsGame(l) || r.beginsObject(l) || r.beginsTriples(l) ||
		bytes.HasPrefix(l.text, []byte("p cnf")) || r.beginsLine(l) || r.beginsElement(l) || r.beginsLabel(l)
}

// A gap is the state of looking for gaps between the rows of a grid: blank lines and
// parts of a frame. Bands of rows have gaps between them, and so have grids. A grid
// ends at a gap, although rows are missing, if more rows follow up to the next gap
// than the grid lacks. It also ends at a gap of more lines than another gap of the
// grid, if the rows behind it are a grid of their own.
type gap struct {
	first  int  // number of rows before the first gap, 0 without a gap
	lines  int  // number of lines of the last gap
	fewest int  // least number of lines of a gap in the grid
	line   line // the first line of the last gap, without text
}

// extend adds a line to the last gap, or begins a new one.
func (g *gap) extend(l line, apart bool) {
	if !apart {
		g.lines, g.line = 0, line{nil, l.number, l.offset}
	}
	g.lines++
}

// continues reports whether a row behind a gap belongs to the grid that has the given
// number of rows before it. It examines the lines up to the next gap, and only if the
// gaps are irregular one line behind the last row.
func (r *Reader) continues(g *gap, s shape, lay *layout, rows int) bool {
	if g.first == 0 {
		g.first, g.fewest = rows, g.lines
	}
	missing := s.size - rows
	if g.lines > 1 && r.isBorder(g, s, lay, missing) {
		return false
	}
	g.fewest = min(g.fewest, g.lines)
	if band := g.first; missing == band && rows%band == 0 && 2*band < s.size {
		return true // the last band
	}
	return r.countRows(0, missing, s, lay) < missing
}

// isBorder reports whether the row behind a gap begins a grid of its own: the gap has
// more lines than one before it or the next one, and the rows up to some later gap are
// as many as those of a grid.
func (r *Reader) isBorder(g *gap, s shape, lay *layout, missing int) bool {
	i, fewest := r.countRows(0, missing, s, lay), g.fewest
	if i+1 < missing {
		fewest = min(fewest, r.countGap(i, s, lay))
	}
	if g.lines <= fewest {
		return false
	}
	for i, rows := 0, 1; rows <= s.size; {
		n := r.countRows(i, s.size, s, lay)
		i, rows = i+n, rows+n
		between := r.countGap(i, s, lay)
		if rows == s.size || between == 0 {
			return rows == s.size
		}
		i, rows = i+between+1, rows+1
	}
	return false
}

// countRows returns the number of rows among the lines that follow, from line i on up
// to the next gap or the given limit.
func (r *Reader) countRows(i, limit int, s shape, lay *layout) int {
	for n := range limit {
		l, err := r.in.peek(i + n)
		if kind := r.kindOf(l, s, lay); err != nil || kind != rowLine && kind != noteLine {
			return n
		}
	}
	return limit
}

// countGap returns the number of lines of the gap at line i of those that follow, 0 if
// there is no gap or no row behind it.
func (r *Reader) countGap(i int, s shape, lay *layout) int {
	for n := range maxSkipped * s.size {
		l, err := r.in.peek(i + n)
		if err != nil {
			return 0
		}
		switch r.kindOf(l, s, lay) {
		case rowLine:
			return n
		case otherLine:
			return 0
		}
	}
	return 0
}

// endsEarly returns the error of a grid that ends at a gap.
func (r *Reader) endsEarly(g *gap, rows, size int) error {
	return r.in.errorf(g.line.number, 1, "the grid ends after %d of %d rows", rows, size)
}

// failInRow prepares Resume for an error in a row of a grid, which was read last. Rows
// are counted from 1.
func (r *Reader) failInRow(l line, s shape, lay *layout, rows int) {
	l.text = bytes.Clone(l.text)
	switch kind := r.kindOf(l, s, lay); {
	case kind != rowLine:
		r.in.unread(l)
	case rows == 2 && lay == nil && r.canBegin(l):
		r.in.unread(l)
		r.skipRest = r.skipShort
	default:
		r.skipRest = func() { r.skipRows(s, lay, rows) }
	}
}

// canBegin reports whether a line can be the first row of a grid, or a whole puzzle.
func (r *Reader) canBegin(l line) bool {
	var w row
	if w.scan(l); w.bad >= 0 {
		return true // the rows behind it decide
	}
	_, err := r.shapeOf(&w)
	return err == nil
}

// skipRows skips the rows of a grid behind some rows, and rows in excess.
func (r *Reader) skipRows(s shape, lay *layout, rows int) {
	var g gap
	for apart := false; rows < s.size; {
		l, err := r.in.next()
		if err != nil {
			return
		}
		switch kind := r.kindOf(l, s, lay); {
		case kind == otherLine || kind == rowLine && apart && !r.continues(&g, s, lay, rows):
			r.in.unread(l)
			return
		case kind == gapLine:
			g.extend(l, apart)
			apart = true
		case kind == rowLine:
			rows, apart = rows+1, false
		}
	}
	if more := r.countRows(0, s.size, s, lay); more < s.size {
		r.drop(more)
	}
}

// drop skips lines that were peeked at.
func (r *Reader) drop(lines int) {
	for range lines {
		if _, err := r.in.next(); err != nil {
			return
		}
	}
}

// failInFirst prepares Resume for an error in the first line of a grid.
func (r *Reader) failInFirst(l line) {
	width := len(bytes.TrimSpace(l.text))
	r.skipRest = func() { r.skipGridOf(width) }
}

// skipShort skips the grid whose first row has another number of cells than the rows
// behind it, unless those are a grid without it.
func (r *Reader) skipShort() { r.skipGridOf(-1) }

// skipGridOf skips the lines that form a grid with an invalid first line of the given
// width in bytes. If the next line is no row, or there is a whole grid before the next
// gap, the first line stood alone.
func (r *Reader) skipGridOf(width int) {
	next, err := r.in.peek(0)
	if err != nil || r.kindOf(next, shape{}, nil) != rowLine {
		return
	}
	s := shape{size: len(bytes.TrimSpace(next.text))}
	var w row
	if w.scan(next); w.bad < 0 {
		if s, err = r.shapeOf(&w); err != nil || s.whole || s.wholeSize > 0 && !r.isNextRow(&w, s) {
			return
		}
	} else if s.size != width || s.size > len(digitChars) {
		return
	}
	if n := r.countRows(0, s.size, s, nil); n == s.size && !r.isStack(s, width) {
		return
	}
	r.skipRows(s, nil, 1)
}

// isNextRow is like isRow for the line behind the one that was read.
func (r *Reader) isNextRow(w *row, s shape) bool {
	l, err := r.in.next()
	if err != nil {
		return false
	}
	l.text = bytes.Clone(l.text)
	w.scan(l)
	is := r.isRow(w, s)
	r.in.unread(l)
	return is
}

// isStack reports whether more rows than those of a grid follow each other without a
// gap, and are as wide as the line before them.
func (r *Reader) isStack(s shape, width int) bool {
	l, err := r.in.peek(s.size)
	return err == nil && r.kindOf(l, s, nil) == rowLine && len(bytes.TrimSpace(l.text)) == width
}

// skipTriples skips lines up to "end", or before something else.
func (r *Reader) skipTriples() {
	for {
		l, err := r.in.next()
		switch {
		case err != nil || string(bytes.TrimSpace(l.text)) == "end":
			return
		case r.beginsOther(l):
			r.in.unread(l)
			return
		}
	}
}

// skipFormula skips the lines of a formula in DIMACS up to the next header or the
// comments that define the next variables.
func (r *Reader) skipFormula() {
	r.units = units{}
	for {
		l, err := r.in.next()
		if err != nil {
			return
		}
		if text := bytes.TrimSpace(l.text); bytes.HasPrefix(text, []byte("p cnf")) || bytes.HasPrefix(text, []byte("c sudoku rules")) {
			r.in.unread(l)
			return
		}
	}
}
