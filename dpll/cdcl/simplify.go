package cdcl

import (
	"context"
	"iter"
	"slices"
	"strings"

	"sator/dimacs"
)

// Simplification as a service: the passes of a solver, without its search, for
// callers that want the simpler formula, to give it to another solver or to look
// at it. What comes out has a model if and only if the clauses that went in have
// one, and a model of it is extended along the stack (extend.go) to one of these.
//
// In a search a pass has a share of what search has spent, and comes back later
// to what it left. Here nothing else is spent, and nothing comes later: each round
// gives passes what they would have after a search of several seconds, and as long
// as a round has changed the formula there is another one. Few rounds find
// anything; the first has most of it.

// simplifyTicks is the search whose passes a round has, in ticks.
const simplifyTicks = 1_000_000_000

// Simplify runs the passes that are on, see [Knobs], over the clauses added so
// far, without search: up to so many rounds, or until one changes nothing, a limit
// of time is reached or ctx is done. It returns Unsatisfiable if that refuted the
// clauses, Satisfiable if no clause is left, so that there is a model, and
// otherwise Unknown. The formula that it leaves is what [Solver.Simplified] lists.
//
// A pass in a round is given time that is bounded by a constant, and by some passes
// over the clauses where that is more. It panics if called from a callback.
func (s *Solver) Simplify(ctx context.Context, rounds int) dimacs.Status {
	s.reset()
	s.ctx = ctx
	defer func() { s.ctx = nil }()
	s.begin(nil)
	answer := dimacs.Unknown
	if !s.poll(s.stats.Ticks) {
		if s.prepare() {
			answer = s.simplify(rounds)
		}
	}
	s.end(answer)
	return answer
}

func (s *Solver) simplify(rounds int) dimacs.Status {
	var before dimensions
	for s.atRoot() && rounds > 0 && s.opts.Simplify != 0 && !s.limited() {
		now := s.dimensions()
		if now == before {
			break
		}
		s.round(simplifyTicks)
		before = now
		rounds--
	}
	if !s.stopped && !s.inconsistent && s.roots > s.rootsRemoved {
		s.collectRoot()
	}
	switch {
	case s.inconsistent:
		return dimacs.Unsatisfiable
	case !s.stopped && s.stats.Irredundant == 0:
		return s.search() // any decisions will do
	}
	return dimacs.Unknown
}

// atRoot goes to the root and reports whether there is anything left to do.
func (s *Solver) atRoot() bool { return !s.inconsistent && !s.stopped && s.toRoot() }

// Dimensions are what a round changes if it changes the formula, or if the next
// round may do what this one was not allowed to.
type dimensions struct{ fixed, removed, clauses, literals, bound int }

// dimensions measures the formula as it stands.
func (s *Solver) dimensions() dimensions {
	d := dimensions{fixed: s.roots, removed: s.removed, clauses: s.stats.Irredundant, bound: s.elimination.bound}
	s.eachClause(2, func(r uint32) bool {
		if s.arena[r]&(garbageBit|redundantBit) == 0 {
			d.literals += int(s.arena[r+1])
		}
		return true
	})
	return d
}

// Simplified iterates over the formula as it stands: the unit clauses of the
// variables that are fixed, then the clauses of two and more literals that are not
// just learned ones, without literals that are false by the units and without
// clauses that are true. Variables keep their numbers; retired ones occur nowhere.
// Those that a solver with OneShot made (bva.go) are behind all others.
// If the clauses were refuted there is the empty clause alone.
//
// The order is the same in every run. A slice is overwritten by the next, and the
// solver must not be used during the iteration. The time is linear in the size of
// what the solver holds. It panics if called from a callback.
func (s *Solver) Simplified() iter.Seq[[]dimacs.Lit] {
	return func(yield func([]dimacs.Lit) bool) {
		s.eachSimplified(func(c []dimacs.Lit, _ int64) bool {
			rest, open := s.withoutFixed(c)
			return !open || yield(rest)
		})
	}
}

// SimplifiedWithIDs is as [Solver.Simplified], and tells the id of each clause in the
// proof, or 0 if there is none. The clause of an id is there until the next one is
// asked for, and from then on if it is not deleted.
//
// It panics unless [Solver.FixedRemoved] is true.
func (s *Solver) SimplifiedWithIDs() iter.Seq2[[]dimacs.Lit, int64] {
	return func(yield func([]dimacs.Lit, int64) bool) {
		if !s.FixedRemoved() {
			panic("cdcl: SimplifiedWithIDs needs a solver that has swept its clauses")
		}
		s.eachSimplified(yield)
	}
}

