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
// what is learned; decide.go and phase.go what is decided, by package order;
// restart.go when search starts over; reduce.go and collect.go what is
// forgotten. Built with the tag satcheck the solver checks its invariants
// (check.go) and the indices of its hot loops.
//
// # What the tests would find
//
// Ten faults as they creep into such an engine were planted, one at a time, and
// the tests of this package run without satcheck. Each was found. The edit is
// given with the first test that failed and what it said; all were found with
// satcheck as well.
//
//	wrong blocker test: an unassigned blocker ends the visit of a long clause
//	  propagate.go    if value > 0 {  ->  if value > 0 || value == 0 && !w.binary() {
//	                  (the first, of the blocker)
//	  TestInterruptedAnywhere: no answer within a minute
//	  with satcheck, TestTraces: propagation overlooked clause [3 5 4] at level 3
//
//	dropped watch: a conflict loses the last watch of the list it was found in
//	  propagate.go    for ; i < end; i, j = i+1, j+1 {  ->  for ; i+1 < end; ...
//	  TestDeterminism: formula 2: no model
//
//	unsound minimization: what is known not to be implied passes as implied
//	  minimize.go     m&removableMark != 0  ->  m&(removableMark|poisonMark) != 0
//	  TestConformance/default: learned [6 1 2] is not implied by unit propagation
//
//	missing deletion: binary clauses of the formula go untold
//	  collect.go      if s.proof != nil {  ->  if s.proof != nil && w.redundant() {
//	                  (in dropBinary)
//	  TestProofSteps: the proof has 198 clauses, the solver 193
//
//	wrong hint order: what analysis resolved is not turned round
//	  proof.go        for i := len(s.resolved) - 1; i >= 0; i-- {
//	                  ->  for i := range s.resolved {
//	  TestTraces/kept/limits.trace: hint 4, [-1 -3], is not unit
//
//	lost unit: a clause of which one literal is left is dropped
//	  connect.go      s.assignRoot(rest[0], unit)  ->  _ = unit
//	  TestInterruptedAnywhere: the model does not satisfy clause [-3530 2997]
//
//	wrong assumption level: the last assumption is not looked at when all is assigned
//	  search.go       len(s.levels) > len(s.assumptions)  ->  >=
//	  TestTraces/kept/refuted.trace: got SATISFIABLE, want UNSATISFIABLE
//
//	arena compaction off by one: a sweep leaves a clause's last word behind
//	  collect.go      copy(s.arena[c.end:], from)  ->  from[:n-1]
//	  TestInterruptedAnywhere: the model does not satisfy clause [4767 -5777 -1020]
//
//	stale reason: that of the first learned clause is not mended when it moves
//	  collect.go      r >= c.from {  ->  r > c.from {
//	                  (in endCopy)
//	  TestInterruptedAnywhere: index out of range [455] with length 455
//	  with satcheck, TestProofDoesNotChangeSearch: reason [-31 27 -42 -41 21 22 28] does not imply -15
//
//	bad phase of a learned unit: its complement is assigned
//	  analyze.go      s.assignRoot(c[0], id)  ->  s.assignRoot(c[0]^1, id)
//	  TestTraces/kept/limits.trace: learned [-4] along [10 9]: hint 9, [-4 -6], is not unit
package cdcl
