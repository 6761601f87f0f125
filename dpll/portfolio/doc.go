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
// Faults that were planted, one at a time, with the first test that failed:
//
//	a clause is shared without a share of it in the proof (pool.go, Export)
//	  TestManyRaces: clause is deleted too often
//	what is left of a clause without its false literals goes untold (cdcl/exchange.go)
//	  TestConformanceRandomOptions: hint 157, [-24 29], is not unit
//	a clause with a retired variable is taken in (cdcl/exchange.go)
//	  TestRetiredStay
//	a clause with a fresh variable is exported (cdcl/exchange.go)
//	  TestExportsKnow
//	a cube without a result counts as refuted (conquer.go, close)
//	  TestLostResult
//
// That a clause comes in that no proof has is a fault which cdcl's
// TestImportWithoutProof plants itself.
package portfolio
