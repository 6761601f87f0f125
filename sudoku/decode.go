package sudoku

import (
	"errors"
	"fmt"

	"sator/dimacs"
)

// ErrNoMap is the error of a formula whose comments have no map.
var ErrNoMap = errors.New(`no comment begins with "sudoku rules"; the formula does not tell what its variables mean`)

// Decode returns the solution that a model is. The model may leave variables
// open; a candidate is taken if its variable is true. The error says what is
// wrong: a cell without a digit or with two, digits that break a rule, or that
// are not those of Puzzle, if that is known.
func (m *Map) Decode(model dimacs.Model) (*Grid, error) {
	g := NewGrid(m.Rules)
	for cell := range g.Cells {
		digit, err := m.decode(model, cell)
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

// decode returns the digit of a cell.
func (m *Map) decode(model dimacs.Model, cell int) (int, error) {
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

// Units returns the puzzle that the unit clauses of a formula are: true
// candidates are givens, false ones are excluded by its marks. Of a map that
// leaves the givens out, it returns the Puzzle. The error is that of two
// different givens of a cell.
func (m *Map) Units(f *dimacs.Formula) (*Grid, error) {
	if m.placed != nil {
		return m.Puzzle, nil
	}
	candidates := make([]int32, m.vars) // by variable, the candidate plus one
	for candidate, l := range m.lit {
		candidates[l.Var()] = int32(candidate + 1)
	}
	g := NewGrid(m.Rules)
	for _, c := range f.Clauses() {
		if len(c) != 1 || int(c[0].Var()) >= len(candidates) || candidates[c[0].Var()] == 0 {
			continue
		}
		if err := g.unit(int(candidates[c[0].Var()])-1, !c[0].Neg()); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// unit makes a candidate a given, or takes it from the marks.
func (g *Grid) unit(candidate int, holds bool) error {
	cell, digit := g.Rules.Split(candidate)
	switch {
	case !holds:
		g.exclude(candidate)
	case g.Cells[cell] == 0:
		g.Cells[cell] = digit
	case g.Cells[cell] != digit:
		return fmt.Errorf("%s is given twice, as %d and as %d", g.Rules.CellName(cell), g.Cells[cell], digit)
	}
	return nil
}

// exclude takes a candidate from the marks.
func (g *Grid) exclude(candidate int) {
	if g.Marks == nil {
		g.Marks = make([]bool, g.Rules.Cells()*g.Rules.Size())
		for i := range g.Marks {
			g.Marks[i] = true
		}
	}
	g.Marks[candidate] = false
}
