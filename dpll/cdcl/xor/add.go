package xor

import (
	"math"
	"slices"
)

// The sum of two rows in a proof; see parity_proof.go.

// A cursor goes along the variables of a statement.
type cursor struct {
	*statement
	prefixes []uint32 // of one variable, two variables and so on
	at       int      // how many variables it has passed
}

func (p *rowProver) cursor(r int) *cursor {
	t := &p.statements[r]
	w := &cursor{statement: t, prefixes: make([]uint32, len(t.vars)-1)}
	n := t.prefix
	for i := range slices.Backward(w.prefixes) {
		w.prefixes[i] = n
		n = p.prefixes[n].of
	}
	return w
}

// next returns the variable in front of a cursor.
func (w *cursor) next() uint32 {
	if w.at == len(w.vars) {
		return math.MaxUint32
	}
	return w.vars[w.at]
}

// step takes a cursor past a variable. It returns the relation of the prefixes before
// and behind with the variable, if that says anything.
func (p *rowProver) step(w *cursor) *relation {
	w.at++
	switch w.at {
	case len(w.vars):
		return &w.end
	case 1:
		return &relation{}
	}
	return &p.prefixes[w.prefixes[w.at-1]].def
}

// sumOf returns the prefix behind which a cursor is. At the beginning it is the empty
// one; at the end, where it is what the row says, it counts as empty.
func (w *cursor) sumOf() (n uint32, odd bool) {
	switch w.at {
	case 0:
		return 0, false
	case len(w.vars):
		return 0, w.statement.odd
	}
	return w.prefixes[w.at-1], false
}

// add makes a statement of row r, which is the sum of two others.
func (p *rowProver) add(r, a, b int) {
	c, d, t := p.cursor(a), p.cursor(b), &p.statements[r]
	t.odd = p.rows[r].odd
	t.vars = symmetricDifference(nil, c.vars, d.vars)
	sum := uint32(0) // prefix of t
	between := relation{}
	for v := min(c.next(), d.next()); v != math.MaxUint32; v = min(c.next(), d.next()) {
		old := sum
		from := []*relation{&between}
		if c.next() != d.next() {
			sum = p.extend(sum, v)
			from = append(from, &p.prefixes[sum].def)
		}
		for _, w := range [2]*cursor{c, d} {
			if w.next() == v {
				from = append(from, p.step(w))
			}
		}
		vars, odd := p.apart(c, d, sum)
		if len(vars) == 0 && odd {
			p.prove(nil, v, from)
			p.host.Refute()
			return
		}
		next := p.between(vars, odd, v, from)
		p.disown(&between)
		between = next
		if sum != old {
			p.release(old)
		}
	}
	p.conclude(t, sum, &between)
}

// apart returns the variables of the prefixes of the two rows and of their sum, but
// for those that are equal, and the sum that they must have.
func (p *rowProver) apart(c, d *cursor, sum uint32) (vars []uint32, odd bool) {
	x, oddC := c.sumOf()
	y, oddD := d.sumOf()
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

// between returns the relation of these variables. It may be there already.
func (p *rowProver) between(vars []uint32, odd bool, v uint32, from []*relation) relation {
	if len(vars) == 0 {
		return relation{}
	}
	sorted := slices.Sorted(slices.Values(vars))
	for _, x := range from[1:] {
		if x.odd == odd && len(x.vars) == len(vars) && slices.Equal(slices.Sorted(slices.Values(x.vars)), sorted) {
			y := *x
			y.own = false
			return y
		}
	}
	return p.derive(vars, odd, v, from...)
}

// conclude makes the statement of the prefix of all its variables and the relation
// that says what that is.
func (p *rowProver) conclude(t *statement, sum uint32, total *relation) {
	if len(t.vars) == 1 {
		t.end = *total
		p.release(sum)
		return
	}
	x := p.prefixes[sum]
	t.end = p.derive([]uint32{p.prefixes[x.of].v, x.last}, t.odd, x.last, &x.def, total)
	t.prefix = x.of
	p.prefixes[x.of].uses++
	p.disown(total)
	p.release(sum)
}
