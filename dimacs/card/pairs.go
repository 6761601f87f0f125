package card

import "sator/dimacs"

// The pairwise encoding, for larger bounds called binomial: of any k+1 literals one is
// false. It has no new variables, propagates best, and is small if k is near 0 or n.

// pairs writes a clause for each high+1 literals, and one for each n-low+1 literals.
func (e *Encoder) pairs(lits []dimacs.Lit, low, high int) {
	if high < len(lits) {
		e.subsets(negated(lits), nil, high+1)
	}
	if low > 0 {
		e.subsets(lits, nil, len(lits)-low+1)
	}
}

// subsets writes the clauses that consist of the literals of clause and so many others,
// in lexicographic order.
func (e *Encoder) subsets(lits, clause []dimacs.Lit, more int) {
	if more == 0 {
		e.add(clause...)
		return
	}
	for i := 0; i+more <= len(lits); i++ {
		e.subsets(lits[i+1:], append(clause, lits[i]), more-1)
	}
}
