package cdcl

import "sator/dimacs"

// A trail holds the values of literals, and the assigned ones in the order of assignment.
type trail struct {
	opts *Options

	vals       []int8       // by literal: 1 true, -1 false, 0 unassigned
	vars       []variable   // by variable
	lits       []dimacs.Lit // in the order of assignment
	levels     []level      // levels[0] is the root; the last is the current one
	space      *reservation // holds levels if they are many
	propagated int          // number of literals that are propagated
	outOfOrder int          // position of the first out-of-order literal, or noOutOfOrder

	touched uint32 // combined results of prefetching loads, so that the compiler keeps them

	roots        int // number of variables assigned at the root
	rootsRemoved int // number of root variables removed from all clauses
}

// A variable holds where and why a variable was assigned. Its fields are out of date while it
// is unassigned.
type variable struct {
	level  uint32
	trail  uint32 // position on the trail
	reason watch  // the clause that implied it; 0 for decisions and root units
}

// A level begins with a decision.
type level struct {
	decision dimacs.Lit
	trail    uint32 // trail position of the decision
	seen     uint32 // number of literals of this level in the clause of analysis
	first    uint32 // first trail position of these literals
}

// openLevel opens a level for the decision l.
func (t *trail) openLevel(l dimacs.Lit) {
	if n := len(t.levels); n == cap(t.levels) {
		t.levels = grown(t.opts.Memory, &t.space, t.levels, n+1)
	}
	t.levels = append(t.levels, level{decision: l, trail: uint32(len(t.lits))})
}

// assignmentLevel returns the highest level of the literals in a clause other than l, which
// imply l.
func (t *trail) assignmentLevel(l dimacs.Lit, clause []uint32) uint32 {
	lev := uint32(0)
	for _, w := range clause {
		if dimacs.Lit(w) != l {
			lev = max(lev, t.vars[w>>1].level)
		}
	}
	return lev
}

// fixed returns the value of l at the root, or 0 if it has no value there.
func (t *trail) fixed(l dimacs.Lit) int8 {
	if t.vars[l>>1].level > 0 {
		return 0
	}
	return t.vals[l]
}

// withoutFixed removes the literals of c that are false at the root, in place. If c is
// satisfied at the root and is not a unit clause, open is false.
func (t *trail) withoutFixed(c []dimacs.Lit) (rest []dimacs.Lit, open bool) {
	if len(c) == 1 {
		return c, true
	}
	rest = c[:0]
	for _, l := range c {
		switch x := t.fixed(l); {
		case x > 0:
			return nil, false
		case x == 0:
			rest = append(rest, l)
		}
	}
	return rest, true
}

// A conflict is a falsified clause: in the arena if ref is even, else the binary clause
// of a and b. A zero ref means no conflict.
type conflict struct {
	ref  uint32
	a, b dimacs.Lit
}
