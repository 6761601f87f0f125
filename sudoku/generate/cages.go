package generate

import (
	"math/rand/v2"
	"slices"

	"sator/sudoku"
)

// Cages at random, for killer puzzles: they cover the grid, have mostly two to
// four cells with different digits, and the sums of a solution.

// Most such cages leave several solutions, at size 9 nine in ten and in larger
// grids nearly all. Then a cage in which another solution differs is cut in two
// so that the sums of the parts exclude that solution, and so on until there is
// one left. In the worst case cages of one cell come out, which are givens in
// disguise, but a few larger cages say enough.

// cageSizes has the sizes that cages are to have at first, each as often as it is
// to come. In grids above size 9, in which it takes long to find out what larger
// cages leave, only the first ones do.
var cageSizes = []int{2, 2, 2, 3, 3, 3, 4, 4, 5}

// smallCages is how many of cageSizes there are in grids above size 9.
const smallCages = 5

// cages returns random cages for a solution.
func cages(n int, solution []int, rng *rand.Rand) []sudoku.Cage {
	c := cager{n: n, solution: solution, of: slices.Repeat([]int{-1}, n*n)}
	sizes := cageSizes
	if n > 9 {
		sizes = sizes[:smallCages]
	}
	for _, cell := range rng.Perm(n * n) {
		if c.of[cell] < 0 {
			c.grow(cell, min(n, sizes[rng.IntN(len(sizes))]), rng)
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

// cut cuts one of the cages in which another solution differs in two parts of
// which each has another sum there. It takes the largest such cage, and parts
// that are as equal as can be. There always are some: the parts that the edges of
// a tree cut off a cage have sums that determine its digits.
func cut(n int, cages []sudoku.Cage, solution, other []int, rng *rand.Rand) []sudoku.Cage {
	best, part := -1, []int(nil)
	for _, i := range rng.Perm(len(cages)) {
		if best >= 0 && len(cages[i].Cells) <= len(cages[best].Cells) {
			continue
		}
		if p := parting(n, cages[i].Cells, solution, other); p != nil {
			best, part = i, p
		}
	}
	var rest []int
	for _, cell := range cages[best].Cells {
		if !slices.Contains(part, cell) {
			rest = append(rest, cell)
		}
	}
	c := cager{solution: solution}
	list := slices.Delete(slices.Clone(cages), best, best+1)
	list = append(list, c.cage(part), c.cage(rest))
	slices.SortFunc(list, func(a, b sudoku.Cage) int { return a.Cells[0] - b.Cells[0] })
	return list
}

// parting returns a part of a cage that is in one piece, as is the rest, and has
// different sums in two solutions: the one nearest to half of the cage, or nil.
func parting(n int, cells, solution, other []int) (best []int) {
	for set := 1; set < 1<<len(cells)-1; set++ {
		var part, rest []int
		difference := 0
		for i, cell := range cells {
			if set>>i&1 != 0 {
				part = append(part, cell)
				difference += solution[cell] - other[cell]
			} else {
				rest = append(rest, cell)
			}
		}
		if difference != 0 && 2*len(part) <= len(cells) && len(part) > len(best) && joined(n, part) && joined(n, rest) {
			best = part
		}
	}
	return best
}

// joined reports whether cells are in one piece.
func joined(n int, cells []int) bool {
	list := []int{cells[0]}
	for i := 0; i < len(list); i++ {
		for _, next := range neighbors(list[i], n) {
			if slices.Contains(cells, next) && !slices.Contains(list, next) {
				list = append(list, next)
			}
		}
	}
	return len(list) == len(cells)
}
