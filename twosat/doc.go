// Package twosat solves 2-satisfiability (2-SAT) in linear time: conjunctions of
// clauses with at most two literals. It finds models, refutations, forced
// literals (the backbone), equivalent literals and all solutions, and explains
// each of them by chains of implications.
//
//	s := twosat.New(nil)
//	s.Add(dimacs.Lits(1, 2)...)
//	s.Add(dimacs.Lits(-1, 2)...)
//	if s.Solve(ctx) == dimacs.Satisfiable {
//		fmt.Println(s.Model().Lits())
//	} else {
//		fmt.Println(s.Refutation()) // as in 1 -> 2 -> -1 -> 3 -> 1
//	}
//	forced, _ := s.Forced(ctx)
//	fmt.Println(forced.Lits())   // [2]: true in every solution
//	chain, _ := s.Why(dimacs.FromInt(2))
//	fmt.Println(chain)           // -2 -> 1 -> 2
//
// The implication graph has the literals as vertices; a clause (a or b) gives
// the edges from not a to b and from not b to a. A formula is unsatisfiable if
// and only if some literal and its complement are in the same strongly connected
// component. A literal is true in all solutions if and only if its complement
// implies it. Two literals are equal in all solutions if each implies the other
// (Aspvall, Plass and Tarjan, "A linear-time algorithm for testing the truth of
// certain quantified Boolean formulas", 1979).
//
// A [Solver] holds the clauses. Its methods are:
//
//   - [Solver.Solve] decides the clauses, with or without assumptions. The
//     evidence is a model, the failed assumptions or a [Refutation]; a
//     [dimacs.Proof] receives the derivation.
//   - [Solver.Forced] finds the forced literals, the sets of equivalent literals
//     and the free variables.
//   - [Solver.Why] and [Solver.Path] find shortest chains of implications.
//   - [Solver.Models] enumerates solutions, [Solver.Count] counts them.
//   - [Solver.Draw] draws a small implication graph.
//
// [BinaryPart] makes a solver of the short clauses of any formula: refutations,
// forced literals and equivalences of the solver hold for the whole formula. An
// [Explainer] finds the clauses of a formula from which the steps of a chain
// follow.
//
// The package also has algorithms for directed graphs of any kind. A [Graph] is
// stored in compressed sparse rows. [Condense] is Tarjan's algorithm for strongly
// connected components and returns the condensation. [NewClosure] computes the
// transitive closure by bit-parallel DAG reachability.
//
// Solving rarely needs strongly connected components, and finding forced
// literals needs no quadratic table. The tests and benchmarks compare with the
// textbook's methods.
//
// Files:
//   - solver.go: the solver, its clauses and the results it stores
//   - solve.go: the stages of a decision, and assumptions
//   - peel.go: first stage, elimination of pure literals in passes over the clauses
//   - propagate.go: second stage, unit propagation on the implication graph
//   - explain.go: shortest chains, contradictory cycles and their proofs
//   - explainer.go: the clauses of a formula behind an answer
//   - models.go: enumerating and counting solutions
//   - forced.go: forced and equivalent literals
//   - thin.go: passes that drop edges irrelevant to forced literals
//   - search.go: searches that decide the remaining variables
//   - graph.go: directed graphs in compressed sparse rows
//   - scc.go: strongly connected components
//   - closure.go: transitive closure and transitive reduction
//   - draw.go: diagrams of implication graphs, over package internal/diagram
package twosat
