package cdcl

import (
	"slices"

	"sator/dimacs"
)

// How congruence closure finds gates.
//
// A conjunction is a clause one of whose literals, the output, implies the
// complements of all others. The binary clauses are a graph with sorted rows for that, so
// that a clause is looked for in the shorter one of two rows. The literal with the
// shortest row leaves few that can be the output.
//
// The other kinds have clauses over the same few variables, which come together in a
// group: a table by variables, and for each group the signs with which they occur, as bits
// of a mask. An exclusive or is half of a mask. In groups of three
// variables, two clauses that differ in the signs of two of them say that these are
// equal if the third has a value; two such conditions, with complementary values of the
// same variable and one variable in common, are an if-then-else. And two clauses that
// differ in all signs say that three literals are not all equal. If three of
// these have a variable in common and three others in pairs, it is the majority of
// them.

// What bounds the search.
const (
	// maxSmall is how many clauses of the same variables as another one are grouped.
	// It is a matter of memory.
	maxSmall = 1 << 23
	// maxPartners bounds the partners that a condition or an inequality is tried with.
	maxPartners = 16
)

// findGates finds equivalences and gates. It reports false if there are none or the
// call is stopped.
func (c *closure) findGates() bool {
	rows := c.prepare()
	if rows == nil || !c.findEquivalences(rows) || !c.findAnds(rows) {
		return false
	}
	return c.findSmall() && len(c.gates) > 1
}

// prepareRounds bounds how often binary clauses are looked for that make gates smaller.
const prepareRounds = 4

// prepare learns what makes gates of clauses that a constant or a duplicate input has
// left of others, and returns the binary clauses as a graph with sorted rows, or nil if
// the call is stopped.
func (c *closure) prepare() *implications {
	for round := 1; ; round++ {
		g := c.implications()
		if g == nil {
			return nil
		}
		rows := c.sortRows(g)
		if rows == nil || round == prepareRounds {
			return rows
		}
		fixed, shortened := c.roots, c.stats.CongruenceShort
		if !c.failBinary(rows) || !c.shorten(rows) {
			return nil
		}
		switch {
		case c.roots > fixed:
			if c.collectRoot(); c.stopped || c.inconsistent {
				return nil
			}
		case c.stats.CongruenceShort == shortened:
			return rows
		}
	}
}

// failBinary finds literals that imply another one and its complement. It reports
// false if the call is stopped or the formula refuted.
func (c *closure) failBinary(rows *implications) bool {
	for l := range dimacs.Lit(len(c.vals)) {
		if c.inconsistent || c.stopped || c.pausing(int(l)+1) {
			return false
		}
		c.stats.Ticks += rows.ticks(l)
		for i := rows.start[l] + 1; i < rows.start[l+1]; i++ {
			if h := dimacs.Lit(rows.heads[i]); rows.heads[i-1] == uint32(h^1) {
				c.deriveUnit(l^1, func() {
					c.imply(h, c.refID(rows.refs[i]))
					c.clash(c.refID(rows.refs[i-1]))
				})
				break
			}
		}
	}
	return true
}

// sortRows returns the graph with its rows in the order of literals, or nil if the call is
// stopped. Each edge is put in the row that has it turned round, in that order.
func (c *closure) sortRows(g *implications) *implications {
	next := slices.Clone(g.start)
	r := &implications{start: g.start, heads: make([]uint32, len(g.heads)), refs: make([]uint32, len(g.refs))}
	c.stats.Ticks += int64(len(g.start)/16 + len(g.heads)/2)
	for k := range len(c.vals) {
		if c.pausing(k + 1) {
			return nil
		}
		for i := g.start[k^1]; i < g.start[k^1+1]; i++ {
			at := &next[g.heads[i]^1]
			r.heads[*at], r.refs[*at] = uint32(k), g.refs[i]
			*at++
		}
	}
	return r
}

// clause returns the reference of the binary clause that says that l implies h, or 0.
func (g *implications) clause(l, h dimacs.Lit) uint32 {
	if g.degree(l) > g.degree(h^1) {
		l, h = h^1, l^1
	}
	row := g.heads[g.start[l]:g.start[l+1]]
	if i, ok := slices.BinarySearch(row, uint32(h)); ok {
		return g.refs[g.start[l]+uint32(i)]
	}
	return 0
}

// shorten learns the binary clauses that a clause of three literals and a binary one give
// if the second has two variables of the first, one of them with the other sign. It
// reports false if the call is stopped or the formula refuted. An if-then-else with a constant input is a
// conjunction only with them.
func (c *closure) shorten(rows *implications) bool {
	if len(rows.heads) == 0 {
		return true
	}
	steps := 0
	end := uint32(len(c.arena))
	c.eachClause(2, func(r uint32) bool {
		steps++
		if r >= end || c.inconsistent || c.pausing(steps) {
			return false
		}
		if c.arena[r]&(garbageBit|redundantBit) == 0 && c.arena[r+1] == 3 && c.unfixed(r) {
			c.shortenTernary(rows, r)
		}
		return true
	})
	return !c.inconsistent && !c.stopped
}

