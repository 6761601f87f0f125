// Package solve solves Sudoku puzzles, counts their solutions and proves that a
// solution is unique.
//
//	s := solve.New(solve.Options{})
//	answer := s.Count(ctx, grid, 2) // stop at the second solution
//	switch {
//	case answer.Conflict != nil:
//		fmt.Println("contradictory givens:", answer.Conflict)
//	case answer.Unique():
//		fmt.Println("the only solution:", answer.Solutions[0])
//	case answer.Count > 1:
//		fmt.Println("two solutions:", answer.Solutions)
//	}
//
// A [Solver] accepts puzzles with any rules, one after the other. It keeps the
// formula of the rules, and the clauses learned from it, for the next puzzle with
// the same rules. Its answers depend neither on the puzzles before nor on the
// number of solvers that share the work. Each solution is checked against the
// rules and the givens before it is returned.
//
// [Options] selects one of the [Engines]: clause learning (CDCL), DPLL with a
// heuristic, or inference without a formula. The default engine, auto, chooses the fastest
// for each puzzle: package bands for plain grids of size 9, else inference, CDCL for the
// puzzles that inference does not solve quickly, and a memory for many solutions.
//
// A [Batch] solves a stream of puzzles with several solvers and delivers the
// results in the order of the puzzles. [Refutation] returns a formula that is
// unsatisfiable if a puzzle has no solution, or no solution other than a given
// one; [Prove] writes a DRAT or LRAT proof for an independent checker.
//
// # Files
//
//   - solver.go: Solver, Answer, and the table of engines
//   - cdcl.go, dpll.go, infer.go, bands.go: an adapter for each engine
//   - formula.go: the common part of cdcl and dpll
//   - memo.go: counting many solutions
//   - check.go: the check of each solution
//   - cache.go: the adapters of an engine, one for each set of rules
//   - batch.go: parallel solving of a stream, with ordered results
//   - summary.go: the number of puzzles with each kind of answer
//   - prove.go: the formula of another solution, and proofs
package solve
