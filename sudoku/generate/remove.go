package generate

import (
	"context"
	"slices"

	"sator/sudoku"
)

// Removal of givens from a puzzle with one solution, as long as the puzzle
// keeps a property: its solution is unique, or singles find it.
//
// Most givens of a full grid can be removed without a solver call. If the digit
// of the removed given is a naked or hidden single with respect to the
// remaining givens, then one single restores it, and both puzzles have the same
// solutions. Two tables make this test cheap: how many peers of a cell have a
// digit, and how many digits the peers of a cell have. The test costs one visit
// of each cell of the houses. At size 9 it replaces half of the solver calls.
// For large grids it is the only test: singles solve the resulting puzzle, in
// the reverse order of the removals, and every puzzle that singles solve can
// result.

// A remover removes givens from a puzzle.
type remover struct {
	grid     *sudoku.Grid // its cells change
	solution []int
	filled   int // number of givens

	// keeps reports whether the puzzle has the property after some cells were
	// removed. If it is nil, only givens that a single restores are removed.
	keeps func(ctx context.Context, removed []int) bool

	count []uint16 // by candidate: the number of peers with the digit
	seen  []uint8  // by cell: the number of digits that its peers have
}

// newRemover returns a remover for a puzzle with the given solution. Its keeps is
// nil.
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

// put makes the digit of a cell a given.
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

// remove removes a given.
func (m *remover) remove(cell int) {
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

// reset restores earlier givens.
func (m *remover) reset(cells []int) {
	for cell, digit := range cells {
		switch now := m.grid.Cells[cell]; {
		case now == 0 && digit != 0:
			m.put(cell)
		case now != 0 && digit == 0:
			m.remove(cell)
		}
	}
}

// single reports whether the digit of an empty cell is a naked or hidden single,
// with respect to the givens alone.
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

// onlyPlace reports whether the givens exclude a digit from all other cells of a
// house.
func (m *remover) onlyPlace(cell, digit int, house []int) bool {
	r := m.grid.Rules
	for _, other := range house {
		if other != cell && m.grid.Cells[other] == 0 && m.count[r.Candidate(other, digit)] == 0 {
			return false
		}
	}
	return true
}

// try removes some givens if the puzzle keeps its property without all of them, and
// reports whether it did.
func (m *remover) try(ctx context.Context, cells []int) bool {
	simple := true
	for _, cell := range cells {
		m.remove(cell)
		simple = simple && m.single(cell)
	}
	if simple || m.keeps != nil && m.keeps(ctx, cells) {
		return true
	}
	for _, cell := range cells {
		m.put(cell)
	}
	return false
}

// tryAll tries to remove the givens of each orbit in turn, unless fewer givens
// than the minimum least would remain. It stops when ctx is done.
func (m *remover) tryAll(ctx context.Context, orbits [][]int, least int) {
	for _, orbit := range orbits {
		if ctx.Err() != nil {
			return
		}
		if givens := m.givens(orbit); len(givens) > 0 && m.filled-len(givens) >= least {
			m.try(ctx, givens)
		}
	}
}

// givens returns the cells that have a digit.
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

// unique returns the property of having one solution.
func (m *remover) unique(s Counter) func(context.Context, []int) bool {
	marks := slices.Clone(m.grid.Marks)
	if marks == nil {
		marks = slices.Repeat([]bool{true}, len(m.count))
	}
	marked := *m.grid // shares the cells
	marked.Marks = marks
	return func(ctx context.Context, removed []int) bool {
		if len(removed) > 1 {
			solutions, complete := s.Solutions(ctx, m.grid, 2)
			return complete && len(solutions) == 1
		}
		// Any other solution has another digit in the removed cell, since the
		// puzzle with that given has one solution. So the mark of that digit is
		// removed and a single solution is searched for.
		c := m.grid.Rules.Candidate(removed[0], m.solution[removed[0]])
		marks[c] = false
		solutions, complete := s.Solutions(ctx, &marked, 1)
		marks[c] = true
		return complete && len(solutions) == 0
	}
}
