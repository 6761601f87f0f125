package xor

import (
	"math"
	"slices"
)

// The sum of two constraints in a proof. A cursor walks over the variables of each
// summand, in order. At each position, the prefix of the sum equals the sum of the prefixes
// of the two summands. This invariant is an XOR constraint of three variables, with four
// clauses. The four clauses of the next position follow
// from these clauses and the definitions of two prefixes by a case split on the variable
// between the positions, in eight steps. At the end the prefixes of the summands are
// constants, and so is the prefix of the sum.
//
// Equal prefixes are one variable and cancel out. So where one of the three prefixes is
// empty, the other two are the same variable, and nothing is derived.

// A cursor is a position among the variables of a prefix form.
type cursor struct {
	*prefixForm
	prefixes []uint32 // prefixes[i] has the first i+1 variables
	pos      int      // number of variables passed
}

// cursor returns a cursor at the start of constraint r.
func (p *prover) cursor(r int) *cursor {
	t := &p.forms[r]
	w := &cursor{prefixForm: t, prefixes: make([]uint32, len(t.vars)-1)}
	n := t.prefix
	for i := range slices.Backward(w.prefixes) {
		w.prefixes[i] = n
		n = p.prefixes[n].parent
	}
	return w
}

// next returns the variable at the cursor, or math.MaxUint32 at the end.
func (w *cursor) next() uint32 {
	if w.pos == len(w.vars) {
		return math.MaxUint32
	}
	return w.vars[w.pos]
}

// advance moves a cursor past a variable. It returns the clauses that connect the prefix
// before the variable, the variable, and the prefix after it.
func (p *prover) advance(w *cursor) *xorClauses {
	w.pos++
	switch w.pos {
	case len(w.vars):
		return &w.final
	case 1:
		return &xorClauses{}
	}
	return &p.prefixes[w.prefixes[w.pos-1]].def
}

// prefixSum returns the prefix of the variables passed, and a constant to add to it. At
// the end the sum of all variables is a constant, and the prefix is empty.
func (w *cursor) prefixSum() (n uint32, odd bool) {
	switch w.pos {
	case 0:
		return 0, false
	case len(w.vars):
		return 0, w.prefixForm.odd
	}
	return w.prefixes[w.pos-1], false
}

// proveSum derives the prefix form of constraint r, the sum of constraints a and b.
func (p *prover) proveSum(r, a, b int) {
	c, d, t := p.cursor(a), p.cursor(b), &p.forms[r]
	t.odd = p.constraints[r].odd
	t.vars = symmetricDifference(nil, c.vars, d.vars)
	sum := uint32(0) // prefix of t
	invariant := xorClauses{}
	for v := min(c.next(), d.next()); v != math.MaxUint32; v = min(c.next(), d.next()) {
		old := sum
		premises := []*xorClauses{&invariant}
		if c.next() != d.next() {
			sum = p.extend(sum, v)
			premises = append(premises, &p.prefixes[sum].def)
		}
		for _, w := range [2]*cursor{c, d} {
			if w.next() == v {
				premises = append(premises, p.advance(w))
			}
		}
		vars, odd := p.invariantVars(c, d, sum)
		if len(vars) == 0 && odd {
			p.prove(nil, v, premises)
			p.host.Refute()
			return
		}
		next := p.deriveInvariant(vars, odd, v, premises)
		p.deleteClauses(&invariant)
		invariant = next
		if sum != old {
			p.releasePrefix(old)
		}
	}
	p.concludeSum(t, sum, &invariant)
}

// invariantVars returns the variables of the three prefixes, without those that cancel
// out, and their sum.
func (p *prover) invariantVars(c, d *cursor, sum uint32) (vars []uint32, odd bool) {
	x, oddC := c.prefixSum()
	y, oddD := d.prefixSum()
	for _, n := range [3]uint32{x, y, sum} {
		if n == 0 {
			continue
		}
		v := p.prefixes[n].v
		if i := slices.Index(vars, v); i >= 0 {
			vars = slices.Delete(vars, i, i+1)
		} else {
			vars = append(vars, v)
		}
	}
	return vars, oddC != oddD
}

// deriveInvariant returns the clauses of the invariant over vars, where v is the variable
// that the cursors passed. If a premise is the same constraint, it returns the clauses of
// the premise.
func (p *prover) deriveInvariant(vars []uint32, odd bool, v uint32, premises []*xorClauses) xorClauses {
	if len(vars) == 0 {
		return xorClauses{}
	}
	sorted := slices.Sorted(slices.Values(vars))
	for _, x := range premises[1:] {
		if x.odd == odd && len(x.vars) == len(vars) && slices.Equal(slices.Sorted(slices.Values(x.vars)), sorted) {
			y := *x
			y.owned = false
			return y
		}
	}
	return p.derive(vars, odd, v, premises...)
}

// concludeSum derives the final clauses of a sum from the prefix of all its variables and
// the invariant at the end, by which this prefix is a constant.
func (p *prover) concludeSum(t *prefixForm, sum uint32, total *xorClauses) {
	if len(t.vars) == 1 {
		t.final = *total
		p.releasePrefix(sum)
		return
	}
	x := p.prefixes[sum]
	t.final = p.derive([]uint32{p.prefixes[x.parent].v, x.last}, t.odd, x.last, &x.def, total)
	t.prefix = x.parent
	p.prefixes[x.parent].uses++
	p.deleteClauses(total)
	p.releasePrefix(sum)
}
