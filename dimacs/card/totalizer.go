package card

import (
	"fmt"

	"sator/dimacs"
)

// Totalizer (Bailleux and Boufkhad, "Efficient CNF encoding of Boolean cardinality
// constraints", CP 2003): a balanced tree over the literals, whose nodes are the numbers
// of true literals below them, in unary. A node counts only up to the bound plus one.
//
// The tree can be extended after its clauses were given to a solver (Martins, Joshi,
// Manquinho and Lynce, "Incremental cardinality constraints for MaxSAT", CP 2014): a
// higher bound adds outputs and clauses to all nodes, and further literals add a new
// root above the old one. No clause becomes wrong by that. The outputs of a node up to m
// need the outputs of its children up to m alone, so that the clauses for a higher bound
// are those for the sums above the old one.

// A Totalizer counts literals for bounds that are not known in advance. It writes
// clauses when a bound is asked for. It belongs to its encoder.
type Totalizer struct {
	e        *Encoder
	up, down bool
	root     *counter
}

// A counter is a node of a totalizer.
type counter struct {
	left, right *counter // nil for a leaf
	size        int      // number of literals
	out         []dimacs.Lit
}

// NewTotalizer returns a totalizer of the literals, which are copied. It writes no
// clause yet.
func (e *Encoder) NewTotalizer(lits []dimacs.Lit) *Totalizer {
	e.grow(lits)
	return &Totalizer{e: e, up: true, down: e.Define, root: newCounter(lits)}
}

// newCounter returns the root of a balanced tree over the literals.
func newCounter(lits []dimacs.Lit) *counter {
	n := len(lits)
	if n < 2 {
		return &counter{size: n, out: append([]dimacs.Lit(nil), lits...)}
	}
	return &counter{left: newCounter(lits[:n/2]), right: newCounter(lits[n/2:]), size: n}
}

// Len returns the number of literals.
func (t *Totalizer) Len() int { return t.root.size }

// Append adds literals. Literals that AtLeast has returned remain valid as they were:
// they count the literals at that time.
func (t *Totalizer) Append(lits ...dimacs.Lit) {
	t.e.grow(lits)
	switch {
	case len(lits) == 0:
	case t.root.size == 0:
		t.root = newCounter(lits)
	default:
		more := newCounter(lits)
		t.root = &counter{left: t.root, right: more, size: t.root.size + more.size}
	}
}

// AtLeast returns a literal that is true if at least k of the literals are true; with
// Define at NewTotalizer, also only if. To assume its complement is to bound the number
// by k-1. AtLeast writes the clauses up to k that are missing. It panics unless
// 1 <= k <= Len().
func (t *Totalizer) AtLeast(k int) dimacs.Lit {
	if k < 1 || k > t.root.size {
		panic(fmt.Sprintf("card: a bound of %d for a totalizer of %d literals", k, t.root.size))
	}
	t.extend(t.root, k)
	return t.root.out[k-1]
}

// AtMost bounds the number of true literals for good. A bound of Len() and more writes
// nothing, a negative one the empty clause.
func (t *Totalizer) AtMost(k int) {
	switch {
	case k < 0:
		t.e.add()
	case k < t.root.size:
		t.e.add(t.AtLeast(k + 1).Not())
	}
}

// extend writes the outputs of a node up to the limit.
func (t *Totalizer) extend(c *counter, limit int) {
	limit = min(limit, c.size)
	if len(c.out) >= limit {
		return
	}
	t.extend(c.left, limit)
	t.extend(c.right, limit)
	a, b := c.left.out, c.right.out
	for m := len(c.out) + 1; m <= limit; m++ {
		o := t.e.newLit()
		c.out = append(c.out, o)
		if t.up {
			for i := max(0, m-c.right.size); i <= min(m, c.left.size); i++ {
				t.e.add(at(a, i).Not(), at(b, m-i).Not(), o)
			}
		}
		if t.down {
			for i := max(0, m-1-c.right.size); i <= min(m-1, c.left.size); i++ {
				t.e.add(at(a, i+1), at(b, m-i), o.Not())
			}
		}
	}
}

// totalizer writes a totalizer with fixed bounds.
func (e *Encoder) totalizer(lits []dimacs.Lit, low, high int) {
	t := &Totalizer{e: e, up: high < len(lits) || e.Define, down: low > 0 || e.Define, root: newCounter(lits)}
	if high < len(lits) {
		e.add(t.AtLeast(high + 1).Not())
	}
	if low > 0 {
		e.add(t.AtLeast(low))
	}
}
