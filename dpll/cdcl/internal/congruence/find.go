package congruence

import (
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// Gate extraction. A clause is the long clause of an AND gate if one of its literals,
// the output, implies the complements of all other literals, the inputs. The binary
// clauses are an implication graph with sorted rows, so that a binary clause is found
// by binary search in the shorter of two rows. Apart from the literal of the clause
// with the shortest row, only the few literals that imply its complement can be the
// output.
//
// The other kinds have several clauses over the same few variables. These clauses form
// a group, in a hash table by variables; the sign patterns that occur in a group are
// bits of a mask. An XOR gate is half of the bits of a mask.
//
// In a group of three variables, two clauses that differ in the signs of two variables
// are a conditional equivalence: the two variables are equal or complementary if the
// third variable has a certain value. Two conditional equivalences with complementary
// conditions and one common variable are an if-then-else gate.
//
// Two clauses that differ in all three signs are a not-all-equal (NAE) constraint:
// their literals are not all equal. Three NAE constraints that have one variable in
// common, and three further variables in pairs, are a majority gate.

// Limits of the gate search.
const (
	// maxShort is the largest number of short clauses with the same variables as an
	// earlier clause. It bounds memory: above it no clauses are grouped.
	maxShort = 1 << 23
	// maxPartners bounds the combinations of a new conditional equivalence, or NAE
	// constraint, with earlier ones.
	maxPartners = 16
)

// findGates merges equivalent literals and finds the gates. It returns false if there
// are no gates or the call is stopped.
func (c *closure) findGates() bool {
	rows := c.learnBinaries()
	if rows == nil || !c.findEquivalences(rows) || !c.findAnds(rows) {
		return false
	}
	c.host.ReleaseImplications()
	return c.findShortGates() && len(c.gates) > 1
}

// learnRounds is the largest number of rounds of learnBinaries.
const learnRounds = 4

// learnBinaries learns units and binary clauses that complete gates. A gate with a
// constant or duplicate input lacks them if its encoder simplified it clause by
// clause. learnBinaries returns the implication graph with sorted rows, or nil if the
// call is stopped or the formula is refuted.
func (c *closure) learnBinaries() *inprocess.Implications {
	for round := 1; ; round++ {
		rows := c.host.Implications(c.proof != nil)
		if rows == nil || !c.sortRows(rows) {
			return nil
		}
		if round == learnRounds {
			return rows
		}
		fixed, shortened := len(c.host.Trail()), c.stats.Short
		if !c.learnFailedLiterals(rows) || !c.strengthenTernaries(rows) {
			return nil
		}
		switch {
		case len(c.host.Trail()) > fixed:
			if c.host.RemoveFixed(); c.host.Stopped() || c.host.Refuted() {
				return nil
			}
		case c.stats.Short == shortened:
			return rows
		}
	}
}

// learnFailedLiterals learns the complement of every literal that directly implies a
// literal and its complement. It returns false if the call is stopped or the formula
// is refuted.
func (c *closure) learnFailedLiterals(rows *inprocess.Implications) bool {
	for l := range dimacs.Lit(len(c.vals)) {
		if c.host.Refuted() || c.host.Stopped() || inprocess.Pause(c.host, int(l)+1) {
			return false
		}
		*c.budget.Ticks += rows.Cost(l)
		for i := rows.Start[l] + 1; i < rows.Start[l+1]; i++ {
			if h := dimacs.Lit(rows.Heads[i]); rows.Heads[i-1] == uint32(h^1) {
				c.learnUnit(l^1, func() {
					c.imply(h, c.host.ClauseID(edgeRef(rows, i)))
					c.conflict(c.host.ClauseID(edgeRef(rows, i-1)))
				})
				break
			}
		}
	}
	return true
}

// sortRows sorts the rows of the graph. It returns false if the call is stopped.
//
// A counting sort of all edges, by their heads, needs a second graph. On queens with 10^7 binary
// clauses the pass then took the largest peak of the run.
func (c *closure) sortRows(g *inprocess.Implications) bool {
	*c.budget.Ticks += int64(len(g.Start) / 16)
	for l := range len(c.vals) {
		if c.host.Stopped() || inprocess.Pause(c.host, l+1) {
			return false
		}
		from, to := g.Start[l], g.Start[l+1]
		*c.budget.Ticks += int64(to/2 - from/2)
		if g.Refs == nil {
			slices.Sort(g.Heads[from:to])
		} else {
			c.sortRow(g.Heads[from:to], g.Refs[from:to])
		}
	}
	return true
}

// sortRow sorts a row by its heads, with their references.
func (c *closure) sortRow(heads, refs []uint32) {
	c.keys = c.keys[:0]
	for i, h := range heads {
		c.keys = append(c.keys, uint64(h)<<32|uint64(refs[i]))
	}
	slices.Sort(c.keys)
	for i, k := range c.keys {
		heads[i], refs[i] = uint32(k>>32), uint32(k)
	}
}

// binaryRef returns the reference of the binary clause l → h, or 0.
func binaryRef(g *inprocess.Implications, l, h dimacs.Lit) uint32 {
	if g.Degree(l) > g.Degree(h^1) {
		l, h = h^1, l^1
	}
	row := g.Heads[g.Start[l]:g.Start[l+1]]
	if i, ok := slices.BinarySearch(row, uint32(h)); ok {
		return edgeRef(g, g.Start[l]+uint32(i))
	}
	return 0
}

// edgeRef returns the reference of the clause of edge i. Without references it is 1, a
// binary clause.
func edgeRef(g *inprocess.Implications, i uint32) uint32 {
	if g.Refs == nil {
		return 1
	}
	return g.Refs[i]
}

// strengthenTernaries learns binary clauses by self-subsuming resolution of ternary
// clauses with binary clauses: (a ∨ b ∨ d) and (¬a ∨ b) give (b ∨ d). An if-then-else
// gate with a constant input is found as an AND gate only with these clauses.
// strengthenTernaries returns false if the call is stopped or the formula is refuted.
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

// strengthenTernary learns the binary clauses of the ternary clause at r.
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

// findEquivalences merges literals that imply each other. It returns false if the call
// is stopped or the formula is refuted.
func (c *closure) findEquivalences(rows *inprocess.Implications) bool {
	for l := range dimacs.Lit(len(c.vals)) {
		if c.host.Refuted() || c.host.Stopped() || inprocess.Pause(c.host, int(l)+1) {
			return false
		}
		for i := rows.Start[l]; i < rows.Start[l+1]; i++ {
			if h := dimacs.Lit(rows.Heads[i]); l < h&^1 {
				*c.budget.Ticks++
				if ref := binaryRef(rows, h, l); ref != 0 {
					c.mergeEquivalent(l, h, edgeRef(rows, i), ref)
				}
			}
		}
	}
	return true
}

// mergeEquivalent merges the classes of l and h. The references forth and back belong
// to the binary clauses l → h and h → l. The solver needs no further clauses for
// propagation, but a proof with hints needs clauses between the representatives. If
// the representatives are complementary, the formula is refuted.
func (c *closure) mergeEquivalent(l, h dimacs.Lit, forth, back uint32) {
	x, y := c.find(l), c.find(h)
	addSteps := func(isForth bool, _ []dimacs.Lit) {
		if isForth {
			c.fromRep(l, h^1)
			c.conflict(c.host.ClauseID(forth))
		} else {
			c.fromRep(l^1, h)
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

// findAnds finds AND gates. It stops if the gates have more than four inputs for each
// literal of the formula. This happens if the same literals are mutually exclusive in
// many clauses.
func (c *closure) findAnds(rows *inprocess.Implications) bool {
	if len(rows.Heads) == 0 {
		return true
	}
	most := 4 * (c.host.Size().Words + len(rows.Heads))
	visited, ok := c.host.EachClause(func(r uint32, lits []uint32) bool {
		if c.unfixed(lits) {
			c.findAndOutputs(rows, r)
		}
		return len(c.inputs) <= most && !c.host.Stopped()
	})
	*c.budget.Ticks += int64(visited)
	return ok
}

// unfixed reports whether all of the literals are unassigned.
func (c *closure) unfixed(lits []uint32) bool {
	return c.host.FixedRemoved() || !slices.ContainsFunc(lits, func(w uint32) bool { return c.vals[w] != 0 })
}

// findAndOutputs adds an AND gate for each literal of the clause at r that implies the
// complements of all other literals. It ends early if the call is stopped: of literals that
// exclude each other each is an output, which takes the square of their number.
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
		if c.host.Stopped() {
			return
		}
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

// collectInputs collects the inputs of the AND gate with this output and these
// literals in its long clause, and the references of its binary clauses. It returns
// false if a binary clause is missing.
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

// andIDs returns the clause ids of the AND gate of the last call of collectInputs. Its
// long clause is at r.
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
