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
	if s.proof.hints {
		s.analysis.resolved = append(s.analysis.resolved, s.refID(ref))
	}
}

// explainLearned completes the chain of s.analysis.clause, which has the units that analysis
// met.
func (s *Solver) explainLearned() {
	if len(s.analysis.clause) < len(s.analysis.unminimized) {
		s.appendReasons(s.analysis.unminimized, s.analysis.clause)
	}
	s.appendResolved()
}

// appendResolved appends the clauses that analysis resolved to the chain, latest first.
func (s *Solver) appendResolved() {
	for i := len(s.analysis.resolved) - 1; i >= 0; i-- {
		s.proof.chain = append(s.proof.chain, s.analysis.resolved[i])
	}
}

// explainLit sets the chain to that of the clause of l, which is true, and the false
// literals in rest that imply it.
func (s *Solver) explainLit(l dimacs.Lit, rest []dimacs.Lit) {
	s.proof.chain = s.proof.chain[:0]
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
	s.analysis.work = s.analysis.work[:0]
	for _, l := range goal {
		s.scheduleVar(uint32(l >> 1))
	}
	for n := len(s.analysis.work); n > 0; n = len(s.analysis.work) {
		v := s.analysis.work[n-1]
		w := s.trail.vars[v].reason
		if s.analysis.marks[v]&visitedMark == 0 {
			s.mark(v, visitedMark)
			s.scheduleReason(w)
			continue
		}
		s.analysis.work = s.analysis.work[:n-1]
		if s.analysis.marks[v]&derivedMark == 0 { // else it was on the stack twice
			s.analysis.marks[v] |= derivedMark
			s.proof.chain = append(s.proof.chain, s.refID(w.ref()))
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
	case s.analysis.marks[v]&(derivedMark|visitedMark) != 0:
	case s.trail.vars[v].level == 0:
		s.mark(v, derivedMark)
		s.proof.chain = append(s.proof.chain, s.proof.unitIDs[v])
	default:
		s.analysis.work = append(s.analysis.work, v)
	}
}

// mark adds a mark to v; unmark clears it.
func (s *Solver) mark(v uint32, mark uint8) {
	s.analysis.marks[v] |= mark
	s.analysis.minimized = append(s.analysis.minimized, v)
}

// unitChain returns the antecedents of the clause that remains of lits when the
// literals false at the root are removed. The id is that of the clause lits.
func (s *Solver) unitChain(lits []dimacs.Lit, id int64) []int64 {
	if !s.proof.hints {
		return nil
	}
	s.proof.chain = s.proof.chain[:0]
	for _, l := range lits {
		// The clause may be as given by the caller, with duplicate literals.
		if s.trail.vals[l] < 0 && s.trail.vars[l>>1].level == 0 && s.analysis.marks[l>>1]&derivedMark == 0 {
			s.analysis.marks[l>>1] |= derivedMark
			s.proof.chain = append(s.proof.chain, s.proof.unitIDs[l>>1])
		}
	}
	for _, l := range lits {
		s.analysis.marks[l>>1] &^= derivedMark
	}
	s.proof.chain = append(s.proof.chain, id)
	return s.proof.chain
}

// assignRoot assigns l at the root, whatever the current level is. The unit clause of
// l has this id.
func (s *Solver) assignRoot(l dimacs.Lit, id int64) {
	if s.proof.log != nil {
		s.proof.unitIDs[l>>1] = id
	}
	s.trail.roots++
	s.assign(l, 0, 0)
}

// implyRoot logs the unit clause of l, which its reason implies at the root. The
// reason may be deleted from then on.
func (s *Solver) implyRoot(l dimacs.Lit) {
	s.trail.roots++
	x := &s.trail.vars[l>>1]
	if s.proof.log != nil {
		lits, id := []dimacs.Lit{x.reason.blocker()}, s.refID(x.reason.ref())
		if !x.reason.binary() {
			lits = s.literals(s.lits(x.reason.ref()))
		}
		chain := s.unitChain(lits, id)
		s.proof.scratch = append(s.proof.scratch[:0], l)
		s.proof.unitIDs[l>>1] = s.proof.log.Learn(s.proof.scratch, chain)
	}
	x.reason = 0
}

// hintChain returns the chain if the proof has hints, and else nil.
func (s *Solver) hintChain() []int64 {
	if !s.proof.hints {
		return nil
	}
	return s.proof.chain
}

// refute derives the empty clause from a conflict at the root.
func (s *Solver) refute() {
	if s.proof.log != nil {
		c := s.conflict
		lits := []dimacs.Lit{c.a, c.b}
		if c.ref&1 == 0 {
			lits = s.literals(s.lits(c.ref))
		}
		s.proof.log.Learn(nil, s.unitChain(lits, s.refID(c.ref)))
	}
	s.inconsistent = true
}
