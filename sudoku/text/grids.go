package text

import (
	"bytes"
	"io"
	"slices"

	"sator/sudoku"
)

// Several grids that share cells. Their rules must be known before; then a puzzle is one of:
//
//   - a line with all cells, row by row, where places outside of the grids are left out or blank;
//   - a drawing with a line for each row, likewise;
//   - a line for each grid with all its cells, so that shared cells are repeated.

// several returns the rules if they are known and of several grids, else nil.
func (r *Reader) several() *sudoku.Rules {
	if rules := r.fixedRules(); rules != nil && rules.Variant().Grids != nil {
		return rules
	}
	return nil
}

// beginsGrids accepts every line that begins no puzzle in another form, if several grids are wanted.
func (r *Reader) beginsGrids(l line) bool {
	return r.several() != nil && !r.beginsSection(l) && !r.beginsJSON(l) && !r.beginsUnits(l)
}

// readGrids reads several grids from their first line on, or skips a line without cells.
func (r *Reader) readGrids(l line) (*Puzzle, error) {
	d := drawing{r: r, rules: r.several()}
	r.symbols = r.symbols[:0]
	if isRow, err := d.scan(l); !isRow || err != nil {
		return nil, err
	}
	n, plan := d.rules.Size(), d.rules.Plan()
	r.symbols = make([]symbol, d.rules.Cells())
	switch cells := inside(cellsIn(plan, 0, 1)); {
	case r.row.has(plan.Cells()), r.row.has(plan.Rows * plan.Cols):
		if err := d.add(cellsIn(plan, 0, plan.Rows)); err != nil {
			return nil, err
		}
		return r.puzzleOf(r.symbols, d.rules, "line")
	case r.row.has(len(cells)), r.row.has(plan.Cols):
		return d.read(plan.Rows, func(i int) []int { return cellsIn(plan, i, i+1) })
	case r.row.has(n * n):
		return d.read(d.rules.Rows()/n, d.gridCells)
	default:
		return nil, r.in.at(l, 0, "%d cells: want %d in the first of %d rows, %d for a grid, or %d for all", len(r.row.symbols), len(cells), plan.Rows, n*n, plan.Cells())
	}
}

// A drawing is several grids that are being read. The symbols of the reader are by cell; a symbol
// without a line is not read yet.
type drawing struct {
	r     *Reader
	rules *sudoku.Rules
}

// cellsIn returns the cells of some rows, with -1 for places without one.
func cellsIn(p *sudoku.Plan, from, to int) (cells []int) {
	for row := from; row < to; row++ {
		for col := range p.Cols {
			cells = append(cells, p.Cell(row, col))
		}
	}
	return cells
}

// inside returns the given cells without the places that are none.
func inside(cells []int) []int {
	return slices.DeleteFunc(slices.Clone(cells), func(cell int) bool { return cell < 0 })
}

// gridCells returns the cells of a grid.
func (d *drawing) gridCells(grid int) (cells []int) {
	n := d.rules.Size()
	for _, row := range d.rules.Houses()[grid*n : grid*n+n] {
		cells = append(cells, row.Cells...)
	}
	return cells
}

// scan scans a line. It reports whether the line has cells, and is no part of a frame.
func (d *drawing) scan(l line) (bool, error) {
	w := &d.r.row
	if w.scan(l); w.bad >= 0 {
		return false, d.r.badCharacter(w)
	}
	return !w.isEmpty() && (w.digits || !isDash(w.blank) || d.r.isGridBlank(w.blank)), nil
}

// has reports whether the row has a number of cells, as characters or as numbers.
func (w *row) has(cells int) bool {
	return len(w.symbols) == cells || len(w.tokens) == cells && w.areNumbers(sudoku.MaxSize)
}

// read reads a number of lines with cells, the first of which has been scanned.
func (d *drawing) read(lines int, cells func(i int) []int) (*Puzzle, error) {
	r, left := d.r, lines
	r.skipRest = func() { // the lines left, but none behind an empty line or a comment
		for ; left > 0; left-- {
			if l, err := r.in.peek(0); err != nil || isGap(l) {
				return
			}
			r.in.next()
		}
	}
	for i := range lines {
		left--
		for isRow := i == 0; !isRow; {
			l, err := r.in.next()
			switch {
			case err == io.EOF:
				return nil, r.in.errorf(r.row.line.number+1, 1, "the input ends after %d of %d lines of a puzzle of several grids", i, lines)
			case err == nil && bytes.HasPrefix(bytes.TrimSpace(l.text), []byte("#")):
				r.in.unread(l)
				return nil, r.in.at(l, 0, "a comment after %d of %d lines of a puzzle of several grids", i, lines)
			case err != nil:
				return nil, err
			}
			if isRow, err = d.scan(l); err != nil {
				return nil, err
			}
		}
		if err := d.add(cells(i)); err != nil {
			return nil, err
		}
	}
	r.skipRest = nil
	return r.puzzleOf(r.symbols, d.rules, "grid")
}

// isGap reports whether a line is empty or a comment.
func isGap(l line) bool {
	text := bytes.TrimSpace(l.text)
	return len(text) == 0 || text[0] == '#'
}

// isBlank reports whether a symbol is no digit.
func (d *drawing) isBlank(s symbol) bool {
	return s.char != 0 && kinds[s.char] == isBlank || s.isX() && d.rules.Size() < 24
}

// add adds the symbols of a row. Its cells are the given ones; -1 stands for a place without a
// cell, which the row may leave out.
func (d *drawing) add(cells []int) error {
	w, known := &d.r.row, d.r.symbols
	if in := inside(cells); w.has(len(in)) {
		cells = in
	} else if !w.has(len(cells)) {
		return d.r.in.at(w.line, 0, "%d cells, want %d", len(w.symbols), len(in))
	}
	symbols := w.symbols
	if len(symbols) != len(cells) {
		symbols, _ = w.tokenSymbols(nil)
	}
	for i, cell := range cells {
		s := symbols[i]
		switch blank := d.isBlank(s); {
		case cell < 0 && !blank:
			return d.r.in.errorf(int(s.line), int(s.column), "a digit outside of the grids")
		case cell < 0:
		case known[cell].line == 0 || !blank && d.isBlank(known[cell]):
			known[cell] = s
		case !blank && known[cell].value() != s.value():
			return d.r.in.errorf(int(s.line), int(s.column), "%s has two digits in the grids that share it", d.rules.CellName(cell))
		}
	}
	return nil
}
