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
// the levels of the assumptions with which the next call begins, too. It adds the new
// variables of the assumptions.
func (s *Solver) reuseAssumptions(assumptions []dimacs.Lit) {
	for _, l := range assumptions {
		s.Grow(int(l>>1) + 1)
	}
	removed := func(l dimacs.Lit) bool { return !s.active(uint32(l >> 1)) }
	if s.pending.len > 0 || int(s.unwatched) < len(s.arena) || s.interrupted() || s.ctx != nil || slices.ContainsFunc(assumptions, removed) {
		s.reset()
		return
	}
	s.state = steady
	same := 0
	for same < min(len(assumptions), len(s.assumptions)) && assumptions[same] == s.assumptions[same] {
		same++
	}
	s.backtrack(same)
}

// assume decides the assumption l. It returns false if l is false.
func (s *Solver) assume(l dimacs.Lit) bool {
	switch {
	case s.vals[l] < 0:
		s.analyzeFinal(l)
		return false
	case s.vals[l] > 0:
		s.openLevel(l)
	default:
		s.decideLit(l)
	}
	return true
}

// analyzeFinal finds the assumptions that imply the complement of the assumption l.
func (s *Solver) analyzeFinal(l dimacs.Lit) {
	if s.user != nil {
		s.explainFinal(l)
	}
	s.failed = append(s.failed[:0], l)
	x := s.vars[l>>1]
	switch {
	case x.level == 0:
		return
	case x.reason == 0: // the complement is an assumption, too
		s.failed = append(s.failed, l^1)
		return
	}
	s.work = append(s.work[:0], uint32(l>>1))
	s.marks[l>>1] |= seenMark
	for i := 0; i < len(s.work); i++ {
		v := s.work[i]
		switch w := s.vars[v].reason; {
		case w == 0:
			s.failed = append(s.failed, literal(v, s.vals[2*v]))
		case w.binary():
			s.analyzeFinalLit(w.blocker())
		default:
			for _, k := range s.lits(w.ref()) {
				s.analyzeFinalLit(dimacs.Lit(k))
			}
		}
	}
	for _, v := range s.work {
		s.marks[v] = 0
	}
	s.proveFailed(l)
}

func (s *Solver) analyzeFinalLit(l dimacs.Lit) {
	v := uint32(l >> 1)
	if s.marks[v]&seenMark == 0 && s.vars[v].level > 0 {
		s.marks[v] |= seenMark
		s.work = append(s.work, v)
	}
}

// proveFailed logs to the proof the clause of the complements of the failed
// assumptions, and its deletion, since the solver does not keep the clause.
func (s *Solver) proveFailed(l dimacs.Lit) {
	if s.proof == nil {
		return
	}
	c := make([]dimacs.Lit, len(s.failed))
	for i, k := range s.failed {
		c[i] = k ^ 1
	}
	if s.hints {
		s.explainLit(l^1, c[1:])
	}
	id := s.proof.Learn(c, s.hintChain())
	s.proof.Delete(id, c)
}
