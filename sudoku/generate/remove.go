package generate

import (
	"context"
	"slices"

	"sator/sudoku"
)

// Taking givens out of a puzzle that has one solution, as long as it keeps some
// property: that there is no other solution, or that singles find it.
//
// Most givens of a full grid go without any question to a solver. If the other
// digits that are there leave a cell one candidate, or leave the digit one cell
// of a house, then a puzzle without this given leads back to the one with it by
// one single, and both have the same solutions. To see that takes two tables,
// which digits the peers of each cell have and how often, and costs no more than
// to look at the cells of its houses. In a grid of size 9 it answers half of the
// questions. For large grids it is the whole method: a puzzle from which givens
// are taken in this way alone can be solved by singles, in the reverse order, and
// every puzzle that singles solve can be made so.

// A remover holds a puzzle from which givens are taken.
type remover struct {
	grid     *sudoku.Grid // its cells change
	solution []int
	keeps    func(ctx context.Context, gone []int) bool // is it still good without these?
	filled   int                                        // number of givens

	count []uint16 // by candidate: how many of the cell's peers have the digit
	seen  []uint8  // by cell: how many digits its peers have
}

// newRemover returns a remover of givens of a puzzle with that solution. It has
// no property yet that is to be kept.
func newRemover(g *sudoku.Grid, solution []int) *remover {
	r := g.Rules
	m := &remover{
		grid: sudoku.NewGrid(r), solution: solution,
		count: make([]uint16, r.Cells()*r.Size()), seen: make([]uint8, r.Cells()),
	}
	m.grid.Marks = g.Marks
	for cell, digit := range g.Cells {
		if digit != 0 {
			m.put(cell)
		}
	}
	return m
}

// put gives a cell its digit.
func (m *remover) put(cell int) {
	digit := m.solution[cell]
	m.grid.Cells[cell] = digit
	m.filled++
	for _, peer := range m.grid.Rules.Peers(cell) {
		c := m.grid.Rules.Candidate(peer, digit)
		if m.count[c] == 0 {
			m.seen[peer]++
		}
		m.count[c]++
	}
}

// take takes a given out.
func (m *remover) take(cell int) {
	digit := m.solution[cell]
	m.grid.Cells[cell] = 0
	m.filled--
	for _, peer := range m.grid.Rules.Peers(cell) {
		c := m.grid.Rules.Candidate(peer, digit)
		m.count[c]--
		if m.count[c] == 0 {
			m.seen[peer]--
		}
	}
}

// reset makes the givens those that they were.
func (m *remover) reset(cells []int) {
	for cell, digit := range cells {
		switch now := m.grid.Cells[cell]; {
		case now == 0 && digit != 0:
			m.put(cell)
		case now != 0 && digit == 0:
			m.take(cell)
		}
	}
}

// single reports whether the digit of an empty cell follows from the givens
// that its peers, and the peers of these, have.
func (m *remover) single(cell int) bool {
	r := m.grid.Rules
	if int(m.seen[cell]) == r.Size()-1 {
		return true
	}
	digit := m.solution[cell]
	for _, h := range r.HousesOf(cell) {
		if m.onlyPlace(cell, digit, r.Houses()[h].Cells) {
			return true
		}
	}
	return false
}

// onlyPlace reports whether no other cell of a house can have the digit.
func (m *remover) onlyPlace(cell, digit int, house []int) bool {
	r := m.grid.Rules
	for _, other := range house {
		if other != cell && m.grid.Cells[other] == 0 && m.count[r.Candidate(other, digit)] == 0 {
			return false
		}
	}
	return true
}

// try takes givens out, all or none, and reports whether they are out.
func (m *remover) try(ctx context.Context, gone []int) bool {
	simple := true
	for _, cell := range gone {
		m.take(cell)
		simple = simple && m.single(cell)
	}
	if simple || m.keeps != nil && m.keeps(ctx, gone) {
		return true
	}
	for _, cell := range gone {
		m.put(cell)
	}
	return false
}

// tryAll tries sets of givens one after the other, but does not go below a
// number of givens, and stops when ctx is done.
func (m *remover) tryAll(ctx context.Context, orbits [][]int, least int) {
	for _, orbit := range orbits {
		if ctx.Err() != nil {
			return
		}
		if gone := m.givens(orbit); len(gone) > 0 && m.filled-len(gone) >= least {
			m.try(ctx, gone)
		}
	}
}

// givens returns those cells that have a digit.
func (m *remover) givens(cells []int) []int {
	if !slices.ContainsFunc(cells, func(cell int) bool { return m.grid.Cells[cell] == 0 }) {
		return cells
	}
	var givens []int
	for _, cell := range cells {
		if m.grid.Cells[cell] != 0 {
			givens = append(givens, cell)
		}
	}
	return givens
}

// unique returns the property that there is one solution.
func (m *remover) unique(s Counter) func(context.Context, []int) bool {
	marks := slices.Clone(m.grid.Marks)
	if marks == nil {
		marks = slices.Repeat([]bool{true}, len(m.count))
	}
	marked := *m.grid // shares the cells
	marked.Marks = marks
	return func(ctx context.Context, gone []int) bool {
		if len(gone) > 1 {
			solutions, complete := s.Solutions(ctx, m.grid, 2)
			return complete && len(solutions) == 1
		}
		// Another solution has another digit there, or it would have been one
		// before. So one question does, and none of them finds the solution that
		// is known.
		c := m.grid.Rules.Candidate(gone[0], m.solution[gone[0]])
		marks[c] = false
		solutions, complete := s.Solutions(ctx, &marked, 1)
		marks[c] = true
		return complete && len(solutions) == 0
	}
}
