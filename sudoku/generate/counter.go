package generate

import (
	"context"
	"errors"

	"sator/sudoku"
	"sator/sudoku/infer"
	"sator/sudoku/solve"
)

// A Counter finds solutions of puzzles, at most limit, and says whether there
// are no others. It may stop before when ctx is done. [infer.Solver] is one.
type Counter interface {
	Solutions(ctx context.Context, g *sudoku.Grid, limit int) (solutions [][]int, complete bool)
}

// CounterFor returns the solver that proves soonest that puzzles of these rules
// have one solution: that of package infer, but where there are cages, of which
// inference makes little, one that learns clauses.
func CounterFor(r *sudoku.Rules) Counter {
	if len(r.Cages()) > 0 {
		return SolverCounter(solve.New(solve.Options{}))
	}
	return inference(r)
}

// inference returns a solver for the questions that making puzzles asks. Most
// are about easy puzzles, or such with many solutions, and the 2SAT rule takes
// longer than what it saves. So do locked candidates at size 9 without other
// rules. (In milliseconds a puzzle, with singles alone, locked candidates, the
// rule at the root, and everywhere: size 9 0.85, 1.5, 6.6, 22; anti-knight 26, 9,
// 18, 96; jigsaw of size 12 1800, 240, 120, 510.)
func inference(r *sudoku.Rules) *infer.Solver {
	plain := r.Size() <= 9 && r.String() == sudoku.Standard(r.Size()).String()
	return infer.New(r, infer.Options{Rule: infer.Never, NoLocked: plain})
}

// SolverCounter returns a counter that asks a solver with any engine.
func SolverCounter(s *solve.Solver) Counter { return engine{s} }

type engine struct{ *solve.Solver }

func (e engine) Solutions(ctx context.Context, g *sudoku.Grid, limit int) ([][]int, bool) {
	a := e.Count(ctx, g, limit)
	return a.Solutions, a.Complete
}

// boundedFor returns a counter like CounterFor, but it gives a question up that
// takes very long, counted in nodes, so that it is the same on any machine.
func boundedFor(r *sudoku.Rules) Counter {
	if len(r.Cages()) > 0 {
		return CounterFor(r)
	}
	return bounded{inference(r)}
}

// questionNodes is after how many nodes of a search a question is given up.
// Nearly none at size 9 takes a tenth of that. In larger grids a given more or
// less is not worth the time: with windows at size 16 it would be minutes.
const questionNodes = 5000

type bounded struct{ *infer.Solver }

func (b bounded) Solutions(ctx context.Context, g *sudoku.Grid, limit int) ([][]int, bool) {
	return b.Solver.Solutions(&leash{ctx, b.Solver, b.Stats().Nodes + questionNodes}, g, limit)
}

// A leash is a context that ends when a solver has searched so many nodes. The
// solver looks at it after a number of nodes that depends on the rules alone.
type leash struct {
	context.Context
	solver *infer.Solver
	end    int64
}

var errLeash = errors.New("generate: too many nodes")

func (l *leash) Err() error {
	if l.solver.Stats().Nodes >= l.end {
		return errLeash
	}
	return l.Context.Err()
}
