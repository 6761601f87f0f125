package dpll

import "sator/dimacs"

// occurrences list for each literal the clauses in which it occurs. They are
// made when something first asks for them, and grow with the formula.
type occurrences struct {
	lists   [][]uint32 // by literal
	entered int        // clauses before it are in the lists
}

// occurrences returns the lists of all clauses that were added so far.
func (s *Solver) occurrences() [][]uint32 {
	o := &s.occ
	o.lists = lengthen(o.lists, len(s.vals))
	n := len(s.starts) - 1
	if o.entered == 0 {
		room := make([]int, len(s.vals))
		for _, l := range s.lits {
			room[l]++
		}
		share(o.lists, room)
	}
	for ; o.entered < n; o.entered++ {
		for _, l := range s.at(uint32(o.entered)) {
			o.lists[l] = append(o.lists[l], uint32(o.entered))
		}
	}
	return o.lists
}

// needed reports whether l occurs in a clause that is open. The occurrences
// must have been asked for.
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
