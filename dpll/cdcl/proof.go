package cdcl

import "sator/dimacs"

// Every clause that is derived is told to the proof, if there is one, and so is
// every clause that goes. All steps follow by unit propagation, so that they
// stand whatever clauses are given later.
//
// When the proof wants hints, a learned clause needs a chain of antecedents, in
// the order in which they become unit once its complement is assumed:
//
//   - the units that analysis meets: what is assigned at the root has a unit
//     clause with an id of its own (unitIDs).
//   - the reasons by which shrinking and minimization removed literals. They are
//     found afterwards, in one way for both: from the removed literals the
//     reasons are followed back to the clause. None of them needs a literal of
//     the conflict's level.
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

// recordResolved keeps the id of a clause that analysis resolves with.
func (s *Solver) recordResolved(ref uint32) {
	if s.hints {
		s.resolved = append(s.resolved, s.refID(ref))
	}
}

// explainLearned completes the chain of s.clause, which has the units that
// analysis met.
func (s *Solver) explainLearned() {
	if len(s.clause) < len(s.unminimized) {
		s.appendReasons(s.unminimized, s.clause)
	}
	for i := len(s.resolved) - 1; i >= 0; i-- {
		s.chain = append(s.chain, s.resolved[i])
	}
}

// explainLit makes the chain of the clause of l, which is true, and the false
// literals in rest that imply it.
func (s *Solver) explainLit(l dimacs.Lit, rest []dimacs.Lit) {
	s.chain = s.chain[:0]
	s.appendReasons([]dimacs.Lit{l}, rest)
	s.unmark()
}

// appendReasons appends to the chain the reasons that lead from the complement of
// clause to goal, and the units that they need. The search is depth first, with
// a stack of its own since reasons may lead far: a variable is opened, which
// puts those that its reason needs above it, and when it comes up again, they
// are in the chain. Unmark cleans up.
func (s *Solver) appendReasons(goal, clause []dimacs.Lit) {
	for _, l := range clause {
		s.mark(uint32(l>>1), derivedMark)
	}
	s.work = s.work[:0]
	for _, l := range goal {
		s.scheduleVar(uint32(l >> 1))
	}
	for n := len(s.work); n > 0; n = len(s.work) {
		v := s.work[n-1]
		w := s.vars[v].reason
		if s.marks[v]&visitedMark == 0 {
			s.mark(v, visitedMark)
			s.scheduleReason(w)
			continue
		}
		s.work = s.work[:n-1]
		if s.marks[v]&derivedMark == 0 { // else it was put there twice
			s.marks[v] |= derivedMark
			s.chain = append(s.chain, s.refID(w.ref()))
		}
	}
}

func (s *Solver) scheduleReason(w watch) {
	if w.binary() {
		s.scheduleVar(uint32(w.blocker() >> 1))
		return
	}
	for _, k := range s.lits(w.ref()) {
		s.scheduleVar(k >> 1)
	}
}

// scheduleVar puts v on the stack of those that the chain must imply.
func (s *Solver) scheduleVar(v uint32) {
	switch {
	case s.marks[v]&(derivedMark|visitedMark) != 0:
	case s.vars[v].level == 0:
		s.mark(v, derivedMark)
		s.chain = append(s.chain, s.unitIDs[v])
	default:
		s.work = append(s.work, v)
	}
}

// mark marks v.
func (s *Solver) mark(v uint32, mark uint8) {
	s.marks[v] |= mark
	s.minimized = append(s.minimized, v)
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
		if s.vals[l] < 0 && s.vars[l>>1].level == 0 && s.marks[l>>1]&derivedMark == 0 {
			s.marks[l>>1] |= derivedMark
			s.chain = append(s.chain, s.unitIDs[l>>1])
		}
	}
	for _, l := range lits {
		s.marks[l>>1] &^= derivedMark
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

// hintChain returns the chain if the proof wants it.
func (s *Solver) hintChain() []int64 {
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
