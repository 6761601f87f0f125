package solve

import (
	"context"

	"sator/internal/infer"
	"sator/sudoku"
)

// An inferAdapter runs the engine infer, which needs no formula.
type inferAdapter struct {
	solver *infer.Solver
}

// newInfer returns an adapter for the rules of g.
func newInfer(_ context.Context, o *Options, g *sudoku.Grid, _ bool) (adapter, error) {
	return &inferAdapter{infer.New(g.Rules, o.Infer)}, nil
}

// Search without learning has a heavy tail: one puzzle in some thousands, and on
// large grids every other one, takes longer than all others together. So the
// engine auto limits the dead ends of inference and solves the remaining puzzles
// by clause learning. The number of dead ends is the best sign of a hard puzzle.
// The limit depends on the size, since the time of a dead end does.
const (
	maxDeadEndCells = 81_000 // dead ends times cells
	minDeadEnds     = 20     // allowed on any grid
)

// newLimitedInfer returns an adapter for the rules of g that stops at the limit
// of dead ends.
func newLimitedInfer(_ context.Context, o *Options, g *sudoku.Grid, _ bool) (adapter, error) {
	i := o.Infer
	i.DeadEnds = max(minDeadEnds, int64(maxDeadEndCells/g.Rules.Cells()))
	return &inferAdapter{infer.New(g.Rules, i)}, nil
}

func (a *inferAdapter) stateful() bool { return false }

func (a *inferAdapter) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	t.complete = a.solver.Visit(ctx, g, func(c *sudoku.Candidates) bool {
		cells := c.Cells()
		mustSolve(g, cells)
		t.add(cells)
		return t.n < limit
	})
	return t
}

func (a *inferAdapter) effort() Effort { return Effort{Inference: a.solver.Stats()} }
