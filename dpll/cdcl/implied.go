package cdcl

import (
	"context"

	"sator/dimacs"
)

// Unit propagation for callers (IPASIR-2's propagate, CaDiCaL's propagate). It is the start
// of a search that decides the assumptions and nothing else. A conflict below the last
// assumption is analyzed as in search: the clause that it yields is kept, so that the next
// call meets no such conflict again, and the failed assumptions follow as for Solve.

// Propagate decides the assumptions and runs unit propagation, without search. It returns
//
//   - Unsatisfiable if that ends in a conflict: [Solver.Failed] returns the failed
//     assumptions, and implied is nil;
//   - otherwise Unknown, and the other literals that are true then, in order of
//     assignment, those fixed by the clauses alone first.
//
// Each implied literal is true in all models of the clauses in which the assumptions are
// true. Before the first call of Solve, implied has all literals that unit propagation of
// the clauses derives; later, learned clauses may add some, and variables that a
// simplification has eliminated are missing unless [Solver.Freeze] or [Solver.KeepModels]
// was called. The levels of the assumptions are reused by the next call of Propagate or
// Solve with the same first assumptions. Propagate polls neither a context nor a limit: it
// takes the time of propagation. It panics if called from a callback.
func (s *Solver) Propagate(assumptions ...dimacs.Lit) (implied []dimacs.Lit, status dimacs.Status) {
	s.admit(assumptions, auxiliaryFlag)
	s.requireSymmetries("Propagate")
	defer s.guard(&status)
	s.reuseAssumptions(assumptions)
	s.completeInterrupted()
	s.call.assume(assumptions)
	s.call.stopped, s.call.pollAt = false, noPoll
	defer func() { s.call.pollAt = 0 }()
	s.call.ctx = context.Background() // calls from callbacks panic
	defer s.call.leave()
	s.restore(s.call.assumptions)
	s.connect()
	open := s.propagateAssumptions()
	s.call.ctx = nil
	if !open {
		s.call.state = refuted
		return nil, dimacs.Unsatisfiable
	}
	return s.analysis.trueBeside(s.call.assumptions, s.removal.givenVars()), dimacs.Unknown
}

// trueBeside returns the true literals of the first variables that are no assumptions.
func (a *analysis) trueBeside(assumptions []dimacs.Lit, vars int) []dimacs.Lit {
	const assumedMark = 1
	for _, l := range assumptions {
		a.marks[l>>1] = assumedMark
	}
	rest := make([]dimacs.Lit, 0, len(a.trail.lits))
	for _, l := range a.trail.lits {
		if a.marks[l>>1] == 0 && int(l>>1) < vars {
			rest = append(rest, l)
		}
	}
	for _, l := range assumptions {
		a.marks[l>>1] = 0
	}
	return rest
}

// propagateAssumptions decides and propagates the assumptions. It returns false if they
// are refuted.
func (s *Solver) propagateAssumptions() bool {
	for {
		switch {
		case s.inconsistent:
			return false
		case !s.propagate():
			s.analyze()
		case len(s.trail.levels) > len(s.call.assumptions):
			return true
		case !s.decide():
			return false
		}
	}
}
