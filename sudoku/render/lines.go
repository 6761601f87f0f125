package render

import "sator/sudoku"

// A line is the kind of line between two neighboring cells.
type line uint8

const (
	inside       line = iota // no line: both cells are in one cage, or both places are outside the grid
	plain                    // a light line: both cells are in the same box or region, and in no cage
	cage                     // the border of a cage
	border                   // the border of a box, a region or the grid, possibly with that of a cage
	borderInCage             // the border of a box or region within a cage
	lines
)

// strong reports whether the line belongs to a box, a region or the grid.
func (l line) strong() bool { return l >= border }

// borders has the lines of a grid.
type borders struct {
	rules   *sudoku.Rules
	plan    *sudoku.Plan
	regions []int // by cell: the house that is its box or region, or -1
}

func newBorders(r *sudoku.Rules) *borders {
	l := &borders{r, r.Plan(), make([]int, r.Cells())}
	for cell := range l.regions {
		l.regions[cell] = -1
		for _, h := range r.HousesOf(cell) {
			if kind := r.Houses()[h].Kind; kind == "box" || kind == "region" {
				l.regions[cell] = h
			}
		}
	}
	return l
}

// between returns the line between two neighboring places, each of which is a
// cell or outside the grid.
func (l *borders) between(row1, col1, row2, col2 int) line {
	a, b := l.plan.Cell(row1, col1), l.plan.Cell(row2, col2)
	switch {
	case a < 0 && b < 0:
		return inside
	case a < 0 || b < 0:
		return border
	}
	apart := l.regions[a] != l.regions[b]
	cageA, cageB := l.rules.CageOf(a), l.rules.CageOf(b)
	switch {
	case cageA != cageB && !apart:
		return cage
	case cageA != cageB, apart && cageA < 0:
		return border
	case apart:
		return borderInCage
	case cageA >= 0:
		return inside
	}
	return plain
}

// above returns the line above a cell. The row may be one too large, for the
// line below the last row.
func (l *borders) above(row, col int) line { return l.between(row-1, col, row, col) }

// before returns the line on the left of a cell. The column may be one too
// large, for the line after the last column.
func (l *borders) before(row, col int) line { return l.between(row, col-1, row, col) }

// arms returns the four lines that meet at the top left corner of a cell, in
// the order up, right, down, left.
func (l *borders) arms(row, col int) [4]line {
	return [4]line{
		l.before(row-1, col),
		l.above(row, col),
		l.before(row, col),
		l.above(row, col-1),
	}
}
