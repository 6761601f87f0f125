package congruence

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// maxXorVars is the number of variables of the longest XOR gate, output included. Such
// a gate has 2^(maxXorVars-1) clauses.
const maxXorVars = 5

// A group has the clauses over the same variables. Bit k of the sign pattern of a
// clause is set if the k-th variable is negated.
type group struct {
	vars [maxXorVars]uint32 // sorted
	size uint32             // number of variables
	mask uint32             // bit s is set if the group has a clause with the sign pattern s
	last uint32             // index of the last clause
}

// A groupClause is a clause of a group: its reference, its sign pattern, and the index
// of the previous clause of the group.
type groupClause struct{ ref, signs, prev uint32 }

// A shortGroups has the groups of short clauses.
type shortGroups struct {
	*closure
	byVars  hashTable     // of the groups
	groups  []group       // by number in the table
	clauses []groupClause // of all groups; clauses[0] is unused
}

// findShortGates finds XOR, if-then-else and majority gates. It returns false if the
// call is stopped.
func (c *closure) findShortGates() bool {
	filter := newDuplicateFilter(longClauses(c.host.Size()))
	if !c.eachShort(func(r uint32) { filter.add(c.varsHash(r)) }) || filter.count > maxShort {
		return !c.host.Stopped()
	}
	s := &shortGroups{closure: c, byVars: newHashTable(c.host, 1024)}
	s.groups = append(inprocess.GrowingTable[group](c.host), group{})
	s.clauses = append(inprocess.GrowingTable[groupClause](c.host), groupClause{})
	return c.eachShort(func(r uint32) {
		if h := c.varsHash(r); filter.hasRepeated(h) {
			s.addToGroup(r, h)
		}
	}) && s.findXors() && s.findTernaryGates()
}

// longClauses returns the number of clauses of three and more literals, redundant ones
// included. Without them it would be unknown how many of the binary clauses to subtract.
func longClauses(n inprocess.Size) int { return n.Irredundant + n.Redundant - n.Binary }

// eachShort calls f for the irredundant clauses of at most maxXorVars literals. It
// returns false if the call is stopped.
func (c *closure) eachShort(f func(r uint32)) bool {
	_, ok := c.host.EachClause(func(r uint32, lits []uint32) bool {
		if len(lits) <= maxXorVars && c.unfixed(lits) {
			*c.budget.Ticks++
			f(r)
		}
		return true
	})
	return ok
}

// varsHash returns a hash of the variables of the clause at r. It does not depend on
// their order.
func (c *closure) varsHash(r uint32) uint32 {
	h := uint32(0)
	for _, w := range c.host.Lits(r) {
		h += mix(0, w>>1)
	}
	return mix(0, h)
}

// A duplicateFilter finds the hashes that are added more than once. It may have false
// positives, like a Bloom filter. Most short clauses are the only clause over their
// variables and need no memory for a group.
type duplicateFilter struct {
	seen, repeated []uint64 // bit sets by hash
	count          int      // calls of add with a hash whose bit was set already
}

// newDuplicateFilter returns a filter with about 16 bits for each of n hashes.
func newDuplicateFilter(n int) *duplicateFilter {
	words := 1
	for words < n/4 {
		words *= 2
	}
	return &duplicateFilter{seen: make([]uint64, words), repeated: make([]uint64, words)}
}

// add adds a hash.
func (t *duplicateFilter) add(hash uint32) {
	at, bit := hash>>6&uint32(len(t.seen)-1), uint64(1)<<(hash&63)
	if t.seen[at]&bit != 0 {
		t.repeated[at] |= bit
		t.count++
	}
	t.seen[at] |= bit
}

// hasRepeated reports whether the hash was added more than once, with false positives.
func (t *duplicateFilter) hasRepeated(hash uint32) bool {
	return t.repeated[hash>>6&uint32(len(t.repeated)-1)]>>(hash&63)&1 != 0
}

