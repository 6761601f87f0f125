package cdcl

import "sator/dimacs"

// A literal of the learned clause whose reason consists of other literals of
// the clause, or of literals for which the same holds, is implied by them and
// can go (Sörensson and Biere, "Minimizing learned clauses", SAT 2009). The
// search for it is depth first and remembers what it finds: removable variables
// are implied by the clause, poison ones are not. It gives up early at a level
// where the clause has no literal before the one at hand, since such a literal
// cannot be implied by the clause (Knuth), and at a depth beyond which little
// was ever found.

// minimize removes implied literals from s.clause.
func (s *Solver) minimize() {
	kept := s.clause[:1]
	for _, l := range s.clause[1:] {
		if s.implied(l, 0) {
			s.stats.MinimizedLits++
		} else {
			kept = append(kept, l)
		}
	}
	s.clause = kept
}

// implied reports whether the false literal l is implied by the other literals
// of the clause being false. At depth 0, l is one of them.
func (s *Solver) implied(l dimacs.Lit, depth int) bool {
	v := uint32(l >> 1)
	x := &s.vars[v]
	m := s.marks[v]
	if x.level == 0 || m&removableMark != 0 || depth > 0 && m&seenMark != 0 {
		return true
	}
	if x.reason == 0 || m&poisonMark != 0 || int(x.level) == len(s.levels)-1 {
		return false
	}
	lev := &s.levels[x.level]
	if lev.seen == 0 || depth == 0 && lev.seen < 2 || x.trail <= lev.first || depth > s.opts.MinimizeDepth {
		return false
	}
	found := s.reasonImplied(l, x.reason, depth)
	if found {
		s.marks[v] |= removableMark
	} else {
		s.marks[v] |= poisonMark
	}
	s.minimized = append(s.minimized, v)
	return found
}

// reasonImplied reports whether all literals but l's complement of its reason
// are implied.
func (s *Solver) reasonImplied(l dimacs.Lit, w watch, depth int) bool {
	if w.binary() {
		return s.implied(w.blocker(), depth+1)
	}
	for _, x := range s.lits(w.ref()) {
		if k := dimacs.Lit(x); k != l^1 && !s.implied(k, depth+1) {
			return false
		}
	}
	return true
}
