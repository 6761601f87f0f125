package cdcl

import (
	"math"
	"slices"
)

// A pass simplifies the formula between two decisions of the search. The driver
// runs those that are on in the order of the table, at the root, each with a
// budget of ticks that is a share of what search has spent since the last
// round, and has the invariants checked behind each. Ticks that passes spend are
// kept apart from those of the search, whose schedules go by them.
type pass struct {
	name    string
	letter  Event // reported behind it
	on      func(*Options) bool
	retires bool  // variables, which calls with assumptions may ask for again
	effort  int64 // thousandths of the ticks of search
	least   int64 // ticks that it is given at least
	run     func(s *Solver, budget int64)
}

// passes lists the simplifications in the order in which a round runs them.
var passes = []pass{
	{"xor", XOR, func(o *Options) bool { return o.XOR != 0 }, false, 20, 2e6, (*Solver).addXORs},
	{"cardinality", Cardinality, func(o *Options) bool { return o.Cardinality != 0 }, false, 50, 3e5, (*Solver).detectCardinality},
	{"congruence", Congruence, func(o *Options) bool { return o.Congruence != 0 }, false, 50, 2e6, (*Solver).closeCongruence},
	{"substitute", Substitute, func(o *Options) bool { return o.Substitute != 0 }, true, 20, 2e4, (*Solver).substitute},
	{"backbone", Backbone, func(o *Options) bool { return o.Backbone != 0 }, false, 20, 2e4, (*Solver).backbone},
	{"probe", Probe, func(o *Options) bool { return o.Probe != 0 }, false, 20, 2e4, (*Solver).probe},
	{"sweep", Sweep, func(o *Options) bool { return o.Sweep != 0 }, false, 100, 2e5, (*Solver).sweep},
	{"transitive", Transitive, func(o *Options) bool { return o.Transitive != 0 }, false, 20, 2e4, (*Solver).transitive},
	{"eliminate", Eliminate, func(o *Options) bool { return o.Eliminate|o.Subsume != 0 }, false, 100, 2e6, (*Solver).eliminate},
	{"vivify", Vivify, func(o *Options) bool { return o.Vivify != 0 }, false, 200, 1e4, (*Solver).vivify},
	{"factor", Factor, func(o *Options) bool { return o.Factor != 0 }, true, 50, 1e5, (*Solver).factor},
}

// A round comes after some conflicts, or when search has spent in ticks a multiple
// of what it takes to look at the formula once: on a large one a thousand
// conflicts can take a minute. So nothing is simplified for small questions.
func (s *Solver) inprocessing() bool {
	return s.stats.Conflicts >= s.due.inprocess || s.stats.Ticks >= s.due.inprocessAt
}

// Simplifies reports whether any pass is on.
func (o *Options) Simplifies() bool {
	return o.Simplify != 0 && slices.ContainsFunc(passes, func(p pass) bool { return p.on(o) })
}

// roundDue says when the next round is due: after so many conflicts, or at the
// latest after so many ticks, which is early for formulas that are large.
func (s *Solver) roundDue() {
	const (
		firstRound  = 1 // ticks for each word of the clauses
		laterRounds = 16
		leastRound  = 2_000_000 // ticks
	)
	d := &s.due
	if !s.opts.Simplifies() {
		d.inprocess, d.inprocessAt = math.MaxInt64, math.MaxInt64
		return
	}
	n := s.stats.Rounds
	size := int64(s.size() + 2*s.stats.Binary)
	d.inprocess = d.inprocessConflicts + times(int64(s.opts.InprocessInterval), max(n, 1), logPower(max(n, 1), 1))
	d.inprocessAt = d.inprocessTicks + max((firstRound+laterRounds*n)*size, leastRound*(1+n))
}

// inprocess runs a round of passes, and says when the next one is due.
func (s *Solver) inprocess() {
	if !s.toRoot() {
		return
	}
	s.round(s.stats.Ticks - s.due.inprocessTicks)
	s.due.inprocessConflicts, s.due.inprocessTicks = s.stats.Conflicts, s.stats.Ticks
	s.roundDue()
	s.enter(s.searchName())
}

// round runs the passes that are on, with their shares of so many ticks of search.
func (s *Solver) round(spent int64) {
	for i := range passes {
		p := &passes[i]
		if s.stopped || s.inconsistent {
			break
		}
		if p.on(&s.opts) && !(p.retires && (s.keepModels || len(s.assumptions) > 0)) {
			s.runPass(p, max(spent*p.effort/1000, p.least))
		}
	}
	s.stats.Rounds++
	if s.garbage+s.stuck > 0 || s.roots > s.rootsSwept {
		s.collectRoot()
	}
}

// runPass runs a pass with a budget of ticks, off the clock of the search.
func (s *Solver) runPass(p *pass, budget int64) {
	s.enter(p.name)
	before := s.stats.Ticks
	s.quiet = true
	p.run(s, budget)
	s.quiet = false
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.pollAt = before, before
	if checking && !s.stopped && !s.inconsistent {
		s.checkPropagated()
	}
	s.report(p.letter)
}

// collectRoot sweeps if the solver is at the root, with nothing left to do there.
func (s *Solver) collectRoot() {
	if !s.stopped && !s.inconsistent {
		s.collect(true)
	}
}

// toRoot goes back to the root and propagates. It reports whether the solver is
// there with nothing left to propagate: neither refuted nor stopped.
func (s *Solver) toRoot() bool {
	s.backtrack(0)
	if !s.propagate() {
		s.analyze()
		return false
	}
	return !s.stopped
}
