package card

import (
	"math"
	"slices"

	"sator/dimacs"
)

// Generalized totalizer (Joshi, Martins and Manquinho, "Generalized totalizer encoding
// for pseudo-Boolean constraints", CP 2015): a tree as in the totalizer, whose nodes have
// an output for each sum that their terms can have. Sums above the limit are one output.
// There can be exponentially many sums; equal weights, and a small bound, make them few.

// A sumCounter is a node. Output i is true if the sum is at least values[i].
type sumCounter struct {
	left, right *sumCounter // nil for a leaf
	values      []int64     // ascending, positive
	out         []dimacs.Lit
}

// sumLimit returns the value that stands for all larger sums.
func sumLimit(terms []Term, low, high int64) int64 {
	if high < totalOf(terms) {
		return high + 1
	}
	return low
}

// newSumCounter returns the tree of the terms, without outputs of inner nodes. It
// returns nil if the up clauses are more than most.
func newSumCounter(terms []Term, limit int64, most int) *sumCounter {
	if len(terms) == 1 {
		return &sumCounter{values: []int64{min(terms[0].Weight, limit)}, out: []dimacs.Lit{terms[0].Lit}}
	}
	a := newSumCounter(terms[:len(terms)/2], limit, most)
	if a == nil {
		return nil
	}
	b := newSumCounter(terms[len(terms)/2:], limit, most)
	if b == nil || (len(a.values)+1)*(len(b.values)+1) > most {
		return nil
	}
	c := &sumCounter{left: a, right: b}
	for i := range len(a.values) + 1 {
		for j := range len(b.values) + 1 {
			if i+j > 0 {
				c.values = append(c.values, min(a.sum(i)+b.sum(j), limit))
			}
		}
	}
	slices.Sort(c.values)
	c.values = slices.Compact(c.values)
	return c
}

// sum returns the value of index i-1, or 0 for i = 0.
func (c *sumCounter) sum(i int) int64 {
	if i == 0 {
		return 0
	}
	return c.values[i-1]
}

// index returns the number of outputs with values up to v.
func (c *sumCounter) index(v int64) int {
	i, found := slices.BinarySearch(c.values, v)
	if found {
		i++
	}
	return i
}

// totalizerSum writes a generalized totalizer.
func (e *Encoder) totalizerSum(terms []Term, low, high int64) {
	bounded := high < totalOf(terms)
	limit := sumLimit(terms, low, high)
	root := newSumCounter(sorted(terms), limit, math.MaxInt)
	e.writeSums(root, limit, bounded || e.Define, low > 0 || e.Define)
	if bounded && root.values[len(root.values)-1] == limit {
		e.add(root.out[len(root.out)-1].Not())
	}
	if low > 0 { // the smallest sum that is at least low
		i, _ := slices.BinarySearch(root.values, low)
		e.add(at(root.out, i+1))
	}
}

// writeSums writes the outputs of a node. The up clauses make the outputs true for the
// sum of the children. The down clauses make the output after the sum false, and the
// outputs ordered.
func (e *Encoder) writeSums(c *sumCounter, limit int64, up, down bool) {
	if c.left == nil {
		return
	}
	a, b := c.left, c.right
	e.writeSums(a, limit, up, down)
	e.writeSums(b, limit, up, down)
	c.out = e.newLits(len(c.values))
	for i := range len(a.values) + 1 {
		for j := range len(b.values) + 1 {
			k := c.index(min(a.sum(i)+b.sum(j), limit))
			if up {
				e.add(at(a.out, i).Not(), at(b.out, j).Not(), at(c.out, k))
			}
			if down {
				e.add(at(a.out, i+1), at(b.out, j+1), at(c.out, k+1).Not())
			}
		}
	}
	if down {
		for k := 1; k < len(c.out); k++ {
			e.add(c.out[k].Not(), c.out[k-1])
		}
	}
}
