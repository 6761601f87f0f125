package congruence

import (
	"math/bits"
	"slices"

	"sator/dimacs"
)

// rewriteXor rewrites an XOR gate. Its inputs are positive literals. An XOR gate of n
// inputs has 2^(n-1) clauses. Each of them excludes one combination of input values, a
// number with the value of input k as bit k. If the sum of the inputs is odd, the
// excluded combinations have an even number of ones. So the last bit follows from the
// others, and the index of a clause id is the excluded combination without the last
// bit.
func (c *closure) rewriteXor(i uint32) {
	g := &c.gates[i]
	for c.reduceXor(i) {
		c.stats.Reduced++
	}
	if c.host.Refuted() || c.host.Stopped() {
		return
	}
	in := c.inputsOf(g)
	*c.budget.Ticks++
	switch len(in) {
	case 0:
		g.garbage = true
	case 1:
		l := in[0]
		if !g.odd {
			l ^= 1
		}
		c.learnUnit(c.find(l), func() {
			c.fromRep(l ^ 1)
			c.conflict(c.clauseIDs(i)[0])
		})
		c.discard(i)
	case 2:
		x, y := in[0], in[1]
		if g.odd {
			y ^= 1
		}
		c.merge(c.find(x), c.find(y), func(forth bool, _ []dimacs.Lit) {
			if forth {
				c.fromRep(x, y^1)
				c.conflict(c.clauseIDs(i)[1])
			} else {
				c.fromRep(x^1, y)
				c.conflict(c.clauseIDs(i)[0])
			}
		})
		c.discard(i)
	default:
		c.mergeOrInsertXor(i)
	}
}

// mergeOrInsertXor looks up, for every choice of the output, another XOR gate with the
// same other variables, and merges the outputs. It inserts gate i into the table.
func (c *closure) mergeOrInsertXor(i uint32) {
	g := &c.gates[i]
	var buf [maxXorVars]dimacs.Lit
	reps := buf[:0]
	g.oddReps = g.odd
	for _, a := range c.inputsOf(g) {
		r := c.find(a)
		g.oddReps = g.oddReps != r.Neg()
		reps = append(reps, r&^1)
	}
	slices.Sort(reps)
	c.setRHS(g, reps)
	for k := range uint32(len(reps)) {
		if e, ok := c.lookup(i, k); ok && !c.mergeXor(i, k, e) {
			return
		}
		if !g.indexed {
			c.insert(i, k)
		}
	}
	g.indexed = true
}

// mergeXor merges the outputs of two XOR gates: gate i with the output at position k,
// and the gate of entry e. It returns false if gate i is garbage or has been queued
// again.
func (c *closure) mergeXor(i, k uint32, e gateEntry) bool {
	g, o := &c.gates[i], &c.gates[e.gate]
	x, y := c.reps[g.inputStart+k], c.reps[o.inputStart+e.output]
	if g.oddReps != o.oddReps {
		y ^= 1
	}
	if x == y { // the gates are equal
		g.garbage = true
		return false
	}
	rest := slices.Delete(slices.Clone(c.rhs(g)), int(k), int(k)+1)
	c.merge(x, y, func(forth bool, goal []dimacs.Lit) { c.chainXor(i, e.gate, goal, rest) })
	return !g.queued
}

// chainXor adds the RUP steps of the clause goal over the outputs of XOR gates i and
// j, which have the other inputs, rest, in common. It splits cases on rest[0]: two
// lemmas extend the goal by rest[0] and by its complement. If rest has a single input,
// the clauses of the gates propagate without a split.
func (c *closure) chainXor(i, j uint32, goal, rest []dimacs.Lit) {
	if len(rest) == 1 {
		c.beginChain(goal...)
		c.implyLast(i)
		values := c.xorValues(j)
		c.conflict(c.xorID(j, values))
		return
	}
	var ids [2]int64
	for n := range ids {
		longer := append(slices.Clone(goal), rest[0]^dimacs.Lit(n))
		c.chainXor(i, j, longer, rest[1:])
		ids[n] = c.logGoal()
		c.caseLemmas = append(c.caseLemmas, lemma{lits: slices.Clone(c.chain.goal), id: ids[n]})
	}
	c.beginChain(goal...)
	c.imply(rest[0], ids[0])
	c.conflict(ids[1])
}

// xorValues adds the steps from the representatives assigned in the chain to the
// inputs of XOR gate i. It returns the values of the inputs as bits.
func (c *closure) xorValues(i uint32) int {
	v := 0
	for k, a := range c.inputsOf(&c.gates[i]) {
		switch r := c.find(a); {
		case c.known(r):
			c.fromRep(a)
			v |= 1 << k
		case c.known(r ^ 1):
			c.fromRep(a ^ 1)
		}
	}
	return v
}

