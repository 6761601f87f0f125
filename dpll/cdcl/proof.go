package cdcl

import "sator/dimacs"

// Every clause that is derived is told to the proof, if there is one, and so is
// every clause that goes. When the proof wants hints, the antecedents of a
// learned clause are found afterwards, in one way for all the techniques that
// had a hand in it: the reasons that lead from the complement of the clause to
// the conflict are collected backwards, and sorted by the position on the
// trail of what they imply. That is the order in which they become unit.
// Shrinking and minimization need not keep books.
//
// Literals of the root are units with ids of their own (unitIDs), which come
// first.

// explain collects in s.chain the antecedents of clause, which the conflict c
// was resolved to.
func (s *Solver) explain(c conflict, clause []dimacs.Lit) {
	s.beginChain(clause)
	if c.ref&1 != 0 {
		s.need(c.a)
		s.need(c.b)
	} else {
		s.needAll(c.ref)
	}
	s.endChain(clause)
	s.chain = append(s.chain, s.refID(c.ref))
}

// explainLit collects the antecedents of the clause of l, which is true, and the
// false literals in rest that imply it.
func (s *Solver) explainLit(l dimacs.Lit, rest []dimacs.Lit) {
	s.beginChain(rest)
	s.need(l)
	s.endChain(rest)
}

func (s *Solver) beginChain(clause []dimacs.Lit) {
	s.chain, s.units, s.work, s.keys = s.chain[:0], s.units[:0], s.work[:0], s.keys[:0]
	for _, l := range clause {
		s.marks[l>>1] |= knownMark
	}
}

// need puts the variable of l on the list of those whose reasons are wanted.
func (s *Solver) need(l dimacs.Lit) {
	v := uint32(l >> 1)
	if s.marks[v]&(knownMark|visitedMark) != 0 {
		return
	}
	s.marks[v] |= visitedMark
	s.work = append(s.work, v)
}

func (s *Solver) needAll(ref uint32) {
	for _, w := range s.lits(ref) {
		s.need(dimacs.Lit(w))
	}
}

// endChain follows the reasons of what is needed, orders them and cleans up.
func (s *Solver) endChain(clause []dimacs.Lit) {
	for i := 0; i < len(s.work); i++ {
		v := s.work[i]
		x := &s.vars[v]
		switch {
		case x.level == 0:
			s.units = append(s.units, s.unitIDs[v])
			continue
		case x.reason.binary():
			s.need(x.reason.blocker())
		default:
			s.needAll(x.reason.ref())
		}
		s.keys = append(s.keys, uint64(x.trail)<<32|uint64(v))
	}
	s.keys2 = sortKeys(s.keys, s.keys2)
	s.chain = append(s.chain, s.units...)
	for _, k := range s.keys {
		s.chain = append(s.chain, s.refID(s.vars[uint32(k)].reason.ref()))
	}
	for _, v := range s.work {
		s.marks[v] &^= visitedMark
	}
	for _, l := range clause {
		s.marks[l>>1] &^= knownMark
	}
}

// unitChain returns the antecedents of the clause that is left of lits, with
// this id, when the literals that are false at the root are taken out.
func (s *Solver) unitChain(lits []dimacs.Lit, id int64) []int64 {
	if !s.hints {
		return nil
	}
	s.chain = s.chain[:0]
	for _, l := range lits {
		// The clause may be as it was given, with duplicate literals.
		if s.vals[l] < 0 && s.vars[l>>1].level == 0 && s.marks[l>>1]&visitedMark == 0 {
			s.marks[l>>1] |= visitedMark
			s.chain = append(s.chain, s.unitIDs[l>>1])
		}
	}
	for _, l := range lits {
		s.marks[l>>1] &^= visitedMark
	}
	s.chain = append(s.chain, id)
	return s.chain
}

// assignRoot assigns the unit clause of l with this id at the root, whatever
// the current level is.
func (s *Solver) assignRoot(l dimacs.Lit, id int64) {
	if s.proof != nil {
		s.unitIDs[l>>1] = id
	}
	s.roots++
	s.assign(l, 0, 0)
}

// implyRoot makes a unit of l, which its reason implies at the root: the reason
// may go from then on.
func (s *Solver) implyRoot(l dimacs.Lit) {
	s.roots++
	x := &s.vars[l>>1]
	if s.proof != nil {
		if s.hints {
			s.chain = s.chain[:0]
			if x.reason.binary() {
				s.chain = append(s.chain, s.unitIDs[x.reason.blocker()>>1])
			} else {
				for _, w := range s.lits(x.reason.ref()) {
					if dimacs.Lit(w) != l {
						s.chain = append(s.chain, s.unitIDs[w>>1])
					}
				}
			}
			s.chain = append(s.chain, s.refID(x.reason.ref()))
		}
		s.external = append(s.external[:0], l)
		s.unitIDs[l>>1] = s.proof.Learn(s.external, s.hintsOnly())
	}
	x.reason = 0
}

// hintsOnly returns the chain if the proof wants it.
func (s *Solver) hintsOnly() []int64 {
	if !s.hints {
		return nil
	}
	return s.chain
}

// refute derives the empty clause from a conflict at the root.
func (s *Solver) refute() {
	if s.proof != nil {
		if s.hints {
			s.explain(s.conflict, nil)
		}
		s.proof.Learn(nil, s.hintsOnly())
	}
	s.inconsistent = true
}
