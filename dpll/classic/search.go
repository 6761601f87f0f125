package classic

import (
	"context"
	"time"

	"sator/dimacs"
)

// Solve searches for a model of the clauses in which all assumptions are true. It
// returns Satisfiable if there is one, see [Solver.Model] and [Solver.Value];
// Unsatisfiable if there is none, see [Solver.Failed]; and Unknown if a limit was
// reached or ctx is done. It checks the context every few milliseconds. The next
// call starts a new search, also after Unknown. The first call after an addition makes
// the tables of the heuristic again, in linear time.
//
// Solve panics if called from a callback.
func (s *Solver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.beginCall(ctx, assumptions)
	defer s.endCall()
	answer := s.search()
	switch answer {
	case dimacs.Satisfiable:
		s.state = satisfied
		s.saveModel()
	case dimacs.Unsatisfiable:
		s.state = refuted
		s.refuted = len(s.failed) == 0
	}
	return answer
}

// beginCall prepares the state of a call.
func (s *Solver) beginCall(ctx context.Context, assumptions []dimacs.Lit) {
	s.reset()
	for _, l := range assumptions {
		s.Grow(int(l>>1) + 1)
	}
	s.ctx = ctx
	s.assumptions = append(s.assumptions[:0], assumptions...)
	s.assumed = 0
	s.failed = s.failed[:0]
	s.stopped = false
	s.base = s.stats
	s.stats.Calls++
	s.stats.Nodes++
	s.deadline = time.Time{}
	if s.limits.Time > 0 {
		s.deadline = time.Now().Add(s.limits.Time)
	}
	s.report()
	s.poll()
}

// endCall ends a call. It leaves the trail in place; the next call unwinds it.
func (s *Solver) endCall() {
	s.ctx = nil
	s.enum = nil
	s.report()
}

// saveModel copies the assignment to s.model; unassigned variables become False.
func (s *Solver) saveModel() {
	s.model = lengthen(s.model, len(s.reasons))
	for v := range s.model {
		s.model[v] = dimacs.False
		if s.vals[2*v] > 0 {
			s.model[v] = dimacs.True
		}
	}
}

// search traverses the search tree depth first until it has an answer or must
// stop. At each node it propagates first, then decides assumptions, then assigns
// pure literals, and updates the counts and decides only when none of these
// applies.
func (s *Solver) search() dimacs.Status {
	if s.fresh() && !s.start() {
		return s.refute()
	}
	for {
		switch {
		case s.stopped || s.limited():
			return dimacs.Unknown
		case !s.propagate():
			if !s.backtrack() {
				return dimacs.Unsatisfiable
			}
		case s.stopped: // in the middle of propagation
		case s.assumed < len(s.assumptions):
			if !s.assume() {
				return dimacs.Unsatisfiable
			}
		case s.pureDue():
			s.assignPureLiterals()
		case s.countDue():
			s.updateCounts()
		case !s.decide():
			s.stats.Solutions++
			s.trace(Solution, 0, none)
			return dimacs.Satisfiable
		}
	}
}

// fresh reports whether the search of this call has not started.
func (s *Solver) fresh() bool { return len(s.trail) == 0 && len(s.levels) == 0 && s.assumed == 0 }

// start prepares the tables and assigns the unit clauses. It reports false if the
// clauses are known to be unsatisfiable or the unit clauses falsify one.
func (s *Solver) start() bool {
	if s.refuted {
		return false
	}
	if s.stopped || !s.connect() || !s.prepare() {
		return true
	}
	return s.assignUnits()
}

// prepare builds the tables that this call needs. It reports false if the call was
// stopped; the next call then completes them.
func (s *Solver) prepare() bool {
	s.core.prepare(s)
	s.pure.on = s.opts.Pure != PureOff && s.enum == nil
	if s.heuristic.occurs || s.pure.on || s.enum != nil && s.enum.projected {
		if !s.occ.prepare(s) {
			return false
		}
	}
	return s.counts.prepare(s) && s.pure.prepare(s)
}

