package card

import "sator/dimacs"

// Modulo totalizer (Ogawa, Liu, Hasegawa, Koshimura and Fujita, "Modulo based CNF
// encoding of cardinality constraints and its application to MaxSAT solvers", ICTAI
// 2013): a totalizer whose numbers are a quotient and a remainder, both in unary. With a
// modulus near the square root of the bound a node needs only that many outputs. The
// price is propagation: the remainder of a sum depends on its carry, which unit
// propagation does not always know.

// A moduloCounter writes numbers modulo p, up to a limit of the quotient.
type moduloCounter struct {
	*Encoder
	p, limit int
	up, down bool
}

// A quotRem is a number q*p+r in unary.
type quotRem struct{ q, r []dimacs.Lit }

// modulo writes a modulo totalizer. A lower bound alone is an upper bound of the
// complements.
func (e *Encoder) modulo(lits []dimacs.Lit, low, high int) {
	if high == len(lits) {
		e.modulo(negated(lits), 0, len(lits)-low)
		return
	}
	w := &moduloCounter{Encoder: e, p: modulus(high), up: true, down: low > 0 || e.Define}
	w.limit = high/w.p + 1
	n := w.count(lits)
	q, r := high/w.p, high%w.p
	e.add(at(n.q, q+1).Not())
	e.add(at(n.q, q).Not(), at(n.r, r+1).Not())
	if low > 0 {
		q, r = low/w.p, low%w.p
		e.add(at(n.q, q))
		e.add(at(n.q, q+1), at(n.r, r))
	}
}

// modulus returns the modulus for a bound: the square root of the numbers up to the
// bound plus one, rounded up, and at least 2.
func modulus(high int) int {
	p := 2
	for p*p < high+2 {
		p++
	}
	return p
}

// count returns the number of true literals.
func (w *moduloCounter) count(lits []dimacs.Lit) quotRem {
	if len(lits) == 1 {
		return quotRem{r: lits}
	}
	half := len(lits) / 2
	a, b := w.count(lits[:half]), w.count(lits[half:])
	carry := falseLit
	if len(a.r)+len(b.r) >= w.p {
		carry = w.carry(a.r, b.r)
	}
	return quotRem{w.quotient(a.q, b.q, carry), w.remainder(a.r, b.r, carry)}
}

// carry returns the literal "a+b is at least p".
func (w *moduloCounter) carry(a, b []dimacs.Lit) dimacs.Lit {
	c := w.newLit()
	for i := 0; i <= len(a); i++ {
		if j := w.p - i; w.up && 0 <= j && j <= len(b) {
			w.add(at(a, i).Not(), at(b, j).Not(), c)
		}
		if j := w.p - 1 - i; w.down && 0 <= j && j <= len(b) {
			w.add(at(a, i+1), at(b, j+1), c.Not())
		}
	}
	return c
}

// remainder returns a+b, less p if the carry is true.
func (w *moduloCounter) remainder(a, b []dimacs.Lit, carry dimacs.Lit) []dimacs.Lit {
	out := w.newLits(min(w.p-1, len(a)+len(b)))
	for i := 0; i <= len(a); i++ {
		for j := 0; j <= len(b); j++ {
			less, more := at(a, i).Not(), at(b, j).Not() // not a >= i, not b >= j
			above, beyond := at(a, i+1), at(b, j+1)      // a > i, b > j
			sum := i + j
			if w.up && sum < w.p {
				w.add(less, more, carry, at(out, sum))
			}
			if w.up && sum > w.p {
				w.add(less, more, at(out, sum-w.p))
			}
			if w.down && sum < len(out) {
				w.add(above, beyond, carry, out[sum].Not())
			}
			if w.down && sum >= w.p && sum-w.p < len(out) {
				w.add(above, beyond, carry.Not(), out[sum-w.p].Not())
			}
		}
	}
	// After a carry the remainder is at most len(a)+len(b)-p. The loop has excluded the
	// output above that; here are the others.
	if w.down && carry != falseLit {
		for m := len(a) + len(b) - w.p + 2; m <= len(out); m++ {
			w.add(carry.Not(), out[m-1].Not())
		}
	}
	return out
}

// quotient returns a+b, plus 1 if the carry is true, up to the limit.
func (w *moduloCounter) quotient(a, b []dimacs.Lit, carry dimacs.Lit) []dimacs.Lit {
	most := len(a) + len(b)
	if carry != falseLit {
		most++
	}
	out := w.newLits(min(w.limit, most))
	for m := 1; m <= len(out); m++ {
		for i := 0; i <= min(m, len(a)); i++ {
			if w.up && m-i <= len(b) {
				w.add(at(a, i).Not(), at(b, m-i).Not(), out[m-1])
			}
			if w.up && m-1-i >= 0 && m-1-i <= len(b) {
				w.add(at(a, i).Not(), at(b, m-1-i).Not(), carry.Not(), out[m-1])
			}
			// a <= i and b <= j: the sum is at most i+j, plus the carry.
			if j := m - 1 - i; w.down && j >= 0 && j <= len(b) {
				w.add(at(a, i+1), at(b, j+1), carry, out[m-1].Not())
			}
			if j := m - 2 - i; w.down && j >= 0 && j <= len(b) {
				w.add(at(a, i+1), at(b, j+1), out[m-1].Not())
			}
		}
	}
	return out
}
