package families

import (
	"math/bits"
	"slices"

	"sator/dimacs"
)

// A circuit is a combinational circuit with its Tseitin encoding: each gate is
// a variable for its output and clauses that define this variable (Tseitin, On
// the Complexity of Derivation in Propositional Calculus, 1968). Every wire
// also has a value, computed from the values of the inputs, so the values are a
// model of the formula.
//
// Inputs of a gate may be the constants zero and one, equal, or complementary.
// Such gates are simplified, so that no clause contains a constant or a
// variable twice.
type circuit struct {
	f     *dimacs.Formula
	model dimacs.Model
	gates int   // number of gates so far
	fault fault // optional fault
}

// A fault is a gate whose output is wrong for one assignment of its inputs.
type fault struct {
	gate int  // number of the gate from 1; 0 is no fault
	row  uint // the assignment: bit i is the value of input i
}

// The constants are literals without a variable. They are complements of each
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

// inputs returns n wires with the bits of x as values, lowest first.
func (c *circuit) inputs(n int, x uint64) []dimacs.Lit {
	return literals(n, func(i int) dimacs.Lit { return c.wire(x>>i&1 != 0) })
}

// constant returns the lowest n bits of x as constants, lowest first.
func constant(n int, x uint64) []dimacs.Lit {
	return literals(n, func(i int) dimacs.Lit { return zero ^ dimacs.Lit(x>>i&1) })
}

func (c *circuit) value(l dimacs.Lit) bool {
	return l == one || l != zero && c.model.Lit(l) == dimacs.True
}

// number returns the number that the values of wires represent, lowest bit
// first.
func (c *circuit) number(wires []dimacs.Lit) uint64 {
	x := uint64(0)
	for i, l := range wires {
		if c.value(l) {
			x |= 1 << i
		}
	}
	return x
}

// fix adds unit clauses that set the wires to x. It panics if a constant wire
// has another value.
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
	case c.atFault():
		return c.faulty(func(x uint) bool { return x == 3 }, a, b)
	}
	z := c.wire(c.value(a) && c.value(b))
	c.f.Add(z.Not(), a)
	c.f.Add(z.Not(), b)
	c.f.Add(z, a.Not(), b.Not())
	return z
}

func (c *circuit) or(a, b dimacs.Lit) dimacs.Lit { return c.and(a.Not(), b.Not()).Not() }

// parity returns the XOR of up to three wires.
func (c *circuit) parity(in ...dimacs.Lit) dimacs.Lit {
	vars := make([]dimacs.Var, 0, 4)
	sign := dimacs.Lit(0) // parity of the constants and negations
	for _, l := range in {
		sign ^= l & 1
		if isConstant(l) {
			sign ^= 1 // one is even, zero is odd
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
	case c.atFault():
		return c.faulty(func(x uint) bool { return bits.OnesCount(x)%2 != 0 }, positive(vars)...) ^ sign
	}
	odd := sign != 0
	for _, v := range vars {
		odd = odd != c.value(v.Lit())
	}
	z := c.wire(odd)
	addParity(c.f, append(vars, z.Var()), sign != 0)
	return z
}

// majority returns the majority of three wires.
func (c *circuit) majority(a, b, d dimacs.Lit) dimacs.Lit {
	// Permute the inputs: two inputs of one variable become a and b, a constant
	// becomes d.
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
	case c.atFault():
		return c.faulty(func(x uint) bool { return bits.OnesCount(x) >= 2 }, a, b, d)
	}
	z := c.wire(c.value(a) && c.value(b) || c.value(d) && (c.value(a) || c.value(b)))
	for _, p := range [3][2]dimacs.Lit{{a, b}, {a, d}, {b, d}} {
		c.f.Add(z, p[0].Not(), p[1].Not())
		c.f.Add(z.Not(), p[0], p[1])
	}
	return z
}

// ite returns an if-then-else gate (multiplexer): a if s is 1, else b.
func (c *circuit) ite(s, a, b dimacs.Lit) dimacs.Lit {
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
	case c.atFault():
		return c.faulty(func(x uint) bool { return x&3 == 3 || x&5 == 4 }, s, a, b)
	}
	z := c.wire(c.value(s) && c.value(a) || !c.value(s) && c.value(b))
	c.f.Add(s.Not(), a.Not(), z)
	c.f.Add(s.Not(), a, z.Not())
	c.f.Add(s, b.Not(), z)
	c.f.Add(s, b, z.Not())
	// These two are implied, and propagate the output if a and b are equal.
	c.f.Add(a.Not(), b.Not(), z)
	c.f.Add(a, b, z.Not())
	return z
}

// atFault counts a gate and reports whether it is the faulty one.
func (c *circuit) atFault() bool {
	c.gates++
	return c.gates == c.fault.gate
}

// faulty returns the output of a gate with that function, except that the
// output is wrong in the row of the fault. It adds one clause per row.
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
