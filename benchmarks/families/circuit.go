package families

import (
	"math/bits"
	"slices"

	"sator/dimacs"
)

// A circuit is made of gates, each of which is a variable for its output and
// the clauses that make this variable equal to the gate's function (Tseitin,
// On the Complexity of Derivation in Propositional Calculus, 1968). Every wire
// has a value as well, computed from those of the inputs, so that a circuit
// with the right inputs comes with a model.
//
// An input of a gate may be constant, zero or one, and two may be the same wire
// or complements. Then there is a smaller gate instead, or none, so that no
// clause has a constant, or a variable twice.
type circuit struct {
	f     *dimacs.Formula
	model dimacs.Model
	gates int   // made so far
	fault fault // what is wrong with the circuit
}

// A fault is a gate whose output is wrong for one assignment of its inputs.
type fault struct {
	gate int  // counted from 1; 0 if nothing is wrong
	row  uint // the assignment: its bits are the inputs, the first one lowest
}

// The constants are literals of no variable. Each is the complement of the
// other.
const (
	one  dimacs.Lit = 1<<32 - 2
	zero dimacs.Lit = 1<<32 - 1
)

func isConstant(l dimacs.Lit) bool { return l >= one }

// wire returns a new variable with a value.
func (c *circuit) wire(value bool) dimacs.Lit {
	l := dimacs.Var(len(c.model)).Lit()
	c.model = append(c.model, dimacs.False)
	if value {
		c.model.Set(l)
	}
	return l
}

// inputs returns n wires, the bits of x from the lowest on.
func (c *circuit) inputs(n int, x uint64) []dimacs.Lit {
	wires := make([]dimacs.Lit, n)
	for i := range wires {
		wires[i] = c.wire(x>>i&1 != 0)
	}
	return wires
}

// constant returns the bits of x from the lowest on.
func constant(n int, x uint64) []dimacs.Lit {
	wires := make([]dimacs.Lit, n)
	for i := range wires {
		wires[i] = zero
		if x>>i&1 != 0 {
			wires[i] = one
		}
	}
	return wires
}

func (c *circuit) value(l dimacs.Lit) bool {
	return l == one || l != zero && c.model.Lit(l) == dimacs.True
}

// number returns the value of wires, lowest bit first.
func (c *circuit) number(wires []dimacs.Lit) uint64 {
	x := uint64(0)
	for i, l := range wires {
		if c.value(l) {
			x |= 1 << i
		}
	}
	return x
}

// fix adds the clauses which say that the wires have the value of x. It panics
// if one of them is constant and has another one, since then there is no
// formula left to be made.
func (c *circuit) fix(wires []dimacs.Lit, x uint64) {
	for i, l := range wires {
		if x>>i&1 == 0 {
			l = l.Not()
		}
		switch {
		case l == zero:
			panic("families: a constant is fixed to its complement")
		case l != one:
			c.f.Add(l)
		}
	}
}

func (c *circuit) and(a, b dimacs.Lit) dimacs.Lit {
	switch {
	case a == zero || b == one || a == b:
		return a
	case b == zero || a == one:
		return b
	case a == b.Not():
		return zero
	case c.broken():
		return c.faulty(func(x uint) bool { return x == 3 }, a, b)
	}
	z := c.wire(c.value(a) && c.value(b))
	c.f.Add(z.Not(), a)
	c.f.Add(z.Not(), b)
	c.f.Add(z, a.Not(), b.Not())
	return z
}

func (c *circuit) or(a, b dimacs.Lit) dimacs.Lit { return c.and(a.Not(), b.Not()).Not() }

