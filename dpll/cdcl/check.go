package cdcl

import (
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
)

// Invariant checks: with the build tag satcheck the solver checks its invariants
// between two steps of the search. The checks run when propagation has completed
// without a conflict, because then every clause was visited and a falsified or unit
// clause is a fault, and after each pass. Builds without the tag do not link this code.

// checkShare is the number of words of clauses and entries of variables that a check
// after a propagation may visit on average. A formula of at most this size is checked
// after every propagation, and one of n times the size after every n-th, so that a
// larger formula takes no more time per propagation: with a check after each one, a
// single formula of 250 variables took the time of 2,000 small ones.
const checkShare = 256

func fault(format string, args ...any) {
	panic("cdcl: broken invariant: " + fmt.Sprintf(format, args...))
}

// checkPropagated checks all invariants that hold after a complete propagation, unless
// the formula is so large that this propagation is skipped.
func (s *Solver) checkPropagated() {
	if s.checks++; s.checks%(1+(len(s.clauses.arena)+len(s.trail.vars))/checkShare) == 0 {
		s.checkAll()
	}
}

// checkAll checks all invariants that hold after a complete propagation.
func (s *Solver) checkAll() {
	s.trail.check()
	s.checkReasons()
	s.clauses.checkWatches()
	s.checkClauses()
	s.decisions.checkOrder()
	s.decisions.phases.target.check(&s.trail)
	s.decisions.phases.best.check(&s.trail)
}

// check checks that the values at the beginning of the trail are those copied from it.
func (g *longestTrail) check(t *trail) {
	for i, l := range t.lits[:g.copied] {
		if g.values[l>>1] != t.vals[l&^1] {
			fault("literal %d of the trail is %v, its copied value is %d", i, l, g.values[l>>1])
		}
	}
}

// check checks that positions, values and levels agree, and that no literal
// before t.outOfOrder is out of order.
func (t *trail) check() {
	assigned := 0
	for v := range t.vars {
		p, n := t.vals[2*v], t.vals[2*v+1]
		if p != -n {
			fault("variable %d and its complement are both %d", v+1, p)
		}
		if p != 0 {
			assigned++
		}
	}
	if assigned != len(t.lits) {
		fault("%d variables are assigned and %d on the trail", assigned, len(t.lits))
	}
	current := 0
	for i, l := range t.lits {
		for current+1 < len(t.levels) && int(t.levels[current+1].trail) <= i {
			current++
		}
		x := &t.vars[l>>1]
		switch {
		case t.vals[l] <= 0:
			fault("literal %v on the trail is not true", l)
		case int(x.trail) != i:
			fault("literal %v is at %d of the trail, not at %d", l, i, x.trail)
		case int(x.level) > current:
			fault("literal %v of level %d stands in level %d", l, x.level, current)
		case int(x.level) < current && i < t.outOfOrder:
			fault("literal %v of level %d is out of order at %d, before %d", l, x.level, i, t.outOfOrder)
		}
	}
}

// checkReasons checks that a reason contains its literal, that all other literals in
// it are false and were assigned before, and that the highest of their levels is the
// literal's.
func (s *Solver) checkReasons() {
	for _, l := range s.trail.lits {
		x := &s.trail.vars[l>>1]
		if x.reason == 0 {
			if x.level > 0 && s.trail.levels[x.level].decision != l && (s.user == nil || !s.removal.observed(l)) {
				fault("literal %v of level %d has no reason", l, x.level)
			}
			continue
		}
		var c []dimacs.Lit
		if x.reason.binary() {
			c = append(c, l, x.reason.blocker())
		} else {
			c = append(c, s.clauses.literals(s.clauses.lits(x.reason.ref()))...)
		}
		found, top := false, uint32(0)
		for _, k := range c {
			y := &s.trail.vars[k>>1]
			switch {
			case k == l:
				found = true
			case s.trail.vals[k] >= 0 || y.trail > x.trail:
				fault("reason %v does not imply %v", c, l)
			default:
				top = max(top, y.level)
			}
		}
		// Below a literal whose level a propagator's reason lowered, levels may be too high.
		if !found || top > x.level || top < x.level && s.user == nil {
			fault("reason %v does not imply %v at level %d", c, l, x.level)
		}
	}
}

// checkWatches checks that the lists hold the first two literals of each clause and
// no other watches, and that each binary clause is in two lists.
func (c *clauses) checkWatches() {
	const first, second = 1, 2
	watched := make([]uint8, len(c.arena)) // by reference: which of its first two literals watch a clause
	binaries := 0
	for i := range c.watches {
		l := dimacs.Lit(i)
		for _, w := range c.list(l) {
			if w.binary() {
				if l < w.blocker() {
					binaries++
				} else {
					binaries--
				}
				continue
			}
			lits := c.lits(w.ref())
			var position uint8
			switch uint32(l) {
			case lits[0]:
				position = first
			case lits[1]:
				position = second
			default:
				fault("clause %v is in the list of %v", c.literals(lits), l)
			}
			switch seen := &watched[w.ref()]; {
			case *seen&position != 0:
				fault("clause %v is twice in the list of %v", c.literals(lits), l)
			case !slices.Contains(lits, uint32(w.blocker())):
				fault("blocker %v is not in clause %v", w.blocker(), c.literals(lits))
			default:
				*seen |= position
			}
		}
	}
	if binaries != 0 {
		fault("%d binary clauses are in one list only", binaries)
	}
	c.checkWatched(watched)
}

