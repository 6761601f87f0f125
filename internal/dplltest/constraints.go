package dplltest

import (
	"math/bits"

	"sator/dimacs"
)

// A builder adds constraints to a formula as clauses.
type builder struct{ *dimacs.Formula }

func newBuilder(vars int) builder { return builder{dimacs.NewFormula(vars)} }

// fresh returns the positive literal of a new variable.
func (b builder) fresh() dimacs.Lit { return b.NewVar().Lit() }

// freshes returns the positive literals of n new variables.
func (b builder) freshes(n int) []dimacs.Lit {
	ls := make([]dimacs.Lit, n)
	for i := range ls {
		ls[i] = b.fresh()
	}
	return ls
}

// parity adds the constraint that the number of true literals is odd, or even, with
// a clause for each of the 2^(n-1) wrong assignments.
func (b builder) parity(odd bool, ls ...dimacs.Lit) {
	for wrong := range uint(1) << len(ls) {
		if bits.OnesCount(wrong)%2 == 1 == odd {
			continue
		}
		c := make([]dimacs.Lit, len(ls))
		for i, l := range ls {
			c[i] = negateIf(l, wrong>>i&1 != 0)
		}
		b.Add(c...)
	}
}

// equal adds the constraint that l and k have the same value.
func (b builder) equal(l, k dimacs.Lit) {
	b.Add(l.Not(), k)
	b.Add(l, k.Not())
}

// atMostOne adds the constraint that at most one of the literals is true.
func (b builder) atMostOne(ls ...dimacs.Lit) {
	for i, l := range ls {
		for _, k := range ls[:i] {
			b.Add(k.Not(), l.Not())
		}
	}
}

// exactlyOne adds the constraint that exactly one of the literals is true.
func (b builder) exactlyOne(ls ...dimacs.Lit) {
	b.Add(ls...)
	b.atMostOne(ls...)
}

// and returns a new literal that is equal to the conjunction of l and k.
func (b builder) and(l, k dimacs.Lit) dimacs.Lit {
	out := b.fresh()
	b.Add(out.Not(), l)
	b.Add(out.Not(), k)
	b.Add(out, l.Not(), k.Not())
	return out
}

// or returns a new literal that is equal to the disjunction of l and k.
func (b builder) or(l, k dimacs.Lit) dimacs.Lit { return b.and(l.Not(), k.Not()).Not() }

// xor returns a new literal that is true if l and k differ.
func (b builder) xor(l, k dimacs.Lit) dimacs.Lit {
	out := b.fresh()
	b.parity(false, out, l, k)
	return out
}

// ite returns a new literal that is equal to yes if c is true, and to no otherwise.
func (b builder) ite(c, yes, no dimacs.Lit) dimacs.Lit {
	out := b.fresh()
	b.Add(c.Not(), yes.Not(), out)
	b.Add(c.Not(), yes, out.Not())
	b.Add(c, no.Not(), out)
	b.Add(c, no, out.Not())
	return out
}

// negateIf returns the complement of l if neg is true, and l otherwise.
func negateIf(l dimacs.Lit, neg bool) dimacs.Lit {
	if neg {
		return l.Not()
	}
	return l
}
