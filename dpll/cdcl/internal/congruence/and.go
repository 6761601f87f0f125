package congruence

import (
	"slices"

	"sator/dimacs"
)

// rewriteAnd rewrites an AND gate. The first id of an AND gate is the id of its long
// clause: the inputs imply the output. The ids of the binary clauses follow in the
// order of the inputs.
func (c *closure) rewriteAnd(i uint32) {
	g := &c.gates[i]
	x := c.find(g.out)
	*c.budget.Ticks += 1 + int64(g.arity>>3)
	reps := c.scratch[:0]
	for k, a := range c.inputsOf(g) {
		r := c.find(a)
		switch {
		case c.vals[r] < 0 || r == x^1:
			c.learnAndFalse(i, x, k, k)
			return
		case r == x:
			c.discard(i)
			return
		case c.vals[r] == 0:
			reps = append(reps, r)
		}
	}
	c.scratch = reps
	slices.Sort(reps)
	reps = slices.Compact(reps)
	for k := range reps[min(1, len(reps)):] {
		if reps[k]^1 == reps[k+1] {
			c.learnAndFalse(i, x, c.inputIndex(g, reps[k]), c.inputIndex(g, reps[k+1]))
			return
		}
	}
	switch {
	case len(reps) == 0:
		c.learnUnit(x, func() { c.conflictLongClause(i) })
		c.discard(i)
	case c.vals[x] > 0:
		c.learnInputsTrue(i, reps)
	case len(reps) == 1:
		c.merge(x, reps[0], func(forth bool, _ []dimacs.Lit) {
			if forth {
				c.implyInput(i, c.inputIndex(g, reps[0]))
			} else {
				c.conflictLongClause(i)
			}
		})
		c.discard(i)
	default:
		c.mergeOrInsert(i, reps, c.chainAnd)
	}
}

// inputIndex returns the index of an input of the gate with the representative r, or
// -1.
func (c *closure) inputIndex(g *gate, r dimacs.Lit) int {
	return slices.IndexFunc(c.inputsOf(g), func(a dimacs.Lit) bool { return c.find(a) == r })
}

// learnAndFalse learns that the output x of an AND gate is false, because its inputs k
// and m are complementary, or because input k is false or equals the complement of x
// (then k = m).
func (c *closure) learnAndFalse(i uint32, x dimacs.Lit, k, m int) {
	c.learnUnit(x^1, func() {
		a := c.inputsOf(&c.gates[i])[k]
		if c.vals[a] < 0 {
			c.imply(a^1, 0)
		}
		c.implyInput(i, k)
		c.implyInput(i, m)
	})
	c.discard(i)
}

// learnInputsTrue learns that all inputs of an AND gate are true, because its output
// is true. The representatives of the inputs are in reps.
func (c *closure) learnInputsTrue(i uint32, reps []dimacs.Lit) {
	for _, r := range slices.Clone(reps) {
		c.learnUnit(r, func() { c.implyInput(i, c.inputIndex(&c.gates[i], r)) })
		if c.host.Refuted() || c.host.Stopped() {
			return
		}
	}
	c.discard(i)
}

// implyInput adds the RUP steps from the output of an AND gate to the representative
// of input k.
func (c *closure) implyInput(i uint32, k int) {
	g := &c.gates[i]
	a := c.inputsOf(g)[k]
	c.fromRep(g.out)
	c.imply(a, c.clauseIDs(i)[1+k])
	c.toRep(a)
}

// conflictLongClause adds the RUP steps from the representatives of all inputs to a
// conflict in the long clause of an AND gate.
func (c *closure) conflictLongClause(i uint32) {
	g := &c.gates[i]
	c.fromRep(g.out ^ 1)
	c.fromRep(c.inputsOf(g)...)
	c.conflict(c.clauseIDs(i)[0])
}

// chainAnd adds the RUP steps of the clause x → y, for the outputs x and y of the
// congruent AND gates from and to.
func (c *closure) chainAnd(from, to uint32, _ []dimacs.Lit) {
	for k, a := range c.inputsOf(&c.gates[from]) {
		if r := c.find(a); c.vals[a] == 0 && !c.known(r) {
			c.implyInput(from, k)
		}
	}
	c.conflictLongClause(to)
}
