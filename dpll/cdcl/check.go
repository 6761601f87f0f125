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

func (s *Solver) fault(format string, args ...any) {
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
	s.checkTrail()
	s.checkReasons()
	s.checkWatches()
	s.checkClauses()
	s.checkOrder()
}

// checkTrail checks that positions, values and levels agree, and that no literal
// before s.trail.outOfOrder is out of order.
func (s *Solver) checkTrail() {
	assigned := 0
	for v := range s.trail.vars {
		p, n := s.trail.vals[2*v], s.trail.vals[2*v+1]
		if p != -n {
			s.fault("variable %d and its complement are both %d", v+1, p)
		}
		if p != 0 {
			assigned++
		}
	}
	if assigned != len(s.trail.lits) {
		s.fault("%d variables are assigned and %d on the trail", assigned, len(s.trail.lits))
	}
	current := 0
	for i, l := range s.trail.lits {
		for current+1 < len(s.trail.levels) && int(s.trail.levels[current+1].trail) <= i {
			current++
		}
		x := &s.trail.vars[l>>1]
		switch {
		case s.trail.vals[l] <= 0:
			s.fault("literal %v on the trail is not true", l)
		case int(x.trail) != i:
			s.fault("literal %v is at %d of the trail, not at %d", l, i, x.trail)
		case int(x.level) > current:
			s.fault("literal %v of level %d stands in level %d", l, x.level, current)
		case int(x.level) < current && i < s.trail.outOfOrder:
			s.fault("literal %v of level %d is out of order at %d, before %d", l, x.level, i, s.trail.outOfOrder)
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
			if x.level > 0 && s.trail.levels[x.level].decision != l && (s.user == nil || !s.observed(l)) {
				s.fault("literal %v of level %d has no reason", l, x.level)
			}
			continue
		}
		var c []dimacs.Lit
		if x.reason.binary() {
			c = append(c, l, x.reason.blocker())
		} else {
			c = append(c, s.literals(s.lits(x.reason.ref()))...)
		}
		found, top := false, uint32(0)
		for _, k := range c {
			y := &s.trail.vars[k>>1]
			switch {
			case k == l:
				found = true
			case s.trail.vals[k] >= 0 || y.trail > x.trail:
				s.fault("reason %v does not imply %v", c, l)
			default:
				top = max(top, y.level)
			}
		}
		// Below a literal whose level a propagator's reason lowered, levels may be too high.
		if !found || top > x.level || top < x.level && s.user == nil {
			s.fault("reason %v does not imply %v at level %d", c, l, x.level)
		}
	}
}

// checkWatches checks that the lists hold the first two literals of each clause and
// no other watches, and that each binary clause is in two lists.
func (s *Solver) checkWatches() {
	const first, second = 1, 2
	watched := make([]uint8, len(s.clauses.arena)) // by reference: which of its first two literals watch a clause
	binaries := 0
	for i := range s.clauses.watches {
		l := dimacs.Lit(i)
		for _, w := range s.list(l) {
			if w.binary() {
				if l < w.blocker() {
					binaries++
				} else {
					binaries--
				}
				continue
			}
			c := s.lits(w.ref())
			var position uint8
			switch uint32(l) {
			case c[0]:
				position = first
			case c[1]:
				position = second
			default:
				s.fault("clause %v is in the list of %v", s.literals(c), l)
			}
			switch seen := &watched[w.ref()]; {
			case *seen&position != 0:
				s.fault("clause %v is twice in the list of %v", s.literals(c), l)
			case !slices.Contains(c, uint32(w.blocker())):
				s.fault("blocker %v is not in clause %v", w.blocker(), s.literals(c))
			default:
				*seen |= position
			}
		}
	}
	if binaries != 0 {
		s.fault("%d binary clauses are in one list only", binaries)
	}
	s.checkWatched(watched)
}

