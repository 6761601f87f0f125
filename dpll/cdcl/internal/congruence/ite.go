package congruence

import (
	"slices"

	"sator/dimacs"
)

// rewriteIte rewrites the if-then-else gate x = (c ? t : e). The inputs are c, t and
// e. The ids belong to the clauses c ∧ x → t, c ∧ t → x, ¬c ∧ x → e and ¬c ∧ e → x, in
// this order.
func (c *closure) rewriteIte(i uint32) {
	g := &c.gates[i]
	*c.budget.Ticks++
	x, r := c.ternaryReps(g)
	switch {
	case c.vals[r[0]] != 0:
		if c.vals[r[0]] < 0 {
			c.swapBranches(g)
		}
		c.mergeBranch(i)
	case r[0]|1 == x|1:
		c.discard(i)
	case c.vals[r[1]] != 0 || r[0]|1 == r[1]|1:
		c.swapBranches(g)
		c.iteToAnd(i)
	case c.vals[r[2]] != 0 || r[0]|1 == r[2]|1:
		c.iteToAnd(i)
	case r[1] == r[2]:
		c.merge(x, r[1], func(forth bool, _ []dimacs.Lit) { c.chainBranches(i, forth) })
		c.discard(i)
	case r[1] == x || r[2] == x:
		c.discard(i)
	case r[1] == x^1:
		c.learnConditionFalse(i)
	case r[2] == x^1:
		c.swapBranches(g)
		c.learnConditionFalse(i)
	case r[1] == r[2]^1:
		c.iteToXor(i)
	default:
		if r[0].Neg() {
			c.swapBranches(g)
			r[1], r[2] = r[2], r[1]
		}
		if r[1].Neg() {
			c.complementIte(g)
		}
		_, r = c.ternaryReps(g)
		c.mergeOrInsert(i, r[:], c.chainIte)
	}
}

// ternaryReps returns the representatives of the output and the inputs of a gate with
// three inputs.
func (c *closure) ternaryReps(g *gate) (x dimacs.Lit, r [3]dimacs.Lit) {
	for k, a := range c.inputsOf(g) {
		r[k] = c.find(a)
	}
	return c.find(g.out), r
}

// swapBranches complements the condition and exchanges the branches.
func (c *closure) swapBranches(g *gate) {
	in := c.inputsOf(g)
	in[0] ^= 1
	in[1], in[2] = in[2], in[1]
	if c.proof != nil {
		k := c.ids[g.idStart:]
		k[0], k[1], k[2], k[3] = k[2], k[3], k[0], k[1]
	}
}

// complementIte complements the output and the branches.
func (c *closure) complementIte(g *gate) {
	in := c.inputsOf(g)
	g.out ^= 1
	in[1] ^= 1
	in[2] ^= 1
	if c.proof != nil {
		k := c.ids[g.idStart:]
		k[0], k[1], k[2], k[3] = k[1], k[0], k[3], k[2]
	}
}

// mergeBranch merges the output with the then branch, because the condition is true.
func (c *closure) mergeBranch(i uint32) {
	g := &c.gates[i]
	in := c.inputsOf(g)
	c.merge(c.find(g.out), c.find(in[1]), func(forth bool, _ []dimacs.Lit) {
		x, t, id := g.out, in[1], c.clauseIDs(i)[0]
		if !forth {
			x, t, id = x^1, t^1, c.clauseIDs(i)[1]
		}
		c.fromRep(in[0], x, t^1)
		c.conflict(id)
	})
	c.discard(i)
}

// chainBranches adds the RUP steps of the clause x → t if forth is true, otherwise of
// t → x, for the output x and the equal branches t and e.
func (c *closure) chainBranches(i uint32, forth bool) {
	g := &c.gates[i]
	in, ids := c.inputsOf(g), c.clauseIDs(i)
	x, t, e, n := g.out, in[1], in[2], 0
	if !forth {
		x, t, e, n = x^1, t^1, e^1, 1
	}
	c.fromRep(x, t^1)
	c.imply(in[0]^1, ids[n])
	c.fromRep(e ^ 1)
	c.conflict(ids[2+n])
}

