package sudoku

import (
	"errors"
	"fmt"
	"slices"
)

// Several grids can share cells: four grids of a Samurai each share a box with a fifth one in
// the middle. Each grid has its rows, columns, boxes, diagonals and so on; a cell of two grids
// is in the houses of both. The cells of all grids are numbered together, row by row.

// A Place is a row and a column, both from 0.
type Place struct{ Row, Col int }

// A Plan has the places of the cells: all of a square, or those of several grids.
type Plan struct {
	Rows, Cols int

	size    int     // of each grid
	corners []Place // of the grids: their first cells
	cells   []int   // by row*Cols + column: the cell, -1 without one; nil for a square
	places  []Place // by cell; nil for a square
}

// Plan returns the places of the cells of a variant.
func (v *Variant) Plan() *Plan {
	p := &Plan{Rows: v.Size, Cols: v.Size, size: v.Size, corners: v.Grids}
	if v.Grids == nil {
		p.corners = []Place{{}}
		return p
	}
	for _, c := range v.Grids {
		p.Rows, p.Cols = max(p.Rows, c.Row+v.Size), max(p.Cols, c.Col+v.Size)
	}
	p.cells = make([]int, p.Rows*p.Cols)
	for _, c := range v.Grids {
		for i := range v.Size * v.Size {
			p.cells[(c.Row+i/v.Size)*p.Cols+c.Col+i%v.Size] = 1
		}
	}
	for at, in := range p.cells {
		if p.cells[at] = -1; in > 0 {
			p.cells[at] = len(p.places)
			p.places = append(p.places, Place{at / p.Cols, at % p.Cols})
		}
	}
	return p
}

// Cells returns the number of cells.
func (p *Plan) Cells() int {
	if p.places == nil {
		return p.Rows * p.Cols
	}
	return len(p.places)
}

// Place returns the place of a cell.
func (p *Plan) Place(cell int) Place {
	if p.places == nil {
		return Place{cell / p.Cols, cell % p.Cols}
	}
	return p.places[cell]
}

// Cell returns the cell at a place, or -1 if there is none.
func (p *Plan) Cell(row, col int) int {
	switch {
	case row < 0 || row >= p.Rows || col < 0 || col >= p.Cols:
		return -1
	case p.cells == nil:
		return row*p.Cols + col
	}
	return p.cells[row*p.Cols+col]
}

// Name returns the name of a cell by row and column, from 1: "R3C5".
func (p *Plan) Name(cell int) string {
	at := p.Place(cell)
	return fmt.Sprintf("R%dC%d", at.Row+1, at.Col+1)
}

// named returns the cell with the given name, such as "R3C5" or "r3c5".
func (p *Plan) named(name string) (int, error) {
	at, err := parsePlace(name)
	if err != nil {
		return 0, err
	}
	cell := p.Cell(at.Row, at.Col)
	switch {
	case cell < 0 && p.cells == nil:
		return 0, fmt.Errorf("no cell %s in a grid of size %d", name, p.Rows)
	case cell < 0:
		return 0, fmt.Errorf("no cell %s in the grids", name)
	}
	return cell, nil
}

// parsePlace parses the name of a cell.
func parsePlace(name string) (Place, error) {
	row, rest, ok1 := cutIndex(name, 'R')
	column, rest, ok2 := cutIndex(rest, 'C')
	if !ok1 || !ok2 || rest != "" {
		return Place{}, fmt.Errorf("invalid cell %q: want a name such as R3C5", name)
	}
	return Place{row - 1, column - 1}, nil
}

// makeSamurai makes five grids: one in the middle, and four that share its boxes in the corners.
func (v *Variant) makeSamurai() error {
	if v.BoxRows == 0 {
		return errors.New("samurai wants boxes before it, as in 9 boxes 3x3 samurai")
	}
	down, across := v.Size-v.BoxRows, v.Size-v.BoxCols
	v.Grids = []Place{{0, 0}, {0, 2 * across}, {down, across}, {2 * down, 0}, {2 * down, 2 * across}}
	return v.check()
}

// checkGrids returns an error if the corners of the grids are invalid.
func (v *Variant) checkGrids() error {
	if v.Grids == nil {
		return nil
	}
	switch {
	case v.Regions != nil:
		return errors.New("several grids cannot have regions")
	case len(v.Grids) < 2:
		return errors.New("want the first cells of at least two grids, as in 9 boxes 3x3 grids R1C1,R7C7")
	}
	seen := make(map[Place]bool)
	var rows, cols [MaxSize]bool // by number: a grid has it
	for _, c := range v.Grids {
		switch {
		case c.Row < 0 || c.Col < 0 || c.Row+v.Size > MaxSize || c.Col+v.Size > MaxSize:
			return fmt.Errorf("the grid at R%dC%d is not within %d rows and columns", c.Row+1, c.Col+1, MaxSize)
		case seen[c]:
			return fmt.Errorf("two grids at R%dC%d", c.Row+1, c.Col+1)
		}
		seen[c] = true
		for i := range v.Size {
			rows[c.Row+i], cols[c.Col+i] = true, true
		}
	}
	if gap := gapIn(rows[:]); gap > 0 {
		return fmt.Errorf("no grid in row %d", gap)
	}
	if gap := gapIn(cols[:]); gap > 0 {
		return fmt.Errorf("no grid in column %d", gap)
	}
	for _, c := range v.Grids {
		aligned := v.BoxRows > 0 && c.Row%v.BoxRows == 0 && c.Col%v.BoxCols == 0
		if !aligned && slices.ContainsFunc(v.Relations, func(r Relation) bool { return r.Kind == "region-sum" }) {
			return errors.New("region-sum wants grids whose boxes agree")
		}
	}
	return nil
}

// gapIn returns the number of the first line without a cell before one with a cell, from 1, or 0.
func gapIn(lines []bool) int {
	first := slices.Index(lines, false) + 1
	if first > 0 && slices.Contains(lines[first:], true) {
		return first
	}
	return 0
}
