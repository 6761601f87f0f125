package dpll

import "sator/dimacs"

// occurrences list for each literal the clauses in which it occurs. They are
// made when something first asks for them, and grow with the formula.
type occurrences struct {
	lists   [][]uint32 // by literal
	entered int        // clauses before it are in the lists
}

// prepare enters all clauses that were added so far. It reports false if the
// call was stopped before; the next one goes on.
func (o *occurrences) prepare(s *Solver) bool {
	o.lists = lengthen(o.lists, len(s.vals))
	n := len(s.starts) - 1
	if o.entered == 0 {
		room := make([]int, len(s.vals))
		for c := range uint32(n) {
			if !s.spend(1 + len(s.at(c))) {
				return false
			}
			for _, l := range s.at(c) {
				room[l]++
			}
		}
		share(o.lists, room)
	}
	for ; o.entered < n; o.entered++ {
		c := s.at(uint32(o.entered))
		if !s.spend(1 + len(c)) {
			return false
		}
		for _, l := range c {
			o.lists[l] = append(o.lists[l], uint32(o.entered))
		}
	}
	return true
}

// needed reports whether l occurs in a clause that is open. The occurrences
// must have been prepared.
func (s *Solver) needed(l dimacs.Lit) bool {
	for _, c := range s.occ.lists[l] {
		if s.open(c) {
			return true
		}
	}
	return false
}

// bytes returns what the lists take.
func (o *occurrences) bytes() int64 {
	n := 24 * int64(len(o.lists))
	for _, list := range o.lists {
		n += 4 * int64(len(list))
	}
	return n
}
