// Package explain says how hard a puzzle is and why its digits are what they
// are.
//
// [Rate] classifies a puzzle by the inference that solves it: unit propagation
// alone, failed literals, or search; and counts what the engines do on each of
// its formulas. [Why] finds a smallest set of givens that forces a digit. [Hint]
// finds the next digit with the simplest reason there is, in words, and [Path]
// goes on so to the solution.
//
// Nothing that the package says of a puzzle depends on other puzzles or on time.
//
// The files: probe.go failed literals, and classes; rate.go ratings. why.go
// questions and their answers; smallest.go smallest sets, with hitting.go for
// what they must hit. hint.go the way through a puzzle; technique.go the table of
// techniques; trace.go what follows from an assumption, chain.go chains of
// implications, names.go names, for the reasons.
package explain
