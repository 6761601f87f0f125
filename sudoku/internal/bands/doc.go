// Package bands solves plain Sudoku puzzles, of size 9 with boxes of 3x3 cells, by
// operations on the bits of whole bands.
//
//	var s bands.Solver
//	n := 0
//	complete := s.Visit(ctx, puzzle, func() bool {
//		n++
//		return n < 2 // stop at the second solution
//	})
//	fmt.Println("unique:", complete && n == 1)
//
// The search branches on the three cells that a box and a line have in common, and
// propagates hidden singles, naked singles, locked candidates and locked triples. It learns
// nothing. Package solve has engines for all rules, and uses this package for plain puzzles.
//
// # Files
//
//   - candidates.go: candidates as bits, and their propagation
//   - triads.go: the rule of triads, and the choice of a branch
//   - bands.go: the search, and its statistics
//   - memo.go: counting with a memory
package bands