// assignUnits assigns the unit clauses. It reports false if there is an empty
// clause or two units are complements, with that clause in s.conflict.
func (s *Solver) assignUnits() bool {
	if s.conflict = s.empty; s.empty != none {
		return false
	}
	from := len(s.trail)
	for _, c := range s.units {
		switch l := s.at(c)[0]; {
		case s.vals[l] < 0:
			s.conflict = c
		case s.vals[l] == 0:
			s.assign(l, c)
		}
	}
	s.stats.Propagations += int64(len(s.trail) - from)
	s.tracePropagated(from)
	return s.conflict == none
}

// refute answers Unsatisfiable without search. It closes the root unless an
// earlier call has done so.
func (s *Solver) refute() dimacs.Status {
	if !s.refuted {
		s.backtrack()
	}
	return dimacs.Unsatisfiable
}

// assume decides the next assumption unless it is already true. It reports false
// if the assumption is false.
func (s *Solver) assume() bool {
	l := s.assumptions[s.assumed]
	s.assumed++
	switch {
	case s.vals[l] < 0:
		s.analyzeAssumption(l)
		return false
	case s.vals[l] == 0:
		s.branch(l)
		s.rootLevels = len(s.levels)
		s.trace(Assume, l, none)
	}
	return true
}

// branch starts a level with the decision l.
func (s *Solver) branch(l dimacs.Lit) {
	s.levels = append(s.levels, level{decision: l, trail: len(s.trail), cursor: s.cursor})
	s.assign(l, decided)
}

// decide starts a level with the literal of the heuristic. It reports false if no
// clause is open.
func (s *Solver) decide() bool {
	l, unprojected, ok := s.choose()
	if !ok {
		return false
	}
	s.stats.Decisions++
	s.stats.Nodes++
	s.branch(l)
	x := &s.levels[len(s.levels)-1]
	x.unprojected = unprojected
	if s.enum != nil {
		x.position = s.enum.position
	}
	s.stats.Depth = max(s.stats.Depth, int64(len(s.levels)-s.rootLevels))
	s.trace(Decide, l, none)
	return true
}

// choose returns the literal to decide. A projected enumeration decides the
// variables of the projection first; unprojected reports that l is not one of
// them.
func (s *Solver) choose() (l dimacs.Lit, unprojected, ok bool) {
	if len(s.trail) == len(s.reasons) {
		return 0, false, false
	}
	if s.enum != nil && s.enum.projected {
		if l, ok := s.enum.next(s); ok {
			return l, false, true
		}
		unprojected = true
	}
	s.spend(len(s.counts.keys) + len(s.counts.scores))
	l, ok = s.heuristic.choose(s)
	return l, unprojected, ok
}

// backtrack closes the current node, which has the conflict s.conflict, and flips
// the deepest decision whose second branch was not tried. It reports false if
// there is no such decision.
func (s *Solver) backtrack() bool {
	s.stats.Conflicts++
	s.trace(Conflict, 0, s.conflict)
	if s.enum == nil {
		s.analyzeConflict()
	}
	id := s.proveConflict()
	if s.flip(id, func(l *level) bool { return !l.flipped }) {
		return true
	}
	s.pushLemma(id, 0)
	return false
}

// flip backtracks to the deepest decision that may be flipped and flips it. It
// reports false if there is no such decision. If there is a proof, the lemma with
// that id, whose clause is in s.clause, implies the flipped decision.
func (s *Solver) flip(id int64, may func(*level) bool) bool {
	n := len(s.levels) - 1
	for n >= s.rootLevels && !may(&s.levels[n]) {
		n--
	}
	if n < s.rootLevels {
		return false
	}
	l := &s.levels[n]
	s.levels = s.levels[:n+1]
	s.undo(l.trail)
	s.popLemmas(l.trail)
	s.pushLemma(id, l.trail)
	s.cursor = l.cursor
	l.decision, l.flipped = l.decision^1, true
	s.assign(l.decision, decided)
	s.stats.Backtracks++
	s.stats.Nodes++
	s.trace(Backtrack, l.decision, none)
	return true
}
