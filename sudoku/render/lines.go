package render

import "sator/sudoku"

// A line is what stands between two neighboring cells.
type line uint8

const (
	inside line = iota // both are in one cage
	plain              // nothing but the two cells
	cage               // the border of a cage
	border             // that of a box or region, or of the grid, and of any cage there
	broken             // that of a box or region, in the midst of a cage
	lines
)

// strong reports whether a line belongs to a box, a region or the grid.
func (l line) strong() bool { return l >= border }

// A plan knows the lines of a grid.
type plan struct {
	rules   *sudoku.Rules
	regions []int // the house, box or region, of each cell; -1 without
}

func newPlan(r *sudoku.Rules) *plan {
	l := &plan{r, make([]int, r.Cells())}
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

// between returns the line between two places, each a cell or outside the grid.
func (l *plan) between(row1, col1, row2, col2 int) line {
	n := l.rules.Size()
	out1 := row1 < 0 || row1 >= n || col1 < 0 || col1 >= n
	out2 := row2 < 0 || row2 >= n || col2 < 0 || col2 >= n
	switch {
	case out1 && out2:
		return inside
	case out1 || out2:
		return border
	}
	a, b := row1*n+col1, row2*n+col2
	apart := l.regions[a] != l.regions[b]
	cageA, cageB := l.rules.CageOf(a), l.rules.CageOf(b)
	switch {
	case cageA != cageB && !apart:
		return cage
	case cageA != cageB, apart && cageA < 0:
		return border
	case apart:
		return broken
	case cageA >= 0:
		return inside
	}
	return plain
}

// above returns the line above a cell of that row and column; the row may be
// one too many, for the line below the last.
func (l *plan) above(row, col int) line { return l.between(row-1, col, row, col) }

// before returns the line on the left of a cell; the column may be one too many.
func (l *plan) before(row, col int) line { return l.between(row, col-1, row, col) }

// arms returns the four lines that meet at the top left corner of a cell, in the
// order up, right, down, left.
func (l *plan) arms(row, col int) [4]line {
	return [4]line{
		l.before(row-1, col),
		l.above(row, col),
		l.before(row, col),
		l.above(row, col-1),
	}
}
