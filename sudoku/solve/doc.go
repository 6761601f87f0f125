// Package solve solves Sudoku puzzles and counts their solutions.
//
// A [Solver] takes puzzles of any rules, one after the other, and keeps what it
// has loaded and learned for the next one of the same rules. Its answers do not
// depend on what it was asked before, nor on how many solvers share the work:
// [Pipeline] hands a stream of puzzles to several and delivers the answers in
// their order.
//
// Every solution is checked against the rules and the givens before it is
// returned. That a solution is the only one, or that there is none, can be
// written down as a proof that any checker of refutations reads: see
// [Refutation].
//
// Which engine does the work is up to [Options]: see [Engines].
package solve
