package card

import (
	"math/bits"

	"sator/dimacs"
)

// Adders (Warners, "A linear-time transformation of linear inequalities into conjunctive
// normal form", 1998; Eén and Sörensson, "Translating pseudo-Boolean constraints into
// SAT", 2006). The literals are put into a bucket for each bit of their weights. Full
// adders take three literals of a bucket and return one, and a carry for the next bucket.
// The binary number that remains is compared with the bounds. The size is linear in the
// bits of all weights, and unit propagation is weak. The sums and carries are functions
// of their inputs, with Define or without it.

// adderSum writes adders.
func (e *Encoder) adderSum(terms []Term, low, high int64) {
	var buckets [64][]dimacs.Lit
	for _, t := range terms {
		for w := uint64(t.Weight); w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			buckets[i] = append(buckets[i], t.Lit)
		}
	}
	number := make([]dimacs.Lit, len(buckets)) // the bits of the sum
	for i := range buckets {
		number[i] = falseLit
		for queue := buckets[i]; len(queue) > 0; {
			if len(queue) == 1 {
				number[i] = queue[0]
				break
			}
			c := falseLit
			if len(queue) > 2 {
				c = queue[2]
			}
			sum, carry := e.addBits(queue[0], queue[1], c)
			queue = append(queue[min(3, len(queue)):], sum)
			buckets[i+1] = append(buckets[i+1], carry)
		}
	}
	e.numberAtMost(number, uint64(high))
	if low > 0 {
		e.numberAtMost(negated(number), ^uint64(low))
	}
}

// addBits returns the sum and the carry of three bits, the last of which may be false.
func (e *Encoder) addBits(a, b, c dimacs.Lit) (sum, carry dimacs.Lit) {
	sum, carry = e.newLit(), e.newLit()
	for signs := range dimacs.Lit(8) {
		x, y, z := a^signs&1, b^signs>>1&1, c^signs>>2
		s := sum ^ (signs^signs>>1^signs>>2)&1
		e.add(x, y, z, s.Not()) // all three false: the sum of complemented bits
	}
	for _, pair := range [][2]dimacs.Lit{{a, b}, {a, c}, {b, c}} {
		e.add(pair[0].Not(), pair[1].Not(), carry)
		e.add(pair[0], pair[1], carry.Not())
	}
	return sum, carry
}

// numberAtMost writes that a binary number is at most bound: where the bound has a bit
// 0, the number has a 0 too, or a 0 at a higher bit where the bound has a 1.
func (e *Encoder) numberAtMost(number []dimacs.Lit, bound uint64) {
	for i := range number {
		if bound>>i&1 == 1 {
			continue
		}
		clause := []dimacs.Lit{number[i].Not()}
		for j := i + 1; j < len(number); j++ {
			if bound>>j&1 == 1 {
				clause = append(clause, number[j].Not())
			}
		}
		e.add(clause...)
	}
}
