package classic

import "sator/dimacs"

// occurrences are the occurrence lists: the clauses of each literal. They are
// built for the first call that needs them, and extended when clauses are added.
type occurrences struct {
	lists   [][]uint32 // by literal
	entered int        // number of clauses in the lists
}

// prepare adds all new clauses to the lists. It reports false if the call was
// stopped; the next call then adds the other clauses.
func (o *occurrences) prepare(s *Solver) bool {
	o.lists = lengthen(o.lists, len(s.vals))
	n := len(s.starts) - 1
	if o.entered == 0 {
		sizes := make([]int, len(s.vals))
		for c := range uint32(n) {
			if !s.spend(1 + len(s.at(c))) {
				return false
			}
			for _, l := range s.at(c) {
				sizes[l]++
			}
		}
		allocate(o.lists, sizes)
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

// inOpenClause reports whether l occurs in an open clause. The occurrence lists
// must be prepared.
func (s *Solver) inOpenClause(l dimacs.Lit) bool {
	for _, c := range s.occ.lists[l] {
		if s.open(c) {
			return true
		}
	}
	return false
}

// bytes returns the size of the lists.
func (o *occurrences) bytes() int64 {
	n := 24 * int64(len(o.lists))
	for _, list := range o.lists {
		n += 4 * int64(len(list))
	}
	return n
}
