package cdcl

import "sator/dimacs"

// Analysis in vivification. After the literals of a candidate were decided or implied,
// analysis finds the decisions that were used, and the candidate is shortened, deleted
// or left unchanged.

// conclude handles the three cases for the candidate at r: a literal is implied, a
// clause is falsified, or all literals are false.
func (v *vivifier) conclude(r uint32, implied dimacs.Lit, falsified bool) {
	s := v.s
	n := len(s.clauses.lits(r))
	if implied == noLit && !falsified && len(s.trail.levels)-1 == n {
		return // all were decided
	}
	var by conflict
	switch {
	case falsified:
		if v.visit(s.conflict) {
			by = s.conflict
		}
	case implied != noLit:
		v.mark(implied)
	default:
		v.visit(conflict{ref: r})
	}
	if by.ref == 0 {
		by = v.trace()
	}
	top := len(s.trail.levels) - 1
	c := v.derivedClause(implied)
	switch {
	case by.ref != 0:
		v.deleteSubsumed(r, by)
	case len(c) < n:
		v.buildChain(r, c, implied, falsified)
		v.shorten(r, c)
	case s.clauses.arena[r]&redundantBit != 0 || !v.learned:
		s.stats.VivifyImplied++
		s.clauses.unwatch(r)
		s.clauses.deleteClause(r)
	}
	if falsified {
		s.backtrack(top - 1)
	}
}

// mark marks the variable of l as seen, for trace.
func (v *vivifier) mark(l dimacs.Lit) {
	s := v.s
	x := uint32(l >> 1)
	if s.analysis.marks[x]&seenMark == 0 && s.trail.vars[x].level > 0 {
		s.analysis.marks[x] |= seenMark
		s.analysis.analyzed = append(s.analysis.analyzed, x)
	}
}

// visit marks the literals of a clause, and reports whether all of them that are not
// false at the root are in the candidate.
func (v *vivifier) visit(c conflict) bool {
	if c.ref&1 != 0 {
		v.learned = v.learned || c.ref&2 != 0
		v.mark(c.a)
		v.mark(c.b)
		return v.inCandidate(c.a) && v.inCandidate(c.b)
	}
	v.s.stats.Ticks++
	v.learned = v.learned || v.s.clauses.arena[c.ref]&redundantBit != 0
	subset := true
	for _, w := range v.s.clauses.lits(c.ref) {
		l := dimacs.Lit(w)
		v.mark(l)
		subset = subset && (v.inCandidate(l) || v.s.trail.vars[l>>1].level == 0)
	}
	return subset
}

// trace follows the reasons of seen variables back to the decisions. If it meets a
// clause that subsumes the candidate, it returns that clause.
func (v *vivifier) trace() (by conflict) {
	for i := 0; i < len(v.s.analysis.analyzed); i++ {
		x := v.s.analysis.analyzed[i]
		w := v.s.trail.vars[x].reason
		if w == 0 {
			continue
		}
		c := conflict{ref: w.ref()}
		if w.binary() {
			c.a, c.b = literal(x, v.s.trail.vals[2*x]), w.blocker()
		}
		if v.visit(c) {
			return c
		}
	}
	return conflict{}
}

// derivedClause returns the clause that analysis derived: the implied literal, if any,
// and the complements of the seen decisions.
func (v *vivifier) derivedClause(implied dimacs.Lit) []dimacs.Lit {
	s := v.s
	c := s.analysis.clause[:0]
	if implied != noLit {
		c = append(c, implied)
	}
	for _, x := range s.analysis.analyzed {
		if s.trail.vars[x].reason == 0 {
			c = append(c, literal(x, -s.trail.vals[2*x]))
		}
	}
	s.analysis.clause = c
	return c
}

