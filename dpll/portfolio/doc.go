// Package portfolio decides which engine answers a formula, and runs several at
// once.
//
// The engines know nothing of one another, and nothing of this package; they
// share the vocabulary of package dimacs. What stands above them is here, in two
// steps. The first looks at the formula and chooses ([Choose]): where one engine
// is better than all others whatever the rest of the formula says, as linear
// time is better than search, nothing else has to be tried. The second is for
// formulas of which that cannot be seen, and begins where the first ends with
// [CDCL]: a [Race] of solvers that search in different ways and share what they
// learn. This package may start goroutines, which engines may not; when a call
// returns, they have ended.
//
// # What the tests would find
//
// Faults were planted one at a time, and found by the tests named.
package portfolio
