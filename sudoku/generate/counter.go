package generate

import (
	"context"
	"errors"

	"sator/internal/infer"
	"sator/sudoku"
	"sator/sudoku/internal/bands"
	"sator/sudoku/solve"
)

// A Counter finds solutions of puzzles. [infer.Solver] is a Counter.
type Counter interface {
	// Solutions returns at most limit solutions of a puzzle, and whether there
	// are no others. It may return early when ctx is done.
	Solutions(ctx context.Context, g *sudoku.Grid, limit int) (solutions [][]int, complete bool)
}

// CounterFor returns the solver that is fastest at proving uniqueness for
// puzzles with the given rules: package bands for plain grids of size 9, clause
// learning for rules with cages, where inference is weak, and inference for all
// other rules.
func CounterFor(r *sudoku.Rules) Counter {
	switch {
	case r.Plain9():
		return new(plainCounter)
	case !r.OnlyDiffer():
		return SolverCounter(solve.New(solve.Options{}))
	}
	return inference(r)
}

// A plainCounter finds solutions of plain grids of size 9.
type plainCounter struct{ bands.Solver }

func (c *plainCounter) Solutions(ctx context.Context, g *sudoku.Grid, limit int) (solutions [][]int, complete bool) {
	complete = c.Visit(ctx, g, func() bool {
		cells := make([]int, 81)
		c.Solution(cells)
		solutions = append(solutions, cells)
		return len(solutions) != limit
	})
	return solutions, complete
}

// inference returns a solver for the calls of a generator. Most calls are about easy
// puzzles or puzzles with many solutions, where the 2SAT rule takes longer than it
// saves. In plain grids of a size below 9 this also holds for locked candidates.
//
// Milliseconds per puzzle with singles alone, with locked candidates too, with
// the 2SAT rule at the root too, and with the rule at every node: 26, 9, 18, 96 at
// size 9 with the anti-knight constraint; 1800, 240, 120, 510 for jigsaws of size 12.
func inference(r *sudoku.Rules) *infer.Solver {
	plain := r.Size() < 9 && r.String() == sudoku.Standard(r.Size()).String()
	return infer.New(r, infer.Options{Rule: infer.Never, NoLocked: plain})
}

// SolverCounter returns a counter that uses a solver with any engine.
func SolverCounter(s *solve.Solver) Counter { return solverCounter{s} }

type solverCounter struct{ *solve.Solver }

func (e solverCounter) Solutions(ctx context.Context, g *sudoku.Grid, limit int) ([][]int, bool) {
	a := e.Count(ctx, g, limit)
	return a.Solutions, a.Complete
}

// boundedFor is like CounterFor, but inference stops at a node budget. The
// budget counts nodes instead of time, so the result is the same on any
// machine.
func boundedFor(r *sudoku.Rules) Counter {
	if r.Plain9() || !r.OnlyDiffer() {
		return CounterFor(r)
	}
	return bounded{inference(r)}
}

// maxCallNodes is the node budget of one call. In larger grids one given more or less is not worth the time: with
// windows at size 16 a call may take minutes.
const maxCallNodes = 5000

type bounded struct{ *infer.Solver }

func (b bounded) Solutions(ctx context.Context, g *sudoku.Grid, limit int) ([][]int, bool) {
	return b.Solver.Solutions(&nodeBudget{ctx, b.Solver, b.Stats().Nodes + maxCallNodes}, g, limit)
}

// A nodeBudget is a context that ends after a number of nodes of a solver. The
// solver checks it at intervals that depend on the rules alone.
type nodeBudget struct {
	context.Context
	solver *infer.Solver
	end    int64 // number of nodes of solver
}

var errNodeBudget = errors.New("generate: too many nodes")

func (b *nodeBudget) Err() error {
	if b.solver.Stats().Nodes >= b.end {
		return errNodeBudget
	}
	return b.Context.Err()
}
