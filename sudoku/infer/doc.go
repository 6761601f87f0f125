// Package infer solves Sudoku puzzles as a person would who never tires: by
// singles and locked candidates, by Eppstein's 2SAT rule, and by branching where
// these find nothing.
//
// A [Solver] finds one solution of a puzzle, or as many as there are, up to a
// limit; with a limit of two it proves that a solution is unique. As a rule it
// does without the 2SAT rule, and is the fastest engine here. With the rule at
// every node it is slower and hardly ever branches; its [Stats] show what the
// rule is worth. Puzzles without a branch, mean dead ends, and puzzles a second,
// each proved to have one solution, on one core of a busy machine (AMD EPYC):
//
//	                     17 clues (8000)       top1465               study (1011)
//	singles alone        51 %    2.62  61,000   0 %  27.86  12,000   22 %   3.73  50,000
//	and locked           77 %    0.57  65,000   2 %  11.52  16,000   27 %   2.75  44,000
//	rule at the root     99.84 % 0.006 22,000  47 %   4.66   2,400   88 %   0.47   6,900
//	  with trivalues     99.94 % 0.003 22,000  54 %   4.13   1,900   92 %   0.34   6,700
//	rule at every node   99.84 % 0.002 20,000  47 %   0.85   1,400   88 %   0.13   6,500
//	  with trivalues     99.94 % 0.001 22,000  54 %   0.66   1,300   92 %   0.08   6,300
//
// The lists are Royle's, of puzzles with 17 givens, the hard one of magictour, and
// that of a study of DPLL on Sudoku. The figures are those of TestSets, with
// SATOR_SUDOKU naming the folder where the lists are:
//
//	SATOR_SUDOKU=folder go test ./sudoku/infer -run TestSets -v
package infer
