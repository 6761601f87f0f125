package cdcl

import "sator/dimacs"

// Every clause that is derived is told to the proof, if there is one, and so is
// every clause that goes. All steps follow by unit propagation, so that they
// stand whatever clauses are given later.
//
// When the proof wants hints, a learned clause needs a chain of antecedents, in
// the order in which they become unit once its complement is assumed:
//
//   - units: what is assigned at the root has a unit clause with an id of its
//     own (unitIDs). Analysis notes those that it meets.
//   - the reasons by which shrinking and minimization removed literals. They are
//     found afterwards, in one way for both: from the removed literals the
//     reasons are followed back to the clause, and then sorted by the position
//     on the trail of what they imply. None of them needs a literal of the
//     conflict's level.
//   - the reasons that analysis resolved, from the first UIP to the conflict. It
//     goes back along the trail, so that this is its own order, turned round.
//
// What a receiver can rely on at the end of each call of Solve:
//
//   - The clauses of two and more literals that are alive in the proof are those
//     that the solver holds, and there is a unit clause for each variable that is
//     assigned at the root, unless the empty clause was given or learned.
//   - If the answer is Unsatisfiable and no assumptions failed, the empty clause
//     was given or learned. What comes after it does not matter.
//   - If the answer is Unsatisfiable and assumptions failed, there is a clause all
//     of whose literals are complements of these: a unit clause that is alive, or
//     the last clause that was learned, which was deleted at once, since nothing
//     else uses it. Two assumptions that are complements of one another fail by
//     themselves, and are not told.

// noteResolved puts the clause that analysis resolves with next on the chain.
func (s *Solver) noteResolved(ref uint32) {
	if s.hints {
		s.resolved = append(s.resolved, s.refID(ref))
	}
}

// explainLearned completes the chain of s.clause.
func (s *Solver) explainLearned() {
	s.keys = s.keys[:0]
	if len(s.clause) < len(s.unminimized) {
		s.follow(s.unminimized, s.clause)
	}
	s.link()
	for i := len(s.resolved) - 1; i >= 0; i-- {
		s.chain = append(s.chain, s.resolved[i])
	}
}

// explainLit collects the chain of the clause of l, which is true, and the false
// literals in rest that imply it.
func (s *Solver) explainLit(l dimacs.Lit, rest []dimacs.Lit) {
	s.units = s.units[:0]
	s.follow([]dimacs.Lit{l}, rest)
	s.link()
}

// follow collects the reasons that lead from the complement of clause to goal,
// and sorts them by the position on the trail of what they imply.
func (s *Solver) follow(goal, clause []dimacs.Lit) {
	s.work, s.keys = s.work[:0], s.keys[:0]
	for _, l := range clause {
		s.marks[l>>1] |= knownMark
	}
	for _, l := range goal {
		s.need(uint32(l >> 1))
	}
	for i := 0; i < len(s.work); i++ {
		x := &s.vars[s.work[i]]
		s.keys = append(s.keys, uint64(x.trail)<<32|uint64(x.reason.ref()))
		if x.reason.binary() {
			s.need(uint32(x.reason.blocker() >> 1))
			continue
		}
		for _, w := range s.lits(x.reason.ref()) {
			s.need(w >> 1)
		}
	}
	s.keys2 = sortKeys(s.keys, s.keys2)
	for _, v := range s.work {
		s.marks[v] &^= visitedMark
	}
	for _, l := range clause {
		s.marks[l>>1] &^= knownMark
	}
}

// need puts v on the list of those whose reasons are wanted.
func (s *Solver) need(v uint32) {
	switch {
	case s.marks[v]&(knownMark|visitedMark) != 0:
	case s.vars[v].level == 0:
		s.needUnit(v)
	default:
		s.marks[v] |= visitedMark
		s.work = append(s.work, v)
	}
}

// needUnit puts the unit of v on the chain.
func (s *Solver) needUnit(v uint32) {
	if s.marks[v]&visitedMark == 0 {
		s.marks[v] |= visitedMark
		s.units = append(s.units, v)
	}
}

// link makes the chain of the units and what follow has found.
func (s *Solver) link() {
	s.chain = s.chain[:0]
	for _, v := range s.units {
		s.chain = append(s.chain, s.unitIDs[v])
		s.marks[v] &^= visitedMark
	}
	for _, k := range s.keys {
		s.chain = append(s.chain, s.refID(uint32(k)))
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
		lits, id := []dimacs.Lit{x.reason.blocker()}, s.refID(x.reason.ref())
		if !x.reason.binary() {
			lits = s.literals(s.lits(x.reason.ref()))
		}
		chain := s.unitChain(lits, id)
		s.external = append(s.external[:0], l)
		s.unitIDs[l>>1] = s.proof.Learn(s.external, chain)
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
		c := s.conflict
		lits := []dimacs.Lit{c.a, c.b}
		if c.ref&1 == 0 {
			lits = s.literals(s.lits(c.ref))
		}
		s.proof.Learn(nil, s.unitChain(lits, s.refID(c.ref)))
	}
	s.inconsistent = true
}
