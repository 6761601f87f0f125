package sudoku

import (
	"errors"
	"fmt"

	"sator/dimacs"
)

// ErrNoMap is returned for a formula without a map in its comments.
var ErrNoMap = errors.New(`no comment begins with "sudoku rules"; the meaning of the variables is unknown`)

// Decode returns the solution that a model represents. The model may leave
// variables unassigned; a candidate holds if its variable is true. Decode
// returns an error if a cell has no digit or two digits, if the digits violate
// a rule, or if they differ from the givens of Puzzle.
func (m *Map) Decode(model dimacs.Model) (*Grid, error) {
	g := NewGrid(m.Rules)
	for cell := range g.Cells {
		digit, err := m.decodeCell(model, cell)
		if err != nil {
			return nil, err
		}
		g.Cells[cell] = digit
	}
	puzzle := m.Puzzle
	if puzzle == nil {
		puzzle = NewGrid(m.Rules)
	}
	if err := g.Solves(puzzle); err != nil {
		return nil, err
	}
	return g, nil
}

// decodeCell returns the digit of a cell.
func (m *Map) decodeCell(model dimacs.Model, cell int) (int, error) {
	found := 0
	if m.placed != nil {
		found = m.placed[cell]
	}
	for digit := 1; digit <= m.Rules.Size(); digit++ {
		l := m.lit[m.Rules.Candidate(cell, digit)]
		if l == noLit || model.Lit(l) != dimacs.True {
			continue
		}
		if found != 0 {
			return 0, fmt.Errorf("%s has two digits, %d and %d", m.Rules.CellName(cell), found, digit)
		}
		found = digit
	}
	if found == 0 {
		return 0, fmt.Errorf("%s has no digit", m.Rules.CellName(cell))
	}
	return found, nil
}

// Units returns the puzzle in the unit clauses of a formula: true candidates
// are givens, and the marks exclude false candidates. If the encoding
// propagates the givens, Units returns Puzzle. It returns an error if a cell
// has two different givens.
func (m *Map) Units(f *dimacs.Formula) (*Grid, error) {
	if m.placed != nil {
		return m.Puzzle, nil
	}
	candidates := make([]int32, m.vars) // by variable: its candidate plus one, 0 without one
	for candidate, l := range m.lit {
		candidates[l.Var()] = int32(candidate + 1)
	}
	g := NewGrid(m.Rules)
	for _, c := range f.Clauses() {
		if len(c) != 1 || int(c[0].Var()) >= len(candidates) || candidates[c[0].Var()] == 0 {
			continue
		}
		if err := g.addUnit(int(candidates[c[0].Var()])-1, !c[0].Neg()); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// addUnit makes a candidate a given, or excludes it from the marks.
func (g *Grid) addUnit(candidate int, holds bool) error {
	cell, digit := g.Rules.Split(candidate)
	switch {
	case !holds:
		g.Exclude(candidate)
	case g.Cells[cell] == 0:
		g.Cells[cell] = digit
	case g.Cells[cell] != digit:
		return fmt.Errorf("%s has two givens, %d and %d", g.Rules.CellName(cell), g.Cells[cell], digit)
	}
	return nil
}

// exclude removes a candidate from the marks.
func (g *Grid) Exclude(candidate int) {
	if g.Marks == nil {
		g.Marks = make([]bool, g.Rules.Cells()*g.Rules.Size())
		for i := range g.Marks {
			g.Marks[i] = true
		}
	}
	g.Marks[candidate] = false
}