// FixedRemoved reports whether no clause has a literal with a value at the root, so that all
// are in the proof as they are. It is so when a call of Solve has reached
// [Limits.Rounds].
func (s *Solver) FixedRemoved() bool {
	return !s.inconsistent && s.roots == s.rootsRemoved && len(s.pending) == 0 && !s.interrupted()
}

// eachSimplified yields the clauses of the formula, and the empty one alone if it is
// refuted.
func (s *Solver) eachSimplified(yield func([]dimacs.Lit, int64) bool) {
	if s.ctx != nil {
		panic("cdcl: called while solving")
	}
	if s.interrupted() {
		s.completeInterrupted()
	}
	if s.inconsistent {
		yield(s.external[:0], 0)
		return
	}
	_ = s.eachUnit(yield) && s.eachBinary(yield) && s.eachLong(yield)
}

// fixed returns the value of l at the root, 0 if it has none there.
func (s *Solver) fixed(l dimacs.Lit) int8 {
	if s.vars[l>>1].level > 0 {
		return 0
	}
	return s.vals[l]
}

func (s *Solver) eachUnit(yield func([]dimacs.Lit, int64) bool) bool {
	for v := range uint32(len(s.vars)) {
		x := s.fixed(2 * dimacs.Lit(v))
		if x == 0 {
			continue
		}
		id := int64(0)
		if s.proof != nil {
			id = s.unitIDs[v]
		}
		if s.external = append(s.external[:0], literal(v, x)); !yield(s.external, id) {
			return false
		}
	}
	return true
}

func (s *Solver) eachBinary(yield func([]dimacs.Lit, int64) bool) bool {
	for l := range dimacs.Lit(len(s.watches)) {
		for _, w := range s.list(l) {
			if !w.binary() || w.redundant() || l > w.blocker() {
				continue
			}
			if s.external = append(s.external[:0], l, w.blocker()); !yield(s.external, s.refID(w.ref())) {
				return false
			}
		}
	}
	for _, p := range s.pending {
		if p.ref&2 != 0 {
			continue
		}
		if s.external = append(s.external[:0], p.a, p.b); !yield(s.external, s.refID(p.ref)) {
			return false
		}
	}
	return true
}

func (s *Solver) eachLong(yield func([]dimacs.Lit, int64) bool) bool {
	more := true
	s.eachClause(2, func(r uint32) bool {
		if s.arena[r]&(garbageBit|redundantBit) != 0 {
			return true
		}
		s.external = s.external[:0]
		for _, l := range s.lits(r) {
			s.external = append(s.external, dimacs.Lit(l))
		}
		more = yield(s.external, s.refID(r))
		return more
	})
	return more
}

// withoutFixed returns what is left of a clause at the root, in its place, unless it is true
// there and no unit.
func (s *Solver) withoutFixed(c []dimacs.Lit) (rest []dimacs.Lit, open bool) {
	if len(c) == 1 {
		return c, true
	}
	rest = c[:0]
	for _, l := range c {
		switch x := s.fixed(l); {
		case x > 0:
			return nil, false
		case x == 0:
			rest = append(rest, l)
		}
	}
	return rest, true
}

// ReconstructionStack iterates over the clauses that went with retired variables, from the
// bottom of the stack up. A model of what [Solver.Simplified] lists is extended to
// one of the clauses given from the top down, by making the first literal of each
// clause true that is not satisfied; [dimacs.Model.Reconstruct] does that. Models
// that the solver finds are extended already.
//
// A slice is the caller's, and the solver must not be used during the iteration.
// The time is linear in the size of the stack. It panics if called from a callback.
func (s *Solver) ReconstructionStack() iter.Seq[[]dimacs.Lit] {
	return func(yield func([]dimacs.Lit) bool) {
		if s.ctx != nil {
			panic("cdcl: called while solving")
		}
		for _, r := range s.reconstruction.all() {
			c := make([]dimacs.Lit, r.size)
			for i, w := range s.reconstruction.words[r.at : r.at+r.size] {
				c[i] = dimacs.Lit(w)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// PassKnobs returns the knobs that are about simplifications: those that turn one
// on, and those whose names begin with the name of such a knob.
func PassKnobs() []Knob {
	var knobs []Knob
	on := ""
	for _, k := range Knobs { // sorted by name
		if k.turnsOn() {
			on = k.Name
		}
		if k.Name == on || on != "" && strings.HasPrefix(k.Name, on+"-") {
			knobs = append(knobs, k)
		}
	}
	return knobs
}

// turnsOn reports whether a pass is on if nothing but this knob is above 0.
func (k Knob) turnsOn() bool {
	var o Options
	*k.Field(&o) = k.Max
	return slices.ContainsFunc(passes, func(p pass) bool { return p.on(&o) })
}
