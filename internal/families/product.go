package families

import "sator/dimacs"

// Multiplier circuits of several architectures. A number is a slice of at least
// two wires, lowest bit first; the product of n and m bits has n+m bits.

// multiply returns the product by an array multiplier (long multiplication):
// for each bit of x, a row of adders adds y to the sum of the previous rows,
// and outputs a bit of the product.
func (c *circuit) multiply(x, y []dimacs.Lit) []dimacs.Lit {
	var product []dimacs.Lit
	row := c.times(y, x[0])
	for _, bit := range x[1:] {
		product = append(product, row[0])
		row = c.add(row[1:], c.times(y, bit))
	}
	return append(product, row...)
}

// times returns y if the bit is 1, else 0.
func (c *circuit) times(y []dimacs.Lit, bit dimacs.Lit) []dimacs.Lit {
	return literals(len(y), func(i int) dimacs.Lit { return c.and(y[i], bit) })
}

// multiplyTree returns the product by a Wallace tree (A Suggestion for a Fast
// Multiplier, 1964): all bit products are computed in parallel, full adders
// replace three bits of equal weight by one bit and a carry until two of each
// weight remain, and a ripple-carry adder adds these.
func (c *circuit) multiplyTree(x, y []dimacs.Lit) []dimacs.Lit {
	columns := make([][]dimacs.Lit, len(x)+len(y))
	for i, bit := range x {
		for j, z := range c.times(y, bit) {
			columns[i+j] = append(columns[i+j], z)
		}
	}
	return c.addColumns(columns)
}

// multiplyBooth returns the product by radix-4 Booth recoding, which halves the
// number of rows (Booth, A Signed Binary Multiplication Technique, 1951;
// MacSorley, High-Speed Arithmetic in Binary Computers, 1961). Two bits of x
// and the bit below them encode a digit from -2 to 2. The row of a digit is 0,
// y or 2y; for a negative digit it is complemented, with sign extension, and 1
// is added. The rows are added as in multiplyTree.
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
		double := c.ite(negative, c.and(middle.Not(), low.Not()), c.and(middle, low))
		for place := i; place < len(columns); place++ {
			j := place - i
			bit := c.or(c.and(single, at(y, j)), c.and(double, at(y, j-1)))
			put(place, c.parity(bit, negative))
		}
		put(i, negative)
	}
	return c.addColumns(columns)
}

// addColumns returns the sum of columns of bits.
func (c *circuit) addColumns(columns [][]dimacs.Lit) []dimacs.Lit {
	c.compress(columns, 2)
	var rows [2][]dimacs.Lit
	for _, column := range columns {
		column = append(column, zero, zero)
		rows[0] = append(rows[0], column[0])
		rows[1] = append(rows[1], column[1])
	}
	return c.addWord(rows[0], rows[1])
}
