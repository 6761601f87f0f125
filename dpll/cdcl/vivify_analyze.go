package cdcl

import "sator/dimacs"

// What follows once the literals of a candidate are decided or implied: analysis
// finds the decisions behind it, and the candidate is shortened, dropped or left
// alone.

// conclude draws the conclusion for the candidate at r, of which a literal is
// implied, or a clause was falsified, or all literals are false.
func (v *vivifier) conclude(r uint32, implied dimacs.Lit, falsified bool) {
	n := len(v.lits(r))
	if implied == noLit && !falsified && len(v.levels)-1 == n {
		return // all were decided
	}
	var by conflict
	switch {
	case falsified:
		if v.visit(v.conflict) {
			by = v.conflict
		}
	case implied != noLit:
		v.see(implied)
	default:
		v.visit(conflict{ref: r})
	}
	if by.ref == 0 {
		by = v.trace()
	}
	top := len(v.levels) - 1
	c := v.decisions(implied)
	switch {
	case by.ref != 0:
		v.subsumed(r, by)
	case len(c) < n:
		v.explain(r, c, implied, falsified)
		v.shorten(r, c)
	case v.arena[r]&redundantBit != 0 || !v.learned:
		v.stats.VivifyImplied++
		v.unwatch(r)
		v.drop(r)
	}
	if falsified {
		v.backtrack(top - 1)
	}
}

// see marks the variable of l to be traced.
func (v *vivifier) see(l dimacs.Lit) {
	x := uint32(l >> 1)
	if v.marks[x]&seenMark == 0 && v.vars[x].level > 0 {
		v.marks[x] |= seenMark
		v.analyzed = append(v.analyzed, x)
	}
}

// visit sees the literals of a clause, and reports whether all that are not false
// at the root are in the candidate.
func (v *vivifier) visit(c conflict) bool {
	if c.ref&1 != 0 {
		v.learned = v.learned || c.ref&2 != 0
		v.see(c.a)
		v.see(c.b)
		return v.in(c.a) && v.in(c.b)
	}
	v.stats.Ticks++
	v.learned = v.learned || v.arena[c.ref]&redundantBit != 0
	part := true
	for _, w := range v.lits(c.ref) {
		l := dimacs.Lit(w)
		v.see(l)
		part = part && (v.in(l) || v.vars[l>>1].level == 0)
	}
	return part
}

// trace follows the reasons of what was seen back to the decisions, unless it
// meets a clause that subsumes the candidate, which it returns.
func (v *vivifier) trace() (by conflict) {
	for i := 0; i < len(v.analyzed); i++ {
		x := v.analyzed[i]
		w := v.vars[x].reason
		if w == 0 {
			continue
		}
		c := conflict{ref: w.ref()}
		if w.binary() {
			c.a, c.b = literal(x, v.vals[2*x]), w.blocker()
		}
		if v.visit(c) {
			return c
		}
	}
	return conflict{}
}

// decisions returns the clause that was found: the implied literal, if there is
// one, and the complements of the decisions that were seen.
func (v *vivifier) decisions(implied dimacs.Lit) []dimacs.Lit {
	c := v.clause[:0]
	if implied != noLit {
		c = append(c, implied)
	}
	for _, x := range v.analyzed {
		if v.vars[x].reason == 0 {
			c = append(c, literal(x, -v.vals[2*x]))
		}
	}
	v.clause = c
	return c
}

// explain makes the chain of the clause c that was found.
func (v *vivifier) explain(r uint32, c []dimacs.Lit, implied dimacs.Lit, falsified bool) {
	if !v.hints {
		return
	}
	v.chain = v.chain[:0]
	if implied != noLit {
		v.follow(c[:1], c[1:])
		return
	}
	end := conflict{ref: r}
	if falsified {
		end = v.conflict
	}
	if end.ref&1 != 0 {
		v.follow([]dimacs.Lit{end.a, end.b}, c)
	} else {
		v.follow(v.literals(v.lits(end.ref)), c)
	}
	v.chain = append(v.chain, v.refID(end.ref))
}

// subsumed drops the candidate at r, of which by is a part. If by was learned and
// the candidate was not, by becomes a clause of the formula in its place.
func (v *vivifier) subsumed(r uint32, by conflict) {
	v.stats.VivifySubsumed++
	irredundant := v.arena[r]&redundantBit == 0
	switch {
	case by.ref&1 != 0:
		if irredundant && by.ref&2 != 0 {
			v.promote(by)
		}
	case v.arena[by.ref]&redundantBit == 0:
	case irredundant:
		v.arena[by.ref] &^= redundantBit
		v.stats.Redundant--
		v.stats.Irredundant++
	default:
		v.setGlue(by.ref, min(v.glue(by.ref), v.glue(r)))
	}
	v.unwatch(r)
	v.drop(r)
}

// promote makes a learned binary clause one of the formula. A reason may not know
// that it has been since the literal was implied.
func (v *vivifier) promote(c conflict) {
	if !v.rename(c.a, mkWatch(c.b, c.ref)) {
		return
	}
	v.rename(c.b, mkWatch(c.a, c.ref))
	v.stats.Redundant--
	v.stats.Irredundant++
}

// shorten replaces the candidate at r by the clause c, which is part of it, and
// goes back to where two literals of that are unassigned.
func (v *vivifier) shorten(r uint32, c []dimacs.Lit) {
	v.stats.VivifyShortened++
	v.stats.VivifyLits += int64(len(v.lits(r)) - len(c))
	id := int64(0)
	if v.proof != nil {
		id = v.proof.Learn(c, v.hintsOnly())
	}
	if len(c) == 1 {
		v.shortenToUnit(r, c[0], id)
		return
	}
	for i := range 2 {
		for j := i + 1; j < len(c); j++ {
			if v.vars[c[j]>>1].level > v.vars[c[i]>>1].level {
				c[i], c[j] = c[j], c[i]
			}
		}
	}
	v.backtrack(int(v.vars[c[1]>>1].level) - 1)
	h := v.arena[r]
	at := v.addClause(c, h&redundantBit != 0, min(v.glue(r), len(c)-1), id)
	if at&1 == 0 {
		v.arena[at] |= h&usedMask | triedBit
	}
	if at&1 != 0 || h&redundantBit != 0 {
		v.export(c, min(v.glue(r), len(c)-1), id)
	}
	v.unwatch(r)
	v.drop(r)
}

func (v *vivifier) shortenToUnit(r uint32, l dimacs.Lit, id int64) {
	v.stats.VivifyUnits++
	v.backtrack(0)
	v.unwatch(r)
	v.drop(r)
	v.ignored = 0
	v.unmark() // chains of what follows at the root use marks too
	v.assignRoot(l, id)
	if !v.propagate() {
		v.refute()
	}
}
