package cdcl

import (
	"context"
	"iter"
	"slices"
	"strings"

	"sator/dimacs"
)

// Preprocessing without search: Simplify runs the passes of a solver for callers that
// need the simplified formula, to give it to another solver or to study it. The
// simplified formula has a model if and only if the clauses given have one, and the
// reconstruction stack extends its models to models of the clauses given
// (reconstruct.go).
//
// During a search the budget of a pass is a share of the ticks of search, and the pass
// continues in later rounds. Here there is no search and there may be no later round:
// each round gives the passes the budgets of a search of several seconds, and rounds
// are repeated as long as they change the formula. The first round finds most, and few
// later ones find anything.

// simplifyTicks is the number of search ticks from which the budgets of a round are
// computed.
const simplifyTicks = 1_000_000_000

// Simplify runs the passes that are on, see [Knobs], over the clauses added so far,
// without search. It stops after this number of rounds, after a round without a
// change, when a limit of time is reached or when ctx is done. It returns Unsatisfiable
// if the clauses are refuted, Satisfiable if no clause is left, so that there is a
// model, and otherwise Unknown. [Solver.Simplified] returns the simplified formula.
//
// The time of a pass in a round is bounded by a constant, and for some passes by a
// constant number of walks over the clauses if that is more. Simplify panics if called
// from a callback.
func (s *Solver) Simplify(ctx context.Context, rounds int) (answer dimacs.Status) {
	defer s.opts.enter("")
	defer s.guard(&answer)
	s.reset()
	s.call.ctx = ctx
	defer s.call.leave()
	s.begin(nil)
	s.passes.breaking.stage = breakingOver
	if !s.poll(s.stats.Ticks) {
		if s.prepare() {
			answer = s.simplify(rounds)
		}
	}
	s.end(answer)
	s.call.ctx = nil
	return answer
}

func (s *Solver) simplify(rounds int) dimacs.Status {
	var before dimensions
	for s.atRoot() && rounds > 0 && !s.opts.NoSimplify && !s.call.limited() {
		now := s.dimensions()
		if now == before {
			break
		}
		s.round(simplifyTicks)
		before = now
		rounds--
	}
	if !s.call.stopped && !s.inconsistent && s.trail.roots > s.trail.rootsRemoved {
		s.collectRoot()
	}
	switch {
	case s.inconsistent:
		return dimacs.Unsatisfiable
	case !s.call.stopped && s.stats.Irredundant == 0:
		s.opts.enter(s.decisions.searchName())
		return s.search() // any decisions lead to a model
	}
	return dimacs.Unknown
}

// atRoot propagates at the root and reports whether the formula may be simplified there.
func (s *Solver) atRoot() bool { return !s.inconsistent && !s.call.stopped && s.toRoot() }

// dimensions are the measures by which a change of the formula is detected. A higher
// bound counts as a change, since it allows more eliminations in the next round.
type dimensions struct{ fixed, removed, clauses, literals, bound int }

// dimensions measures the current formula.
func (s *Solver) dimensions() dimensions {
	d := dimensions{fixed: s.trail.roots, removed: s.removal.removed, clauses: s.stats.Irredundant, bound: s.passes.elimination.bound}
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) == 0 {
			d.literals += int(s.clauses.arena[r+1])
		}
		return true
	})
	return d
}

// Simplified iterates over the clauses of the simplified formula: first the unit clauses
// of the variables fixed at the root, then the irredundant clauses of two and more
// literals. Satisfied clauses and literals false at the root are left out. Variables
// keep their numbers; removed variables do not occur, and the extension variables of a
// solver with OneShot (bounded variable addition) are numbered behind all others. If the
// clauses were refuted, the only clause is the empty one.
//
// The order is the same in every run. Each slice is overwritten by the next one, and the
// solver must not be used during the iteration. The time is linear in the size of all
// clauses. Simplified panics if called from a callback.
func (s *Solver) Simplified() iter.Seq[[]dimacs.Lit] {
	return func(yield func([]dimacs.Lit) bool) {
		s.eachSimplified(func(c []dimacs.Lit, _ int64) bool {
			rest, open := s.trail.withoutFixed(c)
			return !open || yield(rest)
		})
	}
}

