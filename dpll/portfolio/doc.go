// Package portfolio chooses an engine for a formula, and solves hard formulas with
// several CDCL solvers in parallel: in a portfolio race or by cube and conquer.
//
// [Choose] returns the best engine for a formula, for example a linear-time engine for
// 2-SAT and Horn formulas. For formulas of [CDCL], a [Race] runs solvers with different
// configurations that share learned clauses:
//
//	race := portfolio.NewRace(portfolio.Options{Threads: 4})
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
// Conquer consists of values that other programs can connect in other ways, as on many
// machines: a [Coordinator] gives out the cubes as values of type [Task] and combines
// values of type [Result], and a [Worker] solves a task. [Simplify] computes the formula
// from which the workers of all machines start. Package conquertest tests such programs.
//
// The folder testdata/mutants has faults of this package as patches, with the tests that
// must detect them; the command sator-lab mutants runs these tests.
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
//   - coordinator.go: the queue of cubes, and results
//   - worker.go: the solvers of cubes
//   - splitter.go: the literals by which cubes are split
//   - conquer.go: coordinator and workers in one process
//   - simplification.go: the simplified formula of a run on several machines
//   - forest.go: the trees of cubes, and what follows from refuted cubes
//   - result.go: tasks and results in JSON
//
// All parallel runs:
//   - pool.go: clause sharing
//   - shared_proof.go: one proof of several solvers
//   - parallel.go: goroutines and their panics
//
// Subpackage journal stores the results and the proof of a cube-and-conquer run, so
// that it can be resumed. Subpackage conquertest is the conformance test of transports
// between a coordinator and workers.
package portfolio
