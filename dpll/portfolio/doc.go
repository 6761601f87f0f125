// Package portfolio decides which engine answers a formula.
//
// The engines know nothing of one another, and nothing of this package; they
// share the vocabulary of package dimacs. What stands above them is here, in two
// steps. The first looks at the formula and chooses ([Choose]): where one engine
// is better than all others whatever the rest of the formula says, as linear
// time is better than search, nothing else has to be tried. The second is for
// formulas of which that cannot be seen, and begins where the first ends with
// [CDCL]: several solvers that race and share what they learn. It is not built
// yet; this package may start goroutines, which engines may not.
package portfolio
