package congruence

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// find returns the representative of the class of l. It compresses the path: all
// literals on the path to the representative become its children.
func (c *closure) find(l dimacs.Lit) dimacs.Lit {
	p := c.parent[l]
	if c.parent[p] == p {
		return p
	}
	c.path = c.path[:0]
	for ; c.parent[l] != l; l = c.parent[l] {
		c.path = append(c.path, l)
	}
	for i := len(c.path) - 2; i >= 0; i-- {
		q := c.path[i]
		if c.hints {
			c.compressEdge(q, l)
			c.compressEdge(q^1, l^1)
		}
		c.parent[q], c.parent[q^1] = l, l^1
	}
	return l
}

// union merges the classes of the representatives x and y, which are different and
// unassigned. The class with fewer gate occurrences is renamed, and its gates return
// to the worklist. The ids forth and back belong to the clauses x → y and y → x. If
// proofOnly is set, these clauses are lemmas.
func (c *closure) union(x, y dimacs.Lit, forth, back int64, proofOnly bool) {
	if c.occs[x>>1].n > c.occs[y>>1].n {
		x, y, forth, back = y, x, back, forth
	}
	c.parent[x], c.parent[x^1] = y, y^1
	if c.proof != nil {
		c.parentIDs[x], c.parentIDs[x^1] = forth, back
		c.proofOnly[x], c.proofOnly[x^1] = proofOnly, proofOnly
	}
	c.enqueueGates(uint32(x >> 1))
	c.concat(&c.occs[y>>1], c.occs[x>>1])
	c.occs[x>>1] = occList{}
	c.stats.Merged++
}

// merge learns that the representatives x and y are equivalent, and merges their
// classes. The function addSteps adds the RUP steps of the clause x → y if forth is
// true, and of y → x otherwise. It is not called for a clause that is satisfied. If one
// of the two clauses is a unit, merge does not merge the classes: the gates of assigned
// variables are then in the worklist and may give further results.
func (c *closure) merge(x, y dimacs.Lit, addSteps func(forth bool, goal []dimacs.Lit)) {
	if x == y {
		return
	}
	before := len(c.host.Trail())
	forth := c.learnClause(true, []dimacs.Lit{x ^ 1, y}, addSteps)
	if len(c.host.Trail()) > before || c.host.Refuted() {
		return
	}
	back := c.learnClause(false, []dimacs.Lit{x, y ^ 1}, addSteps)
	if len(c.host.Trail()) == before && !c.host.Refuted() && !c.host.Stopped() && c.vals[x] == 0 {
		c.union(x, y, forth, back, false)
	}
}

// learnClause logs a clause and adds it to the solver. A unit is assigned and
// propagated; the empty clause ends the pass. learnClause returns the id of the
// clause, or 0 if the clause is satisfied. After the call is stopped it learns no
// clause, because units may not have been propagated. The parameter forth is passed on
// to addSteps.
func (c *closure) learnClause(forth bool, lits []dimacs.Lit, addSteps func(forth bool, goal []dimacs.Lit)) int64 {
	if c.host.Stopped() || c.host.Refuted() || !c.beginChain(lits...) {
		return 0
	}
	if c.proof != nil {
		addSteps(forth, lits)
	}
	id := c.logGoal()
	for _, l := range c.caseLemmas {
		c.deleteLemma(l)
	}
	c.caseLemmas = c.caseLemmas[:0]
	switch goal := c.chain.goal; len(goal) {
	case 0:
		c.host.Refute()
	case 1:
		c.host.AddUnits([]inprocess.Unit{{Lit: goal[0], ID: id}})
		c.stats.Units++
		c.enqueueAssigned()
	default:
		c.host.AddBinary(goal[0], goal[1], id)
	}
	return id
}

// learnUnit learns the unit clause l.
func (c *closure) learnUnit(l dimacs.Lit, addSteps func()) {
	c.learnClause(true, []dimacs.Lit{l}, func(bool, []dimacs.Lit) { addSteps() })
}
