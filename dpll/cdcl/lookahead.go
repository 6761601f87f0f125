package cdcl

import (
	"math"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/lookahead"
)

// Look-ahead for uniform random formulas. Learned clauses say little on such a formula, and a good
// decision says much: one of 340 variables and 1,496 clauses of three literals is refuted by
// look-ahead in 4 seconds, and by conflict-driven search not in a hundred. So after some conflicts
// on a small formula that looks like a random one, package lookahead takes over. Its lemmas go to
// the proof, as learned clauses do.
//
// A model is found sooner by local search, as a rule. Therefore a few nodes of the search come
// first, to estimate its steps, and a walk gets a share of as many. Conflict-driven search
// continues if the estimate is too high, or the search takes several times as long. It also serves
// calls under assumptions, and under limits of conflicts, decisions or propagations.
//
// Tried: clauses of six and seven literals (a loss).

const (
	lookAheadConflicts = 1_000
	lookAheadFirst     = 5_000_000 // steps before the estimate: a tenth of a second
	lookAheadMost      = 1e10      // the highest estimate: two minutes
	lookAheadPatience  = 4         // how often the estimate
	lookAheadWalk      = 0.05      // steps of the walk for each step of the estimate

	lookAheadName = "look-ahead"
)

// A lookingAhead is the look-ahead of a solver.
type lookingAhead struct{ s *Solver }

// schedule computes when look-ahead is due in this call.
func (l lookingAhead) schedule() {
	s, limits := l.s, l.s.call.limits
	limits.Time, limits.Rounds = 0, 0
	s.schedule.due.lookAhead = math.MaxInt64
	if !s.opts.NoLookAhead && !s.passes.lookedAhead && len(s.call.assumptions) == 0 && limits == (Limits{}) &&
		lookahead.Small(len(s.trail.vars)-s.trail.roots-s.removal.removed, s.stats.Irredundant) {
		s.schedule.due.lookAhead = s.stats.Conflicts + lookAheadConflicts
	}
}

// run decides the formula by look-ahead if it looks like a random one.
func (l lookingAhead) run() {
	s := l.s
	s.schedule.due.lookAhead = math.MaxInt64
	if !s.toRoot() {
		return
	}
	s.opts.enter(lookAheadName)
	s.reports.beginPass(lookAheadName, 0, 0)
	before := s.stats.Ticks
	if x := lookahead.New(host{s}); x != nil && x.Random() {
		l.with(x)
	}
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.call.pollAt = before, before
	s.reports.endPass()
	s.opts.enter(s.decisions.searchName())
}

// with runs a search, and a walk in between.
func (l lookingAhead) with(x *lookahead.Search) {
	s := l.s
	status := x.Run(lookAheadFirst)
	if steps := x.Estimate(); status == dimacs.Unknown && steps <= lookAheadMost && !s.call.stopped {
		if s.opts.NoWalk || !s.newWalker(int64(lookAheadWalk*steps)).walk() {
			s.opts.enter(lookAheadName)
			status = x.Run(lookAheadPatience * steps)
		}
	}
	s.stats.LookAheads += x.Stats().Nodes
	if status == dimacs.Satisfiable {
		for _, l := range x.Model() { // the decisions that follow repeat it
			s.decisions.phases.saved[l.Var()] = int8(1 - 2*int(l&1))
		}
	}
	if status != dimacs.Unsatisfiable {
		x.Forget()
	}
	s.passes.lookedAhead = status == dimacs.Unknown
}
