package congruence

import (
	"slices"

	"sator/dimacs"
)

// An if-then-else x of c, t and e has the ids of the clauses that say, in this order:
// c and x imply t; c and t imply x; without c, x implies e; without c, e implies x.

func (c *closure) rewriteIte(i uint32) {
	g := &c.gates[i]
	*c.budget.Ticks++
	x, r := c.triple(g)
	switch {
	case c.vals[r[0]] != 0:
		if c.vals[r[0]] < 0 {
			c.turnIte(g)
		}
		c.choose(i)
	case r[0]|1 == x|1:
		c.settled(i)
	case c.vals[r[1]] != 0 || r[0]|1 == r[1]|1:
		c.turnIte(g)
		c.iteToAnd(i)
	case c.vals[r[2]] != 0 || r[0]|1 == r[2]|1:
		c.iteToAnd(i)
	case r[1] == r[2]:
		c.equate(x, r[1], func(forth bool, _ []dimacs.Lit) { c.explainBranches(i, forth) })
		c.settled(i)
	case r[1] == x || r[2] == x:
		c.settled(i)
	case r[1] == x^1:
		c.refuteCondition(i)
	case r[2] == x^1:
		c.turnIte(g)
		c.refuteCondition(i)
	case r[1] == r[2]^1:
		c.iteToXor(i)
	default:
		if r[0].Neg() {
			c.turnIte(g)
			r[1], r[2] = r[2], r[1]
		}
		if r[1].Neg() {
			c.flipIte(g)
		}
		_, r = c.triple(g)
		c.match(i, r[:], c.explainIte)
	}
}

// triple returns the representatives of the output and the inputs of a gate that has
// three.
func (c *closure) triple(g *gate) (x dimacs.Lit, r [3]dimacs.Lit) {
	for k, a := range c.given(g) {
		r[k] = c.find(a)
	}
	return c.find(g.out), r
}

// turnIte complements the condition and exchanges what it chooses from.
func (c *closure) turnIte(g *gate) {
	in := c.given(g)
	in[0] ^= 1
	in[1], in[2] = in[2], in[1]
	if c.proof != nil {
		k := c.ids[g.ids:]
		k[0], k[1], k[2], k[3] = k[2], k[3], k[0], k[1]
	}
}

// flipIte complements the output and what is chosen from.
func (c *closure) flipIte(g *gate) {
	in := c.given(g)
	g.out ^= 1
	in[1] ^= 1
	in[2] ^= 1
	if c.proof != nil {
		k := c.ids[g.ids:]
		k[0], k[1], k[2], k[3] = k[1], k[0], k[3], k[2]
	}
}

// choose learns that the output equals the second input, since the first is true.
func (c *closure) choose(i uint32) {
	g := &c.gates[i]
	in := c.given(g)
	c.equate(c.find(g.out), c.find(in[1]), func(forth bool, _ []dimacs.Lit) {
		x, t, id := g.out, in[1], c.idsOf(i)[0]
		if !forth {
			x, t, id = x^1, t^1, c.idsOf(i)[1]
		}
		c.down(in[0])
		c.down(x)
		c.down(t ^ 1)
		c.clash(id)
	})
	c.settled(i)
}

// explainBranches: the output equals what both branches are.
func (c *closure) explainBranches(i uint32, forth bool) {
	g := &c.gates[i]
	in, ids := c.given(g), c.idsOf(i)
	x, t, e, n := g.out, in[1], in[2], 0
	if !forth {
		x, t, e, n = x^1, t^1, e^1, 1
	}
	c.down(x)
	c.down(t ^ 1)
	c.imply(in[0]^1, ids[n])
	c.down(e ^ 1)
	c.clash(ids[2+n])
}

// refuteCondition learns that the condition is false, since the output would be its
// own complement.
func (c *closure) refuteCondition(i uint32) {
	g := &c.gates[i]
	in, ids := c.given(g), c.ids[g.ids:]
	x, cond := c.find(g.out), c.find(in[0])
	l := c.lemma(func() {
		c.down(g.out)
		c.down(in[0])
		c.down(in[1] ^ 1)
		c.clash(ids[0])
	}, x^1, cond^1)
	c.deriveUnit(cond^1, func() {
		c.imply(x^1, l.id)
		c.down(g.out ^ 1)
		c.down(in[0])
		c.down(in[1])
		c.clash(ids[1])
	})
	c.retract(l)
	c.settled(i)
}

func (c *closure) explainIte(from, to uint32, goal []dimacs.Lit) {
	p, q := &c.gates[from], &c.gates[to]
	a, b, ids, jds := c.given(p), c.given(q), c.idsOf(from), c.idsOf(to)
	cond := c.find(a[0])
	l := c.split(func() {
		c.down(p.out)
		c.down(a[0])
		c.imply(a[1], ids[0])
		c.up(a[1])
		c.down(b[0])
		c.down(b[1])
		c.down(q.out ^ 1)
		c.clash(jds[1])
	}, append(slices.Clone(goal), cond^1))
	c.begin(goal...)
	c.imply(cond^1, l)
	c.down(a[0] ^ 1)
	c.down(p.out)
	c.imply(a[2], ids[2])
	c.up(a[2])
	c.down(b[0] ^ 1)
	c.down(b[2])
	c.down(q.out ^ 1)
	c.clash(jds[3])
}

// iteToAnd makes a conjunction of an if-then-else whose third input is fixed, or is
// the first or its complement.
func (c *closure) iteToAnd(i uint32) {
	g := &c.gates[i]
	if in := c.given(g); c.vals[in[2]] > 0 || c.vals[in[2]] == 0 && c.find(in[2]) != c.find(in[0]) {
		c.flipIte(g)
	}
	in, x := c.given(g), g.out
	var ids []int64
	if c.proof != nil {
		k := c.ids[g.ids:]
		first := c.restate(func() {
			c.up(in[0] ^ 1)
			c.down(in[2] ^ 1)
			c.clash(k[2])
		}, x^1, in[0])
		second := c.restate(func() {
			c.imply(in[0], first)
			c.clash(k[0])
		}, x^1, in[1])
		ids = []int64{k[1], first, second}
	}
	c.replace(i, andGate, x, in[:2], ids)
}

// replace puts another gate in the place of one that was.
func (c *closure) replace(i uint32, kind gateKind, out dimacs.Lit, inputs []dimacs.Lit, ids []int64) uint32 {
	c.gates[i].dead = true
	c.stats.Reduced++
	return c.addGate(kind, out, slices.Clone(inputs), ids)
}

// iteToXor makes an exclusive or of an if-then-else that chooses from complements.
func (c *closure) iteToXor(i uint32) {
	g := &c.gates[i]
	in := c.given(g)
	lits := []dimacs.Lit{g.out, in[0], in[1]}
	var ids []int64
	if c.proof != nil {
		k := c.ids[g.ids:]
		third := c.restate(func() {
			c.up(in[1])
			c.down(in[2] ^ 1)
			c.clash(k[2])
		}, lits[0]^1, lits[1], lits[2]^1)
		fourth := c.restate(func() {
			c.up(in[1] ^ 1)
			c.down(in[2])
			c.clash(k[3])
		}, lits[0], lits[1], lits[2])
		ids = make([]int64, 4)
		signs := int(lits[0]&1 | lits[1]&1<<1)
		for flips, id := range []int64{fourth, third, k[1], k[0]} {
			ids[flips^signs] = id
		}
	}
	odd := (lits[0]^lits[1]^lits[2])&1 == 0
	for n := range lits {
		lits[n] &^= 1
	}
	c.gates[c.replace(i, xorGate, noLit, lits, ids)].odd = odd
}
