package cdcl

import (
	"slices"

	"sator/dimacs"
)

// Assumptions are the first decisions (Eén and Sörensson, "Temporal induction by
// incremental SAT solving", 2003). Backjumps and restarts may unassign them, and
// then they are decided again. When an assumption is false, analyzeFinal follows
// the reasons back to the assumptions that imply its complement: the failed ones,
// also called the core.
//
// Consecutive calls often begin with the same assumptions. The levels of this
// common prefix stay on the trail with all their implications (Nadel, "Introducing
// Intel SAT Solver", SAT 2022). New clauses can only be connected at the root, so
// that no level is reused after an addition.

// reuseAssumptions discards the answer of the last call and backtracks, except for
// the levels of the assumptions with which the next call begins, too.
func (s *Solver) reuseAssumptions(assumptions []dimacs.Lit) {
	s.requireSpace()
	removed := func(l dimacs.Lit) bool { return !s.removal.active(uint32(l >> 1)) }
	if s.clauses.pending.len > 0 || int(s.clauses.unwatched) < len(s.clauses.arena) || s.interrupted() || slices.ContainsFunc(assumptions, removed) {
		s.reset()
		return
	}
	s.call.state = steady
	same := 0
	for same < min(len(assumptions), len(s.call.assumptions)) && assumptions[same] == s.call.assumptions[same] {
		same++
	}
	s.backtrack(same)
}

// assume decides the assumption l. It returns false if l is false.
func (s *Solver) assume(l dimacs.Lit) bool {
	switch {
	case s.trail.vals[l] < 0:
		s.analyzeFinal(l)
		return false
	case s.trail.vals[l] > 0:
		s.trail.openLevel(l)
	default:
		s.decideLit(l)
	}
	return true
}

// analyzeFinal finds the assumptions that imply the complement of the assumption l.
func (s *Solver) analyzeFinal(l dimacs.Lit) {
	if s.user != nil {
		s.user.explainFinal(l)
	}
	s.call.failed = append(s.call.failed[:0], l)
	x := s.trail.vars[l>>1]
	switch {
	case x.level == 0:
		return
	case x.reason == 0: // the complement is an assumption, too
		s.call.failed = append(s.call.failed, l^1)
		return
	}
	s.analysis.work = append(s.analysis.work[:0], uint32(l>>1))
	s.analysis.marks[l>>1] |= seenMark
	for i := 0; i < len(s.analysis.work); i++ {
		v := s.analysis.work[i]
		switch w := s.trail.vars[v].reason; {
		case w == 0:
			s.call.failed = append(s.call.failed, literal(v, s.trail.vals[2*v]))
		case w.binary():
			s.analysis.analyzeFinalLit(w.blocker())
		default:
			for _, k := range s.clauses.lits(w.ref()) {
				s.analysis.analyzeFinalLit(dimacs.Lit(k))
			}
		}
	}
	for _, v := range s.analysis.work {
		s.analysis.marks[v] = 0
	}
	s.proveFailed(l)
}

func (a *analysis) analyzeFinalLit(l dimacs.Lit) {
	v := uint32(l >> 1)
	if a.marks[v]&seenMark == 0 && a.trail.vars[v].level > 0 {
		a.marks[v] |= seenMark
		a.work = append(a.work, v)
	}
}

// proveFailed logs to the proof the clause of the complements of the failed
// assumptions, and its deletion, since the solver does not keep the clause.
func (s *Solver) proveFailed(l dimacs.Lit) {
	if s.proof.log == nil {
		return
	}
	c := make([]dimacs.Lit, len(s.call.failed))
	for i, k := range s.call.failed {
		c[i] = k ^ 1
	}
	if s.proof.hints {
		s.analysis.explainLit(l^1, c[1:])
	}
	id := s.proof.log.Learn(c, s.proof.hintChain())
	s.proof.log.Delete(id, c)
}
