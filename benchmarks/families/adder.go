package families

import (
	"math"
	"math/bits"
	"slices"

	"sator/dimacs"
)

// Circuits that add, each of an architecture of its own, so that a formula can
// ask whether two of them are the same function. Numbers are wires, lowest bit
// first.

// add returns the sum of two numbers by a chain of adders that hand on their
// carries. The sum has one bit more than b, and a has no more bits than b.
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

// addCarry returns the sum of two numbers of the same length and a carry, which
// may be constant. The sum has one bit more.
func (c *circuit) addCarry(a, b []dimacs.Lit, carry dimacs.Lit) []dimacs.Lit {
	sum := make([]dimacs.Lit, 0, len(a)+1)
	for i := range a {
		sum = append(sum, c.parity(a[i], b[i], carry))
		carry = c.majority(a[i], b[i], carry)
	}
	return append(sum, carry)
}

// addWord returns the sum of two words of the same length modulo 2 to that
// length.
func (c *circuit) addWord(a, b []dimacs.Lit) []dimacs.Lit {
	top := len(a) - 1
	sum := c.addCarry(a[:top], b[:top], zero)
	sum[top] = c.parity(a[top], b[top], sum[top])
	return sum
}

// addLookahead returns the sum of two numbers of the same length, one bit
// longer, by looking ahead for the carries (Kogge and Stone, A Parallel
// Algorithm for the Efficient Solution of a General Class of Recurrence
// Equations, 1973). A block of places generates a carry, or hands one on that
// comes in. Two neighbouring blocks make one of the sum of their lengths, so
// that after log n rounds it is known of all blocks which begin at the lowest
// place.
func (c *circuit) addLookahead(a, b []dimacs.Lit) []dimacs.Lit {
	n := len(a)
	half := make([]dimacs.Lit, n)  // the sums without carries
	makes := make([]dimacs.Lit, n) // whether the block that ends here makes a carry
	hands := make([]dimacs.Lit, n) // whether it hands one on
	for i := range a {
		half[i] = c.parity(a[i], b[i])
		makes[i] = c.and(a[i], b[i])
	}
	copy(hands, half)
	for length := 1; length < n; length *= 2 {
		for i := n - 1; i >= length; i-- {
			makes[i] = c.or(makes[i], c.and(hands[i], makes[i-length]))
			if i >= 2*length {
				hands[i] = c.and(hands[i], hands[i-length])
			}
		}
	}
	sum := []dimacs.Lit{half[0]}
	for i := 1; i < n; i++ {
		sum = append(sum, c.parity(half[i], makes[i-1]))
	}
	return append(sum, makes[n-1])
}

// addSelect returns the sum of two numbers of the same length, one bit longer,
// in blocks of about the root of the length. All blocks but the first are added
// twice, with a carry and without, and the carry that arrives selects one of
// the sums (Bedrij, Carry-Select Adder, 1962).
func (c *circuit) addSelect(a, b []dimacs.Lit) []dimacs.Lit {
	n := len(a)
	block := max(1, int(math.Round(math.Sqrt(float64(n)))))
	sum := c.addCarry(a[:block], b[:block], zero)
	for i := block; i < n; i += block {
		end := min(i+block, n)
		carry := sum[i]
		with := c.addCarry(a[i:end], b[i:end], one)
		without := c.addCarry(a[i:end], b[i:end], zero)
		sum = sum[:i]
		for j := range with {
			sum = append(sum, c.choice(carry, with[j], without[j]))
		}
	}
	return sum
}

// compress adds up columns of bits, of which column i has the value 2^i each,
// until no column has more bits than the height, 1 or 2. Three bits of a column
// become one and a carry into the next column, and so do two if the height is
// 1. The oldest bits go first, so that the adders form a tree. Carries out of
// the last column are dropped.
func (c *circuit) compress(columns [][]dimacs.Lit, height int) {
	for i := range columns {
		for len(columns[i]) > height {
			in := [3]dimacs.Lit{zero, zero, zero}
			n := copy(in[:], columns[i])
			columns[i] = append(columns[i][n:], c.parity(in[:]...))
			if i+1 < len(columns) {
				columns[i+1] = append(columns[i+1], c.majority(in[0], in[1], in[2]))
			}
		}
	}
}

// sumOf returns the number of wires that are 1. There must be one.
func (c *circuit) sumOf(wires []dimacs.Lit) []dimacs.Lit {
	columns := make([][]dimacs.Lit, bits.Len(uint(len(wires))))
	columns[0] = slices.Clone(wires)
	c.compress(columns, 1)
	sum := make([]dimacs.Lit, len(columns))
	for i, column := range columns {
		sum[i] = column[0]
	}
	return sum
}

// atMost adds the clauses which say that a number is at most k: where k has a
// zero the number has one too, unless it lacks one of the ones of k above.
func (c *circuit) atMost(number []dimacs.Lit, k uint64) {
	var above []dimacs.Lit
	for i := len(number) - 1; i >= 0; i-- {
		if k>>i&1 != 0 {
			above = append(above, number[i].Not())
		} else {
			c.f.Add(append(slices.Clone(above), number[i].Not())...)
		}
	}
}