// checkWatched checks that each clause is watched by its first two literals, and that
// the counts of clauses are right.
func (c *clauses) checkWatched(watched []uint8) {
	clauses := 0
	c.eachClause(2, func(r uint32) bool {
		clauses++
		if c.arena[r]&garbageBit == 0 && watched[r] != 3 {
			fault("clause %v is not watched by its first literals", c.literals(c.lits(r)))
		}
		return true
	})
	if st := c.stats; clauses != st.Irredundant+st.Redundant-st.Binary+c.garbage+c.formulaGarbage {
		fault("the arena holds %d clauses; %d and %d are counted, %d of them binary, and %d deleted",
			clauses, st.Irredundant, st.Redundant, st.Binary, c.garbage+c.formulaGarbage)
	}
}

// checkClauses checks that no clause is falsified or unit.
func (s *Solver) checkClauses() {
	visit := func(c []dimacs.Lit) {
		open := 0
		for _, l := range c {
			if !s.removal.active(uint32(l >> 1)) {
				fault("clause %v has the removed variable %v", c, l.Var())
			}
			if s.trail.vals[l] > 0 {
				return
			}
			if s.trail.vals[l] == 0 {
				open++
			}
		}
		if open < 2 {
			fault("propagation missed clause %v at level %d", c, len(s.trail.levels)-1)
		}
	}
	for l := range s.clauses.watches {
		for _, w := range s.clauses.list(dimacs.Lit(l)) {
			if w.binary() {
				visit([]dimacs.Lit{dimacs.Lit(l), w.blocker()})
			}
		}
	}
	s.clauses.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&garbageBit == 0 && r != s.clauses.ignored {
			visit(s.clauses.literals(s.clauses.lits(r)))
		}
		return true
	})
}

// checkConflict checks that the literals of the conflict are false, and that its
// watched literals were assigned in the current level; see backtrackToConflict.
func (s *Solver) checkConflict() {
	c := []dimacs.Lit{s.conflict.a, s.conflict.b}
	if r := s.conflict.ref; r&1 == 0 {
		c = s.clauses.literals(s.clauses.lits(r))
	}
	for i, l := range c {
		switch {
		case s.trail.vals[l] >= 0:
			fault("conflict %v is not falsified", c)
		case i < 2 && s.trail.vars[l>>1].trail < s.trail.levels[len(s.trail.levels)-1].trail:
			fault("conflict %v is watched by %v, which was assigned before level %d", c, l, len(s.trail.levels)-1)
		}
	}
}

// checkOrder checks that the queue and the heap are in order and hold every
// unassigned variable where decisions will find it.
func (d *decisions) checkOrder() {
	q := &d.queue
	last, after := uint32(0), false
	n := 0
	for v := q.First; v != order.None; v = q.Links[v].Next {
		if q.Links[v].Stamp <= last {
			fault("variable %d is out of order in the queue", v+1)
		}
		if after && !d.stable && d.trail.vals[2*v] == 0 {
			fault("variable %d is unassigned behind the next candidate of the queue", v+1)
		}
		after = after || v == q.Next
		last = q.Links[v].Stamp
		n++
	}
	if n+d.removal.removed != len(d.trail.vars) {
		fault("the queue holds %d of %d variables, of which %d are removed", n, len(d.trail.vars), d.removal.removed)
	}
	d.checkHeap()
	for v := range d.trail.vars {
		switch in := d.heap.Contains(uint32(v)); {
		case !d.removal.active(uint32(v)):
			if in || d.trail.vals[2*v] != 0 {
				fault("removed variable %d takes part in the search", v+1)
			}
		case d.stable && d.trail.vals[2*v] == 0 && !in:
			fault("unassigned variable %d is not in the heap", v+1)
		}
	}
}

// checkHeap checks that the heap is in order.
func (d *decisions) checkHeap() {
	h := &d.heap
	for i, v := range h.Items {
		if int(h.Pos[v]) != i+1 || i > 0 && h.Before(v, h.Items[(i-1)/2]) {
			fault("variable %d is out of order in the heap", v+1)
		}
	}
}

// checkClean checks that the scratch memory of analysis is clean.
func (a *analysis) checkClean() {
	for v, m := range a.marks {
		if m != 0 {
			fault("variable %d is still marked %b", v+1, m)
		}
	}
	for i := range a.trail.levels {
		if a.trail.levels[i].seen != 0 {
			fault("level %d still counts literals of the clause", i)
		}
	}
}
