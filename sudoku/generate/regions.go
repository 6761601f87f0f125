package generate

import (
	"math/rand/v2"

	"sator/sudoku"
)

// Regions at random, for jigsaw puzzles: beginning with boxes, or with rows
// where there are none, neighboring regions exchange cells at their border, so
// that each stays in one piece.

// regionSteps is how many exchanges are tried for each cell.
const regionSteps = 30

// regions returns random regions of n cells each, in one piece, by cell.
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

// A regionShaper changes regions.
type regionShaper struct {
	n    int
	of   []int // the region of each cell
	seen []int // the last search that came to a cell
	run  int   // number of searches
	list []int
}

// exchange moves a random cell to a neighboring region and a random cell of that
// back, unless one of the two regions would fall apart.
func (s *regionShaper) exchange(rng *rand.Rand) {
	cell := rng.IntN(len(s.of))
	next := neighbors(cell, s.n)
	neighbor := next[rng.IntN(len(next))]
	from, to := s.of[cell], s.of[neighbor]
	if from == to {
		return
	}
	s.whole(neighbor) // lists the cells of its region
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
		if s.whole(cell) && s.whole(back) {
			return
		}
		s.of[back] = to
	}
	s.of[cell] = from
}

// touches reports whether a neighbor of a cell is in the region.
func (s *regionShaper) touches(cell, region int) bool {
	for _, next := range neighbors(cell, s.n) {
		if s.of[next] == region {
			return true
		}
	}
	return false
}

// whole reports whether the region of a cell is in one piece.
func (s *regionShaper) whole(cell int) bool {
	s.run++
	s.seen[cell] = s.run
	s.list = append(s.list[:0], cell)
	for i := 0; i < len(s.list); i++ {
		for _, next := range neighbors(s.list[i], s.n) {
			if s.of[next] == s.of[cell] && s.seen[next] != s.run {
				s.seen[next] = s.run
				s.list = append(s.list, next)
			}
		}
	}
	return len(s.list) == s.n
}

// neighbors returns the cells on the four sides of one.
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
