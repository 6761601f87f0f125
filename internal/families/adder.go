package families

import (
	"math"
	"math/bits"
	"slices"

	"sator/dimacs"
)

// Adder circuits of several architectures, for miters (equivalence checking) of
// two of them. A number is a slice of wires, lowest bit first.

// add returns the sum of two numbers by a ripple-carry adder. The sum has one
// bit more than b; a must not be longer than b.
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

// addCarry returns the sum of two numbers of equal length and a carry-in, which
// may be constant. The sum has one bit more.
func (c *circuit) addCarry(a, b []dimacs.Lit, carry dimacs.Lit) []dimacs.Lit {
	sum := make([]dimacs.Lit, 0, len(a)+1)
	for i := range a {
		sum = append(sum, c.parity(a[i], b[i], carry))
		carry = c.majority(a[i], b[i], carry)
	}
	return append(sum, carry)
}

// addWord returns the sum of two words of equal length n modulo 2^n.
func (c *circuit) addWord(a, b []dimacs.Lit) []dimacs.Lit {
	top := len(a) - 1
	sum := c.addCarry(a[:top], b[:top], zero)
	sum[top] = c.parity(a[top], b[top], sum[top])
	return sum
}

// addLookahead returns the sum of two numbers of equal length by a Kogge-Stone
// carry-lookahead adder (A Parallel Algorithm for the Efficient Solution of a
// General Class of Recurrence Equations, 1973). The sum has one bit more. A
// block of positions generates a carry or propagates its carry-in. Two adjacent
// blocks form a block of their combined length, so after log n rounds the
// carries of all blocks that begin at the lowest position are known.
func (c *circuit) addLookahead(a, b []dimacs.Lit) []dimacs.Lit {
	n := len(a)
	half := make([]dimacs.Lit, n)      // sums without carries
	generate := make([]dimacs.Lit, n)  // the block that ends here generates a carry
	propagate := make([]dimacs.Lit, n) // the block that ends here propagates its carry-in
	for i := range a {
		half[i] = c.parity(a[i], b[i])
		generate[i] = c.and(a[i], b[i])
	}
	copy(propagate, half)
	for length := 1; length < n; length *= 2 {
		for i := n - 1; i >= length; i-- {
			generate[i] = c.or(generate[i], c.and(propagate[i], generate[i-length]))
			if i >= 2*length {
				propagate[i] = c.and(propagate[i], propagate[i-length])
			}
		}
	}
	sum := []dimacs.Lit{half[0]}
	for i := 1; i < n; i++ {
		sum = append(sum, c.parity(half[i], generate[i-1]))
	}
	return append(sum, generate[n-1])
}

// addSelect returns the sum of two numbers of equal length by a carry-select
// adder (Bedrij, Carry-Select Adder, 1962). The sum has one bit more. Blocks
// have about the square root of the length. All blocks but the first are added
// twice, with and without carry-in, and the carry from below selects one of the
// sums.
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
			sum = append(sum, c.ite(carry, with[j], without[j]))
		}
	}
	return sum
}

// compress reduces columns of bits, where column i has the weight 2^i, until no
// column has more than height bits, 1 or 2. A full adder replaces three bits of
// a column by one bit and a carry into the next column; with height 1, a half
// adder does the same for two bits. The oldest bits are added first, so the
// adders form a tree. Carries out of the last column are dropped.
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

// popcount returns the number of wires that are 1. The slice must not be empty.
func (c *circuit) popcount(wires []dimacs.Lit) []dimacs.Lit {
	columns := make([][]dimacs.Lit, bits.Len(uint(len(wires))))
	columns[0] = slices.Clone(wires)
	c.compress(columns, 1)
	return literals(len(columns), func(i int) dimacs.Lit { return columns[i][0] })
}

// atMost adds clauses for number <= k: where k has a 0 bit, the number has a 0
// bit too, unless a higher 1 bit of k is 0 in the number.
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
