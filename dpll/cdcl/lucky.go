package cdcl

import "sator/dimacs"

// Lucky phases. Some formulas have models that are easy to guess: all variables false,
// or all true, or the result of deciding the variables in order, from the first or from
// the last, always with the same value and with propagation in between. Deciding in
// order suits formulas with a direction, such as a sequence in time or numbers in
// order. For other formulas it suffices to decide a literal of one sign in each clause that
// is not satisfied yet (clause-wise lucky phases). A search finds these models too, but
// after conflicts that lead it elsewhere. Lucky phases come from CaDiCaL (Biere, Fazekas,
// Fleury, Heisinger, SAT Competition 2020).
//
// Each attempt walks once over the variables or the clauses and ends at a conflict,
// with two exceptions. If the first decision alone causes a conflict, the units at its
// UIPs are learned, and the attempt goes on. After a later conflict, the complement of
// the last decision is tried; a second conflict ends the attempt.
//
// A model with all variables false, or all true, needs no attempt of its own: deciding
// in order finds it, since propagation of a part of a model stays within the model.
//
// Attempts are made for the formula as a whole: they wait for a call without
// assumptions, and are repeated only when the formula has doubled in size. They are not
// made if the caller has set phases, since the caller then prefers certain models.

const (
	// luckyLeast is the least size of the formula in words: search solves smaller ones
	// immediately.
	luckyLeast = 1000
	// luckyEffort bounds the ticks of all attempts together, as a multiple of the size
	// of the formula in words. Each attempt is one walk over the formula, plus the
	// propagation of learned units.
	luckyEffort = 10
)

// A luckyAttempt is one attempt to find a model.
type luckyAttempt struct {
	s     *Solver
	sign  dimacs.Lit // of decided literals: 1 for negative ones
	limit int64      // end of the budget of all attempts, in ticks
}

// luckyAttempts are the kinds of attempts. Each reports whether all variables are
// assigned without a conflict.
var luckyAttempts = []func(a *luckyAttempt) bool{
	(*luckyAttempt).forward,
	(*luckyAttempt).backward,
	(*luckyAttempt).clausewise,
}

// luckyDue reports whether to try lucky phases, and if so records the size of the
// formula.
func (s *Solver) luckyDue() bool {
	size := s.clauses.size() + 2*s.stats.Binary
	switch {
	case s.opts.Lucky == LuckyOff || s.inconsistent || len(s.call.assumptions) > 0 || s.decisions.phases.initialSet:
		return false
	case s.opts.Lucky == LuckyLarge && size < max(luckyLeast, 2*s.passes.luckySize):
		return false
	}
	s.passes.luckySize = size
	return true
}

// tryLucky makes the attempts until one succeeds; then all variables are assigned.
func (s *Solver) tryLucky() {
	if !s.toRoot() {
		return
	}
	s.opts.enter("lucky")
	before := s.stats.Ticks
	limit := before + luckyEffort*int64(s.passes.luckySize+len(s.trail.vars))
	s.reports.beginPass("lucky", 0, limit-before)
	s.decisions.quiet = true
	if s.tryLuckyAttempts(limit) {
		s.stats.Lucky++
	}
	s.decisions.quiet = false
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.call.pollAt = before, before
	s.reports.endPass()
}

// tryLuckyAttempts reports whether an attempt with one of the signs succeeded.
func (s *Solver) tryLuckyAttempts(limit int64) bool {
	for sign := range dimacs.Lit(2) {
		for _, attempt := range luckyAttempts {
			a := luckyAttempt{s, 1 - sign, limit}
			if attempt(&a) {
				return true
			}
			s.backtrack(0)
			if s.poll(s.stats.Ticks); s.inconsistent || a.spent() {
				return false
			}
		}
	}
	return false
}

// spent reports whether the attempts should end: the budget is used up, or the call is
// stopped or at a limit.
func (a *luckyAttempt) spent() bool {
	return a.s.call.stopped || a.s.stats.Ticks > a.limit || a.s.call.limited()
}

// forward decides the variables from the first to the last.
func (a *luckyAttempt) forward() bool {
	for v := range a.s.trail.vars {
		if a.s.pausing(v+1) || !a.decideVar(uint32(v)) {
			return false
		}
	}
	return true
}

// backward decides the variables from the last to the first.
func (a *luckyAttempt) backward() bool {
	for v := len(a.s.trail.vars) - 1; v >= 0; v-- {
		if a.s.pausing(v+1) || !a.decideVar(uint32(v)) {
			return false
		}
	}
	return true
}

// clausewise decides a literal of the sign in each clause that is not satisfied, and
// then the remaining variables.
func (a *luckyAttempt) clausewise() bool {
	s := a.s
	pair := make([]uint32, 2)
	for l := range s.clauses.watches {
		if s.pausing(l) {
			return false
		}
		s.stats.Ticks += 1 + int64(s.clauses.watches[l].len)>>3
		for i := 0; i < int(s.clauses.watches[l].len); i++ { // propagation changes lists
			w := s.clauses.list(dimacs.Lit(l))[i]
			if !w.binary() || l > int(w.blocker()) {
				continue
			}
			pair[0], pair[1] = uint32(l), uint32(w.blocker())
			if !a.satisfy(pair) {
				return false
			}
		}
	}
	good, steps := true, 0
	s.clauses.eachClause(2, func(r uint32) bool {
		s.stats.Ticks++
		steps++
		good = !s.pausing(steps) && (s.clauses.arena[r]&(garbageBit|redundantBit) != 0 || a.satisfy(s.clauses.lits(r)))
		return good
	})
	return good && a.forward()
}

// satisfy decides a literal of the clause unless the clause is satisfied. It reports
// false if the clause has no unassigned literal of the sign, or if the attempt ends.
func (a *luckyAttempt) satisfy(c []uint32) bool {
	choice, found := dimacs.Lit(0), false
	for _, w := range c {
		l := dimacs.Lit(w)
		switch {
		case a.s.trail.vals[l] > 0:
			return true
		case a.s.trail.vals[l] == 0 && l&1 == a.sign:
			choice, found = l, true
		}
	}
	return found && a.try(choice)
}

// decideVar decides v, unless it is assigned or removed. It reports whether the attempt
// goes on.
func (a *luckyAttempt) decideVar(v uint32) bool {
	if a.s.trail.vals[2*v] != 0 || !a.s.removal.active(v) {
		return true
	}
	return a.try(dimacs.Lit(2*v) | a.sign)
}

// try decides l and propagates. It reports whether the attempt goes on.
func (a *luckyAttempt) try(l dimacs.Lit) bool {
	s := a.s
	if a.spent() {
		return false
	}
	s.decideLit(l)
	if s.propagate() {
		return !s.call.stopped
	}
	if len(s.trail.levels) == 2 {
		return (&prober{s: s}).learnFailed()
	}
	s.backtrack(len(s.trail.levels) - 2)
	s.decideLit(l ^ 1)
	return s.propagate() && !s.call.stopped
}
