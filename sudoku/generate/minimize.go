package generate

import (
	"context"
	"math/rand/v2"
	"slices"

	"sator/sudoku"
)

// NotUnique is the error of a puzzle that has no solution, or several.
type NotUnique struct{ Several bool }

func (e *NotUnique) Error() string {
	if e.Several {
		return "the puzzle has several solutions"
	}
	return "the puzzle has no solution"
}

// Redundant returns the givens, as cells, without each of which by itself the
// puzzle would still have one solution; a puzzle without any is minimal. The
// error is a [*NotUnique], or the cause of ctx. It takes as many questions to the
// solver as there are givens, at most.
func Redundant(ctx context.Context, s Counter, g *sudoku.Grid) ([]int, error) {
	m, err := proven(ctx, s, g)
	if err != nil {
		return nil, err
	}
	var redundant []int
	for cell, digit := range g.Cells {
		if digit != 0 && m.try(ctx, []int{cell}) {
			redundant = append(redundant, cell)
			m.put(cell)
		}
	}
	return redundant, context.Cause(ctx)
}

// proven returns a remover of givens that keeps the solution of a puzzle the
// only one, if it is.
func proven(ctx context.Context, s Counter, g *sudoku.Grid) (*remover, error) {
	solutions, complete := s.Solutions(ctx, g, 2)
	switch {
	case len(solutions) > 1:
		return nil, &NotUnique{true}
	case !complete:
		return nil, context.Cause(ctx)
	case len(solutions) == 0:
		return nil, &NotUnique{false}
	}
	m := newRemover(g, solutions[0])
	m.keeps = m.unique(s)
	return m, nil
}

// MinimizeOptions say how givens are taken out of a puzzle.
type MinimizeOptions struct {
	// Order has cells: their givens are tried in this order, then the others
	// at random.
	Order []int
	Seed  uint64 // of the random order

	// Best, if more than 1, is the number of orders that are tried. The result
	// is the first of those with the fewest givens.
	Best int

	// Symmetry, if not nil, lets givens go together with those that it maps
	// them to, so that a symmetric puzzle stays so.
	Symmetry *Symmetry
}

// Minimize takes givens out of a puzzle as long as it keeps its one solution.
// Without a symmetry the result is minimal: without any of its givens it would
// have several solutions. Minimal puzzles from one puzzle differ in their number
// of givens, and to find the smallest is hard; see Best.
//
// The error is a [*NotUnique], or the cause of ctx.
func Minimize(ctx context.Context, s Counter, g *sudoku.Grid, o MinimizeOptions) (*sudoku.Grid, error) {
	symmetry := o.Symmetry
	if symmetry == nil {
		symmetry = Symmetries[0]
	}
	m, err := proven(ctx, s, g)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	var best []int
	fewest := m.filled + 1
	for range max(1, o.Best) {
		m.tryAll(ctx, inOrder(symmetry.Orbits(g.Rules.Size()), o.Order, rng), 0)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if m.filled < fewest {
			best, fewest = slices.Clone(m.grid.Cells), m.filled
		}
		for cell, digit := range g.Cells {
			if digit != 0 && m.grid.Cells[cell] == 0 {
				m.put(cell)
			}
		}
	}
	return g.With(best), nil
}

// inOrder puts the orbits of some cells first and the others in random order
// after them.
func inOrder(orbits [][]int, first []int, rng *rand.Rand) [][]int {
	rng.Shuffle(len(orbits), func(i, k int) { orbits[i], orbits[k] = orbits[k], orbits[i] })
	rank := make(map[int]int) // of cells, less for those that are earlier
	for i, cell := range first {
		if _, twice := rank[cell]; !twice {
			rank[cell] = i - len(first)
		}
	}
	rankOf := func(orbit []int) int {
		least := 0
		for _, cell := range orbit {
			least = min(least, rank[cell])
		}
		return least
	}
	slices.SortStableFunc(orbits, func(a, b []int) int { return rankOf(a) - rankOf(b) })
	return orbits
}
