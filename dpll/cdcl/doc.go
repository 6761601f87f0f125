// Package cdcl decides formulas by conflict-driven clause learning.
//
// A [Solver] takes clauses at any time, is asked with or without assumptions,
// and answers with a model, with the assumptions that failed, or, when a limit
// is reached, with nothing; what it has learned stays. Every clause that it
// derives or drops is told to a [dimacs.Proof] if there is one.
//
// Runs are deterministic: effort is counted in ticks instead of seconds, so
// that the same input, options and seed give the same search, conflict for
// conflict, on any machine. Only limits of time and the end of a context depend
// on the clock.
//
// The files are named after what they hold, one technique each, with an essay
// at the top: search.go is the main loop; arena.go, watch.go and propagate.go
// the layout of clauses and their visits; analyze.go, minimize.go and shrink.go
// what is learned; decide.go, heap.go, queue.go and phase.go what is decided;
// restart.go when search starts over; reduce.go and collect.go what is
// forgotten. Built with the tag satcheck the solver checks its invariants
// (check.go) and the indices of its hot loops.
package cdcl
