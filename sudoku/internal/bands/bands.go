package bands

import (
	"context"
	"math"

	"sator/dimacs"
	"sator/sudoku"
)

// A Solver finds the solutions of plain grids of size 9. The zero Solver is ready for
// use. It may be used by one goroutine at a time. It allocates no memory but for one table
// when it counts more than two solutions.
type Solver struct {
	stack  [maxDepth]node
	depth  int // of the node with the last solution
	stats  Stats
	memory Memory
}

// maxDepth is the number of nodes on the stack: the root, and one for each branch. Each
// branch determines the minirow of a digit in another row, or its minicolumn in another
// column.
const maxDepth = 1 + 2*81

// A node is a node of the search tree: its candidates, and the digits that have changed
// since they were propagated.
type node struct {
	candidates
	changed uint32
}

// Stats count the work of a [Solver].
type Stats struct {
	Puzzles  int64
	NoBranch int64 // puzzles solved without a branch
	Branches int64 // minirows and minicolumns assumed for a digit, and excluded when the search backtracks
	DeadEnds int64 // contradictions after a branch or after backtracking
}

// Add adds the statistics of another solver.
func (s *Stats) Add(o Stats) {
	s.Puzzles += o.Puzzles
	s.NoBranch += o.NoBranch
	s.Branches += o.Branches
	s.DeadEnds += o.DeadEnds
}

// Stats returns the statistics of all calls of Visit.
func (s *Solver) Stats() Stats { return s.stats }

// pollInterval is the number of branches after which Visit looks at its context: some
// tenth of a millisecond.
const pollInterval = 256

// Visit calls yield for each solution of a puzzle, so that Solution returns it until yield
// returns. It reports whether all solutions were visited; otherwise yield has returned
// false, or ctx has ended. It panics unless the puzzle has the rules of
// [sudoku.Rules.Plain9].
func (s *Solver) Visit(ctx context.Context, g *sudoku.Grid, yield func() bool) bool {
	return s.search(ctx, g, math.MaxInt, yield, nil)
}

// Count returns the number of solutions of a puzzle, up to a limit, and whether there are no
// others. It calls first for each of the first two, as Visit calls yield, and counts the others
// with a memory. It panics as Visit does.
func (s *Solver) Count(ctx context.Context, g *sudoku.Grid, limit int, first func()) (n int, complete bool) {
	complete = s.search(ctx, g, 2, func() bool {
		if n++; n <= 2 {
			first()
		}
		return n < limit
	}, func(depth int) bool {
		s.memory.Begin(limit - n)
		n += s.count(ctx, depth)
		return !s.memory.Over()
	})
	return n, complete
}

// Solution writes the digits of the solution that was found to the 81 cells. The search does
// not, since that takes a quarter of the time where solutions are only counted.
func (s *Solver) Solution(cells []int) { s.stack[s.depth].digits(cells) }

// search visits the search tree depth first. It calls yield for each solution or, after the
// given number of solutions, rest for the roots of the remaining parts of the tree.
//
// Tried: for parts of the open cells that do not depend on each other, the product of their
// numbers of solutions (no gain).
func (s *Solver) search(ctx context.Context, g *sudoku.Grid, alone int, yield func() bool, rest func(depth int) bool) bool {
	if !g.Rules.Plain9() {
		panic("bands: the rules of the puzzle are " + g.Rules.String())
	}
	s.stats.Puzzles++
	defer func(before int64) {
		if s.stats.Branches == before {
			s.stats.NoBranch++
		}
	}(s.stats.Branches)
	s.stack[0].changed = allDigits
	if ctx.Err() != nil {
		return false
	}
	if !s.stack[0].load(g) {
		return true
	}
	for depth := 0; depth >= 0; {
		n := &s.stack[depth]
		switch {
		case !n.propagate(n.changed):
			// At the root all digits are changed before the first branch, and one digit
			// after backtracking.
			if depth > 0 || n.changed != allDigits {
				s.stats.DeadEnds++
			}
			depth--
		case n.solved():
			s.depth = depth
			if !yield() {
				return false
			}
			alone--
			depth--
		case alone <= 0:
			if !rest(depth) {
				return false
			}
			depth--
		default:
			if s.stats.Branches++; s.stats.Branches%pollInterval == 0 && dimacs.Canceled(ctx) {
				return false
			}
			s.branch(depth)
			depth++
		}
	}
	return true
}

// branch chooses a place of a digit in the node at a depth. The next node assumes it, and
// this node, when the search comes back to it, excludes it.
func (s *Solver) branch(depth int) {
	n, next := &s.stack[depth], &s.stack[depth+1]
	at := n.choose()
	n.changed = 1 << at.digit
	*next = *n
	next.assign(at)
	n.exclude(at)
}
