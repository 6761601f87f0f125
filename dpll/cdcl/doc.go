// Package cdcl is an incremental SAT solver by conflict-driven clause learning (CDCL)
// with inprocessing.
//
//	s := cdcl.New(cdcl.Options{})
//	s.Add(dimacs.Lits(1, 2)...)  // x1 or x2
//	s.Add(dimacs.Lits(-1, 3)...) // not x1, or x3
//	switch s.Solve(ctx, dimacs.Lits(-2)...) { // under the assumption not x2
//	case dimacs.Satisfiable:
//		m := s.Model() // s.Value(l) is the value of one literal
//	case dimacs.Unsatisfiable:
//		core := s.Failed() // the failed assumptions
//	case dimacs.Unknown: // a limit was reached or ctx is done
//	}
//
// [Solver.AddFormula] adds all clauses of a [dimacs.Formula]. Clauses can be added
// between calls of Solve, which keep the learned clauses.
//
//   - Assumptions are arguments of [Solver.Solve]; [Solver.Failed] returns the ones in
//     the core.
//   - Unit propagation alone is [Solver.Propagate]. A group of clauses is switched on by an
//     assumption and off for good: [Solver.NewGroup], [Solver.AddTo], [Solver.Release].
//     [Solver.Clone] copies a solver.
//   - Phases: a decision first assigns true, unless [Options].Phase is PhaseFalse, for models
//     with few true literals, or [Solver.SetPhase] was called; and later the last value of the variable.
//   - Limits of conflicts, decisions, propagations, rounds and time are set by
//     [Solver.SetLimits]. The end of the context stops a call within some 50
//     milliseconds. [Solver.Why] is the reason, and a later call continues.
//   - Memory: [Options].Memory is asked before large allocations.
//   - Options: the zero [Options] are the defaults. [Knobs] are options by name, for flags, and
//     [Presets] those for formulas that are known to be satisfiable or unsatisfiable.
//   - Proofs: [Options].Proof receives every derived and every deleted clause, for DRAT
//     or LRAT files (package dimacs/proof) and for checkers.
//   - Statistics: [Solver.Stats] returns counters and averages. [Options].Progress is a
//     callback for progress reports, [Options].Activity one for profilers. An
//     [Observer] receives samples of the state and a report of each pass, and
//     [Options].Trace each step of plain search.
//   - Callbacks: [Solver.SetTerminate] ends calls, [Solver.SetLearned] receives learned
//     clauses.
//   - All models are enumerated by [Solver.Enumerate], with projection if needed; no
//     blocking clauses remain.
//   - Preprocessing alone is done by [Solver.Simplify]; [Solver.Simplified] and
//     [Solver.ReconstructionStack] return its result, and [Solver.Freeze] excludes
//     variables from it.
//   - User propagators ([Propagator], connected by [Solver.Connect]) observe the search,
//     propagate, decide, add clauses and reject models, in the sense of IPASIR-UP.
//   - Parallel solvers share clauses through an [Exchange].
//
// Runs are deterministic: effort is counted in ticks (cache lines touched), never in
// seconds, so that the same input, options and seed give the same search, conflict for
// conflict, on any machine. Only limits of time and the end of a context depend on the
// clock.
//
// The folder testdata/mutants has faults of this package as patches, with the tests that
// must detect them; the command sator-lab mutants runs these tests.
//
// # Files
//
// The files are in reading order: most of what a file uses is declared in files before it
// (TestStructure counts the exceptions). Each technique has a file, which begins with an
// essay: the technique, its papers, the invariants, and variants that were tried; the figures
// are in dpll/docs/tried.md.
//
//   - Options and counts: stats.go, options.go
//   - Tools: log.go, ema.go, luby.go, hugepages_linux.go, reserve.go (tables that grow in
//     place), package radix (sorting), check_on.go and check_off.go (for the build tag satcheck)
//   - Parts of a solver: arena.go (clauses), watch.go (watch lists), proof.go (proof logging
//     and hints), trail.go, reconstruct.go (removed variables and the reconstruction stack),
//     limit.go (the state of a call), connect.go (watching many new clauses at once),
//     collect.go (garbage collection)
//   - Decisions and schedules: decide.go, phase.go, restart.go (restarts and modes), reduce.go
//     (clause database reduction), package order (VMTF queue, VSIDS heap)
//   - Propagation: propagate.go, backtrack.go, assume.go (assumptions and the core)
//   - Conflict analysis: analyze.go (first UIP), minimize.go, shrink.go (all-UIP shrinking),
//     onthefly.go (on-the-fly strengthening)
//   - User propagators: propagator.go
//   - Tracing: trace.go
//   - Invariants, with the build tag satcheck: check.go
//   - Callbacks: hooks.go
//   - Verification of answers: verify.go
//   - Inprocessing: memory.go (asking before large allocations), inprocess.go (the table of
//     passes), host.go (the interface of package inprocess, through which passes in packages
//     of their own see the solver), extension.go (numbers of extension variables), observe.go
//     (samples and reports), exchange.go and leader.go (portfolios)
//   - Binary implication graph: implications.go, duplicate.go, substitute.go (equivalent
//     literals), transitive.go, probe.go (failed literal probing)
//   - SAT sweeping: packages circuit (recognition and simulation of gates) and kitten (embedded
//     sub-solver) with kitten.go, sweep.go, environment.go (equalities without a circuit)
//   - XOR constraints and Gaussian elimination: package xor with xors.go
//   - Cardinality detection: package cardinality with cardinality.go and, under
//     assumptions, cardinality_assumed.go
//   - Congruence closure: package congruence with congruence.go
//   - Look-ahead on random formulas: package lookahead with lookahead.go
//   - Symmetry detection and breaking: package symmetry with symmetry.go
//   - Dense mode, with lists of all clauses of a literal: dense.go, subsume_back.go, gates.go,
//     define.go (semantic definitions), dense_check.go, eliminate.go (BVE), subsume.go
//   - Vivification: vivify.go, vivify_analyze.go
//   - Bounded variable addition (BVA): bva.go, bva_match.go, bva_replace.go
//   - Models without CDCL search: lucky.go (lucky phases), walk.go and walk_load.go (local
//     search)
//   - Solver: group.go (groups of clauses), solver.go (the parts together, adding clauses),
//     search.go (Solve and the CDCL loop), implied.go (unit propagation for callers),
//     simplify.go (preprocessing without search), enumerate.go, clone.go
package cdcl
