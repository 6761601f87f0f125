package explain

import (
	"context"
	"fmt"

	"sator/dimacs"
)

// The last technique of hints, core, is for puzzles that the techniques of package technique do
// not solve within their sizes: it searches for a set of givens that forces a digit.

// coreName and coreHelp are the row of the technique in the table of hints.
const (
	coreName = "core"
	coreHelp = "a set of givens, found by search, forces a digit"
)

// coreTrials is the number of cells that easiest compares.
const coreTrials = 100

// core places the digit of the cell that is easiest for the solver; the reason is
// the set of givens that forces it. The error is the cause of ctx.
func (h *hinter) core(ctx context.Context) (Step, error) {
	f, err := newForcer(ctx, h.puzzle)
	if err != nil {
		return Step{}, err
	}
	cell, ok := h.easiest(ctx, f)
	switch {
	case ctx.Err() != nil:
		return Step{}, context.Cause(ctx)
	case !ok:
		panic("explain: no cell is forced in a puzzle that has one solution")
	}
	reason, err := f.why(ctx, Question{Cell: cell}, WhyOptions{Effort: coreEffort, coarse: h.rules.Size() > coreSize})
	if err != nil {
		return Step{}, err
	}
	list := make([]string, len(reason.Givens))
	for i, given := range reason.Givens {
		list[i] = statement(h.rules, h.rules.Candidate(given, h.puzzle.Cells[given]), true)
	}
	return Step{
		Technique: coreName, Placed: h.rules.Candidate(cell, reason.Digit), Givens: reason.Givens, Cells: reason.Givens, rules: h.rules,
		Text:    fmt.Sprintf("no technique leads on; %d givens leave no other digit, as a search shows", len(list)),
		Details: []string{"the givens " + listed(list)},
	}, nil
}

// coreEffort bounds the search for a smallest set in a hint.
const coreEffort = 5000

// coreSize is the largest size at which the set is made minimal: in larger grids
// that can take minutes.
const coreSize = 16

// easiest returns the open cell whose digit the solver proves with the fewest
// conflicts.
func (h *hinter) easiest(ctx context.Context, f *forcer) (cell int, ok bool) {
	if f.solver.Solve(ctx, f.lits...) != dimacs.Satisfiable {
		return 0, false
	}
	solution := f.solution()
	best, trials := int64(0), 0
	for c, digit := range solution {
		if h.digit(c) != 0 || trials == coreTrials {
			continue
		}
		trials++
		before := f.solver.Stats().Conflicts
		if f.solver.Solve(ctx, append([]dimacs.Lit{f.lit(c, digit).Not()}, f.lits...)...) != dimacs.Unsatisfiable {
			continue
		}
		if took := f.solver.Stats().Conflicts - before; !ok || took < best {
			cell, best, ok = c, took, true
		}
	}
	return cell, ok
}
