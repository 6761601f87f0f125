// Package cube splits a formula into cubes, conjunctions of literals that cover
// all assignments: the formula has a model if and only if it has one together
// with one of the cubes. The parts are chosen by look-ahead so that each is much
// easier than the whole, and can be solved one after the other or at the same
// time, on whatever machine.
//
// A cube is of use to a solver as assumptions. Package portfolio has solvers that
// conquer a list of them.
package cube
