package families

import "sator/dimacs"

// Circuits that multiply, each of an architecture of its own. Numbers are
// wires, lowest bit first, two bits at least; the product of n and m bits has n+m.

// multiply returns the product of two numbers by the array of adders that long
// multiplication is: for each bit of x a row adds y to what the rows above hand
// down, and gives a bit of the product.
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

// multiplyTree returns the product of two numbers by a tree: all products of
// two bits are there at once, adders turn three bits of the same value into one
// and a carry until two of each are left, and a chain adds these (Wallace, A
// Suggestion for a Fast Multiplier, 1964).
func (c *circuit) multiplyTree(x, y []dimacs.Lit) []dimacs.Lit {
	columns := make([][]dimacs.Lit, len(x)+len(y))
	for i, bit := range x {
		for j, z := range c.times(y, bit) {
			columns[i+j] = append(columns[i+j], z)
		}
	}
	return c.flatten(columns)
}

// multiplyBooth returns the product of two numbers by half as many rows, which
// are added as those of the tree are. Two bits of x at a time, and the one
// below them, are a digit from -2 to 2 (Booth, A Signed Binary Multiplication
// Technique, 1951; MacSorley, High-Speed Arithmetic in Binary Computers, 1961):
// the row of the digit is 0, y or 2y, and if the digit is negative its
// complement, up to the last place, and 1.
func (c *circuit) multiplyBooth(x, y []dimacs.Lit) []dimacs.Lit {
	columns := make([][]dimacs.Lit, len(x)+len(y))
	put := func(place int, l dimacs.Lit) {
		if l != zero {
			columns[place] = append(columns[place], l)
		}
	}
	at := func(number []dimacs.Lit, i int) dimacs.Lit {
		if i < 0 || i >= len(number) {
			return zero
		}
		return number[i]
	}
	for i := 0; i <= len(x); i += 2 {
		low, middle, negative := at(x, i-1), at(x, i), at(x, i+1)
		single := c.parity(middle, low)
		double := c.choice(negative, c.and(middle.Not(), low.Not()), c.and(middle, low))
		for place := i; place < len(columns); place++ {
			j := place - i
			bit := c.or(c.and(single, at(y, j)), c.and(double, at(y, j-1)))
			put(place, c.parity(bit, negative))
		}
		put(i, negative)
	}
	return c.flatten(columns)
}

// flatten adds up columns of bits.
func (c *circuit) flatten(columns [][]dimacs.Lit) []dimacs.Lit {
	c.compress(columns, 2)
	var rows [2][]dimacs.Lit
	for _, column := range columns {
		column = append(column, zero, zero)
		rows[0] = append(rows[0], column[0])
		rows[1] = append(rows[1], column[1])
	}
	return c.addWord(rows[0], rows[1])
}
