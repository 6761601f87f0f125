package cdcl

import (
	"math"
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
	excluded bool               // by a call of Simplify
	done     bool               // the pass has run
	names    *symmetry.Renaming // the proof, if symmetries were broken
}

const (
	// laterBudget is the factor of the budget in the first round. The pass runs again there
	// if its budget was used up before.
	laterBudget = 10

	// Values of due.breaking: the pass runs in the first round, or not at all.
	inFirstRound = noBreaking - 1
	noBreaking   = math.MaxInt64
)

// weakLevels is the maximum number of levels that yield no unit. The first ones have the
// largest orbits; further ones are usually about exchanges of two literals.
const weakLevels = 16

// scheduleBreaking computes when the pass is due, unless a round comes first.
func (s *Solver) scheduleBreaking() {
	s.schedule.due.breaking = noBreaking
	if s.opts.Simplify != 0 && s.opts.Symmetry != 0 && s.mayBreak() {
		s.schedule.due.breaking = s.stats.Conflicts + int64(s.opts.SymmetryConflicts)
	}
}

// breakingDue reports whether the pass is due.
func (s *Solver) breakingDue() bool { return s.stats.Conflicts >= s.schedule.due.breaking }

// keepsSymmetries reports whether the pass has not run yet. Until then the search must
// not change the clauses of the formula.
func (s *Solver) keepsSymmetries() bool { return s.schedule.due.breaking != noBreaking }

// breakEarly runs the pass before the first round.
func (s *Solver) breakEarly() {
	s.schedule.due.breaking = noBreaking
	if rows := s.allowed(passes[:1]); len(rows) > 0 && s.toRoot() {
		s.runPass(rows, rows[0].least)
		if !s.passes.breaking.done {
			s.schedule.due.breaking = inFirstRound
		}
		s.collectChanged()
	}
	s.enter(s.searchName())
}

// mayBreak reports whether symmetries may be broken in this run.
func (s *Solver) mayBreak() bool {
	return s.opts.OneShot && s.stats.Rounds == 0 && s.opts.Learned == nil && s.hooks.learned == nil && len(s.call.assumptions) == 0 &&
		!s.removal.keepModels && !s.passes.breaking.excluded && !s.passes.breaking.done && !s.anyKept()
}

// breakSymmetries runs the pass if it may.
func (s *Solver) breakSymmetries(budget int64) {
	if !s.mayBreak() {
		return
	}
	if s.schedule.due.breaking == inFirstRound {
		budget *= laterBudget
	}
	s.schedule.due.breaking, s.passes.breaking.done = noBreaking, true
	if s.stats.Symmetries > 0 {
		s.deleteLearned() // since the first run, over names that a derivation changes
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
			s.passes.breaking.done = !more
			return
		}
		if s.trail.roots == fixed {
			weak++
		}
	}
}

// ProofLits replaces literals of the solver by those that stand for them in the proof, in
// place. They are others after symmetry breaking, whose proof renames variables.
func (s *Solver) ProofLits(lits []dimacs.Lit) {
	if r := s.passes.breaking.names; r != nil {
		for i, l := range lits {
			lits[i] = r.Lit(l)
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

// anyKept reports whether a variable is frozen or restored.
func (s *Solver) anyKept() bool {
	return slices.ContainsFunc(s.removal.flags, func(f uint8) bool { return f&keptFlag != 0 })
}

// breakLevel adds the constraints of one literal. It reports whether there are any, and if
// not, whether a larger budget may help.
func (s *Solver) breakLevel(b inprocess.Budget) (found, more bool) {
	names := s.passes.breaking.names
	if s.proof.log != nil && names == nil {
		names = symmetry.NewRenaming(s.proof.log, s.proof.hints, len(s.trail.vars))
	}
	c, more := symmetry.Run(host{s}, b, names)
	s.releaseScratch()
	if c == nil {
		return false, more
	}
	s.renewIDs(c.Renewed)
	if s.stats.Symmetries == 0 {
		s.deleteLearned() // over the old names
	}
	if names != nil {
		s.passes.breaking.names, s.proof.log = names, names
	}
	s.stats.Symmetries += int64(len(c.Clauses))
	s.addConstraints(c)
	return true, false
}

// renewIDs sets new proof ids.
func (s *Solver) renewIDs(renewed []symmetry.Renewal) {
	for _, x := range renewed {
		if x.Ref&1 != 0 {
			s.clauses.binaryIDs[x.Ref>>2] = x.ID
		} else {
			s.clauses.arena[x.Ref-2], s.clauses.arena[x.Ref-1] = uint32(x.ID), uint32(x.ID>>32)
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
			s.addClause(lits, false, 0, id)
		} else if !s.assignUnits([]inprocess.Unit{{Lit: lits[0], ID: id}}) {
			return
		}
	}
}

// deleteLearned deletes all redundant clauses and their watches. It cannot be stopped, and
// does not wait for a collection, which can: the constraints must be added in any case, and
// to complete watch lists.
func (s *Solver) deleteLearned() {
	s.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&(garbageBit|redundantBit) == redundantBit {
			s.deleteClause(r)
		}
		return true
	})
	for i := range s.clauses.watches {
		l := dimacs.Lit(i)
		ws := s.list(l)
		kept := ws[:0]
		for _, w := range ws {
			switch {
			case !w.binary():
				if s.clauses.arena[w.ref()]&garbageBit == 0 {
					kept = append(kept, w)
				}
			case !w.redundant():
				kept = append(kept, w)
			case l < w.blocker():
				s.binaryDeleted(l, w.blocker(), w)
			}
		}
		s.clauses.watches[l].len = uint32(len(kept))
	}
}
