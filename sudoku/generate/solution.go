package generate

import (
	"context"
	"math/rand/v2"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// Random full grids, the solutions of the puzzles to be made.
//
// Small grids are found by randomized backtracking: it branches on a random cell
// with the fewest candidates, tries a random candidate, propagates singles, and
// backtracks after a contradiction. Because some first choices lead to a very long
// search, it restarts after a growing number of dead ends. Every grid can result,
// not necessarily with equal probability.
//
// In large grids backtracking does not finish. There the start is a solution
// known by construction, shuffled by the symmetries of the rules: permutations
// of digits, of bands, of rows within a band, of stacks, and of columns within
// a stack. These symmetries lead to only a small part of all solutions. So
// Kempe changes, known from graph coloring, follow: for two digits, the
// component of a cell in the graph of the cells with either digit, with an edge
// between peers, is a Kempe chain; exchanging the two digits in it breaks no
// rule. Many such changes lead far away from the first solution, though perhaps
// not to every solution.

// searchedSize is the largest size at which grids with boxes, or with rows and
// columns only, are found by backtracking. For other rules no solution is known
// by construction, so grids are always found by backtracking.
const searchedSize = 36

// solution returns a random full grid and the number of dead ends of the search.
// The grid is nil if the search found none or ctx is done.
func (f *filler) solution(ctx context.Context, r *sudoku.Rules, rng *rand.Rand) (cells []int, deadEnds int) {
	if v := r.Variant(); v.Size > searchedSize && v.Plain() {
		return shuffled(ctx, r, rng), 0
	}
	f.reset(r, rng)
	cells = f.fill(ctx)
	return cells, f.deadEnds
}

// solutionByLearning returns a full grid for rules with which backtracking
// finds none, such as windows at size 16. It places some random digits, as many
// as a row has, and completes the grid by clause learning. The grid is nil if
// there is no solution with these digits; then possible reports whether the
// rules may have any solution.
func solutionByLearning(ctx context.Context, r *sudoku.Rules, rng *rand.Rand) (cells []int, possible bool) {
	f := filler{rules: r, rng: rng}
	seed, c, trial := sudoku.NewGrid(r), sudoku.NewCandidates(r), sudoku.NewCandidates(r)
	for range r.Size() {
		if !c.Singles() || c.Solved() {
			break
		}
		candidate := f.choose(c)
		if trial.CopyFrom(c); trial.Place(candidate) && trial.Singles() {
			c.CopyFrom(trial)
			cell, digit := r.Split(candidate)
			seed.Cells[cell] = digit
		}
	}
	s := solve.New(solve.Options{})
	for _, g := range []*sudoku.Grid{seed, sudoku.NewGrid(r)} {
		a := s.Solve(ctx, g)
		if a.Status != dimacs.Unsatisfiable {
			if g == seed && len(a.Solutions) > 0 {
				return a.Solutions[0], true
			}
			return nil, true
		}
	}
	return nil, false
}

// The restarts of the search. The limit of dead ends doubles from minRestart to
// maxRestart.
const (
	minRestart = 20
	maxRestart = 2000
	searches   = 60 // number of searches, the first one included
)

// A filler finds random full grids. It keeps the memory of its search for the next
// grid with the same rules: allocating it takes longer than the search.
type filler struct {
	rules  *sudoku.Rules
	rng    *rand.Rand
	empty  *sudoku.Candidates // of the empty grid
	levels []level

	deadEnds int // number of dead ends of the searches for the last grid
}

// A level is a node on the current branch of the search.
type level struct {
	left *sudoku.Candidates // after singles
	try  int                // the candidate that is tried
}

// reset prepares the search for a grid.
func (f *filler) reset(r *sudoku.Rules, rng *rand.Rand) {
	if f.rules != r {
		*f = filler{rules: r, empty: sudoku.NewCandidates(r)}
	}
	f.rng, f.deadEnds = rng, 0
}

// fill returns a random full grid, or nil if the searches found none.
func (f *filler) fill(ctx context.Context) []int {
	limit := minRestart
	for range searches {
		if cells := f.search(ctx, limit); cells != nil || ctx.Err() != nil {
			return cells
		}
		limit = min(2*limit, maxRestart)
	}
	return nil
}

// search finds a full grid. It returns nil after limit dead ends.
func (f *filler) search(ctx context.Context, limit int) []int {
	depth := 0
	here := f.level(0)
	here.left.CopyFrom(f.empty)
	ok := here.left.Singles()
	for {
		switch {
		case ok && here.left.Solved():
			return here.left.Cells()
		case ok:
			here.try = f.choose(here.left)
			next := f.level(depth + 1)
			here = f.level(depth) // f.levels may have been reallocated
			next.left.CopyFrom(here.left)
			depth++
			ok = next.left.Place(here.try) && next.left.Singles()
			here = next
		case depth == 0 || limit == 0 || ctx.Err() != nil:
			return nil
		default:
			limit--
			f.deadEnds++
			depth--
			here = f.level(depth)
			ok = here.left.Eliminate(here.try) && here.left.Singles()
		}
	}
}

// level returns the level of a depth. The pointer is valid until the next call with
// a larger depth.
func (f *filler) level(depth int) *level {
	for len(f.levels) <= depth {
		f.levels = append(f.levels, level{left: sudoku.NewCandidates(f.rules)})
	}
	return &f.levels[depth]
}

// choose returns a random candidate of a random cell with the fewest
// candidates. What did not help: branching on the places of a digit as well is
// far slower, and finds no larger grids.
func (f *filler) choose(c *sudoku.Candidates) int {
	best, least, ties := 0, sudoku.MaxSize+1, 0
	for cell := range f.rules.Cells() {
		n := c.Left(cell)
		if c.Digit(cell) != 0 || n > least {
			continue
		}
		if n < least {
			least, ties = n, 0
		}
		if ties++; f.rng.IntN(ties) == 0 {
			best = cell
		}
	}
	var buf [sudoku.MaxSize]int
	live := c.Live(best, buf[:0])
	return live[f.rng.IntN(len(live))]
}

// shuffled returns a shuffled solution of rules with boxes, or with rows and columns
// only.
func shuffled(ctx context.Context, r *sudoku.Rules, rng *rand.Rand) []int {
	v := r.Variant()
	n, high, wide := v.Size, max(1, v.BoxRows), max(1, v.BoxCols)
	rows, cols := lines(n, high, rng), lines(n, wide, rng)
	digits := rng.Perm(n)
	cells := make([]int, n*n)
	for row := range n {
		for col := range n {
			// Each row of a band is the one before shifted by the width of a box.
			// Each band is the one before shifted by one.
			digit := (rows[row]%high*wide + rows[row]/high + cols[col]) % n
			cells[row*n+col] = digits[digit] + 1
		}
	}
	kempeChanges(ctx, r, cells, 4*n, rng)
	return cells
}

// lines returns a random order of rows, or of columns, in which the rows of a band
// stay adjacent.
func lines(n, band int, rng *rand.Rand) []int {
	var order []int
	for _, b := range rng.Perm(n / band) {
		for _, i := range rng.Perm(band) {
			order = append(order, b*band+i)
		}
	}
	return order
}

// kempeChanges exchanges the digits of a number of random Kempe chains.
func kempeChanges(ctx context.Context, r *sudoku.Rules, cells []int, count int, rng *rand.Rand) {
	seen := make([]bool, len(cells))
	var chain []int
	for range count {
		if ctx.Err() != nil {
			return
		}
		from := rng.IntN(len(cells))
		a, b := cells[from], 1+rng.IntN(r.Size())
		if a == b {
			continue
		}
		chain = append(chain[:0], from)
		seen[from] = true
		for i := 0; i < len(chain); i++ {
			other := a + b - cells[chain[i]]
			for _, peer := range r.Peers(chain[i]) {
				if cells[peer] == other && !seen[peer] {
					seen[peer] = true
					chain = append(chain, peer)
				}
			}
		}
		for _, cell := range chain {
			seen[cell] = false
			cells[cell] = a + b - cells[cell]
		}
	}
}
