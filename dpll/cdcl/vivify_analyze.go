package cdcl

import "sator/dimacs"

// What follows once the literals of a candidate are decided or implied: analysis
// finds the decisions behind it, and the candidate is shortened, dropped or left
// alone.

// conclude draws the conclusion for the candidate at r, of which a literal is
// implied, or a clause was falsified, or all literals are false.
func (v *vivifier) conclude(r uint32, implied dimacs.Lit, falsified bool) {
	n := len(v.s.lits(r))
	if implied == noLit && !falsified && len(v.s.levels)-1 == n {
		return // all were decided
	}
	var by conflict
	switch {
	case falsified:
		if v.visit(v.s.conflict) {
			by = v.s.conflict
		}
	case implied != noLit:
		v.mark(implied)
	default:
		v.visit(conflict{ref: r})
	}
	if by.ref == 0 {
		by = v.trace()
	}
	top := len(v.s.levels) - 1
	c := v.derivedClause(implied)
	switch {
	case by.ref != 0:
		v.dropSubsumed(r, by)
	case len(c) < n:
		v.buildChain(r, c, implied, falsified)
		v.shorten(r, c)
	case v.s.arena[r]&redundantBit != 0 || !v.learned:
		v.s.stats.VivifyImplied++
		v.s.unwatch(r)
		v.s.deleteClause(r)
	}
	if falsified {
		v.s.backtrack(top - 1)
	}
}

// mark marks the variable of l to be traced.
func (v *vivifier) mark(l dimacs.Lit) {
	x := uint32(l >> 1)
	if v.s.marks[x]&seenMark == 0 && v.s.vars[x].level > 0 {
		v.s.marks[x] |= seenMark
		v.s.analyzed = append(v.s.analyzed, x)
	}
}

// visit sees the literals of a clause, and reports whether all that are not false
// at the root are in the candidate.
func (v *vivifier) visit(c conflict) bool {
	if c.ref&1 != 0 {
		v.learned = v.learned || c.ref&2 != 0
		v.mark(c.a)
		v.mark(c.b)
		return v.inCandidate(c.a) && v.inCandidate(c.b)
	}
	v.s.stats.Ticks++
	v.learned = v.learned || v.s.arena[c.ref]&redundantBit != 0
	part := true
	for _, w := range v.s.lits(c.ref) {
		l := dimacs.Lit(w)
		v.mark(l)
		part = part && (v.inCandidate(l) || v.s.vars[l>>1].level == 0)
	}
	return part
}

// trace follows the reasons of what was seen back to the decisions, unless it
// meets a clause that subsumes the candidate, which it returns.
func (v *vivifier) trace() (by conflict) {
	for i := 0; i < len(v.s.analyzed); i++ {
		x := v.s.analyzed[i]
		w := v.s.vars[x].reason
		if w == 0 {
			continue
		}
		c := conflict{ref: w.ref()}
		if w.binary() {
			c.a, c.b = literal(x, v.s.vals[2*x]), w.blocker()
		}
		if v.visit(c) {
			return c
		}
	}
	return conflict{}
}

// derivedClause returns the clause that was found: the implied literal, if there is
// one, and the complements of the derivedClause that were seen.
func (v *vivifier) derivedClause(implied dimacs.Lit) []dimacs.Lit {
	c := v.s.clause[:0]
	if implied != noLit {
		c = append(c, implied)
	}
	for _, x := range v.s.analyzed {
		if v.s.vars[x].reason == 0 {
			c = append(c, literal(x, -v.s.vals[2*x]))
		}
	}
	v.s.clause = c
	return c
}

// buildChain makes the chain of the clause c that was found.
func (v *vivifier) buildChain(r uint32, c []dimacs.Lit, implied dimacs.Lit, falsified bool) {
	if !v.s.hints {
		return
	}
	v.s.chain = v.s.chain[:0]
	if implied != noLit {
		v.s.appendReasons(c[:1], c[1:])
		return
	}
	end := conflict{ref: r}
	if falsified {
		end = v.s.conflict
	}
	if end.ref&1 != 0 {
		v.s.appendReasons([]dimacs.Lit{end.a, end.b}, c)
	} else {
		v.s.appendReasons(v.s.literals(v.s.lits(end.ref)), c)
	}
	v.s.chain = append(v.s.chain, v.s.refID(end.ref))
}

// dropSubsumed drops the candidate at r, of which by is a part. If by was learned and
// the candidate was not, by becomes a clause of the formula in its place.
func (v *vivifier) dropSubsumed(r uint32, by conflict) {
	v.s.stats.VivifySubsumed++
	irredundant := v.s.arena[r]&redundantBit == 0
	switch {
	case by.ref&1 != 0:
		if irredundant && by.ref&2 != 0 {
			v.promote(by)
		}
	case v.s.arena[by.ref]&redundantBit == 0:
	case irredundant:
		v.s.arena[by.ref] &^= redundantBit
		v.s.stats.Redundant--
		v.s.stats.Irredundant++
	default:
		v.s.setGlue(by.ref, min(v.s.glue(by.ref), v.s.glue(r)))
	}
	v.s.unwatch(r)
	v.s.deleteClause(r)
}

// promote makes a learned binary clause one of the formula. A reason may not know
// that it has been since the literal was implied.
func (v *vivifier) promote(c conflict) {
	if !v.s.rename(c.a, mkWatch(c.b, c.ref)) {
		return
	}
	v.s.rename(c.b, mkWatch(c.a, c.ref))
	v.s.stats.Redundant--
	v.s.stats.Irredundant++
}

// shorten replaces the candidate at r by the clause c, which is part of it, and
// goes back to where two literals of that are unassigned.
func (v *vivifier) shorten(r uint32, c []dimacs.Lit) {
	v.s.stats.VivifyShortened++
	v.s.stats.VivifyLits += int64(len(v.s.lits(r)) - len(c))
	id := int64(0)
	if v.s.proof != nil {
		id = v.s.proof.Learn(c, v.s.hintChain())
	}
	if len(c) == 1 {
		v.shortenToUnit(r, c[0], id)
		return
	}
	for i := range 2 {
		for j := i + 1; j < len(c); j++ {
			if v.s.vars[c[j]>>1].level > v.s.vars[c[i]>>1].level {
				c[i], c[j] = c[j], c[i]
			}
		}
	}
	v.s.backtrack(int(v.s.vars[c[1]>>1].level) - 1)
	h := v.s.arena[r]
	at := v.s.addClause(c, h&redundantBit != 0, min(v.s.glue(r), len(c)-1), id)
	if at&1 == 0 {
		v.s.arena[at] |= h&usedMask | triedBit
	}
	if at&1 != 0 || h&redundantBit != 0 {
		v.s.export(c, min(v.s.glue(r), len(c)-1), id)
	}
	v.s.unwatch(r)
	v.s.deleteClause(r)
}

func (v *vivifier) shortenToUnit(r uint32, l dimacs.Lit, id int64) {
	v.s.stats.VivifyUnits++
	v.s.backtrack(0)
	v.s.unwatch(r)
	v.s.deleteClause(r)
	v.s.ignored = 0
	v.s.unmark() // chains of what follows at the root use marks too
	v.s.assignRoot(l, id)
	if !v.s.propagate() {
		v.s.refute()
	}
}
