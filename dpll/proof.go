package dpll

import "sator/dimacs"

// What a tree says as a proof. When a conflict closes a node, the open
// decisions, those above it whose second branch has not been tried, cannot all
// be true: the clause of their complements follows by unit propagation. It is
// learned, and it is why the deepest of them is false in its second branch; so
// the propagation of the checker gets as far as the search does, with the open
// decisions alone. When the second branch fails too, the clause without that
// decision follows, and the longer one is dropped. The refutation ends with the
// empty clause, and under assumptions with the clause of the complements of
// those that failed: each clause contains the assumptions blamed so far.
//
// Pure literals are not in it. Nothing that is derived below one uses it, as
// pure.go shows, so that there is no need to say why it may be assigned, which
// would take RAT steps: with those, no clause could come later that has the
// complement.
//
// Tautologies are dropped when they are given. A literal twice in a clause does
// no harm.
//
// Hints are not given: a tree's proof is as long as its tree, and whoever wants
// it short lets a checker trim it.

// lemmas are the clauses of the proof that hold now, the deepest last.
type lemmas struct {
	stack []lemma
	lits  []dimacs.Lit
}

// A lemma is a clause of the proof: the literals from where the one before it
// ends up to end. It is why the literal at place on the trail is true, and goes
// with it.
type lemma struct {
	id    int64
	place int
	end   int
}

// proving reports whether this call is told to a proof. What an enumeration
// excludes is not refuted.
func (s *Solver) proving() bool { return s.proof != nil && s.enum == nil }

// proveConflict learns why the node at hand is closed.
func (s *Solver) proveConflict() (id int64) {
	if !s.proving() {
		return 0
	}
	c := s.clause[:0]
	for _, l := range s.failed {
		c = append(c, l^1)
	}
	for i := range s.levels[s.roots:] {
		if x := &s.levels[s.roots+i]; !x.flipped {
			c = append(c, x.decision^1)
		}
	}
	s.clause = c
	return s.proof.Learn(c, nil)
}

// proveFailed learns that the assumptions that failed, of which l was found
// false, cannot all be true. If one is the complement of another, that needs no
// proof.
func (s *Solver) proveFailed(l dimacs.Lit) {
	if !s.proving() || s.reasons[l>>1] == decided {
		return
	}
	s.keepLemma(s.proveConflict(), 0)
}

// keepLemma keeps the clause in scratch as long as the trail is longer than place.
func (s *Solver) keepLemma(id int64, place int) {
	if id == 0 {
		return
	}
	m := &s.lemmas
	m.lits = append(m.lits, s.clause...)
	m.stack = append(m.stack, lemma{id, place, len(m.lits)})
}

// forgetLemmas drops what goes when the trail is cut to this length.
func (s *Solver) forgetLemmas(to int) {
	m := &s.lemmas
	for n := len(m.stack) - 1; n >= 0 && m.stack[n].place >= to; n-- {
		start := 0
		if n > 0 {
			start = m.stack[n-1].end
		}
		s.proof.Delete(m.stack[n].id, m.lits[start:])
		m.lits, m.stack = m.lits[:start], m.stack[:n]
	}
}
