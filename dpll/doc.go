// Package dpll decides formulas as Davis, Logemann and Loveland did in 1962: by
// propagating what follows, deciding a literal when nothing does, and trying
// its complement when the literal has failed. It learns nothing and never
// starts over. On all but small formulas package cdcl is faster; this package is
// for seeing how search works, for comparing what guides it, for models by the
// thousand, and for contradicting the other engine, with which it shares no
// line of search.
//
// A [Solver] takes clauses at any time and is asked with or without
// assumptions. It answers with a model, with the assumptions that failed, or,
// when a limit is reached, with nothing. [Solver.Models] visits all models,
// [Solver.Count] counts them. What it decides is up to one of [Heuristics];
// [Stats] counts, with exact definitions, what that costs; a [Tracer] writes
// every step. Told to a [dimacs.Proof], a refutation is a proof that a checker
// accepts.
//
// Runs are deterministic: the same input, options and seed give the same
// search on any machine. Only limits of time and the end of a context depend on
// the clock.
//
// The files are to be read in this order: search.go has the loop; propagate.go
// and pure.go the two rules that need no decision, and how watching makes them
// cheap; heuristic.go the decisions, and counts.go what these go by; enumerate.go
// all models; trace.go the steps; failed.go and proof.go the evidence. Built
// with the tag satcheck the solver checks its invariants (check.go).
package dpll