// learnConditionFalse learns that the condition is false, because the then branch is
// the complement of the output.
func (c *closure) learnConditionFalse(i uint32) {
	g := &c.gates[i]
	in, ids := c.inputsOf(g), c.ids[g.idStart:]
	x, cond := c.find(g.out), c.find(in[0])
	l := c.lemma(func() {
		c.fromRep(g.out, in[0], in[1]^1)
		c.conflict(ids[0])
	}, x^1, cond^1)
	c.learnUnit(cond^1, func() {
		c.imply(x^1, l.id)
		c.fromRep(g.out^1, in[0], in[1])
		c.conflict(ids[1])
	})
	c.deleteLemma(l)
	c.discard(i)
}

// chainIte adds the RUP steps of the clause x → y, for the outputs x and y of the
// congruent gates from and to. A lemma covers the case that the condition is true.
func (c *closure) chainIte(from, to uint32, goal []dimacs.Lit) {
	p, q := &c.gates[from], &c.gates[to]
	a, b, ids, jds := c.inputsOf(p), c.inputsOf(q), c.clauseIDs(from), c.clauseIDs(to)
	cond := c.find(a[0])
	l := c.caseLemma(func() {
		c.fromRep(p.out, a[0])
		c.imply(a[1], ids[0])
		c.toRep(a[1])
		c.fromRep(b[0], b[1], q.out^1)
		c.conflict(jds[1])
	}, append(slices.Clone(goal), cond^1))
	c.beginChain(goal...)
	c.imply(cond^1, l)
	c.fromRep(a[0]^1, p.out)
	c.imply(a[2], ids[2])
	c.toRep(a[2])
	c.fromRep(b[0]^1, b[2], q.out^1)
	c.conflict(jds[3])
}

// iteToAnd replaces an if-then-else gate with an AND gate, because the else branch is
// fixed, or equal or complementary to the condition.
func (c *closure) iteToAnd(i uint32) {
	g := &c.gates[i]
	if in := c.inputsOf(g); c.vals[in[2]] > 0 || c.vals[in[2]] == 0 && c.find(in[2]) != c.find(in[0]) {
		c.complementIte(g)
	}
	in, x := c.inputsOf(g), g.out
	var ids []int64
	if c.proof != nil {
		k := c.ids[g.idStart:]
		first := c.gateLemma(func() {
			c.toRep(in[0] ^ 1)
			c.fromRep(in[2] ^ 1)
			c.conflict(k[2])
		}, x^1, in[0])
		second := c.gateLemma(func() {
			c.imply(in[0], first)
			c.conflict(k[0])
		}, x^1, in[1])
		ids = []int64{k[1], first, second}
	}
	c.replaceGate(i, andGate, x, in[:2], ids)
}

// replaceGate discards gate i and adds a smaller gate. It returns the index of the new
// gate.
func (c *closure) replaceGate(i uint32, kind gateKind, out dimacs.Lit, inputs []dimacs.Lit, ids []int64) uint32 {
	c.gates[i].garbage = true
	c.stats.Reduced++
	return c.addGate(kind, out, slices.Clone(inputs), ids)
}

// iteToXor replaces an if-then-else gate with an XOR gate, because the branches are
// complementary.
func (c *closure) iteToXor(i uint32) {
	g := &c.gates[i]
	in := c.inputsOf(g)
	lits := []dimacs.Lit{g.out, in[0], in[1]}
	var ids []int64
	if c.proof != nil {
		k := c.ids[g.idStart:]
		third := c.gateLemma(func() {
			c.toRep(in[1])
			c.fromRep(in[2] ^ 1)
			c.conflict(k[2])
		}, lits[0]^1, lits[1], lits[2]^1)
		fourth := c.gateLemma(func() {
			c.toRep(in[1] ^ 1)
			c.fromRep(in[2])
			c.conflict(k[3])
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
	c.gates[c.replaceGate(i, xorGate, noLit, lits, ids)].odd = odd
}