// addToGroup adds the clause at r to its group.
func (s *shortGroups) addToGroup(r, hash uint32) {
	var lits, vars [maxXorVars]uint32
	size := copy(lits[:], s.host.Lits(r))
	slices.Sort(lits[:size])
	signs := uint32(0)
	for i, w := range lits[:size] {
		vars[i] = w >> 1
		signs |= w & 1 << i
	}
	i := s.byVars.first(hash)
	for i != 0 && (s.groups[i].vars != vars || s.groups[i].size != uint32(size)) {
		i = s.byVars.next(i)
	}
	if i == 0 {
		i = s.byVars.add(hash)
		s.groups = append(s.groups, group{vars: vars, size: uint32(size)})
	}
	g := &s.groups[i]
	s.clauses = append(s.clauses, groupClause{r, signs, g.last})
	g.last = uint32(len(s.clauses) - 1)
	g.mask |= 1 << signs
	*s.budget.Ticks++
}

// clauseRef returns the reference of the clause of a group with this sign pattern.
// There must be such a clause.
func (s *shortGroups) clauseRef(g *group, signs uint32) uint32 {
	i := g.last
	for s.clauses[i].signs != signs {
		i = s.clauses[i].prev
	}
	return s.clauses[i].ref
}

// oddMask is the mask of the sign patterns of five variables with an odd number of
// negations. Its low bits are the masks for fewer variables.
const oddMask = 0x96696996

// parityMask returns the mask of the sign patterns of an XOR gate. If odd is set, the
// sum of the variables is odd.
func (g *group) parityMask(odd bool) uint32 {
	mask := uint32(oddMask)
	if odd {
		mask = ^mask
	}
	return mask & uint32(1<<(1<<g.size)-1)
}

// findXors finds XOR gates. It returns false if the call is stopped.
func (s *shortGroups) findXors() bool {
	if !s.reserveXors() {
		return false
	}
	for i := range s.groups[1:] {
		if inprocess.Pause(s.host, i+1) {
			return false
		}
		g := &s.groups[i+1]
		for _, odd := range [2]bool{false, true} {
			if mask := g.parityMask(odd); g.mask&mask == mask {
				s.addXorGate(g, odd)
				s.stats.Xors++
			}
		}
	}
	return true
}

// reserveXors reserves memory for the XOR gates. It returns false if the call is stopped.
func (s *shortGroups) reserveXors() bool {
	gates, inputs := 0, 0
	for i := range s.groups[1:] {
		if inprocess.Pause(s.host, i+1) {
			return false
		}
		g := &s.groups[i+1]
		for _, odd := range [2]bool{false, true} {
			if mask := g.parityMask(odd); g.mask&mask == mask {
				gates++
				inputs += int(g.size)
			}
		}
	}
	s.reserve(gates, inputs)
	return !s.host.Poll()
}

// addXorGate adds the XOR gate over the variables of a group.
func (s *shortGroups) addXorGate(g *group, odd bool) {
	s.scratch = s.scratch[:0]
	for _, v := range g.vars[:g.size] {
		s.scratch = append(s.scratch, dimacs.Lit(2*v))
	}
	var ids []int64
	if s.proof != nil {
		ids = make([]int64, 1<<(g.size-1))
		for mask := g.parityMask(odd); mask != 0; mask &= mask - 1 {
			signs := uint32(bits.TrailingZeros32(mask))
			ids[int(signs)&(len(ids)-1)] = s.host.ClauseID(s.clauseRef(g, signs))
		}
	}
	i := s.addGate(xorGate, noLit, s.scratch, ids)
	s.gates[i].odd = odd
}

// A ternaryGates finds if-then-else and majority gates in the groups of three
// variables.
type ternaryGates struct {
	*shortGroups
	byCond  hashTable // of condEqs, by the variables of the condition and the output
	condEqs []condEq  // by number in the table
	byInput hashTable // of naes, by the output and one input; the n-th constraint has the numbers 2n-1 and 2n
	naes    []nae     // naes[0] is unused
}

