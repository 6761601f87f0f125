// Package portfolio chooses an engine for a formula, and solves hard formulas with
// several CDCL solvers in parallel: in a portfolio race or by cube and conquer.
//
// [Choose] returns the best engine for a formula, for example a linear-time engine for
// 2-SAT and Horn formulas. For formulas of [CDCL], a [Race] runs solvers with different
// configurations that share learned clauses:
//
//	race := portfolio.NewRace(portfolio.Options{Threads: 4, Solver: cdcl.DefaultOptions()})
//	if !race.Load(ctx, f, 0, f.Len()) {
//		return ctx.Err()
//	}
//	switch race.Solve(ctx) {
//	case dimacs.Satisfiable:
//		fmt.Println(race.Model())
//	case dimacs.Unsatisfiable:
//		fmt.Println("solver", race.Winner(), "found a refutation")
//	}
//
// [Conquer] solves a formula by its cubes, and [ComponentSolver] solves the connected
// components of a formula one by one. Unlike the engines, this package starts
// goroutines. They have ended when a call returns.
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
//	a cube without a result counts as refuted (conquer.go, checkCover)
//	  TestLostResult
//
// That a clause comes in that no proof has is a fault which cdcl's
// TestImportWithoutProof plants itself.
//
// # Files
//
// Choice of an engine:
//   - choose.go: the rules by which an engine is chosen
//   - horn.go: the engine for Horn formulas
//   - components.go: connected components, each with a solver of its own
//
// Portfolio race:
//   - race.go: the solvers of a race and its answer
//   - configurations.go: the table of configurations
//   - simplified.go: the simplified formula from which the other solvers start
//   - lockstep.go: rounds that make runs deterministic
//
// Cube and conquer:
//   - conquer.go: the queue of cubes, and results
//   - worker.go: the solvers of cubes
//   - forest.go: the trees of cubes, and what follows from refuted cubes
//   - result.go: tasks and results in JSON
//
// All parallel runs:
//   - pool.go: clause sharing
//   - shared_proof.go: one proof of several solvers
//   - parallel.go: goroutines and their panics
//
// Subpackage journal stores the results and the proof of a cube-and-conquer run, so
// that it can be resumed.
package portfolio
