package generate

import (
	"context"
	"math/rand/v2"
	"slices"

	"sator/sudoku"
)

// A NotUnique error reports that a puzzle has no solution or, if several is true,
// more than one.
type NotUnique struct{ several bool }

func (e *NotUnique) Error() string {
	if e.several {
		return "the puzzle has several solutions"
	}
	return "the puzzle has no solution"
}

// Redundant returns the cells of the redundant givens: the puzzle has one solution
// without any single one of them, though perhaps not without two. A puzzle without
// redundant givens is minimal. The error is a [*NotUnique] or the cause of ctx.
// Redundant calls s at most once for each given, and once for the puzzle.
func Redundant(ctx context.Context, s Counter, g *sudoku.Grid) ([]int, error) {
	m, err := uniqueRemover(ctx, s, g)
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

// uniqueRemover returns a remover that keeps the solution of a puzzle unique.
// The error is a [*NotUnique] or the cause of ctx.
func uniqueRemover(ctx context.Context, s Counter, g *sudoku.Grid) (*remover, error) {
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

// MinimizeOptions select the order in which Minimize removes givens.
type MinimizeOptions struct {
	// Order has the cells whose givens are tried first, in this order. The others
	// follow in random order.
	Order []int
	Seed  uint64 // seed of the random order

	// Best, if more than 1, is the number of random orders that are tried. The
	// result is the first puzzle with the fewest givens.
	Best int

	// Symmetry, if not nil, removes the givens of an orbit together, so that a
	// symmetric puzzle stays symmetric.
	Symmetry *Symmetry
}

// Minimize removes givens from a puzzle as long as it has one solution. Without a
// symmetry the result is minimal: it has several solutions without any one of its
// givens. Different orders lead to different numbers of givens, and a smallest
// result is hard to find; see Best.
//
// The error is a [*NotUnique], the cause of ctx, or that several grids lack the symmetry.
func Minimize(ctx context.Context, s Counter, g *sudoku.Grid, o MinimizeOptions) (*sudoku.Grid, error) {
	symmetry := o.Symmetry
	if symmetry == nil {
		symmetry = Symmetries[0]
	}
	m, err := uniqueRemover(ctx, s, g)
	if err != nil {
		return nil, err
	}
	orbits, err := symmetry.orbits(g.Rules.Plan())
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	var best []int
	fewest := m.filled + 1
	for range max(1, o.Best) {
		m.tryAll(ctx, inOrder(slices.Clone(orbits), o.Order, rng), 0)
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

// inOrder sorts orbits: the orbits of the cells in first, in the order of these
// cells, and then the other orbits in random order.
func inOrder(orbits [][]int, first []int, rng *rand.Rand) [][]int {
	rng.Shuffle(len(orbits), func(i, k int) { orbits[i], orbits[k] = orbits[k], orbits[i] })
	rank := make(map[int]int) // by cell: negative for the cells in first, in order
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
