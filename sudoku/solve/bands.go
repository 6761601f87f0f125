package solve

import (
	"context"

	"sator/sudoku"
	"sator/sudoku/internal/bands"
)

// A bandsAdapter runs the solver of plain grids of size 9. It is not in the table of
// engines, since it solves no other rules: the engine auto uses it where it applies.
type bandsAdapter struct {
	solver bands.Solver
}

// count is like the method of an [adapter], and overwrites the slices in memory where it
// can instead of allocating new ones.
func (a *bandsAdapter) count(ctx context.Context, g *sudoku.Grid, limit int, memory [][]int) tally {
	t := tally{first: memory[:0]}
	memory = memory[:cap(memory)]
	t.n, t.complete = a.solver.Count(ctx, g, limit, func() {
		cells := cellsIn(memory, t.n)
		a.solver.Solution(cells)
		mustSolve(g, cells)
		t.add(cells)
	})
	return t
}

// cellsIn returns slice i of memory if it has the length of a grid, else a new slice.
func cellsIn(memory [][]int, i int) []int {
	if i < len(memory) && len(memory[i]) == 81 {
		return memory[i]
	}
	return make([]int, 81)
}
