package sudoku

import (
	"fmt"
	"slices"
)

// A Grid is a puzzle, a solution, or something between: digits in some of its
// cells.
type Grid struct {
	Rules *Rules
	Cells []int // the digit of each cell, row by row; 0 for none

	// Marks, if not nil, tells by candidate which digits are possible at all:
	// the pencil marks of a puzzle that is given by them. A digit in Cells is
	// possible.
	Marks []bool
}

// NewGrid returns an empty grid.
func NewGrid(r *Rules) *Grid { return &Grid{Rules: r, Cells: make([]int, r.Cells())} }

// With returns a grid of the same rules and marks with other digits, which are
// copied.
func (g *Grid) With(cells []int) *Grid {
	return &Grid{Rules: g.Rules, Cells: slices.Clone(cells), Marks: g.Marks}
}

// Clone returns a grid with the same digits that can be changed by itself.
func (g *Grid) Clone() *Grid { return g.With(g.Cells) }

// Givens returns the number of cells with a digit.
func (g *Grid) Givens() int {
	n := 0
	for _, digit := range g.Cells {
		if digit != 0 {
			n++
		}
	}
	return n
}

// Full reports whether every cell has a digit.
func (g *Grid) Full() bool { return !slices.Contains(g.Cells, 0) }

// A Conflict says which digits of a grid break which rule.
type Conflict struct {
	Cells []int  // one or two, or those of a cage
	Msg   string // in words
}

func (c *Conflict) Error() string { return c.Msg }

// Conflict returns a rule that the digits break already as they stand, nil if
// there is none: two equal digits that must differ, a cage whose digits have
// another sum, a digit that the marks exclude. That a grid has no conflict does
// not mean that it has a solution.
func (g *Grid) Conflict() *Conflict {
	r, n := g.Rules, g.Rules.Size()
	for cell, digit := range g.Cells {
		if digit < 0 || digit > n {
			return &Conflict{[]int{cell}, fmt.Sprintf("%s has the digit %d; digits are 1 to %d", r.CellName(cell), digit, n)}
		}
		if digit == 0 {
			continue
		}
		if g.Marks != nil && !g.Marks[r.Candidate(cell, digit)] {
			return &Conflict{[]int{cell}, fmt.Sprintf("%s has the digit %d, which its marks exclude", r.CellName(cell), digit)}
		}
		for _, peer := range r.peers[cell] {
			if peer > cell && g.Cells[peer] == digit {
				return &Conflict{[]int{cell, peer}, fmt.Sprintf("%s and %s both have the digit %d%s", r.CellName(cell), r.CellName(peer), digit, r.together(cell, peer))}
			}
		}
	}
	for _, cage := range r.variant.Cages {
		if c := g.overdrawn(cage); c != nil {
			return c
		}
	}
	return nil
}

// together says what two peers have in common.
func (r *Rules) together(a, b int) string {
	for _, h := range r.of[a] {
		if slices.Contains(r.of[b], h) {
			return fmt.Sprintf(" in %s", r.houses[h])
		}
	}
	if r.CageOf(a) >= 0 && r.CageOf(a) == r.CageOf(b) {
		return fmt.Sprintf(" in cage %d", r.CageOf(a)+1)
	}
	return ", a knight's move apart"
}

// overdrawn returns the conflict of a full cage with a wrong sum.
func (g *Grid) overdrawn(cage Cage) *Conflict {
	sum := 0
	for _, cell := range cage.Cells {
		if g.Cells[cell] == 0 {
			return nil
		}
		sum += g.Cells[cell]
	}
	if sum == cage.Sum {
		return nil
	}
	return &Conflict{cage.Cells, fmt.Sprintf("the cage at %s has a sum of %d, not %d", g.Rules.CellName(cage.Cells[0]), sum, cage.Sum)}
}

// Solves reports whether the grid is full, breaks no rule, and has the digits
// of the puzzle; if not, the error says what is wrong.
func (g *Grid) Solves(puzzle *Grid) error {
	for cell, digit := range g.Cells {
		if digit == 0 {
			return fmt.Errorf("%s is empty", g.Rules.CellName(cell))
		}
		if given := puzzle.Cells[cell]; given != 0 && given != digit {
			return fmt.Errorf("%s has the digit %d, but %d is given", g.Rules.CellName(cell), digit, given)
		}
	}
	marked := &Grid{Rules: g.Rules, Cells: g.Cells, Marks: puzzle.Marks}
	if c := marked.Conflict(); c != nil {
		return c
	}
	return nil
}