// eachSimplified yields the clauses of the formula, or the empty clause alone if it is
// refuted.
func (s *Solver) eachSimplified(yield func([]dimacs.Lit, int64) bool) {
	s.requireIdle()
	defer s.guard(nil)
	s.completeInterrupted()
	if s.inconsistent {
		yield(s.proof.scratch[:0], 0)
		return
	}
	_ = s.eachUnit(yield) && s.clauses.eachBinary(yield) && s.clauses.eachLong(yield)
}

func (s *Solver) eachUnit(yield func([]dimacs.Lit, int64) bool) bool {
	for v := range uint32(len(s.trail.vars)) {
		x := s.trail.fixed(2 * dimacs.Lit(v))
		if x == 0 {
			continue
		}
		id := int64(0)
		if s.proof.log != nil {
			id = s.proof.unitIDs[v]
		}
		if s.proof.scratch = append(s.proof.scratch[:0], literal(v, x)); !yield(s.proof.scratch, id) {
			return false
		}
	}
	return true
}

func (c *clauses) eachBinary(yield func([]dimacs.Lit, int64) bool) bool {
	for l := range dimacs.Lit(len(c.watches)) {
		for _, w := range c.list(l) {
			if !w.binary() || w.redundant() || l > w.blocker() {
				continue
			}
			if c.proof.scratch = append(c.proof.scratch[:0], l, w.blocker()); !yield(c.proof.scratch, c.refID(w.ref())) {
				return false
			}
		}
	}
	for i := range c.pending.len {
		p := c.pending.at(i)
		if p.ref&2 != 0 {
			continue
		}
		if c.proof.scratch = append(c.proof.scratch[:0], p.a, p.b); !yield(c.proof.scratch, c.refID(p.ref)) {
			return false
		}
	}
	return true
}

func (c *clauses) eachLong(yield func([]dimacs.Lit, int64) bool) bool {
	more := true
	c.eachClause(2, func(r uint32) bool {
		if c.arena[r]&(garbageBit|redundantBit) != 0 {
			return true
		}
		c.proof.scratch = c.proof.scratch[:0]
		for _, l := range c.lits(r) {
			c.proof.scratch = append(c.proof.scratch, dimacs.Lit(l))
		}
		more = yield(c.proof.scratch, c.refID(r))
		return more
	})
	return more
}

// ReconstructionStack iterates over the clauses of removed variables, from the bottom of
// the stack up. [dimacs.Model.Reconstruct] extends a model of [Solver.Simplified] to a
// model of the clauses given: from the top down, it makes the first literal of each
// clause true that is not satisfied. Models that the solver returns are extended
// already.
//
// The caller may keep the slices. The solver must not be used during the iteration. The
// time is linear in the size of the stack. ReconstructionStack panics if called from a
// callback.
func (s *Solver) ReconstructionStack() iter.Seq[[]dimacs.Lit] {
	return func(yield func([]dimacs.Lit) bool) {
		s.requireIdle()
		defer s.guard(nil)
		s.completeInterrupted()
		k := &s.removal.stack
		for _, r := range k.all() {
			c := make([]dimacs.Lit, len(k.clause(r)))
			for i, w := range k.clause(r) {
				c[i] = dimacs.Lit(w)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// PassKnobs returns the knobs of simplifications: the knobs that turn a pass on, and the
// knobs whose names begin with the name of such a knob.
func PassKnobs() []Knob {
	var knobs []Knob
	on, usual := "", new(Options)
	for _, k := range Knobs { // sorted by name
		if k.isPass(usual) {
			on = k.Name
		}
		if k.Name == on || on != "" && strings.HasPrefix(k.Name, on+"-") {
			knobs = append(knobs, k)
		}
	}
	return knobs
}

// isPass reports whether this knob alone turns a pass on or off. The options are the usual
// ones, before and after.
func (k *Knob) isPass(o *Options) bool {
	changed, is := k.field(o).(*bool)
	return is && slices.ContainsFunc(passes, func(p pass) bool {
		usual := p.on(o)
		*changed = !*changed
		toggled := p.on(o)
		*changed = !*changed
		return usual != toggled
	})
}
