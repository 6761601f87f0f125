package generate

import (
	"math/rand/v2"
	"slices"

	"sator/sudoku"
)

// Cages at random, for killer puzzles: they cover the grid, have mostly two to
// four cells with different digits, and the sums of a solution.

// cageSizes has the sizes that cages are to have, each as often as it is to come.
// Larger ones say less, so that puzzles would need givens beside them.
var cageSizes = []int{2, 2, 2, 3, 3, 3, 4, 4, 5}

// cages returns random cages for a solution.
func cages(n int, solution []int, rng *rand.Rand) []sudoku.Cage {
	c := cager{n: n, solution: solution, of: slices.Repeat([]int{-1}, n*n)}
	for _, cell := range rng.Perm(n * n) {
		if c.of[cell] < 0 {
			c.grow(cell, min(n, cageSizes[rng.IntN(len(cageSizes))]), rng)
		}
	}
	c.join(rng)
	var all []sudoku.Cage
	for _, cells := range c.cells {
		if len(cells) > 0 {
			all = append(all, c.cage(cells))
		}
	}
	slices.SortFunc(all, func(a, b sudoku.Cage) int { return a.Cells[0] - b.Cells[0] })
	return all
}

// A cager makes cages.
type cager struct {
	n        int
	solution []int
	of       []int // the cage of each cell, -1 for none
	cells    [][]int
}

// grow makes a cage of a cell and neighbors, as large as wanted or as can be.
func (c *cager) grow(cell, size int, rng *rand.Rand) {
	id := len(c.cells)
	c.cells = append(c.cells, []int{cell})
	c.of[cell] = id
	for len(c.cells[id]) < size {
		next, ties := -1, 0
		for _, at := range c.cells[id] {
			for _, to := range neighbors(at, c.n) {
				if c.of[to] < 0 && !c.has(id, c.solution[to]) {
					if ties++; rng.IntN(ties) == 0 {
						next = to
					}
				}
			}
		}
		if next < 0 {
			return
		}
		c.of[next] = id
		c.cells[id] = append(c.cells[id], next)
	}
}

// has reports whether a cage has the digit.
func (c *cager) has(cage, digit int) bool {
	return slices.ContainsFunc(c.cells[cage], func(cell int) bool { return c.solution[cell] == digit })
}

// join puts single cells, which would be givens, into neighboring cages where
// their digits allow it, the smallest first.
func (c *cager) join(rng *rand.Rand) {
	for _, id := range rng.Perm(len(c.cells)) {
		if len(c.cells[id]) != 1 {
			continue
		}
		cell, best := c.cells[id][0], -1
		for _, next := range neighbors(cell, c.n) {
			other := c.of[next]
			if other != id && !c.has(other, c.solution[cell]) && (best < 0 || len(c.cells[other]) < len(c.cells[best])) {
				best = other
			}
		}
		if best >= 0 {
			c.of[cell] = best
			c.cells[best] = append(c.cells[best], cell)
			c.cells[id] = nil
		}
	}
}

func (c *cager) cage(cells []int) sudoku.Cage {
	slices.Sort(cells)
	sum := 0
	for _, cell := range cells {
		sum += c.solution[cell]
	}
	return sudoku.Cage{Sum: sum, Cells: cells}
}
