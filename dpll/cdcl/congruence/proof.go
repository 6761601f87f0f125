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
	goal  []dimacs.Lit
	known []uint32 // by literal: stamp of the chain in which it is true; only with a proof
	stamp uint32
	done  bool // it has come to its end
}

// begin begins the chain of a clause, without the literals that are false. It reports
// false if the clause is true anyway.
func (c *closure) begin(lits ...dimacs.Lit) bool {
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
	k.done = false
	for _, l := range k.goal {
		k.known[l^1] = k.stamp
	}
	return true
}

// beginFull begins the chain of a clause with all of its literals, which are of
// different variables.
func (c *closure) beginFull(lits []dimacs.Lit) {
	k := &c.chain
	k.goal = append(k.goal[:0], lits...)
	c.antecedents = c.antecedents[:0]
	k.stamp++
	k.done = false
	for _, l := range lits {
		k.known[l^1] = k.stamp
	}
}

// imply adds a step: the clause with this id implies l.
func (c *closure) imply(l dimacs.Lit, id int64) {
	k := &c.chain
	if k.done || k.known[l] == k.stamp {
		return
	}
	if c.vals[l] > 0 {
		id = c.host.UnitID(uint32(l >> 1))
	}
	k.done = k.known[l^1] == k.stamp
	k.known[l] = k.stamp
	c.antecedents = append(c.antecedents, id)
}

// clash adds the last step: all literals of the clause with this id are false.
func (c *closure) clash(id int64) {
	if !c.chain.done {
		c.chain.done = true
		c.antecedents = append(c.antecedents, id)
	}
}

// up adds the step from a literal that is known to the one that represents it.
func (c *closure) up(l dimacs.Lit) {
	if r := c.find(l); r != l {
		c.imply(r, c.equal[l])
	}
}

// down adds the step to l from the literal that represents it, which is known, or
// from nothing if l is fixed.
func (c *closure) down(l dimacs.Lit) {
	if r := c.find(l); r != l || c.vals[l] > 0 {
		c.imply(l, c.equal[l^1])
	}
}

// knows reports whether l is true in the chain so far.
func (c *closure) knows(l dimacs.Lit) bool { return c.chain.known[l] == c.chain.stamp }

// chainIfWanted returns the antecedents if the proof wants hints.
func (c *closure) chainIfWanted() []int64 {
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
func (c *closure) learn() int64 {
	if c.proof == nil {
		return 0
	}
	c.external = append(c.external[:0], c.chain.goal...)
	return c.proof.Learn(c.external, c.chainIfWanted())
}

// lemma derives a clause for the proof alone. It is nothing if the clause is true.
func (c *closure) lemma(explain func(), lits ...dimacs.Lit) lemma {
	if c.proof == nil || !c.begin(lits...) {
		return lemma{}
	}
	explain()
	id := c.learn()
	return lemma{lits: slices.Clone(c.chain.goal), id: id}
}

// split derives a lemma for the clause in the making, which is to begin anew.
func (c *closure) split(explain func(), lits []dimacs.Lit) int64 {
	l := c.lemma(explain, lits...)
	c.lemmas = append(c.lemmas, l)
	return l.id
}

// restate derives a clause of a rewritten gate, which stays in the proof until the
// pass ends.
func (c *closure) restate(explain func(), lits ...dimacs.Lit) int64 {
	c.beginFull(lits)
	explain()
	id := c.learn()
	c.spare = append(c.spare, lemma{lits: slices.Clone(lits), id: id})
	return id
}

// retract deletes a lemma.
func (c *closure) retract(r lemma) {
	if r.id != 0 {
		c.forget(r.id, r.lits...)
	}
}

// shortcut derives that q implies r, which its parent has for its parent.
func (c *closure) shortcut(q, r dimacs.Lit) {
	p := c.parent[q]
	c.external = append(c.external[:0], q^1, r)
	id := c.proof.Learn(c.external, []int64{c.equal[q], c.equal[p]})
	if c.derived[q] {
		c.forget(c.equal[q], q^1, p)
	}
	c.equal[q], c.derived[q] = id, true
}