func (c *closure) shortenTernary(rows *implications, r uint32) {
	lits := c.lits(r)
	for k := range lits {
		a, b, d := dimacs.Lit(lits[k]), dimacs.Lit(lits[(k+1)%3]), dimacs.Lit(lits[(k+2)%3])
		c.stats.Ticks++
		if rows.degree(a) == 0 {
			continue
		}
		ref := rows.clause(a, b)
		if ref == 0 {
			ref = rows.clause(a, d)
		}
		if ref == 0 || rows.clause(b^1, d) != 0 {
			continue
		}
		c.derive(true, []dimacs.Lit{b, d}, func(bool, []dimacs.Lit) {
			c.imply(a^1, c.refID(ref))
			c.clash(c.id(r))
		})
		c.stats.CongruenceShort++
	}
}

// findEquivalences unites literals that imply each other.
func (c *closure) findEquivalences(rows *implications) bool {
	for l := range dimacs.Lit(len(c.vals)) {
		if c.inconsistent || c.stopped || c.pausing(int(l)+1) {
			return false
		}
		for i := rows.start[l]; i < rows.start[l+1]; i++ {
			if h := dimacs.Lit(rows.heads[i]); l < h&^1 {
				c.stats.Ticks++
				if ref := rows.clause(h, l); ref != 0 {
					c.found(l, h, rows.refs[i], ref)
				}
			}
		}
	}
	return true
}

// found unites the classes of l and h, which the binary clauses with these references
// say to be equal. There are clauses for propagation already, so that only the proof
// may need others.
func (c *closure) found(l, h dimacs.Lit, forth, back uint32) {
	x, y := c.find(l), c.find(h)
	explain := func(isForth bool, _ []dimacs.Lit) {
		if isForth {
			c.down(l)
			c.down(h ^ 1)
			c.clash(c.refID(forth))
		} else {
			c.down(l ^ 1)
			c.down(h)
			c.clash(c.refID(back))
		}
	}
	switch {
	case x == y || c.vals[x] != 0: // and that of y
	case x == y^1:
		c.equate(x, y, explain)
	case x == l && y == h || !c.hints:
		c.unite(x, y, c.refID(forth), c.refID(back), false)
	default:
		first := c.lemma(func() { explain(true, nil) }, x^1, y)
		second := c.lemma(func() { explain(false, nil) }, x, y^1)
		c.unite(x, y, first.id, second.id, true)
	}
}

// findAnds finds conjunctions. It stops when they have many more inputs than there are
// literals, which happens if the same literals exclude each other in many clauses.
func (c *closure) findAnds(rows *implications) bool {
	if len(rows.heads) == 0 {
		return true
	}
	most := 4 * (len(c.arena) + len(rows.heads))
	steps := 0
	c.eachClause(2, func(r uint32) bool {
		steps++
		if c.pausing(steps) || len(c.inputs) > most {
			return false
		}
		c.stats.Ticks++
		if c.arena[r]&(garbageBit|redundantBit) == 0 && c.unfixed(r) {
			c.findOutputs(rows, r)
		}
		return true
	})
	return !c.stopped
}

// unfixed reports whether no literal of the clause at r is assigned.
func (c *closure) unfixed(r uint32) bool {
	return c.roots == c.rootsSwept || !slices.ContainsFunc(c.lits(r), func(w uint32) bool { return c.vals[w] != 0 })
}

// findOutputs looks for literals of the clause at r that imply the complements of all
// others.
func (c *closure) findOutputs(rows *implications, r uint32) {
	lits := c.lits(r)
	least := lits[0]
	for _, w := range lits {
		d := rows.degree(dimacs.Lit(w))
		if d == 0 {
			return
		}
		if d < rows.degree(dimacs.Lit(least)) {
			least = w
		}
	}
	for _, w := range lits {
		out := dimacs.Lit(w)
		if int(rows.degree(out)) < len(lits)-1 || w != least && rows.clause(out, dimacs.Lit(least^1)) == 0 {
			continue
		}
		if c.collectInputs(rows, out, lits) {
			ids := c.andIDs(r)
			c.addGate(andGate, out, c.scratch, ids)
			c.stats.CongruenceAnds++
		}
	}
}

// collectInputs collects the inputs of a conjunction, and the references of their
// binary clauses. It reports false if there is none.
func (c *closure) collectInputs(rows *implications, out dimacs.Lit, lits []uint32) bool {
	c.scratch, c.refs = c.scratch[:0], c.refs[:0]
	for _, w := range lits {
		if w == uint32(out) {
			continue
		}
		c.stats.Ticks++
		ref := rows.clause(out, dimacs.Lit(w^1))
		if ref == 0 {
			return false
		}
		c.scratch = append(c.scratch, dimacs.Lit(w^1))
		c.refs = append(c.refs, ref)
	}
	return true
}

// andIDs returns the ids of the clauses of the conjunction that was found last.
func (c *closure) andIDs(r uint32) []int64 {
	if c.proof == nil {
		return nil
	}
	ids := []int64{c.id(r)}
	for _, ref := range c.refs {
		ids = append(ids, c.refID(ref))
	}
	return ids
}
