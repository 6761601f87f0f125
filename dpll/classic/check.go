package classic

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// The invariants of the other files, checked at the points where they hold.
// Builds without the tag satcheck do not link this code.

// checkLimit is the number of literals in all clauses up to which every node is
// checked. Larger formulas are checked at every 256th node.
const checkLimit = 1 << 10

// violated panics with the message of a broken invariant.
func (s *Solver) violated(format string, args ...any) {
	panic("classic: broken invariant: " + fmt.Sprintf(format, args...))
}

// skipCheck reports whether the formula is too large to check this node.
func (s *Solver) skipCheck() bool {
	return len(s.lits) > checkLimit && s.stats.Nodes&255 != 0
}

// checkPropagated checks that values and trail agree, that each reason implies its
// literal, that propagation is complete, and the invariant of the watches.
func (s *Solver) checkPropagated() {
	if s.skipCheck() {
		return
	}
	positions := s.positions()
	s.checkTrail(positions)
	for c := range uint32(s.connected) {
		if lits := s.at(c); len(lits) > 1 && s.open(c) {
			if n := s.unassignedIn(lits); n < 2 {
				s.violated("propagation overlooked clause %v", lits)
			}
		}
	}
	seen := 0
	for l, ws := range s.watches {
		for _, w := range ws {
			seen++
			s.checkWatch(dimacs.Lit(l), w, positions)
		}
	}
	for ref := header; ref < len(s.arena); ref += int(s.arena[ref-1]) + header {
		seen -= 2
	}
	if seen != 0 {
		s.violated("%d watches too many", seen)
	}
}

// unassignedIn returns the number of unassigned literals.
func (s *Solver) unassignedIn(lits []dimacs.Lit) int {
	n := 0
	for _, l := range lits {
		if s.vals[l] == 0 {
			n++
		}
	}
	return n
}

// positions returns the index on the trail of each assigned variable.
func (s *Solver) positions() []int {
	positions := make([]int, len(s.reasons))
	for i, l := range s.trail {
		positions[l>>1] = i
	}
	return positions
}

// levelAt returns the level of the literal at that position on the trail.
func (s *Solver) levelAt(position int) int {
	n := 0
	for n < len(s.levels) && s.levels[n].trail <= position {
		n++
	}
	return n
}

// checkTrail checks the values and the reasons of the literals on the trail.
func (s *Solver) checkTrail(positions []int) {
	for i, l := range s.trail {
		if s.vals[l] != 1 || s.vals[l^1] != -1 {
			s.violated("literal %v on the trail is not true", l)
		}
		r := s.reasons[l>>1]
		if r >= maxClauses {
			continue
		}
		c := s.at(r)
		for _, k := range c {
			if k != l && (s.vals[k] >= 0 || positions[k>>1] > i) {
				s.violated("reason %v does not imply %v", c, l)
			}
		}
		if !slices.Contains(c, l) {
			s.violated("reason %v does not contain %v", c, l)
		}
	}
	assigned := 0
	for _, v := range s.vals {
		assigned += int(v & 1)
	}
	if assigned != 2*len(s.trail) {
		s.violated("%d values for %d literals on the trail", assigned, len(s.trail))
	}
}

// checkWatch checks that l is one of the first two literals of the clause of w. If
// l is false, the clause must have a true literal of the same level or a lower one.
func (s *Solver) checkWatch(l dimacs.Lit, w watch, positions []int) {
	c := s.arena[w.ref:][:s.arena[w.ref-1]]
	if c[0] != uint32(l) && c[1] != uint32(l) {
		s.violated("literal %v watches a clause whose first literals are others", l)
	}
	if !slices.Contains(c, uint32(w.blocker)) {
		s.violated("blocker %v is not in its clause", w.blocker)
	}
	if s.vals[l] >= 0 {
		return
	}
	lev := s.levelAt(positions[l>>1])
	for _, k := range c {
		if s.vals[k] > 0 && s.levelAt(positions[k>>1]) <= lev {
			return
		}
	}
	s.violated("literal %v is false and watches clause %v", l, s.at(s.arena[w.ref-2]))
}

// checkPure checks that no unassigned literal is pure, and that the witness of each
// unassigned literal is open unless the literal has no open clause.
func (s *Solver) checkPure() {
	if s.skipCheck() {
		return
	}
	p := &s.pure
	for l := range dimacs.Lit(len(s.vals)) {
		list := s.occ.lists[l]
		if s.vals[l] != 0 || len(list) == 0 {
			continue
		}
		occurs := s.inOpenClause(l)
		if occurs && !s.inOpenClause(l^1) {
			s.violated("literal %v is pure", l)
		}
		if occurs && !s.open(list[p.witness[l]]) {
			s.violated("the witness of literal %v is satisfied", l)
		}
	}
}

// checkCounts compares the keys and scores with new counts.
func (s *Solver) checkCounts() {
	if s.skipCheck() {
		return
	}
	k := &s.counts
	scores := make([]uint64, len(k.scores))
	for i, c := range k.ids {
		key := uint64(0)
		for _, l := range s.at(c) {
			switch {
			case s.vals[l] > 0:
				key += k.onTrue[0] + 1
			case s.vals[l] == 0 && k.onTrue[1] == 0 && l.Neg():
				key += excluded
			case s.vals[l] == 0:
				key++
			}
		}
		if k.onTrue[1] == 0 && key >= excluded && k.keys[i] >= excluded {
			continue // the number of literals that exclude the clause does not matter
		}
		if key != k.keys[i] {
			s.violated("the key of clause %v is %d, not %d", s.at(c), k.keys[i], key)
		}
		for _, l := range s.at(c) {
			if k.weights != nil && key < excluded {
				scores[l] += k.weights[key]
			}
		}
	}
	if k.weights != nil && !slices.Equal(scores, k.scores) {
		s.violated("scores are %v, not %v", k.scores, scores)
	}
}
