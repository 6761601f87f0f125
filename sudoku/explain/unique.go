package explain

import (
	"context"

	"sator/sudoku"
	"sator/sudoku/solve"
)

// prove returns the error of checkUnique. If digits may be exchanged, it also sets whether the givens have one
// solution without marks and placed digits.
func (h *hinter) prove(ctx context.Context) error {
	if err := checkUnique(ctx, h.puzzle); err != nil || h.board == nil || !h.rules.OnlyDiffer() {
		return err
	}
	h.board.Alone = givensDecide(ctx, h.puzzle)
	return nil
}

// givensDecide reports whether the givens of a puzzle with one solution have no other without its marks and
// placed digits. It reports false when ctx ends before that is known.
func givensDecide(ctx context.Context, g *sudoku.Grid) bool {
	return g.Marks == nil && g.Placed == nil || checkUnique(ctx, &sudoku.Grid{Rules: g.Rules, Cells: g.Given().Cells}) == nil
}

// checkUnique returns nil if a puzzle has exactly one solution, and otherwise a
// [*Contradiction], an [*Ambiguity], or the cause of ctx.
func checkUnique(ctx context.Context, g *sudoku.Grid) error {
	found := solve.New(solve.Options{}).Count(ctx, g, 2)
	switch {
	case found.Err != nil:
		return found.Err
	case found.Count < 2 && !found.Complete:
		return context.Cause(ctx)
	case found.Count == 0:
		return &Contradiction{found.Conflict}
	case found.Count == 1:
		return nil
	}
	a, b := found.Solutions[0], found.Solutions[1]
	for cell := range a {
		if a[cell] != b[cell] {
			return &Ambiguity{[2][]int{a, b}, cell, g.Rules}
		}
	}
	panic("explain: two solutions that do not differ")
}
