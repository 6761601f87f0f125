package families

import "sator/dimacs"

// A circuit is made of gates, each of which is a variable for its output and
// the clauses that make this variable equal to the gate's function (Tseitin,
// On the Complexity of Derivation in Propositional Calculus, 1968). Every wire
// has a value as well, computed from those of the inputs, so that a circuit
// with the right inputs comes with a model.
type circuit struct {
	f     *dimacs.Formula
	model dimacs.Model
}

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
	bits := make([]dimacs.Lit, n)
	for i := range bits {
		bits[i] = c.wire(x>>i&1 != 0)
	}
	return bits
}

func (c *circuit) value(l dimacs.Lit) bool { return c.model.Lit(l) == dimacs.True }

func (c *circuit) and(a, b dimacs.Lit) dimacs.Lit {
	z := c.wire(c.value(a) && c.value(b))
	c.f.Add(z.Not(), a)
	c.f.Add(z.Not(), b)
	c.f.Add(z, a.Not(), b.Not())
	return z
}

// parity returns the sum of the wires modulo 2.
func (c *circuit) parity(in ...dimacs.Lit) dimacs.Lit {
	odd := false
	vars := make([]dimacs.Var, 0, len(in)+1)
	for _, l := range in {
		odd = odd != c.value(l)
		vars = append(vars, l.Var())
	}
	z := c.wire(odd)
	addParity(c.f, append(vars, z.Var()), false)
	return z
}

// majority returns the wire that is what at least two of three are.
func (c *circuit) majority(a, b, d dimacs.Lit) dimacs.Lit {
	z := c.wire(c.value(a) && c.value(b) || c.value(d) && (c.value(a) || c.value(b)))
	for _, p := range [3][2]dimacs.Lit{{a, b}, {a, d}, {b, d}} {
		c.f.Add(z, p[0].Not(), p[1].Not())
		c.f.Add(z.Not(), p[0], p[1])
	}
	return z
}

// add returns the sum of two numbers, lowest bit first, by a chain of adders
// that hand on their carries. The sum has one bit more than b, and a has no
// more bits than b.
func (c *circuit) add(a, b []dimacs.Lit) []dimacs.Lit {
	sum := []dimacs.Lit{c.parity(a[0], b[0])}
	carry := c.and(a[0], b[0])
	for i := 1; i < len(b); i++ {
		if i < len(a) {
			sum = append(sum, c.parity(a[i], b[i], carry))
			carry = c.majority(a[i], b[i], carry)
		} else {
			sum = append(sum, c.parity(b[i], carry))
			carry = c.and(b[i], carry)
		}
	}
	return append(sum, carry)
}

// multiply returns the product of two numbers, lowest bit first, by the array
// of adders that long multiplication is: for each bit of x a row adds y to what
// the rows above hand down, and gives a bit of the product.
func (c *circuit) multiply(x, y []dimacs.Lit) []dimacs.Lit {
	var product []dimacs.Lit
	row := c.times(y, x[0])
	for _, bit := range x[1:] {
		product = append(product, row[0])
		row = c.add(row[1:], c.times(y, bit))
	}
	return append(product, row...)
}

// times returns y if the bit is 1, and 0 otherwise.
func (c *circuit) times(y []dimacs.Lit, bit dimacs.Lit) []dimacs.Lit {
	z := make([]dimacs.Lit, len(y))
	for i := range y {
		z[i] = c.and(y[i], bit)
	}
	return z
}
