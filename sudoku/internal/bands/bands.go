package bands

import (
	"context"

	"sator/dimacs"
	"sator/sudoku"
)

// A Solver finds the solutions of plain grids of size 9. The zero Solver is ready for
// use. It may be used by one goroutine at a time. It allocates no memory.
type Solver struct {
	stack    [maxDepth]node
	solution [81]uint8
	stats    Stats
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

// Visit calls yield with each solution of a puzzle: the digits by cell, valid until yield
// returns. It reports whether all solutions were visited; otherwise yield has returned
// false, or ctx has ended. It panics unless the puzzle has the rules of
// [sudoku.Rules.Plain9].
func (s *Solver) Visit(ctx context.Context, g *sudoku.Grid, yield func(digits *[81]uint8) bool) bool {
	if !g.Rules.Plain9() {
		panic("bands: the rules of the puzzle are " + g.Rules.String())
	}
	s.stats.Puzzles++
	before := s.stats.Branches
	complete := s.search(ctx, g, yield)
	if s.stats.Branches == before {
		s.stats.NoBranch++
	}
	return complete
}

// search visits the search tree depth first.
func (s *Solver) search(ctx context.Context, g *sudoku.Grid, yield func(digits *[81]uint8) bool) bool {
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
			n.digits(&s.solution)
			if !yield(&s.solution) {
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
