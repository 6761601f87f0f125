package circuit

import "fmt"

// Words are unsigned numbers in binary, the least significant bit first.

// Constant returns a number as a word of so many bits. It panics if the number has more.
func Constant(n uint64, bits int) []Signal {
	word := make([]Signal, bits)
	for i := range word {
		word[i] = Signal(n & 1)
		n >>= 1
	}
	if n != 0 {
		panic(fmt.Sprintf("circuit: a constant has more than %d bits", bits))
	}
	return word
}

// bit returns bit i of a word, or False beyond its end.
func bit(word []Signal, i int) Signal {
	if i >= len(word) {
		return False
	}
	return word[i]
}

// Add returns a plus b plus the bit carry, as a word one bit longer than the longer of a
// and b (a ripple-carry adder of full adders).
func (g *Graph) Add(a, b []Signal, carry Signal) []Signal {
	sum := make([]Signal, 0, max(len(a), len(b))+1)
	for i := range max(len(a), len(b)) {
		x, y := bit(a, i), bit(b, i)
		sum = append(sum, g.Xor(g.Xor(x, y), carry))
		carry = g.Majority(x, y, carry)
	}
	return append(sum, carry)
}

// Multiply returns a times b, as a word of len(a)+len(b) bits (an array multiplier).
func (g *Graph) Multiply(a, b []Signal) []Signal {
	product := make([]Signal, len(a)+len(b))
	for i, x := range a {
		row := make([]Signal, len(b))
		for k, y := range b {
			row[k] = g.and(x, y)
		}
		copy(product[i:], g.Add(product[i:i+len(b)], row, False))
	}
	return product
}

// Less returns "a is less than b". The shorter word is extended by False.
func (g *Graph) Less(a, b []Signal) Signal {
	less := False
	for i := range max(len(a), len(b)) { // the highest bit that differs decides
		less = g.Ite(g.Xor(bit(a, i), bit(b, i)), bit(b, i), less)
	}
	return less
}

// EqualWords returns "a equals b". The shorter word is extended by False.
func (g *Graph) EqualWords(a, b []Signal) Signal {
	equal := make([]Signal, max(len(a), len(b)))
	for i := range equal {
		equal[i] = g.Equal(bit(a, i), bit(b, i))
	}
	return g.And(equal...)
}

// Choose returns the word t if c is true, and e otherwise. The shorter word is extended by
// False.
func (g *Graph) Choose(c Signal, t, e []Signal) []Signal {
	word := make([]Signal, max(len(t), len(e)))
	for i := range word {
		word[i] = g.Ite(c, bit(t, i), bit(e, i))
	}
	return word
}
