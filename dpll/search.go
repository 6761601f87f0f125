package dpll

import (
	"context"
	"time"

	"sator/dimacs"
)

// Solve looks for a model of the clauses added so far in which all assumptions
// are true. It returns Satisfiable, and then [Solver.Model] and [Solver.Value]
// tell of the model; Unsatisfiable, and then [Solver.Failed] tells which
// assumptions are to blame; or Unknown, when a limit was reached or ctx was
// done, which it notices within some milliseconds. A call after Unknown begins
// anew.
//
// It panics if called from a callback.
func (s *Solver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.begin(ctx, assumptions)
	defer s.leave()
	answer := s.search()
	switch answer {
	case dimacs.Satisfiable:
		s.state = satisfied
		s.keepModel()
	case dimacs.Unsatisfiable:
		s.state = refuted
		s.refuted = len(s.failed) == 0
	}
	return answer
}

// begin takes note of what this call is about.
func (s *Solver) begin(ctx context.Context, assumptions []dimacs.Lit) {
	s.reopen()
	s.ctx = ctx
	s.assumptions = append(s.assumptions[:0], assumptions...)
	s.assumed = 0
	for _, l := range assumptions {
		s.Grow(int(l>>1) + 1)
	}
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

// leave ends a call. What is assigned stays until the next one.
func (s *Solver) leave() {
	s.ctx = nil
	s.enum = nil
	s.report()
}

func (s *Solver) keepModel() {
	s.model = lengthen(s.model, len(s.reasons))
	for v := range s.model {
		s.model[v] = dimacs.False
		if s.vals[2*v] > 0 {
			s.model[v] = dimacs.True
		}
	}
}

// search walks the tree, depth first, until it has an answer or has to stop. It
// asks one question after the other: at a new node propagation comes first,
// then the assumptions, then pure literals, and a decision, with what that goes
// by, only when nothing else is left to do.
func (s *Solver) search() dimacs.Status {
	if s.fresh() && !s.start() {
		return s.refute()
	}
	for {
		switch {
		case s.stopped || s.limited():
			return dimacs.Unknown
		case !s.propagate():
			if !s.retreat() {
				return dimacs.Unsatisfiable
			}
		case s.stopped: // in the middle of propagation
		case s.assumed < len(s.assumptions):
			if !s.assume() {
				return dimacs.Unsatisfiable
			}
		case s.purifying():
			s.purify()
		case s.counting():
			s.count()
		case !s.decide():
			s.stats.Solutions++
			s.trace(Solution, 0, none)
			return dimacs.Satisfiable
		}
	}
}

// fresh reports whether the call has done nothing yet.
func (s *Solver) fresh() bool { return len(s.trail) == 0 && len(s.levels) == 0 && s.assumed == 0 }

// start makes the tables ready and assigns the clauses of one literal. It
// reports false if that falsifies a clause, or is known to do.
func (s *Solver) start() bool {
	if s.refuted {
		return false
	}
	if s.stopped || !s.connect() || !s.prepare() {
		return true
	}
	return s.assignUnits()
}

// prepare makes the tables ready that this call needs. It reports false if the
// call was stopped before; what was begun is then left to the next call.
func (s *Solver) prepare() bool {
	s.blame.prepare(s)
	s.purifier.on = s.opts.Pure != PureOff && s.enum == nil
	if s.heuristic.occurs || s.purifier.on || s.enum != nil && s.enum.projected {
		if !s.occ.prepare(s) {
			return false
		}
	}
	return s.counts.prepare(s) && s.purifier.prepare(s)
}

// assignUnits assigns the clauses of one literal.
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

// refute answers that the clauses have no model, which needed no search.
func (s *Solver) refute() dimacs.Status {
	if !s.refuted {
		s.retreat()
	}
	return dimacs.Unsatisfiable
}

// assume decides the next assumption, if it is not true already. It reports
// false if it is false.
func (s *Solver) assume() bool {
	l := s.assumptions[s.assumed]
	s.assumed++
	switch {
	case s.vals[l] < 0:
		s.blameAssumption(l)
		return false
	case s.vals[l] == 0:
		s.branch(l)
		s.roots = len(s.levels)
		s.trace(Assume, l, none)
	}
	return true
}

// branch begins a level with the decision l.
func (s *Solver) branch(l dimacs.Lit) {
	s.levels = append(s.levels, level{decision: l, trail: len(s.trail), cursor: s.cursor})
	s.assign(l, decided)
}

// decide chooses a literal and tries it. It reports false if no clause is open.
func (s *Solver) decide() bool {
	l, inner, ok := s.choose()
	if !ok {
		return false
	}
	s.stats.Decisions++
	s.stats.Nodes++
	s.branch(l)
	x := &s.levels[len(s.levels)-1]
	x.inner = inner
	if s.enum != nil {
		x.place = s.enum.place
	}
	s.stats.Depth = max(s.stats.Depth, int64(len(s.levels)-s.roots))
	s.trace(Decide, l, none)
	return true
}

// choose returns the literal to decide. Where an enumeration projects onto some
// of the variables, these come first; inner is whether it is not one of them.
func (s *Solver) choose() (l dimacs.Lit, inner, ok bool) {
	if len(s.trail) == len(s.reasons) {
		return 0, false, false
	}
	if s.enum != nil && s.enum.projected {
		if l, ok := s.enum.next(s); ok {
			return l, false, true
		}
		inner = true
	}
	s.spend(len(s.counts.keys) + len(s.counts.scores))
	l, ok = s.heuristic.choose(s)
	return l, inner, ok
}

// retreat closes the node that ended in s.conflict and goes back to the deepest
// one with a branch that was not tried. It reports false if there is none.
func (s *Solver) retreat() bool {
	s.stats.Conflicts++
	s.trace(Conflict, 0, s.conflict)
	if s.enum == nil {
		s.blameConflict()
	}
	id := s.proveConflict()
	if s.flip(id, func(l *level) bool { return !l.flipped }) {
		return true
	}
	s.keepLemma(id, 0)
	return false
}

// flip goes back to the deepest decision that may be flipped and does it. The
// lemma of this id, if there is a proof, says why.
func (s *Solver) flip(id int64, may func(*level) bool) bool {
	n := len(s.levels) - 1
	for n >= s.roots && !may(&s.levels[n]) {
		n--
	}
	if n < s.roots {
		return false
	}
	l := &s.levels[n]
	s.levels = s.levels[:n+1]
	s.undo(l.trail)
	s.forgetLemmas(l.trail)
	s.keepLemma(id, l.trail)
	s.cursor = l.cursor
	l.decision, l.flipped = l.decision^1, true
	s.assign(l.decision, decided)
	s.stats.Backtracks++
	s.stats.Nodes++
	s.trace(Backtrack, l.decision, none)
	return true
}
