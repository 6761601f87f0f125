package generate

import (
	"math/rand/v2"

	"sator/sudoku"
)

// Random regions for jigsaw puzzles. The first regions are boxes, or rows at sizes
// without boxes. Then neighboring regions exchange cells at their border as long
// as each region stays connected.

// regionSteps is the number of attempted exchanges per cell.
const regionSteps = 30

// regions returns the region of each cell, for n random connected regions of n
// cells.
func regions(n int, rng *rand.Rand) []int {
	s := regionShaper{n: n, of: make([]int, n*n), seen: make([]int, n*n)}
	v := sudoku.Standard(n)
	for cell := range s.of {
		s.of[cell] = cell/n/v.BoxRows*(n/v.BoxCols) + cell%n/v.BoxCols
	}
	if n == 1 {
		return s.of
	}
	for range regionSteps * n * n {
		s.exchange(rng)
	}
	return s.of
}

// A regionShaper changes regions at random.
type regionShaper struct {
	n        int
	of       []int // by cell: its region
	seen     []int // by cell: the last search that visited it
	searches int
	list     []int // the cells that the last search visited
}

// exchange moves a random cell to a neighboring region and a random cell of
// that region in return, unless that would disconnect one of the two regions.
func (s *regionShaper) exchange(rng *rand.Rand) {
	cell := rng.IntN(len(s.of))
	next := neighbors(cell, s.n)
	neighbor := next[rng.IntN(len(next))]
	from, to := s.of[cell], s.of[neighbor]
	if from == to {
		return
	}
	s.connected(neighbor) // lists the cells of its region
	s.of[cell] = to
	back, ties := -1, 0
	for _, other := range s.list {
		if s.touches(other, from) {
			if ties++; rng.IntN(ties) == 0 {
				back = other
			}
		}
	}
	if back >= 0 {
		s.of[back] = from
		if s.connected(cell) && s.connected(back) {
			return
		}
		s.of[back] = to
	}
	s.of[cell] = from
}

// touches reports whether a neighbor of a cell is in a region.
func (s *regionShaper) touches(cell, region int) bool {
	for _, next := range neighbors(cell, s.n) {
		if s.of[next] == region {
			return true
		}
	}
	return false
}

// connected reports whether the region of a cell is connected.
func (s *regionShaper) connected(cell int) bool {
	s.searches++
	s.seen[cell] = s.searches
	s.list = append(s.list[:0], cell)
	for i := 0; i < len(s.list); i++ {
		for _, next := range neighbors(s.list[i], s.n) {
			if s.of[next] == s.of[cell] && s.seen[next] != s.searches {
				s.seen[next] = s.searches
				s.list = append(s.list, next)
			}
		}
	}
	return len(s.list) == s.n
}

// neighbors returns the cells that share a side with a cell.
func neighbors(cell, n int) []int {
	list := make([]int, 0, 4)
	if cell >= n {
		list = append(list, cell-n)
	}
	if cell%n > 0 {
		list = append(list, cell-1)
	}
	if cell%n < n-1 {
		list = append(list, cell+1)
	}
	if cell < n*(n-1) {
		list = append(list, cell+n)
	}
	return list
}