// checkWatched checks that each clause is watched by its first two literals, and that
// the counts of clauses are right.
func (s *Solver) checkWatched(watched []uint8) {
	clauses := 0
	s.eachClause(2, func(r uint32) bool {
		clauses++
		if s.clauses.arena[r]&garbageBit == 0 && watched[r] != 3 {
			s.fault("clause %v is not watched by its first literals", s.literals(s.lits(r)))
		}
		return true
	})
	if st := &s.stats; clauses != st.Irredundant+st.Redundant-st.Binary+s.clauses.garbage+s.clauses.formulaGarbage {
		s.fault("the arena holds %d clauses; %d and %d are counted, %d of them binary, and %d deleted",
			clauses, st.Irredundant, st.Redundant, st.Binary, s.clauses.garbage+s.clauses.formulaGarbage)
	}
}

// checkClauses checks that no clause is falsified or unit.
func (s *Solver) checkClauses() {
	visit := func(c []dimacs.Lit) {
		open := 0
		for _, l := range c {
			if !s.active(uint32(l >> 1)) {
				s.fault("clause %v has the removed variable %v", c, l.Var())
			}
			if s.trail.vals[l] > 0 {
				return
			}
			if s.trail.vals[l] == 0 {
				open++
			}
		}
		if open < 2 {
			s.fault("propagation missed clause %v at level %d", c, len(s.trail.levels)-1)
		}
	}
	for l := range s.clauses.watches {
		for _, w := range s.list(dimacs.Lit(l)) {
			if w.binary() {
				visit([]dimacs.Lit{dimacs.Lit(l), w.blocker()})
			}
		}
	}
	s.eachClause(2, func(r uint32) bool {
		if s.clauses.arena[r]&garbageBit == 0 && r != s.clauses.ignored {
			visit(s.literals(s.lits(r)))
		}
		return true
	})
}

// checkConflict checks that the literals of the conflict are false, and that its
// watched literals were assigned in the current level; see backtrackToConflict.
func (s *Solver) checkConflict() {
	c := []dimacs.Lit{s.conflict.a, s.conflict.b}
	if r := s.conflict.ref; r&1 == 0 {
		c = s.literals(s.lits(r))
	}
	for i, l := range c {
		switch {
		case s.trail.vals[l] >= 0:
			s.fault("conflict %v is not falsified", c)
		case i < 2 && s.trail.vars[l>>1].trail < s.trail.levels[len(s.trail.levels)-1].trail:
			s.fault("conflict %v is watched by %v, which was assigned before level %d", c, l, len(s.trail.levels)-1)
		}
	}
}

// checkOrder checks that the queue and the heap are in order and hold every
// unassigned variable where decisions will find it.
func (s *Solver) checkOrder() {
	q := &s.decisions.queue
	last, after := uint32(0), false
	n := 0
	for v := q.First; v != order.None; v = q.Links[v].Next {
		if q.Links[v].Stamp <= last {
			s.fault("variable %d is out of order in the queue", v+1)
		}
		if after && !s.decisions.stable && s.trail.vals[2*v] == 0 {
			s.fault("variable %d is unassigned behind the next candidate of the queue", v+1)
		}
		after = after || v == q.Next
		last = q.Links[v].Stamp
		n++
	}
	if n+s.removal.removed != len(s.trail.vars) {
		s.fault("the queue holds %d of %d variables, of which %d are removed", n, len(s.trail.vars), s.removal.removed)
	}
	s.checkHeap()
	for v := range s.trail.vars {
		switch in := s.decisions.heap.Contains(uint32(v)); {
		case !s.active(uint32(v)):
			if in || s.trail.vals[2*v] != 0 {
				s.fault("removed variable %d takes part in the search", v+1)
			}
		case s.decisions.stable && s.trail.vals[2*v] == 0 && !in:
			s.fault("unassigned variable %d is not in the heap", v+1)
		}
	}
}

// checkHeap checks that the heap is in order.
func (s *Solver) checkHeap() {
	h := &s.decisions.heap
	for i, v := range h.Items {
		if int(h.Pos[v]) != i+1 || i > 0 && h.Before(v, h.Items[(i-1)/2]) {
			s.fault("variable %d is out of order in the heap", v+1)
		}
	}
}

// checkClean checks that the scratch memory of analysis is clean.
func (s *Solver) checkClean() {
	for v, m := range s.analysis.marks {
		if m != 0 {
			s.fault("variable %d is still marked %b", v+1, m)
		}
	}
	for i := range s.trail.levels {
		if s.trail.levels[i].seen != 0 {
			s.fault("level %d still counts literals of the clause", i)
		}
	}
}
