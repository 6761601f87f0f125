package congruence

import (
	"slices"

	"sator/dimacs"
)

// How congruence closure explains to the proof what it derives. A chain is made as
// propagation would go: the complement of the clause is assumed, and each step names
// a clause and the literal that it implies with what is known by then. Literals that
// are known already need no step, those that are fixed have their unit clause,
// and where the complement is known the chain ends. So the rules need not look for
// literals that coincide.

// A chain is a clause to be learned, with the antecedents (Solver.chain) so far.
type chain struct {
	goal     []dimacs.Lit
	assigned []uint32 // by literal: stamp of the chain in which it is true; only with a proof
	stamp    uint32
	closed   bool // it has come to its end
}

// begin begins the chain of a clause, without the literals that are false. It reports
// false if the clause is true anyway.
func (c *closure) beginChain(lits ...dimacs.Lit) bool {
	k := &c.chain
	k.goal = k.goal[:0]
	for i, l := range lits {
		switch {
		case c.vals[l] > 0:
			return false
		case c.vals[l] == 0 && !slices.Contains(lits[:i], l):
			if slices.Contains(lits[:i], l^1) {
				return false
			}
			k.goal = append(k.goal, l)
		}
	}
	if c.proof == nil {
		return true
	}
	c.antecedents = c.antecedents[:0]
	k.stamp++
	k.closed = false
	for _, l := range k.goal {
		k.assigned[l^1] = k.stamp
	}
	return true
}

// beginFull begins the chain of a clause with all of its literals, which are of
// different variables.
func (c *closure) beginFullChain(lits []dimacs.Lit) {
	k := &c.chain
	k.goal = append(k.goal[:0], lits...)
	c.antecedents = c.antecedents[:0]
	k.stamp++
	k.closed = false
	for _, l := range lits {
		k.assigned[l^1] = k.stamp
	}
}

// imply adds a step: the clause with this id implies l.
func (c *closure) imply(l dimacs.Lit, id int64) {
	k := &c.chain
	if k.closed || k.assigned[l] == k.stamp {
		return
	}
	if c.vals[l] > 0 {
		id = c.host.UnitID(uint32(l >> 1))
	}
	k.closed = k.assigned[l^1] == k.stamp
	k.assigned[l] = k.stamp
	c.antecedents = append(c.antecedents, id)
}

// clash adds the last step: all literals of the clause with this id are false.
func (c *closure) conflict(id int64) {
	if !c.chain.closed {
		c.chain.closed = true
		c.antecedents = append(c.antecedents, id)
	}
}

// up adds the step from a literal that is known to the one that represents it.
func (c *closure) toRep(l dimacs.Lit) {
	if r := c.find(l); r != l {
		c.imply(r, c.parentIDs[l])
	}
}

// down adds the step to l from the literal that represents it, which is known, or
// from nothing if l is fixed.
func (c *closure) fromRep(l dimacs.Lit) {
	if r := c.find(l); r != l || c.vals[l] > 0 {
		c.imply(l, c.parentIDs[l^1])
	}
}

// knows reports whether l is true in the chain so far.
func (c *closure) known(l dimacs.Lit) bool { return c.chain.assigned[l] == c.chain.stamp }

// chainIfWanted returns the antecedents if the proof wants hints.
func (c *closure) chainHints() []int64 {
	if !c.hints {
		return nil
	}
	return c.antecedents
}

// A lemma is a clause in the proof that the solver does not have.
type lemma struct {
	lits []dimacs.Lit
	id   int64
}

// learn tells the proof the clause, and returns its id.
func (c *closure) logGoal() int64 {
	if c.proof == nil {
		return 0
	}
	c.proofLits = append(c.proofLits[:0], c.chain.goal...)
	return c.proof.Learn(c.proofLits, c.chainHints())
}

// lemma derives a clause for the proof alone. It is nothing if the clause is true.
func (c *closure) lemma(addSteps func(), lits ...dimacs.Lit) lemma {
	if c.proof == nil || !c.beginChain(lits...) {
		return lemma{}
	}
	addSteps()
	id := c.logGoal()
	return lemma{lits: slices.Clone(c.chain.goal), id: id}
}

// split derives a lemma for the clause in the making, which is to begin anew.
func (c *closure) caseLemma(addSteps func(), lits []dimacs.Lit) int64 {
	l := c.lemma(addSteps, lits...)
	c.caseLemmas = append(c.caseLemmas, l)
	return l.id
}

// restate derives a clause of a rewritten gate, which stays in the proof until the
// pass ends.
func (c *closure) gateLemma(addSteps func(), lits ...dimacs.Lit) int64 {
	c.beginFullChain(lits)
	addSteps()
	id := c.logGoal()
	c.gateLemmas = append(c.gateLemmas, lemma{lits: slices.Clone(lits), id: id})
	return id
}

// retract deletes a lemma.
func (c *closure) deleteLemma(r lemma) {
	if r.id != 0 {
		c.deleteClause(r.id, r.lits...)
	}
}

// shortcut derives that q implies r, which its parent has for its parent.
func (c *closure) compressEdge(q, r dimacs.Lit) {
	p := c.parent[q]
	c.proofLits = append(c.proofLits[:0], q^1, r)
	id := c.proof.Learn(c.proofLits, []int64{c.parentIDs[q], c.parentIDs[p]})
	if c.proofOnly[q] {
		c.deleteClause(c.parentIDs[q], q^1, p)
	}
	c.parentIDs[q], c.proofOnly[q] = id, true
}
