package cdcl

import (
	"context"
	"time"

	"sator/dimacs"
)

// Solve searches for a model of the clauses added so far in which all assumptions are
// true. It returns one of three answers:
//
//   - Satisfiable: [Solver.Model] and [Solver.Value] return the model.
//   - Unsatisfiable: [Solver.Failed] returns the assumptions that were used.
//   - Unknown: a limit was reached, ctx was done or the callback of SetTerminate said so;
//     [Solver.Why] returns the reason. Solve notices the end of ctx within about 50
//     milliseconds, or 100 for 10^7 clauses. A later call continues with the learned clauses.
//
// The levels of the first assumptions are reused if the last call had the same ones in
// the same order and no clause was added since. A satisfiable call takes at least linear
// time in the number of variables, since it assigns and stores all of them.
//
// Solve panics if ctx is nil, or if called from a callback. If clauses exceed the limits given
// at [Solver], it returns Unknown, and [Solver.Err] the reason.
func (s *Solver) Solve(ctx context.Context, assumptions ...dimacs.Lit) (answer dimacs.Status) {
	s.admit(assumptions, auxiliaryFlag)
	return s.solve(ctx, assumptions)
}

// solve is Solve for known variables.
func (s *Solver) solve(ctx context.Context, assumptions []dimacs.Lit) (answer dimacs.Status) {
	assumptions = s.withoutEnumerations(assumptions)
	if len(assumptions) > 0 {
		s.requireSymmetries("Solve")
	}
	defer s.opts.enter("")
	defer s.guard(&answer)
	s.reuseAssumptions(assumptions)
	s.call.ctx = ctx
	defer s.call.leave()
	s.begin(assumptions)
	answer = dimacs.Unknown
	if !s.poll(s.stats.Ticks) && s.prepare() {
		s.deleteReleased()
		s.scheduleRound()
		s.scheduleAssumed()
		s.scheduleBreaking()
		lookingAhead{s}.schedule()
		if s.luckyDue() {
			s.tryLucky()
		}
		s.opts.enter(s.decisions.searchName())
		answer = s.search()
	}
	s.end(answer)
	s.call.ctx = nil
	if s.verifier != nil {
		answer = s.verifier.confirm(s, answer)
	}
	return answer
}

// prepare continues the interrupted work of the last call, restores removed assumptions,
// and connects new clauses. It returns false if the call is stopped meanwhile.
func (s *Solver) prepare() bool {
	s.opts.enter("connect")
	if s.continueInterrupted(); !s.call.stopped {
		s.restore(s.call.assumptions)
		s.connect()
	}
	if s.call.stopped {
		return false
	}
	s.reports.sampleNow()
	return true
}

// begin initializes the state of a call.
func (s *Solver) begin(assumptions []dimacs.Lit) {
	if s.call.ctx == nil {
		panic("cdcl: called with a nil context")
	}
	s.call.assume(assumptions)
	s.call.stopped, s.call.why = false, nil
	s.call.base = s.stats
	s.call.deadline = time.Time{}
	if s.call.limits.Time > 0 {
		s.call.deadline = time.Now().Add(s.call.limits.Time)
	}
	s.report(Start)
}

// end stores the answer and reports it. It does not backtrack, so that Solve returns quickly
// after a stop; the next call does.
func (s *Solver) end(answer dimacs.Status) {
	s.reports.sampleNow()
	switch answer {
	case dimacs.Satisfiable:
		s.call.state = satisfied
		s.storeModel()
		s.report(Satisfied)
	case dimacs.Unsatisfiable:
		s.call.state = refuted
		s.report(Refuted)
	default:
		s.call.why = s.call.reason()
		s.report(Stopped)
	}
}

// storeModel stores the values of all variables, and computes those of removed ones from the
// reconstruction stack.
func (s *Solver) storeModel() {
	s.call.model = lengthen(s.call.model, len(s.trail.vars))
	for v := range s.call.model {
		s.call.model[v] = dimacs.Value(s.trail.vals[2*v])
	}
	if s.removal.removed > 0 {
		for v := range s.call.model {
			if !s.removal.active(uint32(v)) {
				s.call.model[v] = dimacs.Value(s.decisions.phases.saved[v])
			}
		}
		s.removal.stack.reconstruct(s.call.model, len(s.removal.stack.words))
	}
	s.call.model = s.call.model[:s.removal.givenVars()]
}

// search runs the CDCL loop until there is an answer or the call is stopped. The cases
// are in the order of their priority.
func (s *Solver) search() dimacs.Status {
	for {
		switch {
		case s.inconsistent:
			return dimacs.Unsatisfiable
		case s.call.stopped || s.call.limited():
			return dimacs.Unknown
		case !s.propagate():
			s.analyze()
		case s.trail.propagated < len(s.trail.lits): // stopped, or traced
			continue
		case s.user != nil && s.user.consult():
			continue
		case s.complete():
			return dimacs.Satisfiable
		case s.restarting():
			s.restart()
		case s.sharing.exchanging():
			s.sharing.exchange()
		case s.schedule.switching():
			s.switchMode()
		case s.schedule.bursting():
			s.burst()
		case s.schedule.rephasing():
			s.rephase()
		case s.schedule.reducing():
			s.reduce()
		case s.passes.breakingDue():
			s.breakEarly()
		case s.schedule.lookingAhead():
			lookingAhead{s}.run()
		case s.sweepingDue():
			s.sweepEarly()
		case s.schedule.inprocessing() && !s.assumedFirst():
			s.inprocess()
		case s.assumedDue():
			s.refuteAssumptions()
		case !s.decide():
			return dimacs.Unsatisfiable
		}
	}
}

// complete reports whether all variables are assigned and all assumptions have a
// level.
func (s *Solver) complete() bool {
	return len(s.trail.lits)+s.removal.removed == len(s.trail.vars) && len(s.trail.levels) > len(s.call.assumptions)
}

// Activities returns the names that [Options].Activity is called with, except "": what
// search does apart from simplification, then the names of the passes in their order.
func Activities() []string {
	names := []string{"connect", "lucky", "search-focused", "search-stable", "reduce", "collect", "walk", lookAheadName}
	for _, p := range passes {
		names = append(names, p.name)
	}
	return names
}