// implyLast adds the step to the only input of XOR gate i that is not assigned in the
// chain.
func (c *closure) implyLast(i uint32) {
	g := &c.gates[i]
	v := c.xorValues(i)
	for k, a := range c.inputsOf(g) {
		if r := c.find(a); !c.known(r) && !c.known(r^1) {
			if bits.OnesCount(uint(v))&1 != 0 == g.odd {
				v |= 1 << k // the clause excludes the value 1
				a ^= 1
			}
			c.imply(a, c.xorID(i, v))
			c.toRep(a)
			return
		}
	}
}

// xorID returns the id of the clause that excludes these values.
func (c *closure) xorID(i uint32, values int) int64 {
	return c.clauseIDs(i)[values&(1<<(c.gates[i].arity-1)-1)]
}

// reduceXor removes the fixed inputs from XOR gate i. If there are no fixed inputs, it
// removes a pair of equal or complementary inputs. It reports whether the gate changed
// and the formula is not refuted.
func (c *closure) reduceXor(i uint32) bool {
	g := &c.gates[i]
	in := slices.Clone(c.inputsOf(g))
	removed, odd := 0, g.odd // the removed inputs as bits, and the parity of the others
	for k, a := range in {
		if x := c.vals[a]; x != 0 {
			removed |= 1 << k
			odd = odd != (x > 0)
		}
	}
	if removed == 0 {
		if removed, odd = c.findPair(in, odd); removed == 0 {
			return false
		}
	}
	var kept []dimacs.Lit
	for k, a := range in {
		if removed>>k&1 == 0 {
			kept = append(kept, a)
		}
	}
	if c.proof != nil {
		ids := c.xorGateLemmas(i, in, kept, removed, odd)
		g.idStart = uint32(len(c.ids))
		c.ids = append(c.ids, ids...)
	}
	g.odd, g.arity, g.indexed = odd, uint32(copy(c.inputs[g.inputStart:], kept)), false
	if len(kept) == 0 && odd {
		c.host.Refute()
	}
	return !c.host.Refuted()
}

// findPair finds two equal or complementary inputs. It returns them as bits, and the
// parity of the sum of the other inputs.
func (c *closure) findPair(in []dimacs.Lit, odd bool) (int, bool) {
	for k, a := range in {
		for m, b := range in[:k] {
			if r, q := c.find(a), c.find(b); r|1 == q|1 {
				return 1<<k | 1<<m, odd != (r != q)
			}
		}
	}
	return 0, odd
}

// xorGateLemmas logs the clauses of XOR gate i after the removal of inputs, and
// returns their ids. Before the removal the inputs were in; removed has the bits of the
// removed inputs, and kept the other inputs. If odd is set, the sum of kept is odd.
func (c *closure) xorGateLemmas(i uint32, in, kept []dimacs.Lit, removed int, odd bool) []int64 {
	ids := make([]int64, max(1, 1<<len(kept)/2))
	for q := range 1 << len(kept) {
		if bits.OnesCount(uint(q))&1 != 0 == odd {
			continue
		}
		goal := make([]dimacs.Lit, len(kept))
		values, n := 0, 0
		for k := range in {
			if removed>>k&1 == 0 {
				values |= q >> n & 1 << k
				goal[n] = kept[n] ^ dimacs.Lit(q>>n&1)
				n++
			}
		}
		at := q & (len(ids) - 1)
		if first := bits.TrailingZeros(uint(removed)); c.vals[in[first]] != 0 {
			ids[at] = c.xorLemmaFixed(i, in, goal, removed, values)
		} else {
			ids[at] = c.xorLemmaPair(i, in, goal, first, bits.Len(uint(removed))-1, values)
		}
	}
	return ids
}

// xorLemmaFixed logs the clause goal of an XOR gate without its fixed inputs, which
// are the bits of removed. The bits of values are the excluded values of the other
// inputs.
func (c *closure) xorLemmaFixed(i uint32, in, goal []dimacs.Lit, removed, values int) int64 {
	return c.gateLemma(func() {
		for k, a := range in {
			if removed>>k&1 == 0 {
				continue
			}
			if c.vals[a] > 0 {
				values |= 1 << k
			} else {
				a ^= 1
			}
			c.imply(a, 0)
		}
		c.conflict(c.xorID(i, values))
	}, goal...)
}

// xorLemmaPair logs the clause goal of an XOR gate without the equal or complementary
// inputs k and m, by a case split on input k.
func (c *closure) xorLemmaPair(i uint32, in, goal []dimacs.Lit, k, m, values int) int64 {
	a, b := in[k], in[m]
	zero, one := values, values|1<<k
	if c.find(a) == c.find(b) {
		one |= 1 << m
	} else {
		zero |= 1 << m
		b ^= 1
	}
	c.beginFullChain(append(slices.Clone(goal), a))
	c.toRep(a ^ 1)
	c.fromRep(b ^ 1)
	c.conflict(c.xorID(i, zero))
	l := lemma{lits: slices.Clone(c.chain.goal), id: c.logGoal()}
	id := c.gateLemma(func() {
		c.imply(a, l.id)
		c.toRep(a)
		c.fromRep(b)
		c.conflict(c.xorID(i, one))
	}, goal...)
	c.deleteLemma(l)
	return id
}
