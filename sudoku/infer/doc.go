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
// hard puzzles only, and is the fastest Sudoku engine of this project. With the
// rule at every node it is slower and hardly ever branches; its [Stats] measure
// the effect of the rule. The columns of each set are the percentage of puzzles
// solved without a branch, the mean number of dead ends, and the puzzles per
// second, each proved to have a unique solution, on one core of a busy machine
// (AMD EPYC):
//
//	                     17 clues (8000)       top1465               study (1011)
//	singles alone        51 %    2.62  61,000   0 %  27.86  12,000   22 %   3.73  50,000
//	and locked           77 %    0.57  65,000   2 %  11.52  16,000   27 %   2.75  44,000
//	rule at the root     99.84 % 0.006 22,000  47 %   4.66   2,400   88 %   0.47   6,900
//	  with trivalues     99.94 % 0.003 22,000  54 %   4.13   1,900   92 %   0.34   6,700
//	rule at every node   99.84 % 0.002 20,000  47 %   0.85   1,400   88 %   0.13   6,500
//	  with trivalues     99.94 % 0.001 22,000  54 %   0.66   1,300   92 %   0.08   6,300
//
// The sets are Royle's list of puzzles with 17 givens, the hard list top1465 of
// magictour, and the puzzles of a study of DPLL on Sudoku. TestSets reproduces
// the figures; SATOR_SUDOKU is the directory of the sets:
//
//	SATOR_SUDOKU=folder go test ./sudoku/infer -run TestSets -v
//
// # Files
//
//   - solver.go has the [Solver] and its search.
//   - rule.go has the 2SAT rule: the instance, the forced literals, and the
//     choice of a branching candidate.
//   - options.go has the options and the statistics.
package infer
