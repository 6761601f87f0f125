package classic

import "sator/dimacs"

// DRAT proofs of search trees, by clauses with the RUP property (reverse unit
// propagation). When a conflict closes a node, the unflipped decisions above the node
// and the failed assumptions so far cannot all be true, and unit propagation derives
// a conflict from them. The clause of their complements is logged as a lemma. Under
// the other unflipped decisions, the lemma implies the complement of the deepest one,
// which is the next decision of the search. So the checker propagates everything that
// the search does, though it assumes unflipped decisions only. When the second branch
// fails too, the lemma without that decision follows, and the longer lemma is deleted.
// The last lemma is the empty clause or, under assumptions, the clause of the
// complements of the failed assumptions.
//
// The proof contains no pure literals, since nothing below a pure literal depends on
// it, see pure.go. Proving it would take a RAT step, and then no later clause could
// contain its complement.
//
// Tautologies are deleted when they are added. Duplicate literals in a clause are
// harmless.
//
// The proof has no hints. It is as long as the tree; a checker can trim it.

// lemmas is the stack of the lemmas that are not deleted.
type lemmas struct {
	stack []lemma
	lits  []dimacs.Lit // of all lemmas
}

// A lemma is a clause of the proof. Its literals are lemmas.lits from the end of
// the lemma below it to its own end. It implies a literal of the trail, and is
// deleted when that literal is unassigned.
type lemma struct {
	id    int64
	trail int // index of the implied literal on the trail
	end   int
}

// proving reports whether this call is logged to a proof. An enumeration is not:
// the models that it has visited are not refuted.
func (s *Solver) proving() bool { return s.proof != nil && s.enum == nil }

// proveConflict logs the lemma of the conflict that closes the current node. Its
// literals are in s.clause.
func (s *Solver) proveConflict() (id int64) {
	if !s.proving() {
		return 0
	}
	c := s.clause[:0]
	for _, l := range s.failed {
		c = append(c, l^1)
	}
	for i := range s.levels[s.rootLevels:] {
		if x := &s.levels[s.rootLevels+i]; !x.flipped {
			c = append(c, x.decision^1)
		}
	}
	s.clause = c
	return s.proof.Learn(c, nil)
}

// proveFailed logs the lemma that the failed assumptions, including the false
// assumption l, cannot all be true. Complementary assumptions need no proof.
func (s *Solver) proveFailed(l dimacs.Lit) {
	if !s.proving() || s.reasons[l>>1] == decided {
		return
	}
	s.pushLemma(s.proveConflict(), 0)
}

// pushLemma keeps the lemma with the literals s.clause as long as the trail is
// longer than trail. An id of 0 means that there is no proof.
func (s *Solver) pushLemma(id int64, trail int) {
	if id == 0 {
		return
	}
	m := &s.lemmas
	m.lits = append(m.lits, s.clause...)
	m.stack = append(m.stack, lemma{id, trail, len(m.lits)})
}

// popLemmas deletes the lemmas whose literals are unassigned when the trail is cut
// to that length.
func (s *Solver) popLemmas(to int) {
	m := &s.lemmas
	for n := len(m.stack) - 1; n >= 0 && m.stack[n].trail >= to; n-- {
		start := 0
		if n > 0 {
			start = m.stack[n-1].end
		}
		s.proof.Delete(m.stack[n].id, m.lits[start:])
		m.lits, m.stack = m.lits[:start], m.stack[:n]
	}
}
