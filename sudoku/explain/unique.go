package explain

import (
	"context"

	"sator/sudoku"
	"sator/sudoku/solve"
)

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
