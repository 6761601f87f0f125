package congruence

import (
	"slices"

	"sator/dimacs"
)

// Rewriting of gates after changes of their inputs. Every rule first replaces the
// inputs with their representatives. The result is the right-hand side of the gate. If
// an input is fixed, or inputs are equal or complementary, the gate becomes a unit, an
// equivalence, a smaller gate or a gate of another kind. Otherwise its right-hand side
// is normalized, so that congruent gates have equal right-hand sides, and is looked up
// in the hash table.
//
// A gate whose output is also one of its inputs does not determine the output. Such
// gates are discarded.

// rewrite computes the right-hand side of gate i, learns the clauses that follow, and
// merges the output with the output of a congruent gate.
func (c *closure) rewrite(i uint32) {
	switch c.gates[i].kind {
	case andGate:
		c.rewriteAnd(i)
	case xorGate:
		c.rewriteXor(i)
	case iteGate:
		c.rewriteIte(i)
	case majGate:
		c.rewriteMaj(i)
	}
}

// discard marks gate i as garbage, because it gives no further results. A gate that
// has been queued again in the meantime stays.
func (c *closure) discard(i uint32) {
	if g := &c.gates[i]; !g.queued {
		g.garbage = true
	}
}

// inputsOf returns the inputs of a gate as they occur in its clauses.
func (c *closure) inputsOf(g *gate) []dimacs.Lit {
	return c.inputs[g.inputStart : g.inputStart+g.arity]
}

// rhs returns the right-hand side of a gate: the representatives of its inputs at the
// last rewriting.
func (c *closure) rhs(g *gate) []dimacs.Lit { return c.reps[g.inputStart : g.inputStart+g.rhsSize] }

// clauseIDs returns the ids of the clauses of gate i, followed by ids of later gates.
// It may be called only with a proof.
func (c *closure) clauseIDs(i uint32) []int64 { return c.ids[c.gates[i].idStart:] }

// mergeOrInsert sets the right-hand side of gate i to reps. If a congruent gate exists
// it merges the outputs, otherwise it inserts the gate into the table. The function
// addSteps adds the RUP steps of the clause x → y, for the outputs x and y of the
// gates from and to.
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

// setRHS sets the right-hand side of a gate.
func (c *closure) setRHS(g *gate, reps []dimacs.Lit) {
	if g.rhsSize != uint32(len(reps)) || !slices.Equal(c.rhs(g), reps) {
		g.rhsSize = uint32(copy(c.reps[g.inputStart:], reps))
		g.indexed = false
	}
}
