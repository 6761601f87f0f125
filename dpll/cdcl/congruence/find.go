package congruence

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
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
	maxShort = 1 << 23
	// maxPartners bounds the partners that a condition or an inequality is tried with.
	maxPartners = 16
)

// findGates finds equivalences and gates. It reports false if there are none or the
// call is stopped.
func (c *closure) findGates() bool {
	rows := c.learnBinaries()
	if rows == nil || !c.findEquivalences(rows) || !c.findAnds(rows) {
		return false
	}
	return c.findShortGates() && len(c.gates) > 1
}

// prepareRounds bounds how often binary clauses are looked for that make gates smaller.
const learnRounds = 4

// prepare learns what makes gates of clauses that a constant or a duplicate input has
// left of others, and returns the binary clauses as a graph with sorted rows, or nil if
// the call is stopped.
func (c *closure) learnBinaries() *inprocess.Implications {
	for round := 1; ; round++ {
		g := c.host.Implications()
		if g == nil {
			return nil
		}
		rows := c.sortRows(g)
		if rows == nil || round == learnRounds {
			return rows
		}
		fixed, shortened := len(c.host.Trail()), c.stats.Short
		if !c.learnFailedLiterals(rows) || !c.strengthenTernaries(rows) {
			return nil
		}
		switch {
		case len(c.host.Trail()) > fixed:
			if c.host.Sweep(); c.host.Stopped() || c.host.Refuted() {
				return nil
			}
		case c.stats.Short == shortened:
			return rows
		}
	}
}

// failBinary finds literals that imply another one and its complement. It reports
// false if the call is stopped or the formula refuted.
func (c *closure) learnFailedLiterals(rows *inprocess.Implications) bool {
	for l := range dimacs.Lit(len(c.vals)) {
		if c.host.Refuted() || c.host.Stopped() || inprocess.Pause(c.host, int(l)+1) {
			return false
		}
		*c.budget.Ticks += rows.Cost(l)
		for i := rows.Start[l] + 1; i < rows.Start[l+1]; i++ {
			if h := dimacs.Lit(rows.Heads[i]); rows.Heads[i-1] == uint32(h^1) {
				c.learnUnit(l^1, func() {
					c.imply(h, c.host.ClauseID(rows.Refs[i]))
					c.conflict(c.host.ClauseID(rows.Refs[i-1]))
				})
				break
			}
		}
	}
	return true
}

// sortRows returns the graph with its rows in the order of literals, or nil if the call is
// stopped. Each edge is put in the row that has it turned round, in that order.
func (c *closure) sortRows(g *inprocess.Implications) *inprocess.Implications {
	next := slices.Clone(g.Start)
	r := &inprocess.Implications{Start: g.Start, Heads: make([]uint32, len(g.Heads)), Refs: make([]uint32, len(g.Refs))}
	*c.budget.Ticks += int64(len(g.Start)/16 + len(g.Heads)/2)
	for k := range len(c.vals) {
		if inprocess.Pause(c.host, k+1) {
			return nil
		}
		for i := g.Start[k^1]; i < g.Start[k^1+1]; i++ {
			at := &next[g.Heads[i]^1]
			r.Heads[*at], r.Refs[*at] = uint32(k), g.Refs[i]
			*at++
		}
	}
	return r
}

// clauseOf returns the reference of the binary clause that says that l implies h, or 0.
func binaryRef(g *inprocess.Implications, l, h dimacs.Lit) uint32 {
	if g.Degree(l) > g.Degree(h^1) {
		l, h = h^1, l^1
	}
	row := g.Heads[g.Start[l]:g.Start[l+1]]
	if i, ok := slices.BinarySearch(row, uint32(h)); ok {
		return g.Refs[g.Start[l]+uint32(i)]
	}
	return 0
}

// shorten learns the binary clauses that a clause of three literals and a binary one give
// if the second has two variables of the first, one of them with the other sign. It
// reports false if the call is stopped or the formula refuted. An if-then-else with a constant input is a
// conjunction only with them.
func (c *closure) strengthenTernaries(rows *inprocess.Implications) bool {
	if len(rows.Heads) == 0 {
		return true
	}
	_, ok := c.host.EachClause(func(r uint32, lits []uint32) bool {
		if len(lits) == 3 && c.unfixed(lits) {
			c.strengthenTernary(rows, r)
		}
		return !c.host.Refuted()
	})
	return ok && !c.host.Refuted()
}

