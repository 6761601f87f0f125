package congruence

import (
	"slices"

	"sator/dimacs"
)

// A majority of three has the ids of the clauses that say that two inputs imply it,
// then of those that say that the complements of two imply its complement; each in the
// order of the inputs that are not in them.

func (c *closure) rewriteMaj(i uint32) {
	g := &c.gates[i]
	*c.budget.Ticks++
	x, r := c.triple(g)
	for k := range r {
		if c.vals[r[k]] != 0 {
			c.swapMaj(g, 0, k)
			c.majToAnd(i)
			return
		}
	}
	for k := range r { // the two others
		if a, b := (k+1)%3, (k+2)%3; r[a]|1 == r[b]|1 {
			c.swapMaj(g, k, 2)
			c.merge(i)
			return
		}
	}
	for k := range r {
		switch r[k] {
		case x:
			c.settled(i)
			return
		case x ^ 1:
			c.swapMaj(g, 0, k)
			c.equateMaj(i, 1, 0)
			return
		}
	}
	for _, p := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if r[p[0]] > r[p[1]] {
			c.swapMaj(g, p[0], p[1])
			r[p[0]], r[p[1]] = r[p[1]], r[p[0]]
		}
	}
	if r[0].Neg() {
		c.flipMaj(g)
		_, r = c.triple(g)
	}
	c.match(i, r[:], c.explainMaj)
}

// merge is for a majority whose first two inputs are equal, so that it equals them, or
// complements, so that it equals the third.
func (c *closure) merge(i uint32) {
	g := &c.gates[i]
	in := c.given(g)
	if c.find(in[0]) == c.find(in[1]) {
		c.equateMaj(i, 0, 1)
		return
	}
	c.equate(c.find(g.out), c.find(in[2]), func(forth bool, _ []dimacs.Lit) {
		ids := c.idsOf(i)
		x, a, b, d, n := g.out, in[0], in[1], in[2], 3
		if !forth {
			x, a, b, d, n = x^1, a^1, b^1, d^1, 0
		}
		c.down(x)
		c.down(d ^ 1)
		c.imply(a, ids[n+1])
		c.up(a)
		c.down(b ^ 1)
		c.clash(ids[n])
	})
	c.settled(i)
}

// equateMaj learns that the output of a majority equals its input k, since input m, which
// is one of the first two as k is, equals that or the complement of the output.
func (c *closure) equateMaj(i uint32, k, m int) {
	g := &c.gates[i]
	in := c.given(g)
	c.equate(c.find(g.out), c.find(in[k]), func(forth bool, _ []dimacs.Lit) {
		x, a, b, n := g.out, in[k], in[m], 3
		if !forth {
			x, a, b, n = x^1, a^1, b^1, 0
		}
		c.down(x)
		c.down(a ^ 1)
		c.down(b ^ 1)
		c.clash(c.idsOf(i)[n+2])
	})
	c.settled(i)
}

func (c *closure) swapMaj(g *gate, k, m int) {
	in := c.given(g)
	in[k], in[m] = in[m], in[k]
	if c.proof != nil {
		ids := c.ids[g.ids:]
		ids[k], ids[m] = ids[m], ids[k]
		ids[3+k], ids[3+m] = ids[3+m], ids[3+k]
	}
}

// flipMaj complements the output and all inputs.
func (c *closure) flipMaj(g *gate) {
	g.out ^= 1
	for k := range c.given(g) {
		c.inputs[g.at+uint32(k)] ^= 1
		if c.proof != nil {
			ids := c.ids[g.ids:]
			ids[k], ids[3+k] = ids[3+k], ids[k]
		}
	}
}

// majToAnd makes a conjunction of a majority whose first input is fixed.
func (c *closure) majToAnd(i uint32) {
	g := &c.gates[i]
	if c.vals[c.given(g)[0]] > 0 {
		c.flipMaj(g)
	}
	in := c.given(g)
	var ids []int64
	if c.proof != nil {
		k := c.ids[g.ids:]
		ids = []int64{k[0]}
		for n := 1; n <= 2; n++ {
			ids = append(ids, c.restate(func() {
				c.imply(in[0]^1, 0)
				c.clash(k[3+3-n])
			}, g.out^1, in[n]))
		}
	}
	c.replace(i, andGate, g.out, in[1:], ids)
}

func (c *closure) explainMaj(from, to uint32, goal []dimacs.Lit) {
	p, q := &c.gates[from], &c.gates[to]
	a, b, ids, jds := c.given(p), c.given(q), c.idsOf(from), c.idsOf(to)
	first := c.find(a[0])
	l := c.split(func() {
		c.down(p.out)
		c.down(a[0] ^ 1)
		for k := 1; k <= 2; k++ {
			c.imply(a[k], ids[3+3-k])
			c.up(a[k])
			c.down(b[k])
		}
		c.down(q.out ^ 1)
		c.clash(jds[0])
	}, append(slices.Clone(goal), first))
	c.begin(goal...)
	c.imply(first, l)
	c.down(b[0])
	c.down(q.out ^ 1)
	c.down(p.out)
	for k := 1; k <= 2; k++ {
		c.imply(b[k]^1, jds[3-k])
		c.up(b[k] ^ 1)
		c.down(a[k] ^ 1)
	}
	c.clash(ids[3])
}
