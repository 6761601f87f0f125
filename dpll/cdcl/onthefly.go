package cdcl

import "sator/dimacs"

// On-the-fly strengthening: self-subsuming resolution during conflict analysis. A
// resolvent that analysis computes may consist of all literals of the last reason except
// the literal resolved on. Then it subsumes this reason and replaces it (Han and Somenzi,
// "On-the-fly clause improvement", SAT 2009; Hamadi, Jabbour, Saïs, "Learning for dynamic
// subsumption", ICTAI 2009). All literals of the shorter clause are false, and analysis
// begins again with it as the conflict. The variables seen so far are bumped before, as
// in Kissat, so that they are bumped twice if the second analysis meets them, too.
//
// A resolvent with a single literal of the conflict's level is the clause to be learned.
// It is minimized and learned, and the reason stays.
//
// A thousandth to a fiftieth of the conflicts strengthen a reason.

// subsumesReason reports whether the resolvent, which has n literals and was computed
// from the reason at r, is this reason without the literal resolved on.
func (s *Solver) subsumesReason(n int, r uint32) bool {
	lits, h := s.clauses.lits(r), s.clauses.arena[r]
	if s.opts.NoStrengthen || n < 2 || n >= len(lits) || h&garbageBit != 0 || h&redundantBit == 0 && s.passes.keepsSymmetries() {
		return false
	}
	size := 0
	for _, w := range lits {
		if s.trail.vars[w>>1].level > 0 {
			size++
		}
	}
	return n == size-1
}

// strengthenReason removes l, and literals false at the root, from its reason at r. The
// result becomes the conflict. It has at least two literals of the current level, which
// it watches: backtracking unassigns both, and l too.
func (s *Solver) strengthenReason(l dimacs.Lit, r uint32) {
	c := s.analysis.withoutLit(l, r)
	id := int64(0)
	if s.proof.log != nil {
		s.analysis.appendResolved()
		id = s.proof.log.Learn(c, s.proof.hintChain())
	}
	s.stats.ReasonsShortened++
	h, glue := s.clauses.arena[r], min(s.clauses.glue(r), len(c)-1)
	redundant := h&redundantBit != 0
	s.clauses.unwatch(r)
	s.clauses.deleteClause(r)
	at := s.clauses.addClause(c, redundant, glue, id)
	s.conflict = conflict{ref: at, a: c[0], b: c[1]}
	if at&1 == 0 {
		s.clauses.arena[at] |= h & usedMask
	}
	if at&1 != 0 || redundant {
		s.sharing.export(c, glue, id)
	}
}

// withoutLit returns the literals of the clause at r above the root except l, with two
// literals of the current level in front.
func (a *analysis) withoutLit(l dimacs.Lit, r uint32) []dimacs.Lit {
	current := uint32(len(a.trail.levels) - 1)
	c, front := a.clause[:0], 0
	for _, w := range a.clauses.lits(r) {
		lev := a.trail.vars[w>>1].level
		if w == uint32(l) || lev == 0 {
			continue
		}
		c = append(c, dimacs.Lit(w))
		if last := len(c) - 1; lev == current && front < 2 {
			c[front], c[last] = c[last], c[front]
			front++
		}
	}
	a.clause = c
	return c
}
