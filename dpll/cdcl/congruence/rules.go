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
func (c *closure) settled(i uint32) {
	if g := &c.gates[i]; !g.waiting {
		g.dead = true
	}
}

// given returns the inputs of a gate as in its clauses.
func (c *closure) given(g *gate) []dimacs.Lit { return c.inputs[g.at : g.at+g.given] }

// idsOf returns the ids of the clauses of gate i; it is for explanations alone.
func (c *closure) idsOf(i uint32) []int64 { return c.ids[c.gates[i].ids:] }

// match looks for a gate that equals gate i, which has these representatives, and puts
// it into the table if there is none.
func (c *closure) match(i uint32, reps []dimacs.Lit, explain func(from, to uint32, goal []dimacs.Lit)) {
	g := &c.gates[i]
	c.renew(g, reps)
	if e, ok := c.seek(i, noOutput); ok {
		j := e.gate
		x, y := c.find(g.out), c.find(c.gates[j].out)
		c.equate(x, y, func(forth bool, goal []dimacs.Lit) {
			if forth {
				explain(i, j, goal)
			} else {
				explain(j, i, goal)
			}
		})
		c.settled(i)
		return
	}
	if !g.entered {
		c.enter(i, noOutput)
		g.entered = true
	}
}

// renew notes the representatives of the inputs that are left of a gate.
func (c *closure) renew(g *gate, reps []dimacs.Lit) {
	if g.size != uint32(len(reps)) || !slices.Equal(c.key(g), reps) {
		g.size = uint32(copy(c.reps[g.at:], reps))
		g.entered = false
	}
}

// A conjunction has the ids of its long clause, then those of its binary clauses in
// the order of its inputs.

func (c *closure) rewriteAnd(i uint32) {
	g := &c.gates[i]
	x := c.find(g.out)
	*c.budget.Ticks += 1 + int64(g.given>>3)
	reps := c.scratch[:0]
	for k, a := range c.given(g) {
		r := c.find(a)
		switch {
		case c.vals[r] < 0 || r == x^1:
			c.refuteAnd(i, x, k, k)
			return
		case r == x:
			c.settled(i)
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
			c.refuteAnd(i, x, c.place(g, reps[k]), c.place(g, reps[k+1]))
			return
		}
	}
	switch {
	case len(reps) == 0:
		c.deriveUnit(x, func() { c.impliedByInputs(i) })
		c.settled(i)
	case c.vals[x] > 0:
		c.satisfyInputs(i, reps)
	case len(reps) == 1:
		c.equate(x, reps[0], func(forth bool, _ []dimacs.Lit) {
			if forth {
				c.implyInput(i, c.place(g, reps[0]))
			} else {
				c.impliedByInputs(i)
			}
		})
		c.settled(i)
	default:
		c.match(i, reps, c.explainAnd)
	}
}

// place returns where a gate has an input that r represents.
func (c *closure) place(g *gate, r dimacs.Lit) int {
	return slices.IndexFunc(c.given(g), func(a dimacs.Lit) bool { return c.find(a) == r })
}

// refuteAnd learns that the output x of a conjunction is false, since two of its
// inputs are not both true.
func (c *closure) refuteAnd(i uint32, x dimacs.Lit, k, m int) {
	c.deriveUnit(x^1, func() {
		a := c.given(&c.gates[i])[k]
		if c.vals[a] < 0 {
			c.imply(a^1, 0)
		}
		c.implyInput(i, k)
		c.implyInput(i, m)
	})
	c.settled(i)
}

// satisfyInputs learns that all inputs of a conjunction are true, as its output is.
func (c *closure) satisfyInputs(i uint32, reps []dimacs.Lit) {
	for _, r := range slices.Clone(reps) {
		c.deriveUnit(r, func() { c.implyInput(i, c.place(&c.gates[i], r)) })
		if c.host.Refuted() || c.host.Stopped() {
			return
		}
	}
	c.settled(i)
}

// implyInput makes the steps from the output of a conjunction to what represents its
// k-th input.
func (c *closure) implyInput(i uint32, k int) {
	g := &c.gates[i]
	a := c.given(g)[k]
	c.down(g.out)
	c.imply(a, c.idsOf(i)[1+k])
	c.up(a)
}

// impliedByInputs ends a chain by the long clause of a conjunction.
func (c *closure) impliedByInputs(i uint32) {
	g := &c.gates[i]
	c.down(g.out ^ 1)
	for _, a := range c.given(g) {
		c.down(a)
	}
	c.clash(c.idsOf(i)[0])
}

func (c *closure) explainAnd(from, to uint32, _ []dimacs.Lit) {
	for k, a := range c.given(&c.gates[from]) {
		if r := c.find(a); c.vals[a] == 0 && !c.knows(r) {
			c.implyInput(from, k)
		}
	}
	c.impliedByInputs(to)
}