// buildChain sets s.proof.chain to the antecedents of the derived clause c.
func (v *vivifier) buildChain(r uint32, c []dimacs.Lit, implied dimacs.Lit, falsified bool) {
	s := v.s
	if !s.proof.hints {
		return
	}
	s.proof.chain = s.proof.chain[:0]
	if implied != noLit {
		s.analysis.appendReasons(c[:1], c[1:])
		return
	}
	end := conflict{ref: r}
	if falsified {
		end = s.conflict
	}
	if end.ref&1 != 0 {
		s.analysis.appendReasons([]dimacs.Lit{end.a, end.b}, c)
	} else {
		s.analysis.appendReasons(s.clauses.literals(s.clauses.lits(end.ref)), c)
	}
	s.proof.chain = append(s.proof.chain, s.clauses.refID(end.ref))
}

// deleteSubsumed deletes the candidate at r, subsumed by the clause by. If by is learned
// and the candidate is irredundant, by becomes irredundant.
func (v *vivifier) deleteSubsumed(r uint32, by conflict) {
	s := v.s
	s.stats.VivifySubsumed++
	irredundant := s.clauses.arena[r]&redundantBit == 0
	switch {
	case by.ref&1 != 0:
		if irredundant && by.ref&2 != 0 {
			v.promote(by)
		}
	case s.clauses.arena[by.ref]&redundantBit == 0:
	case irredundant:
		s.clauses.arena[by.ref] &^= redundantBit
		s.stats.Redundant--
		s.stats.Irredundant++
	default:
		s.clauses.setGlue(by.ref, min(s.clauses.glue(by.ref), s.clauses.glue(r)))
	}
	s.clauses.unwatch(r)
	s.clauses.deleteClause(r)
}

// promote makes a learned binary clause irredundant. It may be irredundant already: the
// reason of a literal is not updated by a promotion.
func (v *vivifier) promote(c conflict) {
	if !v.s.clauses.promoteWatch(c.a, mkWatch(c.b, c.ref)) {
		return
	}
	v.s.clauses.promoteWatch(c.b, mkWatch(c.a, c.ref))
	v.s.stats.Redundant--
	v.s.stats.Irredundant++
}

// shorten replaces the candidate at r by its subset c, and backtracks until two
// literals of c are unassigned.
func (v *vivifier) shorten(r uint32, c []dimacs.Lit) {
	s := v.s
	s.stats.VivifyShortened++
	s.stats.VivifyLits += int64(len(s.clauses.lits(r)) - len(c))
	id := int64(0)
	if s.proof.log != nil {
		id = s.proof.log.Learn(c, s.proof.hintChain())
	}
	if len(c) == 1 {
		v.shortenToUnit(r, c[0], id)
		return
	}
	for i := range 2 {
		for j := i + 1; j < len(c); j++ {
			if s.trail.vars[c[j]>>1].level > s.trail.vars[c[i]>>1].level {
				c[i], c[j] = c[j], c[i]
			}
		}
	}
	s.backtrack(int(s.trail.vars[c[1]>>1].level) - 1)
	h := s.clauses.arena[r]
	at := s.clauses.addClause(c, h&redundantBit != 0, min(s.clauses.glue(r), len(c)-1), id)
	if at&1 == 0 {
		s.clauses.arena[at] |= h&usedMask | triedBit
	}
	if at&1 != 0 || h&redundantBit != 0 {
		s.sharing.export(c, min(s.clauses.glue(r), len(c)-1), id)
	}
	s.clauses.unwatch(r)
	s.clauses.deleteClause(r)
}

// shortenToUnit replaces the candidate at r by the unit l.
func (v *vivifier) shortenToUnit(r uint32, l dimacs.Lit, id int64) {
	s := v.s
	s.stats.VivifyUnits++
	s.backtrack(0)
	s.clauses.unwatch(r)
	s.clauses.deleteClause(r)
	s.clauses.ignored = 0
	s.analysis.unmark() // chains of root units use marks too
	s.assignRoot(l, id)
	if !s.propagate() {
		s.refute()
	}
}