func (c *closure) strengthenTernary(rows *inprocess.Implications, r uint32) {
	lits := c.host.Lits(r)
	for k := range lits {
		a, b, d := dimacs.Lit(lits[k]), dimacs.Lit(lits[(k+1)%3]), dimacs.Lit(lits[(k+2)%3])
		*c.budget.Ticks++
		if rows.Degree(a) == 0 {
			continue
		}
		ref := binaryRef(rows, a, b)
		if ref == 0 {
			ref = binaryRef(rows, a, d)
		}
		if ref == 0 || binaryRef(rows, b^1, d) != 0 {
			continue
		}
		c.learnClause(true, []dimacs.Lit{b, d}, func(bool, []dimacs.Lit) {
			c.imply(a^1, c.host.ClauseID(ref))
			c.conflict(c.host.ClauseID(r))
		})
		c.stats.Short++
	}
}

// findEquivalences unites literals that imply each other.
func (c *closure) findEquivalences(rows *inprocess.Implications) bool {
	for l := range dimacs.Lit(len(c.vals)) {
		if c.host.Refuted() || c.host.Stopped() || inprocess.Pause(c.host, int(l)+1) {
			return false
		}
		for i := rows.Start[l]; i < rows.Start[l+1]; i++ {
			if h := dimacs.Lit(rows.Heads[i]); l < h&^1 {
				*c.budget.Ticks++
				if ref := binaryRef(rows, h, l); ref != 0 {
					c.mergeEquivalent(l, h, rows.Refs[i], ref)
				}
			}
		}
	}
	return true
}

// found unites the classes of l and h, which the binary clauses with these references
// say to be equal. There are clauses for propagation already, so that only the proof
// may need others.
func (c *closure) mergeEquivalent(l, h dimacs.Lit, forth, back uint32) {
	x, y := c.find(l), c.find(h)
	addSteps := func(isForth bool, _ []dimacs.Lit) {
		if isForth {
			c.fromRep(l)
			c.fromRep(h ^ 1)
			c.conflict(c.host.ClauseID(forth))
		} else {
			c.fromRep(l ^ 1)
			c.fromRep(h)
			c.conflict(c.host.ClauseID(back))
		}
	}
	switch {
	case x == y || c.vals[x] != 0: // and that of y
	case x == y^1:
		c.merge(x, y, addSteps)
	case x == l && y == h || !c.hints:
		c.union(x, y, c.host.ClauseID(forth), c.host.ClauseID(back), false)
	default:
		first := c.lemma(func() { addSteps(true, nil) }, x^1, y)
		second := c.lemma(func() { addSteps(false, nil) }, x, y^1)
		c.union(x, y, first.id, second.id, true)
	}
}

// findAnds finds conjunctions. It stops when they have many more inputs than there are
// literals, which happens if the same literals exclude each other in many clauses.
func (c *closure) findAnds(rows *inprocess.Implications) bool {
	if len(rows.Heads) == 0 {
		return true
	}
	most := 4 * (c.host.Size().Words + len(rows.Heads))
	visited, ok := c.host.EachClause(func(r uint32, lits []uint32) bool {
		if c.unfixed(lits) {
			c.findAndOutputs(rows, r)
		}
		return len(c.inputs) <= most
	})
	*c.budget.Ticks += int64(visited)
	return ok
}

// unfixed reports whether none of the literals is assigned.
func (c *closure) unfixed(lits []uint32) bool {
	return c.host.FixedRemoved() || !slices.ContainsFunc(lits, func(w uint32) bool { return c.vals[w] != 0 })
}

// findOutputs looks for literals of the clause at r that imply the complements of all
// others.
func (c *closure) findAndOutputs(rows *inprocess.Implications, r uint32) {
	lits := c.host.Lits(r)
	least := lits[0]
	for _, w := range lits {
		d := rows.Degree(dimacs.Lit(w))
		if d == 0 {
			return
		}
		if d < rows.Degree(dimacs.Lit(least)) {
			least = w
		}
	}
	for _, w := range lits {
		out := dimacs.Lit(w)
		if int(rows.Degree(out)) < len(lits)-1 || w != least && binaryRef(rows, out, dimacs.Lit(least^1)) == 0 {
			continue
		}
		if c.collectInputs(rows, out, lits) {
			ids := c.andIDs(r)
			c.addGate(andGate, out, c.scratch, ids)
			c.stats.Ands++
		}
	}
}

// collectInputs collects the inputs of a conjunction, and the references of their
// binary clauses. It reports false if there is none.
func (c *closure) collectInputs(rows *inprocess.Implications, out dimacs.Lit, lits []uint32) bool {
	c.scratch, c.refs = c.scratch[:0], c.refs[:0]
	for _, w := range lits {
		if w == uint32(out) {
			continue
		}
		*c.budget.Ticks++
		ref := binaryRef(rows, out, dimacs.Lit(w^1))
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
	ids := []int64{c.host.ClauseID(r)}
	for _, ref := range c.refs {
		ids = append(ids, c.host.ClauseID(ref))
	}
	return ids
}
