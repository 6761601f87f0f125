package card

import "sator/dimacs"

// Cardinality network (Asín, Nieuwenhuis, Oliveras and Rodríguez-Carbonell, "Cardinality
// networks: a theoretical and empirical study", Constraints 2011). An odd-even merge
// sorting network (Batcher 1968) sorts the literals, the true ones first, of which only
// the first k+1 outputs are built. Blocks have any size, as in Abío, Nieuwenhuis,
// Oliveras and Rodríguez-Carbonell, "A parametric approach for smaller and better
// encodings of cardinality constraints" (CP 2013), so that n is not rounded up to a power
// of two.

// A network writes comparators: up clauses make the outputs true if the inputs are, down
// clauses only if they are.
type network struct {
	*Encoder
	up, down bool
}

// network writes a cardinality network.
func (e *Encoder) network(lits []dimacs.Lit, low, high int) {
	w := network{e, high < len(lits) || e.Define, low > 0 || e.Define}
	outputs := low
	if high < len(lits) {
		outputs = high + 1
	}
	out := w.sort(lits, outputs)
	if high < len(lits) {
		e.add(out[high].Not())
	}
	if low > 0 {
		e.add(out[low-1])
	}
}

// sort returns the first outputs of the sorted literals, up to the limit.
func (w network) sort(lits []dimacs.Lit, limit int) []dimacs.Lit {
	if len(lits) < 2 {
		return lits
	}
	half := len(lits) / 2
	return w.merge(w.sort(lits[:half], limit), w.sort(lits[half:], limit), limit)
}

// merge returns the first outputs of two merged sequences, up to the limit. The elements
// at odd places of both are merged, and those at even places; then element i+1 of the
// first result is compared with element i of the second. The first result has at most
// two more true elements.
func (w network) merge(a, b []dimacs.Lit, limit int) []dimacs.Lit {
	a, b = a[:min(len(a), limit)], b[:min(len(b), limit)]
	limit = min(limit, len(a)+len(b))
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	case len(a) == 1 && len(b) == 1:
		return w.compare(nil, a[0], b[0], limit)
	}
	odd := w.merge(every2(a, 0), every2(b, 0), limit/2+1)
	even := w.merge(every2(a, 1), every2(b, 1), limit/2)
	out := odd[:1:1]
	for i := 0; len(out) < limit; i++ {
		switch {
		case i >= len(even):
			out = append(out, odd[i+1])
		case i+1 >= len(odd):
			out = append(out, even[i])
		default:
			out = w.compare(out, odd[i+1], even[i], limit)
		}
	}
	return out
}

// every2 returns every second literal.
func every2(lits []dimacs.Lit, from int) []dimacs.Lit {
	var half []dimacs.Lit
	for i := from; i < len(lits); i += 2 {
		half = append(half, lits[i])
	}
	return half
}

// compare appends the disjunction of two literals and, below the limit, their
// conjunction.
func (w network) compare(out []dimacs.Lit, a, b dimacs.Lit, limit int) []dimacs.Lit {
	either := w.newLit()
	out = append(out, either)
	if w.up {
		w.add(a.Not(), either)
		w.add(b.Not(), either)
	}
	if w.down {
		w.add(a, b, either.Not())
	}
	if len(out) >= limit {
		return out
	}
	both := w.newLit()
	if w.up {
		w.add(a.Not(), b.Not(), both)
	}
	if w.down {
		w.add(a, both.Not())
		w.add(b, both.Not())
	}
	return append(out, both)
}
