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
// A pure literal does not follow. Assigning it loses models, but not all: the
// clause of the literal and the complements of the open decisions and
// assumptions has the RAT property for the literal, which stands first, as long
// as it is pure. Each clause with the complement is satisfied by some other
// literal, which the checker finds by propagation.
//
//   - The lemmas of nodes that were left would get in the way. They are dropped
//     as soon as they are void, in any case before the next call.
//   - Tautologies are dropped when they are given.
//   - A clause that is given later may have the complement, and then what was
//     derived before does not hold. Therefore a solver with a proof looks for
//     pure literals only if Options.Final promises that none will come.
//
// Hints are not given: a tree's proof is as long as its tree, and whoever wants
// it short lets a checker trim it.

// lemmas are the clauses of the proof that hold now, the deepest last.
type lemmas struct {
	stack []lemma
	lits  []dimacs.Lit
}

// A lemma is a clause of the proof: the literals from where the one before it
// ends up to end. It is void when the trail gets shorter than place.
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
	s.clause = s.appendOpen(c)
	return s.proof.Learn(s.clause, nil)
}

// appendOpen appends the complements of the open decisions.
func (s *Solver) appendOpen(c []dimacs.Lit) []dimacs.Lit {
	for i := range s.levels[s.roots:] {
		if x := &s.levels[s.roots+i]; !x.flipped {
			c = append(c, x.decision^1)
		}
	}
	return c
}

// provePure learns that l, which is pure, may be assigned.
func (s *Solver) provePure(l dimacs.Lit) {
	if !s.proving() {
		return
	}
	c := append(s.clause[:0], l)
	for _, x := range s.levels[:s.roots] {
		c = append(c, x.decision^1)
	}
	s.clause = s.appendOpen(c)
	s.keepLemma(s.proof.Learn(s.clause, nil), len(s.trail))
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

// keepLemma keeps the clause in scratch until the trail gets as short as place.
func (s *Solver) keepLemma(id int64, place int) {
	if id == 0 {
		return
	}
	m := &s.lemmas
	m.lits = append(m.lits, s.clause...)
	m.stack = append(m.stack, lemma{id, place, len(m.lits)})
}

// forgetLemmas drops what is void when the trail has this length.
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
