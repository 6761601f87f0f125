// Package infer solves Sudoku puzzles by inference: naked and hidden singles,
// locked candidates, Eppstein's 2SAT rule, and depth-first search where these
// rules find nothing.
//
//	s := infer.New(puzzle.Rules, infer.Options{})
//	solutions, complete := s.Solutions(ctx, puzzle, 2)
//	switch {
//	case len(solutions) == 2:
//		fmt.Println("several solutions, such as", solutions[0], solutions[1])
//	case !complete: // ctx has ended
//		return ctx.Err()
//	case len(solutions) == 1:
//		fmt.Println("a unique solution:", solutions[0])
//	}
//
// A [Solver] finds the solutions of a puzzle, up to a limit. With a limit of
// two it proves that a solution is unique. By default it uses the 2SAT rule for
// hard puzzles only, and is the fastest Sudoku engine of this project for all
// rules but plain ones of size 9. With the rule at every node it is slower and
// hardly ever branches; its [Stats] measure the effect of the rule. The columns
// of each set are the percentage of puzzles solved without a branch, the mean
// number of dead ends, and the puzzles per second of processor time, each proved
// to have a unique solution, reading and printing included, on one core of a
// machine with other work to do (Intel Xeon):
//
//	                     17 clues (8000)       top1465               study (1011)
//	singles alone        51 %    2.62  59,000   0 %  27.86  14,000   22 %   3.73  46,000
//	and locked           77 %    0.57  70,000   2 %  11.52  17,000   27 %   2.75  40,000
//	rule at the root     99.84 % 0.005 35,000  47 %   4.53   6,800   88 %   0.46  12,000
//	  with trivalues     99.94 % 0.003 33,000  54 %   4.05   6,000   92 %   0.34  11,000
//	rule at every node   99.84 % 0.002 36,000  47 %   0.85   4,700   88 %   0.13  11,000
//	  with trivalues     99.94 % 0.001 33,000  54 %   0.65   4,000   92 %   0.08   9,700
//
// The sets are Royle's list of puzzles with 17 givens, the hard list top1465 of
// magictour, and the puzzles of a study of DPLL on Sudoku. TestSets reproduces
// the percentages and dead ends; SATOR_SUDOKU is the directory of the sets:
//
//	SATOR_SUDOKU=folder go test ./internal/infer -run TestSets -v
//
// # Files
//
//   - solver.go has the [Solver] and its search.
//   - rule.go has the 2SAT rule: the instance, the forced literals, and the
//     choice of a branching candidate.
//   - closure.go keeps the implications of the rule along a path of the search.
//   - options.go has the options and the statistics.
package infer
