package solve

import (
	"context"

	"sator/sudoku"
	"sator/sudoku/infer"
)

// An inferrer is the worker of the engine infer, which needs no formula.
type inferrer struct {
	solver *infer.Solver
}

// newInferrer makes a solver for the rules of g.
func newInferrer(o *Options, g *sudoku.Grid, _ bool) (worker, error) {
	return &inferrer{infer.New(g.Rules, o.Infer)}, nil
}

// Without learning a puzzle in some thousands, and on large grids every other,
// takes longer than all the rest. So where there is another engine to turn to,
// such a puzzle is given up. Dead ends tell best that one is hard; how many are
// allowed depends on the size, as the time that each of them takes does.
const (
	trialCells = 81_000 // dead ends times cells
	trialLeast = 20     // dead ends
)

// newTrial makes a solver that gives hard puzzles up.
func newTrial(o *Options, g *sudoku.Grid, _ bool) (worker, error) {
	i := o.Infer
	i.DeadEnds = max(trialLeast, int64(trialCells/g.Rules.Cells()))
	return &inferrer{infer.New(g.Rules, i)}, nil
}

func (w *inferrer) remembers() bool { return false }

func (w *inferrer) count(ctx context.Context, g *sudoku.Grid, limit int) tally {
	var t tally
	t.complete = w.solver.Visit(ctx, g, func(c *sudoku.Candidates) bool {
		cells := c.Cells()
		check(g, cells)
		t.add(cells)
		return t.n < limit
	})
	return t
}

// check panics unless the digits solve the puzzle.
func check(g *sudoku.Grid, cells []int) {
	solution := sudoku.Grid{Rules: g.Rules, Cells: cells}
	if err := solution.Solves(g); err != nil {
		panic("solve: the digits found are no solution: " + err.Error())
	}
}

func (w *inferrer) effort() Effort { return Effort{Inference: w.solver.Stats()} }
