package families

import (
	"sator/dimacs"
)

// Bounded model checking of a linear feedback shift register (LFSR). In each
// step the register is shifted, and the bit shifted out is added to some of the
// others: as a polynomial modulo 2, the state is multiplied by x modulo the
// polynomial of the register. With a primitive polynomial of degree n, the
// register visits all 2^n-1 nonzero states before the first repetition (Golomb,
// Shift Register Sequences, 1967).
//
// The formula states that some state repeats earlier. Each step is linear, so
// Gaussian elimination modulo 2 refutes the repetition for each number of steps
// separately; for resolution these are long parity constraints. The polynomial
// is random, with about half of the bits in the feedback.

var bmcLFSR = &Family{
	Name:   "bmc-lfsr",
	Help:   "BMC: does a linear feedback shift register repeat a state in some steps? unsatisfiable below its period",
	Source: "Biere, Cimatti, Clarke and Zhu, Symbolic Model Checking without BDDs, 1999",
	Params: []Param{
		{"bits", Int, 10, 3, 32, "bits of the register"},
		{"steps", Int, 40, 1, 1 << 20, "number of steps; satisfiable from 2^bits-1 on"}},
	build: buildBMCLFSR,
}

func buildBMCLFSR(v Values, r *rng) (*Instance, error) {
	n, steps := v.int("bits"), v.int("steps")
	if _, err := count(6 * float64(n) * float64(steps)); err != nil {
		return nil, err
	}
	p := r.primitive(n)
	c := &circuit{f: new(dimacs.Formula)}
	first := c.inputs(n, 1)
	c.f.Add(first...) // not zero
	state := first
	back := make([]dimacs.Lit, steps) // the state equals the first one
	for i := range back {
		state = c.shift(state, p)
		back[i] = c.wire(c.number(state) == c.number(first))
		c.equalIf(back[i], state, first)
	}
	c.f.Add(back...)
	inst := newInstance(c.f, dimacs.Unsatisfiable, "a shift register of %d bits with the primitive polynomial %#x, which is in a state, but not in zero, again after up to %d steps", n, p, steps)
	if steps >= 1<<n-1 {
		inst.Answer, inst.Model = dimacs.Satisfiable, c.model
	}
	return inst, nil
}

// shift returns the state after one step: the bits are shifted up, and the
// highest bit is added at each term of the polynomial.
func (c *circuit) shift(state []dimacs.Lit, p uint64) []dimacs.Lit {
	n := len(state)
	next := make([]dimacs.Lit, n)
	next[0] = state[n-1]
	for i := 1; i < n; i++ {
		next[i] = state[i-1]
		if p>>i&1 != 0 {
			next[i] = c.parity(state[i-1], state[n-1])
		}
	}
	return next
}

// primitive returns a random primitive polynomial modulo 2 of degree n, 3 <= n
// <= 32. Bit i is the coefficient of x^i.
func (r *rng) primitive(n int) uint64 {
	for {
		if p := 1<<n | 2*r.below(1<<(n-1)) | 1; isPrimitive(p, n) {
			return p
		}
	}
}

// isPrimitive reports whether a polynomial of degree n with a constant term is
// primitive: x has the order 2^n-1 modulo the polynomial, so its powers are all
// nonzero polynomials. It suffices to check the exponent 2^n-1 and its maximal
// proper divisors.
func isPrimitive(p uint64, n int) bool {
	period := uint64(1)<<n - 1
	if powerOfX(period, p, n) != 1 {
		return false
	}
	rest := period
	for d := uint64(2); rest > 1; d++ {
		if d*d > rest {
			d = rest
		}
		if rest%d != 0 {
			continue
		}
		for rest%d == 0 {
			rest /= d
		}
		if powerOfX(period/d, p, n) == 1 {
			return false
		}
	}
	return true
}

// powerOfX returns x^e modulo the polynomial p of degree n.
func powerOfX(e, p uint64, n int) uint64 {
	power, square := uint64(1), uint64(2)
	for ; e > 0; e >>= 1 {
		if e&1 != 0 {
			power = timesModulo(power, square, p, n)
		}
		square = timesModulo(square, square, p, n)
	}
	return power
}

// timesModulo returns the product of two polynomials modulo p of degree n.
func timesModulo(a, b, p uint64, n int) uint64 {
	product := uint64(0)
	for ; b > 0; b >>= 1 {
		if b&1 != 0 {
			product ^= a
		}
		a <<= 1
		if a>>n&1 != 0 {
			a ^= p
		}
	}
	return product
}
