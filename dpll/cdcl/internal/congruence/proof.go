package congruence

import (
	"slices"

	"sator/dimacs"
)

// Proof logging. Every derived clause is RUP (reverse unit propagation), and its
// antecedents form a chain in propagation order: the literals of the clause are
// assumed to be false, and each step names a clause and the literal that the clause
// implies under the literals assigned so far. A step for an assigned literal is
// skipped, and a step for a fixed literal uses its unit clause. A step that implies
// the complement of an assigned literal is the conflict; it closes the chain. So the
// rules need no case distinctions for literals that coincide.
//
// A lemma is a clause that only the proof has. Lemmas are deleted when they are no
// longer needed.

// A chain is the propagation state of a clause under construction. Its antecedents are
// in closure.antecedents.
type chain struct {
	goal     []dimacs.Lit // literals of the clause
	assigned []uint32     // by literal, with a proof: stamp of the last chain in which the literal became true
	stamp    uint32       // number of the chain
	closed   bool         // the chain has its conflict
}

// beginChain begins the chain of a clause, without duplicate literals and literals
// that are false at the root. It returns false if the clause is satisfied at the root
// or is a tautology.
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

// beginFullChain begins the chain of a clause with all of its literals, fixed ones
// too. The literals have different variables.
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

// imply adds a step: the clause with this id implies l. If l is fixed the step uses
// the unit clause of l.
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

// conflict adds the last step: all literals of the clause with this id are false.
func (c *closure) conflict(id int64) {
	if !c.chain.closed {
		c.chain.closed = true
		c.antecedents = append(c.antecedents, id)
	}
}

// toRep adds the step from the assigned literal l to its representative.
func (c *closure) toRep(l dimacs.Lit) {
	if r := c.find(l); r != l {
		c.imply(r, c.parentIDs[l])
	}
}

// fromRep adds the steps from the assigned representatives of literals to these literals. For
// a fixed literal the step uses its unit clause instead.
func (c *closure) fromRep(lits ...dimacs.Lit) {
	for _, l := range lits {
		if r := c.find(l); r != l || c.vals[l] > 0 {
			c.imply(l, c.parentIDs[l^1])
		}
	}
}

// known reports whether l is true in the chain so far.
func (c *closure) known(l dimacs.Lit) bool { return c.chain.assigned[l] == c.chain.stamp }

// chainHints returns the antecedents of the chain, or nil if the proof has no hints.
func (c *closure) chainHints() []int64 {
	if !c.hints {
		return nil
	}
	return c.antecedents
}

// A lemma is a clause in the proof that the solver does not have. The id is 0 if the
// clause is satisfied and was not logged.
type lemma struct {
	lits []dimacs.Lit
	id   int64
}

// logGoal logs the clause of the chain and returns its id.
func (c *closure) logGoal() int64 {
	if c.proof == nil {
		return 0
	}
	c.proofLits = append(c.proofLits[:0], c.chain.goal...)
	return c.proof.Learn(c.proofLits, c.chainHints())
}

// lemma logs a clause that only the proof has. It returns the zero lemma if the clause
// is satisfied or there is no proof.
func (c *closure) lemma(addSteps func(), lits ...dimacs.Lit) lemma {
	if c.proof == nil || !c.beginChain(lits...) {
		return lemma{}
	}
	addSteps()
	id := c.logGoal()
	return lemma{lits: slices.Clone(c.chain.goal), id: id}
}

// caseLemma logs a lemma for a case split of the clause under construction and returns
// its id. The caller must begin the chain of that clause again. learnClause deletes
// the lemma.
func (c *closure) caseLemma(addSteps func(), lits []dimacs.Lit) int64 {
	l := c.lemma(addSteps, lits...)
	c.caseLemmas = append(c.caseLemmas, l)
	return l.id
}

// gateLemma logs a clause of a rewritten gate and returns its id. The clause stays in
// the proof until the pass ends.
func (c *closure) gateLemma(addSteps func(), lits ...dimacs.Lit) int64 {
	c.beginFullChain(lits)
	addSteps()
	id := c.logGoal()
	c.gateLemmas = append(c.gateLemmas, lemma{lits: slices.Clone(lits), id: id})
	return id
}

// deleteLemma deletes a lemma from the proof.
func (c *closure) deleteLemma(r lemma) {
	if r.id != 0 {
		c.deleteClause(r.id, r.lits...)
	}
}

// compressEdge logs the clause q → r, where r is the parent of the parent of q. It
// deletes the clause of the edge from q to its parent if only the proof has it.
func (c *closure) compressEdge(q, r dimacs.Lit) {
	p := c.parent[q]
	c.proofLits = append(c.proofLits[:0], q^1, r)
	id := c.proof.Learn(c.proofLits, []int64{c.parentIDs[q], c.parentIDs[p]})
	if c.proofOnly[q] {
		c.deleteClause(c.parentIDs[q], q^1, p)
	}
	c.parentIDs[q], c.proofOnly[q] = id, true
}
