package congruence

import (
	"slices"

	"sator/dimacs"
)

// rewriteMaj rewrites a majority gate of three inputs. The first three ids belong to
// the clauses by which two inputs imply the output, the other three to the clauses by
// which the complements of two inputs imply the complement of the output. The k-th
// clause of each three does not contain input k.
func (c *closure) rewriteMaj(i uint32) {
	g := &c.gates[i]
	*c.budget.Ticks++
	x, r := c.ternaryReps(g)
	for k := range r {
		if c.vals[r[k]] != 0 {
			c.swapMajInputs(g, 0, k)
			c.majToAnd(i)
			return
		}
	}
	for k := range r {
		if a, b := (k+1)%3, (k+2)%3; r[a]|1 == r[b]|1 {
			c.swapMajInputs(g, k, 2)
			c.rewriteMajPair(i)
			return
		}
	}
	for k := range r {
		switch r[k] {
		case x:
			c.discard(i)
			return
		case x ^ 1:
			c.swapMajInputs(g, 0, k)
			c.mergeMaj(i, 1, 0)
			return
		}
	}
	for _, p := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if r[p[0]] > r[p[1]] {
			c.swapMajInputs(g, p[0], p[1])
			r[p[0]], r[p[1]] = r[p[1]], r[p[0]]
		}
	}
	if r[0].Neg() {
		c.complementMaj(g)
		_, r = c.ternaryReps(g)
	}
	c.mergeOrInsert(i, r[:], c.chainMaj)
}

// rewriteMajPair rewrites a majority gate with two equal or complementary inputs, the
// first two. If they are equal the output equals them; if they are complementary it
// equals the third input.
func (c *closure) rewriteMajPair(i uint32) {
	g := &c.gates[i]
	in := c.inputsOf(g)
	if c.find(in[0]) == c.find(in[1]) {
		c.mergeMaj(i, 0, 1)
		return
	}
	c.merge(c.find(g.out), c.find(in[2]), func(forth bool, _ []dimacs.Lit) {
		ids := c.clauseIDs(i)
		x, a, b, d, n := g.out, in[0], in[1], in[2], 3
		if !forth {
			x, a, b, d, n = x^1, a^1, b^1, d^1, 0
		}
		c.fromRep(x, d^1)
		c.imply(a, ids[n+1])
		c.toRep(a)
		c.fromRep(b ^ 1)
		c.conflict(ids[n])
	})
	c.discard(i)
}

// mergeMaj merges the output of a majority gate with input k, because input m is equal
// to input k or complementary to the output. Both are among the first two inputs.
func (c *closure) mergeMaj(i uint32, k, m int) {
	g := &c.gates[i]
	in := c.inputsOf(g)
	c.merge(c.find(g.out), c.find(in[k]), func(forth bool, _ []dimacs.Lit) {
		x, a, b, n := g.out, in[k], in[m], 3
		if !forth {
			x, a, b, n = x^1, a^1, b^1, 0
		}
		c.fromRep(x, a^1, b^1)
		c.conflict(c.clauseIDs(i)[n+2])
	})
	c.discard(i)
}

// swapMajInputs exchanges two inputs.
func (c *closure) swapMajInputs(g *gate, k, m int) {
	in := c.inputsOf(g)
	in[k], in[m] = in[m], in[k]
	if c.proof != nil {
		ids := c.ids[g.idStart:]
		ids[k], ids[m] = ids[m], ids[k]
		ids[3+k], ids[3+m] = ids[3+m], ids[3+k]
	}
}

// complementMaj complements the output and all inputs.
func (c *closure) complementMaj(g *gate) {
	g.out ^= 1
	for k := range c.inputsOf(g) {
		c.inputs[g.inputStart+uint32(k)] ^= 1
		if c.proof != nil {
			ids := c.ids[g.idStart:]
			ids[k], ids[3+k] = ids[3+k], ids[k]
		}
	}
}

// majToAnd replaces a majority gate with an AND gate, because the first input is
// fixed.
func (c *closure) majToAnd(i uint32) {
	g := &c.gates[i]
	if c.vals[c.inputsOf(g)[0]] > 0 {
		c.complementMaj(g)
	}
	in := c.inputsOf(g)
	var ids []int64
	if c.proof != nil {
		k := c.ids[g.idStart:]
		ids = []int64{k[0]}
		for n := 1; n <= 2; n++ {
			ids = append(ids, c.gateLemma(func() {
				c.imply(in[0]^1, 0)
				c.conflict(k[3+3-n])
			}, g.out^1, in[n]))
		}
	}
	c.replaceGate(i, andGate, g.out, in[1:], ids)
}

// chainMaj adds the RUP steps of the clause x → y, for the outputs x and y of the
// congruent gates from and to. A lemma covers the case that the first input is false.
func (c *closure) chainMaj(from, to uint32, goal []dimacs.Lit) {
	p, q := &c.gates[from], &c.gates[to]
	a, b, ids, jds := c.inputsOf(p), c.inputsOf(q), c.clauseIDs(from), c.clauseIDs(to)
	first := c.find(a[0])
	l := c.caseLemma(func() {
		c.fromRep(p.out, a[0]^1)
		for k := 1; k <= 2; k++ {
			c.imply(a[k], ids[3+3-k])
			c.toRep(a[k])
			c.fromRep(b[k])
		}
		c.fromRep(q.out ^ 1)
		c.conflict(jds[0])
	}, append(slices.Clone(goal), first))
	c.beginChain(goal...)
	c.imply(first, l)
	c.fromRep(b[0], q.out^1, p.out)
	for k := 1; k <= 2; k++ {
		c.imply(b[k]^1, jds[3-k])
		c.toRep(b[k] ^ 1)
		c.fromRep(a[k] ^ 1)
	}
	c.conflict(ids[3])
}
