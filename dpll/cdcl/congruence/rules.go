package congruence

import (
	"slices"

	"sator/dimacs"
)

// What becomes of a gate when its inputs change. Each rule begins with representatives
// in their places. A gate that is smaller than its kind allows is a unit or an
// equivalence; one that has become another kind of gate is replaced. What is left is
// brought into a form that all gates of the same function of the same inputs share, and
// is looked for in the table.
//
// A gate whose output is one of its own inputs says less than a gate, and goes.

// settled ends a gate of which nothing more is to be expected, unless a unit has it
// looked at once more.
func (c *closure) discard(i uint32) {
	if g := &c.gates[i]; !g.queued {
		g.garbage = true
	}
}

// given returns the inputs of a gate as in its clauses.
func (c *closure) inputsOf(g *gate) []dimacs.Lit {
	return c.inputs[g.inputStart : g.inputStart+g.arity]
}

// idsOf returns the ids of the clauses of gate i; it is for explanations alone.
func (c *closure) clauseIDs(i uint32) []int64 { return c.ids[c.gates[i].idStart:] }

// match looks for a gate that equals gate i, which has these representatives, and puts
// it into the table if there is none.
func (c *closure) mergeOrInsert(i uint32, reps []dimacs.Lit, addSteps func(from, to uint32, goal []dimacs.Lit)) {
	g := &c.gates[i]
	c.setRHS(g, reps)
	if e, ok := c.lookup(i, noOutput); ok {
		j := e.gate
		x, y := c.find(g.out), c.find(c.gates[j].out)
		c.merge(x, y, func(forth bool, goal []dimacs.Lit) {
			if forth {
				addSteps(i, j, goal)
			} else {
				addSteps(j, i, goal)
			}
		})
		c.discard(i)
		return
	}
	if !g.indexed {
		c.insert(i, noOutput)
		g.indexed = true
	}
}

// renew notes the representatives of the inputs that are left of a gate.
func (c *closure) setRHS(g *gate, reps []dimacs.Lit) {
	if g.rhsSize != uint32(len(reps)) || !slices.Equal(c.rhs(g), reps) {
		g.rhsSize = uint32(copy(c.reps[g.inputStart:], reps))
		g.indexed = false
	}
}

// A conjunction has the ids of its long clause, then those of its binary clauses in
// the order of its inputs.

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

// place returns where a gate has an input that r represents.
func (c *closure) inputIndex(g *gate, r dimacs.Lit) int {
	return slices.IndexFunc(c.inputsOf(g), func(a dimacs.Lit) bool { return c.find(a) == r })
}

// refuteAnd learns that the output x of a conjunction is false, since two of its
// inputs are not both true.
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

// satisfyInputs learns that all inputs of a conjunction are true, as its output is.
func (c *closure) learnInputsTrue(i uint32, reps []dimacs.Lit) {
	for _, r := range slices.Clone(reps) {
		c.learnUnit(r, func() { c.implyInput(i, c.inputIndex(&c.gates[i], r)) })
		if c.host.Refuted() || c.host.Stopped() {
			return
		}
	}
	c.discard(i)
}

// implyInput makes the steps from the output of a conjunction to what represents its
// k-th input.
func (c *closure) implyInput(i uint32, k int) {
	g := &c.gates[i]
	a := c.inputsOf(g)[k]
	c.fromRep(g.out)
	c.imply(a, c.clauseIDs(i)[1+k])
	c.toRep(a)
}

// impliedByInputs ends a chain by the long clause of a conjunction.
func (c *closure) conflictLongClause(i uint32) {
	g := &c.gates[i]
	c.fromRep(g.out ^ 1)
	for _, a := range c.inputsOf(g) {
		c.fromRep(a)
	}
	c.conflict(c.clauseIDs(i)[0])
}

func (c *closure) chainAnd(from, to uint32, _ []dimacs.Lit) {
	for k, a := range c.inputsOf(&c.gates[from]) {
		if r := c.find(a); c.vals[a] == 0 && !c.known(r) {
			c.implyInput(from, k)
		}
	}
	c.conflictLongClause(to)
}