// A condEq is a conditional equivalence: if cond is true, the output, a positive
// literal, equals another literal.
type condEq struct {
	cond, out, other dimacs.Lit
	forth, back      uint32 // references of the clauses cond ∧ out → other and cond ∧ other → out
}

// A nae is a not-all-equal (NAE) constraint of two inputs and the complement of an
// output, a positive literal: the output is true if both inputs are true, and false if
// both are false.
type nae struct {
	out       dimacs.Lit
	inputs    [2]dimacs.Lit
	high, low uint32 // references of the clauses that imply out and its complement
}

// findTernaryGates finds if-then-else and majority gates. It returns false if the call
// is stopped.
func (s *shortGroups) findTernaryGates() bool {
	t := &ternaryGates{shortGroups: s, byCond: newHashTable(s.host, 64), byInput: newHashTable(s.host, 64)}
	t.condEqs = append(inprocess.GrowingTable[condEq](s.host), condEq{})
	t.naes = append(inprocess.GrowingTable[nae](s.host), nae{})
	for i := range s.groups[1:] {
		if inprocess.Pause(s.host, i+1) {
			return false
		}
		g := s.groups[i+1]
		if g.size == 3 && bits.OnesCount32(g.mask) > 1 {
			*s.budget.Ticks++
			t.addPairs(&g)
		}
	}
	return true
}

// addPairs adds the conditional equivalences and NAE constraints of a group. It skips
// the clauses of XOR gates.
func (t *ternaryGates) addPairs(g *group) {
	mask := g.mask
	for _, odd := range [2]bool{false, true} {
		if half := g.parityMask(odd); mask&half == half {
			mask &^= half
		}
	}
	for p := range uint32(8) {
		for q := range p {
			if mask>>p&1 == 0 || mask>>q&1 == 0 {
				continue
			}
			switch bits.OnesCount32(p ^ q) {
			case 2:
				t.addCondEqs(g, p, q)
			case 3:
				t.addNAEs(g, p, q)
			}
		}
	}
}

// addCondEqs adds the conditional equivalences of two clauses with the sign patterns p
// and q, which differ in two variables. Each of the two variables may be the output.
func (t *ternaryGates) addCondEqs(g *group, p, q uint32) {
	same := bits.TrailingZeros32(^(p ^ q) & 7)
	x, y := (same+1)%3, (same+2)%3
	cond := dimacs.Lit(2*g.vars[same] + p>>same&1 ^ 1)
	if p>>x&1 == 0 {
		p, q = q, p
	}
	// Variable x is negated in clause p, so that under the condition it implies the
	// other literal.
	u, v := dimacs.Lit(2*g.vars[x]), dimacs.Lit(2*g.vars[y]+p>>y&1)
	forth, back := t.clauseRef(g, p), t.clauseRef(g, q)
	t.addCondEq(condEq{cond, u, v, forth, back})
	if v.Neg() {
		t.addCondEq(condEq{cond, v ^ 1, u ^ 1, forth, back})
	} else {
		t.addCondEq(condEq{cond, v, u, back, forth})
	}
}

// addCondEq adds a conditional equivalence, and the if-then-else gates that it
// completes.
func (t *ternaryGates) addCondEq(n condEq) {
	h := mix(mix(0, uint32(n.cond>>1)), uint32(n.out))
	tries := 0
	for i := t.byCond.first(h); i != 0 && tries < maxPartners; i = t.byCond.next(i) {
		o := t.condEqs[i]
		tries++
		*t.budget.Ticks++
		if o.cond == n.cond^1 && o.out == n.out && o.other != n.other^1 {
			t.addIte(n, o)
		}
	}
	t.byCond.add(h)
	t.condEqs = append(t.condEqs, n)
}

