package generate

import (
	"math/rand/v2"
	"slices"

	"sator/sudoku"
)

// Random cages for killer puzzles. The cages cover the grid; most have two to four
// cells. The digits of a cage are different, and its sum is that of the solution.
//
// Most random cages leave several solutions: at size 9 nine of ten, in larger grids
// nearly all. Then a cage in which two solutions differ is split in two such that
// the sums of the parts exclude the other solution, until one solution remains. In
// the worst case this leads to cages of one cell, which are givens in disguise, but
// a few larger cages are usually enough.

// cageSizes has the sizes of new cages; the probability of a size is its share
// of the list. Above size 9, where puzzles with large cages take long to solve,
// only the first smallCages sizes are used.
var cageSizes = []int{2, 2, 2, 3, 3, 3, 4, 4, 5}

// smallCages is the number of sizes in cageSizes for grids above size 9.
const smallCages = 5

// cages returns random cages that fit a solution.
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
	of       []int   // by cell: its cage, or -1
	cells    [][]int // by cage
}

// grow makes a cage from a cell by adding random neighbors, up to a size or until no
// neighbor can be added.
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

// has reports whether a cage has a digit.
func (c *cager) has(cage, digit int) bool {
	return slices.ContainsFunc(c.cells[cage], func(cell int) bool { return c.solution[cell] == digit })
}

// join moves the cell of each cage of one cell, which would be a given in
// disguise, into the smallest neighboring cage without its digit.
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

// split splits a cage into two connected parts whose sums differ between
// solution and other, and so excludes other. It selects the largest such cage
// and parts of nearly equal size. There is always such a cage: the sums of the
// parts that the edges of a spanning tree cut off determine all digits of a
// cage.
func split(n int, cages []sudoku.Cage, solution, other []int, rng *rand.Rand) []sudoku.Cage {
	best, part := -1, []int(nil)
	for _, i := range rng.Perm(len(cages)) {
		if best >= 0 && len(cages[i].Cells) <= len(cages[best].Cells) {
			continue
		}
		if p := halve(n, cages[i].Cells, solution, other); p != nil {
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

// halve returns a connected part of a cage that has different sums in two
// solutions, and whose complement is connected. It returns a largest one of at most
// half of the cage, or nil.
func halve(n int, cells, solution, other []int) (best []int) {
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
		if difference != 0 && 2*len(part) <= len(cells) && len(part) > len(best) && connected(n, part) && connected(n, rest) {
			best = part
		}
	}
	return best
}

// connected reports whether a set of cells is connected.
func connected(n int, cells []int) bool {
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
