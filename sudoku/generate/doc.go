// Package generate makes puzzles of any size and variant, and takes givens out
// of puzzles.
//
// A [Generator] fills a grid at random, see solution.go, and takes givens out in
// random order, those together that a [Symmetry] maps to each other, as long as
// the puzzle stays good: with one solution, or found by singles, as the
// [Options] ask. Each given that goes is one question to a solver or none, see
// remove.go. Puzzles are numbered, and the same seed and number give the same
// puzzle on any machine, whatever was made before.
//
// [Redundant] and [Minimize] do the same with puzzles that are there.
package generate
