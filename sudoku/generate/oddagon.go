package generate

import (
	"context"
	"slices"

	"sator/sudoku/explain"
)

// Plain puzzles of size 9 that failed literals do not solve (class search). Removing givens at
// random hardly ever leads to such a puzzle: of 4,000 puzzles there was not one, and local search
// by the number of failed literals, by their depth or by the branches of a solver found none in
// some hundred thousand changes. So the puzzle is made around a pattern for which failed literals are too weak.
//
// The pattern is the trivalue oddagon of players: in four boxes at the corners of a rectangle,
// three cells each in different rows and columns have the candidates a, b and c. For half of the
// choices of the cells there is no solution, by a parity argument, though each single assumption
// leads to no contradiction by singles. So one of the cells has another digit, the guard, and no
// failed literal shows that.
//
// The maker looks for such cells in a full grid: three of the boxes have a, b and c in different
// rows and columns, and the fourth two of them; the cell that completes the fourth box is the
// guard. The maker removes the guard and all a, b and c that the four boxes see. If the solution
// stays unique, it removes other givens: first those with the digit of the guard, so that this is
// no hidden single, then those outside the four boxes.
//
// In 10,000 full grids there were 6,301 patterns, 3,379 of them with a unique solution. One in 233
// such orders of removals led to a puzzle of the class; with the cells outside the boxes last it
// was one in 3,400.

// An oddagon is the pattern in a full grid of size 9.
type oddagon struct {
	cells [4][3]int // by box: the cells in different rows and columns
	guard int       // the one of them that has another digit than a, b and c
	open  []int     // the guard, and the cells with a, b or c in all boxes but one
}

// oddagons appends the patterns of a full grid with digits a, b and c.
func oddagons(full []int, abc [3]int, list []oddagon) []oddagon {
	for rows := range 3 { // the band and the stack that the rectangle leaves out
		for cols := range 3 {
			if o, ok := oddagonAt(full, abc, rows, cols); ok {
				list = append(list, o)
			}
		}
	}
	return list
}

// oddagonAt finds a pattern in the boxes outside a band and a stack.
func oddagonAt(full []int, abc [3]int, band, stack int) (o oddagon, ok bool) {
	boxes, guards := 0, 0
	for box := range 9 {
		if box/3 == band && box%3 == stack {
			continue
		}
		cells := digitCells(full, abc, box)
		o.open = append(o.open, cells[:]...)
		if box/3 == band || box%3 == stack {
			continue
		}
		last, is := completed(cells)
		switch {
		case !is:
			return o, false
		case last != cells[2]:
			o.open, o.guard = append(o.open, last), last
			guards++
		}
		cells[2] = last
		o.cells[boxes] = cells
		boxes++
	}
	return o, guards == 1 && !o.colorable()
}

// digitCells returns the cells of three digits in a box. If two of them share no row and no
// column, these come first.
func digitCells(full []int, abc [3]int, box int) (cells [3]int) {
	corner := box/3*27 + box%3*3
	for i, digit := range abc {
		for k := range 9 {
			if cell := corner + k/3*9 + k%3; full[cell] == digit {
				cells[i] = cell
			}
		}
	}
	for range 2 {
		if apart(cells[0], cells[1]) {
			break
		}
		cells[0], cells[1], cells[2] = cells[1], cells[2], cells[0]
	}
	return cells
}

// apart reports whether two cells share no row and no column.
func apart(x, y int) bool { return x/9 != y/9 && x%9 != y%9 }

// completed returns the cell of a box in another row and column than the first two of some cells.
// The result is false if these two share a row or column.
func completed(cells [3]int) (last int, ok bool) {
	if !apart(cells[0], cells[1]) {
		return 0, false
	}
	third := func(x, y int) int { return x/3*3 + 3 - x%3 - y%3 }
	return third(cells[0]/9, cells[1]/9)*9 + third(cells[0]%9, cells[1]%9), true
}

// colorable reports whether the cells of the pattern could have a, b and c alone.
func (o *oddagon) colorable() bool {
	orders := [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for n := range 6 * 6 * 6 { // the first box has a, b and c in order
		chosen := [4][3]int{orders[0], orders[n%6], orders[n/6%6], orders[n/36]}
		if !o.conflicts(chosen) {
			return true
		}
	}
	return false
}

// conflicts reports whether two cells in a row or column have the same digit.
func (o *oddagon) conflicts(digits [4][3]int) bool {
	for i := range 4 {
		for k := range i {
			for x, p := range o.cells[i] {
				for y, q := range o.cells[k] {
					if digits[i][x] == digits[k][y] && !apart(p, q) {
						return true
					}
				}
			}
		}
	}
	return false
}

// hideTries is the number of orders of removals for a pattern.
const hideTries = 3

// classEffort is the effort of finding the class of a puzzle.
const classEffort = 20

// hide removes givens of a full grid, down to a number of givens, so that failed literals do not
// solve the puzzle. The solution stays unique. It returns false if no pattern of the grid leads to
// such a puzzle.
func (m *maker) hide(ctx context.Context, r *remover, least int) bool {
	var list []oddagon
	for a := 1; a <= 9; a++ {
		for b := a + 1; b <= 9; b++ {
			for c := b + 1; c <= 9; c++ {
				list = oddagons(r.solution, [3]int{a, b, c}, list)
			}
		}
	}
	for _, o := range list {
		for _, cell := range o.open {
			r.remove(cell)
		}
		start := slices.Clone(r.grid.Cells)
		for try := 0; try < hideTries && m.isUnique(ctx, r); try++ {
			r.tryAll(ctx, m.hidingOrder(r.solution, &o), least)
			m.effort -= classEffort
			if m.classOf(ctx, r) == explain.BySearch {
				return true
			}
			r.reset(start)
		}
		r.reset(r.solution)
	}
	return false
}

// hidingOrder returns a random order of the cells in three parts: the cells with the digit of the
// guard, the other cells outside the four boxes, and the cells in these boxes.
func (m *maker) hidingOrder(full []int, o *oddagon) [][]int {
	var parts [3][][]int
	for _, cell := range m.rng.Perm(len(full)) {
		part := 1
		switch {
		case full[cell] == full[o.guard]:
			part = 0
		case o.inBoxes(cell):
			part = 2
		}
		parts[part] = append(parts[part], []int{cell})
	}
	return slices.Concat(parts[:]...)
}

// inBoxes reports whether a cell is in one of the four boxes.
func (o *oddagon) inBoxes(cell int) bool {
	return slices.ContainsFunc(o.cells[:], func(cells [3]int) bool {
		return cell/27 == cells[0]/27 && cell%9/3 == cells[0]%9/3
	})
}

// isUnique reports whether the puzzle of r has one solution.
func (m *maker) isUnique(ctx context.Context, r *remover) bool {
	m.effort--
	solutions, complete := m.counter.Solutions(ctx, r.grid, 2)
	return complete && len(solutions) == 1
}
