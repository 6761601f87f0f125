package dpll

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// The invariants of the essays, checked where the essays say that they hold.
// Builds without the tag satcheck do not link this code.

// checkLimit is the number of literals in all clauses up to which every
// propagation is followed by a check; larger formulas are checked at every
// 256th.
const checkLimit = 1 << 10

func (s *Solver) fault(format string, args ...any) {
	panic("dpll: broken invariant: " + fmt.Sprintf(format, args...))
}

func (s *Solver) rarely() bool {
	return len(s.lits) > checkLimit && s.stats.Nodes&255 != 0
}

// checkPropagated: values and trail agree; reasons imply what they are the
// reason of; propagation overlooked no clause, and the watches are such that it
// will overlook none.
func (s *Solver) checkPropagated() {
	if s.rarely() {
		return
	}
	places := s.places()
	s.checkTrail(places)
	for c := range uint32(s.connected) {
		if lits := s.at(c); len(lits) > 1 && s.open(c) {
			if n := s.unassignedIn(lits); n < 2 {
				s.fault("propagation overlooked clause %v", lits)
			}
		}
	}
	seen := 0
	for l, ws := range s.watches {
		for _, w := range ws {
			seen++
			s.checkWatch(dimacs.Lit(l), w, places)
		}
	}
	for ref := header; ref < len(s.arena); ref += int(s.arena[ref-1]) + header {
		seen -= 2
	}
	if seen != 0 {
		s.fault("%d watches too many", seen)
	}
}

func (s *Solver) unassignedIn(lits []dimacs.Lit) int {
	n := 0
	for _, l := range lits {
		if s.vals[l] == 0 {
			n++
		}
	}
	return n
}

// places returns the position on the trail of each variable that is assigned.
func (s *Solver) places() []int {
	places := make([]int, len(s.reasons))
	for i, l := range s.trail {
		places[l>>1] = i
	}
	return places
}

// levelAt returns the number of levels that begin at this position of the trail
// or before it.
func (s *Solver) levelAt(place int) int {
	n := 0
	for n < len(s.levels) && s.levels[n].trail <= place {
		n++
	}
	return n
}

func (s *Solver) checkTrail(places []int) {
	for i, l := range s.trail {
		if s.vals[l] != 1 || s.vals[l^1] != -1 {
			s.fault("literal %v on the trail is not true", l)
		}
		r := s.reasons[l>>1]
		if r >= maxClauses {
			continue
		}
		c := s.at(r)
		for _, k := range c {
			if k != l && (s.vals[k] >= 0 || places[k>>1] > i) {
				s.fault("reason %v does not imply %v", c, l)
			}
		}
		if !slices.Contains(c, l) {
			s.fault("reason %v does not contain %v", c, l)
		}
	}
	assigned := 0
	for _, v := range s.vals {
		assigned += int(v & 1)
	}
	if assigned != 2*len(s.trail) {
		s.fault("%d values for %d literals on the trail", assigned, len(s.trail))
	}
}

// checkWatch: the clause of the watch has l among its first two literals, and if
// l is false then there is a true literal of its level or a lower one, or of a
// place before it.
func (s *Solver) checkWatch(l dimacs.Lit, w watch, places []int) {
	c := s.arena[w.ref:][:s.arena[w.ref-1]]
	if c[0] != uint32(l) && c[1] != uint32(l) {
		s.fault("literal %v watches a clause whose first literals are others", l)
	}
	if !slices.Contains(c, uint32(w.blocker)) {
		s.fault("blocker %v is not in its clause", w.blocker)
	}
	if s.vals[l] >= 0 {
		return
	}
	lev := s.levelAt(places[l>>1])
	for _, k := range c {
		if s.vals[k] > 0 && s.levelAt(places[k>>1]) <= lev {
			return
		}
	}
	s.fault("literal %v is false and watches clause %v", l, s.at(s.arena[w.ref-2]))
}

// checkPure: no unassigned literal is pure, and each has an open clause for a
// witness if there is one.
func (s *Solver) checkPure() {
	if s.rarely() {
		return
	}
	p := &s.purifier
	for l := range dimacs.Lit(len(s.vals)) {
		list := s.occ.lists[l]
		if s.vals[l] != 0 || len(list) == 0 {
			continue
		}
		needed := s.needed(l)
		if needed && !s.needed(l^1) {
			s.fault("literal %v is pure", l)
		}
		if needed && !s.open(list[p.witness[l]]) {
			s.fault("the witness of literal %v is satisfied", l)
		}
	}
}

// checkCounts: keys and scores are what they are by counting.
func (s *Solver) checkCounts() {
	if s.rarely() {
		return
	}
	k := &s.counts
	scores := make([]uint64, len(k.scores))
	for i, c := range k.ids {
		key := uint64(0)
		for _, l := range s.at(c) {
			switch {
			case s.vals[l] > 0:
				key += k.rise[0] + 1
			case s.vals[l] == 0 && k.rise[1] == 0 && l.Neg():
				key += taken
			case s.vals[l] == 0:
				key++
			}
		}
		if k.rise[1] == 0 && key >= taken && k.keys[i] >= taken {
			continue // which of its literals forbid the clause does not matter
		}
		if key != k.keys[i] {
			s.fault("the key of clause %v is %d, not %d", s.at(c), k.keys[i], key)
		}
		for _, l := range s.at(c) {
			if k.weights != nil && key < taken {
				scores[l] += k.weights[key]
			}
		}
	}
	if k.weights != nil && !slices.Equal(scores, k.scores) {
		s.fault("scores are %v, not %v", k.scores, scores)
	}
}
