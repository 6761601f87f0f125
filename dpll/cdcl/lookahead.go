package cdcl

import (
	"math"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/lookahead"
)

// Look-ahead and walks for uniform random formulas. Learned clauses say little on such a formula,
// and a good decision says much: one of 340 variables and 1,496 clauses of three literals is
// refuted by look-ahead in 4 seconds, and by conflict-driven search not in a hundred. A model is
// found sooner by local search, as a rule. So after some conflicts, or before the first round, a
// formula that looks like a random one gets a long walk. If it is small, package lookahead
// takes over. Its lemmas go to the proof, as learned clauses do.
//
// The search begins before the walk, since its estimate says how long the walk may be. Estimates
// are too high at first, by ten times and more, and are compared with a bound that falls.
// Conflict-driven search continues if one exceeds the bound. It also serves calls under
// assumptions, and under limits of conflicts, decisions or propagations.
//
// Tried: a search with clauses of six and seven literals (a loss).

const (
	lookAheadConflicts = 1_000
	lookAheadFirst     = 5_000_000 // steps before the first estimate: a tenth of a second
	lookAheadStage     = 4         // how often the steps before an estimate come before the next one
	lookAheadMost      = 3e11      // the highest first estimate
	lookAheadWalk      = 0.05      // steps of the walk for each step of the estimate
	lookAheadWalkLits  = 10_000    // the same for each literal of a formula that is too large for the search
	lookAheadWalkMost  = 4e8
	lookAheadBytes     = 64 // of memory for each word of the clauses

	lookAheadName = "look-ahead"
)

// A lookingAhead is the look-ahead of a solver.
type lookingAhead struct{ s *Solver }

// schedule computes when look-ahead is due in this call.
func (l lookingAhead) schedule() {
	s, limits := l.s, l.s.call.limits
	limits.Time, limits.Rounds = 0, 0
	s.schedule.due.lookAhead = math.MaxInt64
	if !s.opts.NoLookAhead && !s.passes.lookedAhead && len(s.call.assumptions) == 0 && limits == (Limits{}) {
		s.schedule.due.lookAhead = s.stats.Conflicts + lookAheadConflicts
	}
}

// lookingAhead reports whether look-ahead is due: after some conflicts, or before the first round.
func (h *schedule) lookingAhead() bool {
	return h.due.lookAhead < math.MaxInt64 && (h.stats.Conflicts >= h.due.lookAhead || h.inprocessing())
}

// run decides the formula by look-ahead if it looks like a random one.
func (l lookingAhead) run() {
	s := l.s
	s.schedule.due.lookAhead = math.MaxInt64
	if !lookahead.Plausible(host{s}) || !s.opts.Memory.Allows(lookAheadBytes*int64(s.clauses.size())+s.walkMemory()) || !s.toRoot() {
		return
	}
	s.opts.enter(lookAheadName)
	s.reports.beginPass(lookAheadName, s.stats.Rounds+1, lookAheadFirst/lookahead.StepTicks)
	before := s.stats.Ticks
	if x := lookahead.New(host{s}); x != nil && x.Random() {
		l.with(x)
	}
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.call.pollAt = before, before
	s.reports.endPass()
	s.opts.enter(s.decisions.searchName())
}

// with runs a walk, and before and after it a search in stages if the formula is small enough.
func (l lookingAhead) with(x *lookahead.Search) {
	s, status, steps := l.s, dimacs.Unknown, float64(lookAheadWalkLits*x.Literals())
	search := x.Searchable()
	if search {
		status = x.Run(lookAheadFirst)
		steps = lookAheadWalk * x.Estimate()
	}
	walked := status == dimacs.Unknown && !s.call.stopped && !s.opts.NoWalk && s.newWalker(int64(min(steps, lookAheadWalkMost))).walk()
	s.opts.enter(lookAheadName)
	search = search && !walked
	for limit := float64(lookAheadFirst); search && status == dimacs.Unknown && !s.call.stopped; limit *= lookAheadStage {
		if x.Estimate() > lookAheadMost*math.Sqrt(lookAheadFirst/limit) {
			break
		}
		status = x.Run(lookAheadStage * limit)
	}
	s.stats.LookAheads += x.Stats().Nodes
	if status == dimacs.Satisfiable {
		for _, l := range x.Model() {
			s.decisions.phases.saved[l.Var()] = int8(1 - 2*int(l&1))
		}
	}
	s.decisions.phases.target.clear() // the decisions that follow repeat a model
	if status != dimacs.Unsatisfiable {
		x.Forget()
	}
	s.passes.lookedAhead = status == dimacs.Unknown
}
