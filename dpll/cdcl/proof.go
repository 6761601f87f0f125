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
//   - the reasons by which shrinking and minimization removed literals. Both list the
//     variables that the clause implies, each after those of its reason. A walk back through
//     the list then selects the ones that the removed literals need. No reason among them
//     needs a literal of the conflict's level.
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

// A proofLog holds the proof, the ids of unit clauses in it, and a chain of antecedents under
// construction.
type proofLog struct {
	log     dimacs.Proof // or nil
	hints   bool         // the proof needs antecedents (LRAT)
	chain   []int64      // scratch memory, used with hints only
	unitIDs []int64      // by variable: proof id of its root unit; only with a proof
	scratch []dimacs.Lit // a clause for the proof or for a callback

	extended int // number after the last extension variable of a pass, or 0; see extension.go
	gapEnd   int // number of the first extension variable of a pass, if there is one
}

// recordResolved records the id of a clause that analysis resolves with.
func (a *analysis) recordResolved(ref uint32) {
	if a.proof.hints {
		a.resolved = append(a.resolved, a.clauses.refID(ref))
	}
}

// explainLearned completes the chain of a.clause, which has the units that analysis
// met.
func (a *analysis) explainLearned() {
	if len(a.clause) < len(a.unminimized) {
		a.resolveRemoved()
	}
	a.appendResolved()
}

// resolveRemoved appends to a.resolved the reasons of the variables in a.removed that the
// removed literals need, latest first. Of the variables of these reasons only those assigned
// at the root have no marks.
func (a *analysis) resolveRemoved() {
	for _, l := range a.unminimized {
		a.marks[l>>1] |= visitedMark
	}
	for _, l := range a.clause {
		a.marks[l>>1] |= derivedMark
	}
	for i := len(a.removed) - 1; i >= 0; i-- {
		v := a.removed[i]
		if a.marks[v]&(visitedMark|derivedMark) != visitedMark {
			continue
		}
		w := a.trail.vars[v].reason
		a.resolved = append(a.resolved, a.clauses.refID(w.ref()))
		if w.binary() {
			a.need(uint32(w.blocker() >> 1))
			continue
		}
		for _, k := range a.clauses.lits(w.ref()) {
			a.need(k >> 1)
		}
	}
}

// need marks v as needed, or appends its unit to the chain if it is assigned at the root.
func (a *analysis) need(v uint32) {
	if a.marks[v] != 0 {
		a.marks[v] |= visitedMark
	} else {
		a.scheduleVar(v)
	}
}

// appendResolved appends the clauses that analysis resolved to the chain, latest first.
func (a *analysis) appendResolved() {
	for i := len(a.resolved) - 1; i >= 0; i-- {
		a.proof.chain = append(a.proof.chain, a.resolved[i])
	}
}

// explainLit sets the chain to that of the clause of l, which is true, and the false
// literals in rest that imply it.
func (a *analysis) explainLit(l dimacs.Lit, rest []dimacs.Lit) {
	a.proof.chain = a.proof.chain[:0]
	a.appendReasons([]dimacs.Lit{l}, rest)
	a.unmark()
}

// appendReasons appends to the chain the reasons by which the complement of clause
// determines the variables of goal, and the units that they need. It is a depth-first
// search with an explicit stack, since chains of reasons may be long. When a variable
// is on top for the first time, it is marked as visited and the variables of its
// reason are pushed. When it is on top again, they are derived, and its reason is
// appended. The caller must call unmark.
func (a *analysis) appendReasons(goal, clause []dimacs.Lit) {
	for _, l := range clause {
		a.mark(uint32(l>>1), derivedMark)
	}
	a.work = a.work[:0]
	for _, l := range goal {
		a.scheduleVar(uint32(l >> 1))
	}
	for n := len(a.work); n > 0; n = len(a.work) {
		v := a.work[n-1]
		w := a.trail.vars[v].reason
		if a.marks[v]&visitedMark == 0 {
			a.mark(v, visitedMark)
			a.scheduleReason(w)
			continue
		}
		a.work = a.work[:n-1]
		if a.marks[v]&derivedMark == 0 { // else it was on the stack twice
			a.marks[v] |= derivedMark
			a.proof.chain = append(a.proof.chain, a.clauses.refID(w.ref()))
		}
	}
}

func (a *analysis) scheduleReason(w watch) {
	if w.binary() {
		a.scheduleVar(uint32(w.blocker() >> 1))
		return
	}
	for _, k := range a.clauses.lits(w.ref()) {
		a.scheduleVar(k >> 1)
	}
}

// scheduleVar pushes v to the stack of variables that the chain must derive. It
// appends the unit of a root variable at once.
func (a *analysis) scheduleVar(v uint32) {
	switch {
	case a.marks[v]&(derivedMark|visitedMark) != 0:
	case a.trail.vars[v].level == 0:
		a.mark(v, derivedMark)
		a.proof.chain = append(a.proof.chain, a.proof.unitIDs[v])
	default:
		a.work = append(a.work, v)
	}
}

// mark adds a mark to v; unmark clears it.
func (a *analysis) mark(v uint32, mark uint8) {
	a.marks[v] |= mark
	a.minimized = append(a.minimized, v)
}

// unitChain returns the antecedents of the clause that remains of lits when the
// literals false at the root are removed. The id is that of the clause lits.
func (a *analysis) unitChain(lits []dimacs.Lit, id int64) []int64 {
	if !a.proof.hints {
		return nil
	}
	a.proof.chain = a.proof.chain[:0]
	for _, l := range lits {
		// The clause may be as given by the caller, with duplicate literals.
		if a.trail.vals[l] < 0 && a.trail.vars[l>>1].level == 0 && a.marks[l>>1]&derivedMark == 0 {
			a.marks[l>>1] |= derivedMark
			a.proof.chain = append(a.proof.chain, a.proof.unitIDs[l>>1])
		}
	}
	for _, l := range lits {
		a.marks[l>>1] &^= derivedMark
	}
	a.proof.chain = append(a.proof.chain, id)
	return a.proof.chain
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
		lits, id := []dimacs.Lit{x.reason.blocker()}, s.clauses.refID(x.reason.ref())
		if !x.reason.binary() {
			lits = s.clauses.literals(s.clauses.lits(x.reason.ref()))
		}
		chain := s.analysis.unitChain(lits, id)
		s.proof.scratch = append(s.proof.scratch[:0], l)
		s.proof.unitIDs[l>>1] = s.proof.log.Learn(s.proof.scratch, chain)
	}
	x.reason = 0
}

// hintChain returns the chain if the proof has hints, and else nil.
func (p *proofLog) hintChain() []int64 {
	if !p.hints {
		return nil
	}
	return p.chain
}

// refute derives the empty clause from a conflict at the root.
func (s *Solver) refute() {
	if s.proof.log != nil {
		c := s.conflict
		lits := []dimacs.Lit{c.a, c.b}
		if c.ref&1 == 0 {
			lits = s.clauses.literals(s.clauses.lits(c.ref))
		}
		s.proof.log.Learn(nil, s.analysis.unitChain(lits, s.clauses.refID(c.ref)))
	}
	s.inconsistent = true
}
