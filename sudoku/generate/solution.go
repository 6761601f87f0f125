package generate

import (
	"context"
	"math/rand/v2"

	"sator/dimacs"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// Full grids at random, the solutions of the puzzles to be made.
//
// Where it is quick enough a grid is searched: the cell with the fewest
// candidates, or a random one of several such, is given one of them at random,
// singles follow, and after a contradiction the search goes back one step. Some
// first choices leave a search without luck, so that it starts afresh after a
// number of dead ends that grows. All grids can come out; that all are equally
// likely is not said.
//
// In large grids search finds nothing any more. There a solution known by its
// construction is shuffled by what keeps every rule: digits, bands, rows of a
// band, stacks, columns of a stack. What comes out would still be one of few,
// so that Kempe chains follow, as for colorings of graphs: of two digits, take a
// cell and all that can be reached from it by steps to cells that must differ
// and have the other digit; there the two can change places, and nothing is
// broken. Many such changes lead far away from the first solution, though not
// everywhere.

// searchedSize is the size up to which grids with boxes or without are searched.
// Other grids always are, since of them no solution is known.
const searchedSize = 36

// solution returns a random full grid, nil if none was found or ctx is done, and
// how many dead ends that took.
func solution(ctx context.Context, r *sudoku.Rules, rng *rand.Rand) (cells []int, deadEnds int) {
	if v := r.Variant(); v.Size > searchedSize && v.Regions == nil && !v.X && !v.Hyper && !v.AntiKnight && len(v.Cages) == 0 {
		return shuffled(ctx, r, rng), 0
	}
	f := filler{rules: r, rng: rng}
	cells = f.fill(ctx)
	return cells, f.deadEnds
}

// learned returns a full grid of rules for which search does not find any, such
// as those with windows at size 16: some random digits, as many as a row has,
// and what an engine that learns clauses makes of them. It returns nil if there
// is none with these digits, and possible says whether there is any without.
func learned(ctx context.Context, r *sudoku.Rules, rng *rand.Rand) (cells []int, possible bool) {
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

// The dead ends after which a search starts afresh, first and at most, and the
// number of starts.
const (
	firstPatience = 20
	mostPatience  = 2000
	fillStarts    = 60
)

// A filler searches full grids.
type filler struct {
	rules  *sudoku.Rules
	rng    *rand.Rand
	levels []level

	deadEnds int
}

// A level of the search is what is left after its singles, and the candidate
// that is tried.
type level struct {
	left *sudoku.Candidates
	try  int
}

func (f *filler) fill(ctx context.Context) []int {
	patience := firstPatience
	for range fillStarts {
		if cells := f.search(ctx, patience); cells != nil || ctx.Err() != nil {
			return cells
		}
		patience = min(2*patience, mostPatience)
	}
	return nil
}

// search looks for a full grid until it has met so many dead ends.
func (f *filler) search(ctx context.Context, patience int) []int {
	depth := 0
	here := f.level(0)
	here.left.CopyFrom(sudoku.NewCandidates(f.rules))
	ok := here.left.Singles()
	for {
		switch {
		case ok && here.left.Solved():
			return here.left.Cells()
		case ok:
			here.try = f.choose(here.left)
			next := f.level(depth + 1)
			here = f.level(depth) // levels may have moved
			next.left.CopyFrom(here.left)
			depth++
			ok = next.left.Place(here.try) && next.left.Singles()
			here = next
		case depth == 0 || patience == 0 || ctx.Err() != nil:
			return nil
		default:
			patience--
			f.deadEnds++
			depth--
			here = f.level(depth)
			ok = here.left.Eliminate(here.try) && here.left.Singles()
		}
	}
}

// level returns a level; a pointer to it holds until the next call with a larger
// depth.
func (f *filler) level(depth int) *level {
	for len(f.levels) <= depth {
		f.levels = append(f.levels, level{left: sudoku.NewCandidates(f.rules)})
	}
	return &f.levels[depth]
}

// choose returns a candidate of a cell with the fewest. (To choose among the
// places of digits too was slower by far, and finds nothing in larger grids.)
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

// shuffled returns a shuffled solution of rules with boxes or without.
func shuffled(ctx context.Context, r *sudoku.Rules, rng *rand.Rand) []int {
	v := r.Variant()
	n, high, wide := v.Size, max(1, v.BoxRows), max(1, v.BoxCols)
	rows, cols := lines(n, high, rng), lines(n, wide, rng)
	digits := rng.Perm(n)
	cells := make([]int, n*n)
	for row := range n {
		for col := range n {
			// From row to row of a band the digits move on by the width of a
			// box, from band to band by one.
			digit := (rows[row]%high*wide + rows[row]/high + cols[col]) % n
			cells[row*n+col] = digits[digit] + 1
		}
	}
	chains(ctx, r, cells, 4*n, rng)
	return cells
}

// lines returns a random order of rows, or of columns, that keeps together
// those of a band.
func lines(n, band int, rng *rand.Rand) []int {
	var order []int
	for _, b := range rng.Perm(n / band) {
		for _, i := range rng.Perm(band) {
			order = append(order, b*band+i)
		}
	}
	return order
}

// chains changes digits along so many Kempe chains.
func chains(ctx context.Context, r *sudoku.Rules, cells []int, count int, rng *rand.Rand) {
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
