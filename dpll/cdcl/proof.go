package cdcl

import "sator/dimacs"

// Proof logging: the solver logs every clause that it derives or deletes to the
// proof, if there is one. Unless Options.OneShot is set all steps are RUP (reverse unit
// propagation), so that they stay valid whatever clauses are added later.
//
// With hints (LRAT) a learned clause needs a chain of antecedents, in the order in
// which they become unit when the complement of the clause is assumed:
//
//   - the units that analysis meets. Each variable assigned at the root has a unit
//     clause with an id of its own (unitIDs).
//   - the reasons by which shrinking and minimization removed literals. They are
//     found afterwards, in the same way for both: from the removed literals the
//     reasons are followed back to the clause. No reason among them needs a literal
//     of the conflict's level.
//   - the reasons that analysis resolved, from the first UIP to the conflict: the
//     order of analysis reversed, since analysis walks back along the trail.
//
// A receiver can rely on the following at the end of each call of Solve:
//
//   - The clauses of two and more literals that are active in the proof are the
//     clauses that the solver holds, and there is a unit clause for each variable
//     assigned at the root, unless the empty clause was given or learned.
//   - If the answer is Unsatisfiable and no assumptions failed, the empty clause
//     was given or learned. Later steps are irrelevant.
//   - If the answer is Unsatisfiable and assumptions failed, there is a clause of
//     complements of failed assumptions. It is either an active unit clause, or the
//     last learned clause, which was deleted at once because the solver does not use
//     it. If two assumptions are complements of each other they fail without a step
//     in the proof.

// recordResolved records the id of a clause that analysis resolves with.
func (s *Solver) recordResolved(ref uint32) {
	if s.hints {
		s.resolved = append(s.resolved, s.refID(ref))
	}
}

// explainLearned completes the chain of s.clause, which has the units that analysis
// met.
func (s *Solver) explainLearned() {
	if len(s.clause) < len(s.unminimized) {
		s.appendReasons(s.unminimized, s.clause)
	}
	s.appendResolved()
}

// appendResolved appends the clauses that analysis resolved to the chain, latest first.
func (s *Solver) appendResolved() {
	for i := len(s.resolved) - 1; i >= 0; i-- {
		s.chain = append(s.chain, s.resolved[i])
	}
}

// explainLit sets the chain to that of the clause of l, which is true, and the false
// literals in rest that imply it.
func (s *Solver) explainLit(l dimacs.Lit, rest []dimacs.Lit) {
	s.chain = s.chain[:0]
	s.appendReasons([]dimacs.Lit{l}, rest)
	s.unmark()
}

// appendReasons appends to the chain the reasons by which the complement of clause
// determines the variables of goal, and the units that they need. It is a depth-first
// search with an explicit stack, since chains of reasons may be long. When a variable
// is on top for the first time, it is marked as visited and the variables of its
// reason are pushed. When it is on top again, they are derived, and its reason is
// appended. The caller must call unmark.
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
		if s.marks[v]&derivedMark == 0 { // else it was on the stack twice
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

// scheduleVar pushes v to the stack of variables that the chain must derive. It
// appends the unit of a root variable at once.
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

// mark adds a mark to v; unmark clears it.
func (s *Solver) mark(v uint32, mark uint8) {
	s.marks[v] |= mark
	s.minimized = append(s.minimized, v)
}

// unitChain returns the antecedents of the clause that remains of lits when the
// literals false at the root are removed. The id is that of the clause lits.
func (s *Solver) unitChain(lits []dimacs.Lit, id int64) []int64 {
	if !s.hints {
		return nil
	}
	s.chain = s.chain[:0]
	for _, l := range lits {
		// The clause may be as given by the caller, with duplicate literals.
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

// assignRoot assigns l at the root, whatever the current level is. The unit clause of
// l has this id.
func (s *Solver) assignRoot(l dimacs.Lit, id int64) {
	if s.proof != nil {
		s.unitIDs[l>>1] = id
	}
	s.roots++
	s.assign(l, 0, 0)
}

// implyRoot logs the unit clause of l, which its reason implies at the root. The
// reason may be deleted from then on.
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

// hintChain returns the chain if the proof has hints, and else nil.
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
