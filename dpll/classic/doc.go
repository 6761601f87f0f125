// Package classic decides formulas by the DPLL procedure of Davis, Logemann and
// Loveland (1962): unit propagation, decisions, and chronological backtracking,
// without clause learning and without restarts. It also enumerates and counts
// models, and records the search tree.
//
//	s := classic.New(classic.DefaultOptions())
//	s.AddFormula(f)
//	switch s.Solve(ctx, assumptions...) {
//	case dimacs.Satisfiable:
//		fmt.Println(s.Model().Lits())
//	case dimacs.Unsatisfiable:
//		fmt.Println("the failed assumptions are", s.Failed())
//	case dimacs.Unknown: // a limit was reached, or ctx is done
//	}
//	for m := range s.Models(ctx, nil) { // all models, over all variables
//		fmt.Println(m.Lits())
//	}
//
// On all but small formulas package cdcl is faster. This package serves to study
// search and to compare decision heuristics, to enumerate many models, and to
// contradict package cdcl, with which it shares no search code.
//
// Clauses may be added between calls, and calls may have assumptions. Package cdcl has
// more calls for incremental programs, which this package does not have since it keeps
// nothing between calls that they could use: unit propagation alone, groups of clauses that
// are deleted, copies, and callbacks for termination and learned clauses.
// [Options.Heuristic] selects one of [Heuristics], and [Stats] counts nodes,
// decisions and conflicts by exact definitions. A [Tracer] writes each step of
// the search and a [Tree] draws it. A [dimacs.Proof] receives the refutation as a
// DRAT proof.
//
// Search is deterministic: the same input, options and seed give the same search
// on any machine. Only the end of a context and [Limits.Time] depend on the
// clock.
//
// A heuristic depends on the open clauses of the node alone. The search tree is
// therefore that of a plain recursive program, with which the tests compare it
// (reference_test.go).
//
// The files, in the order of reading:
//
//   - solver.go: the state of a solver, adding clauses, access to answers
//   - options.go, limit.go, stats.go: options, limits of a call, exact counts
//   - search.go: Solve and the main loop
//   - propagate.go: unit propagation by two watched literals
//   - pure.go: pure literals, by one watched clause per literal
//   - heuristic.go: the table of decision heuristics
//   - counts.go, occur.go: clause lengths, scores and occurrence lists for
//     heuristics
//   - enumerate.go, assignment.go: enumerating, projecting and counting models
//   - trace.go, tree.go: events of the search as text and JSON; the search tree
//     as text, DOT and SVG
//   - failed.go: failed assumptions
//   - proof.go: DRAT proofs
//   - check.go: invariants, compiled in by the build tag satcheck
package classic
