// Package conquertest is the conformance test of transports for cube and conquer: of
// programs that connect a portfolio.Coordinator with several portfolio.Worker values, in
// one process or on many machines.
//
//	func TestConformance(t *testing.T) {
//		conquertest.Run(t, conquertest.Transport{
//			Start:  func(t *testing.T) conquertest.Attempts { return newGrid(t) },
//			Rounds: 20,
//		})
//	}
//
// [Run] solves formulas with cubes that form a tree, a tree with a missing leaf, a list
// without a tree, and without cubes. It compares the answers with an oracle, evaluates the
// models, and checks the proofs with dimacs/proof. It stops runs and continues them, and
// requires that a finished cube is not solved again, that the solver of a covered cube is
// stopped, and that a run is not continued with another formula.
//
// The files:
//
//   - conquertest.go: transports, and the list of tests
//   - answers.go: answers, models and proofs
//   - attempts.go: runs that are stopped and continued
//   - cubes.go: random cubes and formulas
package conquertest
