package cdcl

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/symmetry"
)

// Package symmetry finds symmetries of the formula and clauses that break them. The pass
// runs once, after some conflicts, so that it costs easy formulas nothing, and before other
// passes change the clauses. The constraints do not follow from the formula. So the pass
// requires a single call of Solve (Options.OneShot), and it must not run when somebody else
// relies on what the solver learns: a caller by Options.Learned or SetLearned, or of a formula
// with frozen variables. A race sets the knob for its first solver alone, since the others
// start from the simplified formula.
//
// The pass takes a tenth of a second at most where it finds nothing, and half a second where a
// second run is worthwhile.

// breaking is the state of symmetry breaking.
type breaking struct {
	stage breakingStage
	after int64              // conflicts at which the pass is due in breakingEarly
	names *symmetry.Renaming // the proof, if symmetries were broken
}

// A breakingStage says when the pass runs.
type breakingStage uint8

const (
	breakingOff   breakingStage = iota // not in this call
	breakingEarly                      // after some conflicts, or in the first round if that is earlier
	breakingLate                       // in the first round with laterBudget, since it ran out of budget
	breakingOver                       // never: it has run, or Simplify has excluded it
)

// laterBudget is the factor of the budget in breakingLate.
const laterBudget = 10

// pending reports whether the pass will run in this call.
func (b *breaking) pending() bool { return b.stage == breakingEarly || b.stage == breakingLate }

// suspend makes a pending pass wait for another call.
func (b *breaking) suspend() {
	if b.stage != breakingOver {
		b.stage = breakingOff
	}
}

// weakLevels is the maximum number of levels that yield no unit. The first ones have the
// largest orbits; further ones are usually about exchanges of two literals.
const weakLevels = 16

// scheduleBreaking computes when the pass is due, unless a round comes first.
func (s *Solver) scheduleBreaking() {
	b := &s.passes.breaking
	b.suspend()
	if !s.opts.NoSimplify && !s.opts.NoSymmetry && s.mayBreak() {
		b.stage, b.after = breakingEarly, s.stats.Conflicts+int64(max(s.opts.SymmetryConflicts, 0))
	}
}

// breakingDue reports whether the pass is due.
func (m *passMemory) breakingDue() bool {
	b := &m.breaking
	return b.stage == breakingEarly && m.stats.Conflicts >= b.after
}

// keepsSymmetries reports whether the pass has not run yet. Until then the search must
// not change the clauses of the formula.
func (m *passMemory) keepsSymmetries() bool { return m.breaking.pending() }

// breakEarly runs the pass before the first round.
func (s *Solver) breakEarly() {
	b := &s.passes.breaking
	b.suspend()
	if p := passNamed(symmetryPass); s.allows(p) && s.toRoot() {
		s.runPass([]*pass{p}, p.least)
		if b.stage == breakingOff {
			b.stage = breakingLate
		}
		s.collectChanged()
	}
	s.opts.enter(s.decisions.searchName())
}

// mayBreak reports whether symmetries may be broken in this run.
func (s *Solver) mayBreak() bool {
	return s.opts.OneShot && s.stats.Rounds == 0 && s.opts.Learned == nil && s.hooks.learned == nil && len(s.call.assumptions) == 0 &&
		!s.removal.keepModels && s.passes.breaking.stage != breakingOver && !slices.ContainsFunc(s.removal.flags, func(f uint8) bool { return f&keptFlag != 0 })
}

// breakSymmetries runs the pass if it may.
func (s *Solver) breakSymmetries(budget int64) {
	if !s.mayBreak() {
		return
	}
	if s.passes.breaking.stage == breakingLate {
		budget *= laterBudget
	}
	s.passes.breaking.stage = breakingOver
	if s.stats.Symmetries > 0 {
		s.clauses.deleteLearned() // since the first run, over names that a derivation changes
	}
	b := inprocess.NewBudget(host{s}, budget)
	for weak := 0; weak < weakLevels && !s.inconsistent; {
		if s.trail.roots > s.trail.rootsRemoved {
			s.collectRoot()
		}
		if s.call.stopped {
			return
		}
		fixed := s.trail.roots
		found, more := s.breakLevel(b)
		if !found {
			if more {
				s.passes.breaking.stage = breakingOff
			}
			return
		}
		if s.trail.roots == fixed {
			weak++
		}
	}
}

// requireSymmetries panics if symmetries were broken: then the call, which is about all
// models or about further clauses, would give a wrong result. OneShot excludes it.
func (s *Solver) requireSymmetries(call string) {
	if s.stats.Symmetries > 0 {
		panic("cdcl: " + call + " called after symmetries were broken")
	}
}

// breakLevel adds the constraints of one literal. It reports whether there are any, and if
// not, whether a larger budget may help.
func (s *Solver) breakLevel(b inprocess.Budget) (found, more bool) {
	names := s.passes.breaking.names
	if s.proof.log != nil && names == nil {
		names = symmetry.NewRenaming(s.proof.log, s.proof.hints, len(s.trail.vars))
	}
	c, more := symmetry.Run(host{s}, b, names)
	s.passes.releaseScratch()
	if c == nil {
		return false, more
	}
	s.clauses.renewIDs(c.Renewed)
	if s.stats.Symmetries == 0 {
		s.clauses.deleteLearned() // over the old names
	}
	if names != nil {
		s.passes.breaking.names, s.proof.log = names, names
	}
	s.stats.Symmetries += int64(len(c.Clauses))
	s.addConstraints(c)
	return true, false
}

// renewIDs sets new proof ids.
func (c *clauses) renewIDs(renewed []symmetry.Renewal) {
	for _, x := range renewed {
		if x.Ref&1 != 0 {
			c.binaryIDs[x.Ref>>2] = x.ID
		} else {
			c.arena[x.Ref-2], c.arena[x.Ref-1] = uint32(x.ID), uint32(x.ID>>32)
		}
	}
}

// addConstraints adds the constraints of a level.
func (s *Solver) addConstraints(c *symmetry.Constraints) {
	for i, lits := range c.Clauses {
		id := int64(0)
		if s.proof.log != nil {
			id = c.IDs[i]
		}
		if len(lits) > 1 {
			s.clauses.addClause(lits, false, 0, id)
		} else if !s.assignUnits([]inprocess.Unit{{Lit: lits[0], ID: id}}) {
			return
		}
	}
}

// deleteLearned deletes all redundant clauses and their watches. It cannot be stopped, and
// does not wait for a collection, which can: the constraints must be added in any case, and
// to complete watch lists.
func (c *clauses) deleteLearned() {
	c.eachClause(2, func(r uint32) bool {
		if c.arena[r]&(garbageBit|redundantBit) == redundantBit {
			c.deleteClause(r)
		}
		return true
	})
	for i := range c.watches {
		l := dimacs.Lit(i)
		ws := c.list(l)
		kept := ws[:0]
		for _, w := range ws {
			switch {
			case !w.binary():
				if c.arena[w.ref()]&garbageBit == 0 {
					kept = append(kept, w)
				}
			case !w.redundant():
				kept = append(kept, w)
			case l < w.blocker():
				c.binaryDeleted(l, w.blocker(), w)
			}
		}
		c.watches[l].len = uint32(len(kept))
	}
}
