package cdcl

import "sator/dimacs"

// Some formulas have models that one can guess: all variables false, or all
// true, or what follows when they get the same value one after the other, from
// the first or from the last, and what clauses imply is assigned in between. The
// latter are formulas with a direction, a sequence in time or numbers in order.
// Or it is enough to make true in each clause a literal of that sign, if it needs
// one. A search finds these models too, but after conflicts that lead it
// elsewhere. CaDiCaL calls them lucky phases (Biere, Fazekas, Fleury, Heisinger,
// SAT Competition 2020).
//
// Each attempt goes once over the variables or the clauses, and a conflict ends
// it, but for two cases. If the first decision alone has led to it, its
// complement is learned, and the attempt goes on with that. Later, the
// complement of the last decision is implied as well: it is tried, and if that
// leads to a conflict too, the attempt has failed.
//
// A model with all variables false, or true, needs no attempt of its own: what
// is implied by a part of a model does not leave it.
//
// Attempts are made for a formula as a whole, not for questions about it: they
// wait for a call without assumptions, come again only when the formula has
// doubled, and are not made at all where phases were asked for, since then not
// any model will do.

const (
	// luckyLeast is the least size of the formula in words: with smaller ones
	// search is done in no time.
	luckyLeast = 1000
	// luckyEffort bounds the ticks of all attempts together, as a multiple of
	// the size of the formula in words. Each is one pass over it, but for the
	// units that are learned on the way.
	luckyEffort = 10
)

// A luckyAttempt is an attempt to find a model.
type luckyAttempt struct {
	s     *Solver
	sign  dimacs.Lit // of the literals that it decides: 1 negative
	limit int64      // of ticks
}

// luckyAttempts are the kinds of attempts. Each decides until nothing is left to do,
// and reports false if it has failed.
var luckyAttempts = []func(a *luckyAttempt) bool{
	(*luckyAttempt).forward,
	(*luckyAttempt).backward,
	(*luckyAttempt).clausewise,
}

// luckyDue reports whether to try the attempts, once.
func (s *Solver) luckyDue() bool {
	size := s.size() + 2*s.stats.Binary
	switch {
	case s.opts.Lucky == 0 || s.inconsistent || len(s.assumptions) > 0 || s.phases.initialSet:
		return false
	case s.opts.Lucky == 1 && size < max(luckyLeast, 2*s.luckySize):
		return false
	}
	s.luckySize = size
	return true
}

// tryLucky makes the attempts until one succeeds; then all variables are assigned.
func (s *Solver) tryLucky() {
	if !s.toRoot() {
		return
	}
	s.enter("lucky")
	before := s.stats.Ticks
	limit := before + luckyEffort*int64(s.luckySize+len(s.vars))
	s.quiet = true
	if s.tryLuckyAttempts(limit) {
		s.stats.Lucky++
	}
	s.quiet = false
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.pollAt = before, before
}

func (s *Solver) tryLuckyAttempts(limit int64) bool {
	for sign := range dimacs.Lit(2) {
		for _, attempt := range luckyAttempts {
			a := luckyAttempt{s, 1 - sign, limit}
			if attempt(&a) {
				return true
			}
			s.backtrack(0)
			if s.inconsistent || a.spent() {
				return false
			}
		}
	}
	return false
}

func (a *luckyAttempt) spent() bool {
	return a.s.stopped || a.s.stats.Ticks > a.limit || a.s.limited()
}

// forward decides the variables from the first on.
func (a *luckyAttempt) forward() bool {
	for v := range a.s.vars {
		if !a.decideVar(uint32(v)) {
			return false
		}
	}
	return true
}

// backward decides the variables from the last on.
func (a *luckyAttempt) backward() bool {
	for v := len(a.s.vars) - 1; v >= 0; v-- {
		if !a.decideVar(uint32(v)) {
			return false
		}
	}
	return true
}

// clausewise decides in each clause that is not satisfied a literal of its sign, and
// at the end whatever is left.
func (a *luckyAttempt) clausewise() bool {
	pair := make([]uint32, 2)
	for l := range a.s.watches {
		if a.s.pausing(l) {
			return false
		}
		a.s.stats.Ticks += 1 + int64(a.s.watches[l].len)>>3
		for i := 0; i < int(a.s.watches[l].len); i++ { // lists change as watches move
			w := a.s.list(dimacs.Lit(l))[i]
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
	a.s.eachClause(2, func(r uint32) bool {
		a.s.stats.Ticks++
		steps++
		good = !a.s.pausing(steps) && (a.s.arena[r]&(garbageBit|redundantBit) != 0 || a.satisfy(a.s.lits(r)))
		return good
	})
	return good && a.forward()
}

// satisfy decides a literal of the clause unless one is true.
func (a *luckyAttempt) satisfy(c []uint32) bool {
	choice, found := dimacs.Lit(0), false
	for _, w := range c {
		l := dimacs.Lit(w)
		switch {
		case a.s.vals[l] > 0:
			return true
		case a.s.vals[l] == 0 && l&1 == a.sign:
			choice, found = l, true
		}
	}
	return found && a.try(choice)
}

func (a *luckyAttempt) decideVar(v uint32) bool {
	if a.s.vals[2*v] != 0 || !a.s.active(v) {
		return true
	}
	return a.try(dimacs.Lit(2*v) | a.sign)
}

// try decides l and propagates. It reports whether the attempt goes on.
func (a *luckyAttempt) try(l dimacs.Lit) bool {
	if a.spent() {
		return false
	}
	a.s.decideLit(l)
	if a.s.propagate() {
		return !a.s.stopped
	}
	if len(a.s.levels) == 2 {
		return (&prober{s: a.s}).learnFailed()
	}
	a.s.backtrack(len(a.s.levels) - 2)
	a.s.decideLit(l ^ 1)
	return a.s.propagate() && !a.s.stopped
}
