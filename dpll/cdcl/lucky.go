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

// A gamble is an attempt to find a model.
type gamble struct {
	s     *Solver
	sign  dimacs.Lit // of the literals that it decides: 1 negative
	limit int64      // of ticks
}

// gambles are the kinds of attempts. Each decides until nothing is left to do,
// and reports false if it has failed.
var gambles = []func(g *gamble) bool{
	(*gamble).forward,
	(*gamble).backward,
	(*gamble).serve,
}

// feelingLucky reports whether to try the attempts, once.
func (s *Solver) feelingLucky() bool {
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

// tryLuck makes the attempts until one succeeds; then all variables are assigned.
func (s *Solver) tryLuck() {
	if !s.toRoot() {
		return
	}
	s.enter("lucky")
	before := s.stats.Ticks
	limit := before + luckyEffort*int64(s.luckySize+len(s.vars))
	s.quiet = true
	if s.tryGambles(limit) {
		s.stats.Lucky++
	}
	s.quiet = false
	s.stats.PassTicks += s.stats.Ticks - before
	s.stats.Ticks, s.pollAt = before, before
}

func (s *Solver) tryGambles(limit int64) bool {
	for sign := range dimacs.Lit(2) {
		for _, attempt := range gambles {
			g := gamble{s, 1 - sign, limit}
			if attempt(&g) {
				return true
			}
			s.backtrack(0)
			if s.inconsistent || g.over() {
				return false
			}
		}
	}
	return false
}

func (g *gamble) over() bool {
	return g.s.stopped || g.s.stats.Ticks > g.limit || g.s.limited()
}

// forward decides the variables from the first on.
func (g *gamble) forward() bool {
	for v := range g.s.vars {
		if !g.decideVar(uint32(v)) {
			return false
		}
	}
	return true
}

// backward decides the variables from the last on.
func (g *gamble) backward() bool {
	for v := len(g.s.vars) - 1; v >= 0; v-- {
		if !g.decideVar(uint32(v)) {
			return false
		}
	}
	return true
}

// serve decides in each clause that is not satisfied a literal of its sign, and
// at the end whatever is left.
func (g *gamble) serve() bool {
	pair := make([]uint32, 2)
	for l := range g.s.watches {
		if g.s.pausing(l) {
			return false
		}
		g.s.stats.Ticks += 1 + int64(g.s.watches[l].len)>>3
		for i := 0; i < int(g.s.watches[l].len); i++ { // lists change as watches move
			w := g.s.list(dimacs.Lit(l))[i]
			if !w.binary() || l > int(w.blocker()) {
				continue
			}
			pair[0], pair[1] = uint32(l), uint32(w.blocker())
			if !g.satisfy(pair) {
				return false
			}
		}
	}
	good, steps := true, 0
	g.s.eachClause(2, func(r uint32) bool {
		g.s.stats.Ticks++
		steps++
		good = !g.s.pausing(steps) && (g.s.arena[r]&(garbageBit|redundantBit) != 0 || g.satisfy(g.s.lits(r)))
		return good
	})
	return good && g.forward()
}

// satisfy decides a literal of the clause unless one is true.
func (g *gamble) satisfy(c []uint32) bool {
	choice, found := dimacs.Lit(0), false
	for _, w := range c {
		l := dimacs.Lit(w)
		switch {
		case g.s.vals[l] > 0:
			return true
		case g.s.vals[l] == 0 && l&1 == g.sign:
			choice, found = l, true
		}
	}
	return found && g.try(choice)
}

func (g *gamble) decideVar(v uint32) bool {
	if g.s.vals[2*v] != 0 || !g.s.active(v) {
		return true
	}
	return g.try(dimacs.Lit(2*v) | g.sign)
}

// try decides l and propagates. It reports whether the attempt goes on.
func (g *gamble) try(l dimacs.Lit) bool {
	if g.over() {
		return false
	}
	g.s.decideLit(l)
	if g.s.propagate() {
		return !g.s.stopped
	}
	if len(g.s.levels) == 2 {
		return (&prober{s: g.s}).learnFailed()
	}
	g.s.backtrack(len(g.s.levels) - 2)
	g.s.decideLit(l ^ 1)
	return g.s.propagate() && !g.s.stopped
}