// addIte adds the gate with the then branch of n and the else branch of o.
func (t *ternaryGates) addIte(n, o condEq) {
	var ids []int64
	if t.proof != nil {
		ids = []int64{t.host.ClauseID(n.forth), t.host.ClauseID(n.back), t.host.ClauseID(o.forth), t.host.ClauseID(o.back)}
	}
	t.addGate(iteGate, n.out, []dimacs.Lit{n.cond, n.other, o.other}, ids)
	t.stats.Ifs++
}

// addNAEs adds the NAE constraints of two clauses with the sign patterns p and q,
// which differ in all variables. Each variable may be the output.
func (t *ternaryGates) addNAEs(g *group, p, q uint32) {
	for x := range uint32(3) {
		if p>>x&1 != 0 {
			p, q = q, p
		}
		// Variable x is positive in clause p, so that the complements of the other
		// two literals imply it.
		e := nae{out: dimacs.Lit(2 * g.vars[x]), high: t.clauseRef(g, p), low: t.clauseRef(g, q)}
		for n := range e.inputs {
			k := (x + 1 + uint32(n)) % 3
			e.inputs[n] = dimacs.Lit(2*g.vars[k] + p>>k&1 ^ 1)
		}
		t.addNAE(e)
	}
}

// addNAE adds an NAE constraint, and the majority gates that it completes.
func (t *ternaryGates) addNAE(e nae) {
	tries := 0
	for i := t.firstNAE(e.out, e.inputs[0]); i != 0 && tries < maxPartners; i = t.byInput.next(i) {
		tries++
		o := t.naes[(i+1)/2]
		d, ok := o.otherInput(e.out, e.inputs[0])
		if !ok || d>>1 == e.inputs[1]>>1 {
			continue
		}
		if third := t.findNAE(e.out, e.inputs[1], d); third != 0 {
			t.addMaj(e, o, t.naes[third], d)
		}
	}
	for _, l := range e.inputs {
		t.byInput.add(naeHash(e.out, l))
	}
	t.naes = append(t.naes, e)
}

// naeHash returns the hash of an output and one input.
func naeHash(out, in dimacs.Lit) uint32 { return mix(mix(1, uint32(out)), uint32(in)) }

// firstNAE returns the first entry of byInput for this output and input, or 0.
func (t *ternaryGates) firstNAE(out, in dimacs.Lit) uint32 {
	*t.budget.Ticks++
	return t.byInput.first(naeHash(out, in))
}

// otherInput returns the other input, if the constraint has this output and this
// input.
func (e *nae) otherInput(out, in dimacs.Lit) (dimacs.Lit, bool) {
	switch {
	case e.out != out:
	case e.inputs[0] == in:
		return e.inputs[1], true
	case e.inputs[1] == in:
		return e.inputs[0], true
	}
	return 0, false
}

// findNAE returns the index of the constraint with this output and the inputs a and b,
// or 0.
func (t *ternaryGates) findNAE(out, a, b dimacs.Lit) uint32 {
	tries := 0
	for i := t.firstNAE(out, a); i != 0 && tries < maxPartners; i = t.byInput.next(i) {
		tries++
		if d, ok := t.naes[(i+1)/2].otherInput(out, a); ok && d == b {
			return (i + 1) / 2
		}
	}
	return 0
}

// addMaj adds the majority gate of d and the inputs of e. The constraint o has d
// instead of the second input of e, third has d instead of the first.
func (t *ternaryGates) addMaj(e, o, third nae, d dimacs.Lit) {
	var ids []int64
	if t.proof != nil {
		for _, r := range []uint32{third.high, o.high, e.high, third.low, o.low, e.low} {
			ids = append(ids, t.host.ClauseID(r))
		}
	}
	t.addGate(majGate, e.out, []dimacs.Lit{e.inputs[0], e.inputs[1], d}, ids)
	t.stats.Majs++
}