// parity returns the sum of up to three wires modulo 2.
func (c *circuit) parity(in ...dimacs.Lit) dimacs.Lit {
	vars := make([]dimacs.Var, 0, 4)
	sign := dimacs.Lit(0) // the sum of what is not a variable
	for _, l := range in {
		sign ^= l & 1
		if isConstant(l) {
			sign ^= 1 // the even one is one
			continue
		}
		if i := slices.Index(vars, l.Var()); i >= 0 {
			vars = slices.Delete(vars, i, i+1)
		} else {
			vars = append(vars, l.Var())
		}
	}
	switch {
	case len(vars) == 0:
		return zero ^ sign
	case len(vars) == 1:
		return vars[0].Lit() ^ sign
	case c.broken():
		lits := make([]dimacs.Lit, len(vars))
		for i, v := range vars {
			lits[i] = v.Lit()
		}
		return c.faulty(func(x uint) bool { return bits.OnesCount(x)%2 != 0 }, lits...) ^ sign
	}
	odd := sign != 0
	for _, v := range vars {
		odd = odd != c.value(v.Lit())
	}
	z := c.wire(odd)
	addParity(c.f, append(vars, z.Var()), sign != 0)
	return z
}

// majority returns the wire that is what at least two of three are.
func (c *circuit) majority(a, b, d dimacs.Lit) dimacs.Lit {
	// If two inputs are of one variable, or if one is constant, it is turned to
	// where it is looked for.
	switch {
	case a|1 == d|1 || isConstant(b):
		b, d = d, b
	case b|1 == d|1 || isConstant(a):
		a, d = d, a
	}
	switch {
	case a == b:
		return a
	case a == b.Not():
		return d
	case d == zero:
		return c.and(a, b)
	case d == one:
		return c.or(a, b)
	case c.broken():
		return c.faulty(func(x uint) bool { return bits.OnesCount(x) >= 2 }, a, b, d)
	}
	z := c.wire(c.value(a) && c.value(b) || c.value(d) && (c.value(a) || c.value(b)))
	for _, p := range [3][2]dimacs.Lit{{a, b}, {a, d}, {b, d}} {
		c.f.Add(z, p[0].Not(), p[1].Not())
		c.f.Add(z.Not(), p[0], p[1])
	}
	return z
}

// choice returns the wire that is a where s is 1, and b where s is 0.
func (c *circuit) choice(s, a, b dimacs.Lit) dimacs.Lit {
	switch {
	case s == one || a == b:
		return a
	case s == zero:
		return b
	case a == b.Not():
		return c.parity(s, b)
	case a == one || a == s:
		return c.or(s, b)
	case a == zero || a == s.Not():
		return c.and(s.Not(), b)
	case b == one || b == s.Not():
		return c.or(s.Not(), a)
	case b == zero || b == s:
		return c.and(s, a)
	case c.broken():
		return c.faulty(func(x uint) bool { return x&3 == 3 || x&5 == 4 }, s, a, b)
	}
	z := c.wire(c.value(s) && c.value(a) || !c.value(s) && c.value(b))
	c.f.Add(s.Not(), a.Not(), z)
	c.f.Add(s.Not(), a, z.Not())
	c.f.Add(s, b.Not(), z)
	c.f.Add(s, b, z.Not())
	// These two follow, and let the output be known where a and b agree.
	c.f.Add(a.Not(), b.Not(), z)
	c.f.Add(a, b, z.Not())
	return z
}

// broken counts a gate, and reports whether it is the one with the fault.
func (c *circuit) broken() bool {
	c.gates++
	return c.gates == c.fault.gate
}

// faulty returns the output of a gate of that function which is wrong in the
// row of the fault: one clause for each row.
func (c *circuit) faulty(function func(row uint) bool, in ...dimacs.Lit) dimacs.Lit {
	wrong := c.fault.row % (1 << len(in))
	output := func(row uint) bool { return function(row) != (row == wrong) }
	z := c.wire(output(uint(c.number(in))))
	clause := make([]dimacs.Lit, len(in)+1)
	for row := range uint(1) << len(in) {
		for i, l := range in {
			clause[i] = l ^ dimacs.Lit(row>>i&1)
		}
		clause[len(in)] = z
		if !output(row) {
			clause[len(in)] = z.Not()
		}
		c.f.Add(clause...)
	}
	return z
}
