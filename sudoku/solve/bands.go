package solve

import (
	"context"

	"sator/sudoku"
	"sator/sudoku/bands"
)

// A bandsAdapter runs the solver of plain grids of size 9. It is not in the table of
// engines, since it solves no other rules: the engine auto uses it where it applies.
type bandsAdapter struct {
	solver bands.Solver
}

func (a *bandsAdapter) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	t.complete = a.solver.Visit(ctx, g, func(digits *[81]uint8) bool {
		if t.n >= 2 { // add would not keep it
			t.n++
			return t.n < limit
		}
		cells := make([]int, len(digits))
		for i, d := range digits {
			cells[i] = int(d)
		}
		check(g, cells)
		t.add(cells)
		return t.n < limit
	})
	return t
}
