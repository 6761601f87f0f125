package cdcl

import (
	"context"
	"math"
	"time"

	"sator/dimacs"
)

// Solve looks for a model of the clauses added so far in which all assumptions
// are true. It returns Satisfiable, and then [Solver.Model] and [Solver.Value]
// tell of the model; Unsatisfiable, and then [Solver.Failed] tells which
// assumptions are to blame; or Unknown, when a limit was reached or ctx was
// done. It notices the end of ctx within about 50 milliseconds. A solver goes
// on after Unknown with what it has learned.
//
// Assumptions that the last call had at the same places, before the first that
// differs, cost nothing again if no clause was added since.
//
// It panics if called from a callback, and with an error value if clauses
// exceed the limits given at [Solver].
func (s *Solver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.activateAssumptions(assumptions)
	s.reuseAssumptions(assumptions)
	s.ctx = ctx
	defer func() { s.ctx = nil }()
	s.begin(assumptions)
	answer := dimacs.Unknown
	if !s.poll(s.stats.Ticks) {
		if s.prepare() {
			s.scheduleRound()
			if s.luckyDue() {
				s.tryLucky()
			}
			s.enter(s.searchName())
			answer = s.search()
		}
	}
	s.end(answer)
	return answer
}

// prepare does what the last call was stopped in, and watches what waits. It reports
// false if the call is stopped meanwhile.
func (s *Solver) prepare() bool {
	if s.continueInterrupted(); !s.stopped {
		s.connect()
	}
	return !s.stopped
}

// begin takes note of what this call is about.
func (s *Solver) begin(assumptions []dimacs.Lit) {
	s.assumptions = append(s.assumptions[:0], assumptions...)
	s.failed = s.failed[:0]
	s.stopped = false
	s.base = s.stats
	s.deadline = time.Time{}
	if s.limits.Time > 0 {
		s.deadline = time.Now().Add(s.limits.Time)
	}
	s.report(Start)
}

// end records the answer. The trail stays until the next call, so that stopping
// is quick.
func (s *Solver) end(answer dimacs.Status) {
	switch answer {
	case dimacs.Satisfiable:
		s.state = satisfied
		s.storeModel()
		s.report(Satisfied)
	case dimacs.Unsatisfiable:
		s.state = refuted
		s.report(Refuted)
	default:
		s.report(Stopped)
	}
}

func (s *Solver) storeModel() {
	s.model = lengthen(s.model, len(s.vars))
	for v := range s.model {
		s.model[v] = dimacs.Value(s.vals[2*v])
	}
	if s.removed > 0 {
		for v := range s.model {
			if !s.active(uint32(v)) {
				s.model[v] = dimacs.Value(s.phases.saved[v])
			}
		}
		s.reconstructModel()
	}
	s.model = s.model[:s.givenVars()]
}

// search runs the solver until it has an answer or has to stop: it asks one
// question after the other, in the order of their urgency.
func (s *Solver) search() dimacs.Status {
	for {
		switch {
		case s.inconsistent:
			return dimacs.Unsatisfiable
		case s.stopped || s.limited():
			return dimacs.Unknown
		case !s.propagate():
			s.analyze()
		case s.stopped: // in the middle of propagation
			continue
		case s.complete():
			return dimacs.Satisfiable
		case s.restarting():
			s.restart()
		case s.exchanging():
			s.exchange()
		case s.switching():
			s.switchMode()
		case s.bursting():
			s.burst()
		case s.rephasing():
			s.rephase()
		case s.reducing():
			s.reduce()
		case s.inprocessing():
			s.inprocess()
		case !s.decide():
			return dimacs.Unsatisfiable
		}
	}
}

// complete reports whether all variables are assigned and all assumptions were
// looked at.
func (s *Solver) complete() bool {
	return len(s.trail)+s.removed == len(s.vars) && len(s.levels) > len(s.assumptions)
}

// limited reports whether a limit of this call is reached.
func (s *Solver) limited() bool {
	over := func(limit, now, base int64) bool { return limit > 0 && now-base >= limit }
	l := &s.limits
	return over(l.Conflicts, s.stats.Conflicts, s.base.Conflicts) ||
		over(l.Decisions, s.stats.Decisions, s.base.Decisions) ||
		over(l.Propagations, s.stats.Propagations, s.base.Propagations) ||
		over(l.Rounds, s.stats.Rounds, s.base.Rounds)
}

const (
	noPoll = math.MaxInt64 // ticks at which nobody asks
	// pollTicks is how many ticks pass between looks at the clock and the
	// context: some milliseconds, even if each of them is a cache miss.
	pollTicks = 20_000
)

// poll looks whether the call has to stop, and remembers it.
func (s *Solver) poll(ticks int64) bool {
	s.pollAt = ticks + pollTicks
	if s.ctx == nil {
		return false
	}
	if s.ctx.Err() != nil || !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		s.stopped = true
	}
	return s.stopped
}

// report calls the progress callback.
func (s *Solver) report(e Event) {
	if s.opts.Progress != nil {
		s.opts.Progress(e, s.Stats())
	}
}

// enter tells what the solver turns to.
func (s *Solver) enter(activity string) {
	if s.opts.Activity != nil {
		s.opts.Activity(activity)
	}
}

func (s *Solver) searchName() string {
	if s.stable {
		return "search-stable"
	}
	return "search-focused"
}
