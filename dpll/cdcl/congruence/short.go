package congruence

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// xorSize is the size of the clauses of the longest exclusive or that is looked for, of
// which there are 2^(xorSize-1).
const maxXorVars = 5

// A group is the clauses over the same variables.
type group struct {
	vars [maxXorVars]uint32
	size uint32 // how many there are
	mask uint32 // of the signs that occur; those of a clause are a number, with a bit for each negated variable
	last uint32 // clause
}

// A member is a clause of a group.
type groupClause struct{ ref, signs, next uint32 }

// small are the groups of short clauses.
type shortGroups struct {
	*closure
	byVars  hashTable
	groups  []group
	clauses []groupClause
}

// findSmall finds the gates of short clauses. It reports false if the call is stopped.
func (c *closure) findShortGates() bool {
	filter := newDuplicateFilter(c.host.Size().Irredundant - c.host.Size().Binary)
	if !c.eachShort(func(r uint32) { filter.add(c.varsHash(r)) }) || filter.count > maxShort {
		return !c.host.Stopped()
	}
	s := &shortGroups{closure: c, byVars: newHashTable(1024), groups: make([]group, 1), clauses: make([]groupClause, 1)}
	return c.eachShort(func(r uint32) {
		if h := c.varsHash(r); filter.has(h) {
			s.addToGroup(r, h)
		}
	}) && s.findXors() && s.findTernaryGates()
}

// eachSmall calls f with the clauses of the formula that may be of an exclusive or. It
// reports false if the call is stopped.
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

// varsHash returns a hash of the variables of the clause at r, in whatever order.
func (c *closure) varsHash(r uint32) uint32 {
	h := uint32(0)
	for _, w := range c.host.Lits(r) {
		h += mix(0, w>>1)
	}
	return mix(0, h)
}

// A twice is a set of hashes of which it tells which ones were added more than once,
// and sometimes errs on that side. Most short clauses have no other over their
// variables, and need no room in a table.
type duplicateFilter struct {
	seen, repeated []uint64
	count          int // hashes that were not added for the first time
}

func newDuplicateFilter(n int) *duplicateFilter {
	words := 1
	for words < n/4 {
		words *= 2
	}
	return &duplicateFilter{seen: make([]uint64, words), repeated: make([]uint64, words)}
}

func (t *duplicateFilter) add(hash uint32) {
	at, bit := hash>>6&uint32(len(t.seen)-1), uint64(1)<<(hash&63)
	if t.seen[at]&bit != 0 {
		t.repeated[at] |= bit
		t.count++
	}
	t.seen[at] |= bit
}

func (t *duplicateFilter) has(hash uint32) bool {
	return t.repeated[hash>>6&uint32(len(t.repeated)-1)]>>(hash&63)&1 != 0
}

// insert puts the clause at r into its group.
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

// member returns the reference of the clause of a group with these signs.
func (s *shortGroups) clauseRef(g *group, signs uint32) uint32 {
	i := g.last
	for s.clauses[i].signs != signs {
		i = s.clauses[i].next
	}
	return s.clauses[i].ref
}

// oddMask has the signs of up to five variables of which an odd number are negative.
const oddMask = 0x96696996

// half returns the signs of the clauses of an exclusive or, as a mask.
func (g *group) parityMask(odd bool) uint32 {
	mask := uint32(oddMask)
	if odd {
		mask = ^mask
	}
	return mask & uint32(1<<(1<<g.size)-1)
}

// findXors finds exclusive ors.
func (s *shortGroups) findXors() bool {
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

// triples are what groups of three variables say that is part of a gate.
type ternaryGates struct {
	*shortGroups
	byCond  hashTable // conditions, by the variables of the condition and the output
	condEqs []condEq
	byInput hashTable // inequalities, by output and one input, 2n and 2n+1 for the n-th
	naes    []nae
}

// A condition says that if a literal is true the output, which is positive, equals another
// literal.
type condEq struct {
	cond, out, other dimacs.Lit
	forth, back      uint32 // clauses: the output implies the other, and the other way round
}

// An inequality says that the output, which is positive, is true if both inputs are, and false if both
// are false.
type nae struct {
	out       dimacs.Lit
	inputs    [2]dimacs.Lit
	high, low uint32 // clauses
}

// findTriples finds if-then-elses and majorities.
func (s *shortGroups) findTernaryGates() bool {
	t := &ternaryGates{shortGroups: s, byCond: newHashTable(64), byInput: newHashTable(64)}
	t.condEqs = make([]condEq, 1)
	t.naes = make([]nae, 1)
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

// look takes from a group what pairs of its clauses say, but for exclusive ors.
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

// addConditions adds what two clauses of a group say that have signs p and q, which differ in two places.
func (t *ternaryGates) addCondEqs(g *group, p, q uint32) {
	same := bits.TrailingZeros32(^(p ^ q) & 7)
	x, y := (same+1)%3, (same+2)%3
	cond := dimacs.Lit(2*g.vars[same] + p>>same&1 ^ 1)
	if p>>x&1 == 0 {
		p, q = q, p
	}
	// The first clause has the complement of variable x, and so its output implies
	// the other literal.
	u, v := dimacs.Lit(2*g.vars[x]), dimacs.Lit(2*g.vars[y]+p>>y&1)
	forth, back := t.clauseRef(g, p), t.clauseRef(g, q)
	t.addCondEq(condEq{cond, u, v, forth, back})
	if v.Neg() {
		t.addCondEq(condEq{cond, v ^ 1, u ^ 1, forth, back})
	} else {
		t.addCondEq(condEq{cond, v, u, back, forth})
	}
}

// addCondition adds a condition, and the gates that it makes with others.
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

func (t *ternaryGates) addIte(n, o condEq) {
	var ids []int64
	if t.proof != nil {
		ids = []int64{t.host.ClauseID(n.forth), t.host.ClauseID(n.back), t.host.ClauseID(o.forth), t.host.ClauseID(o.back)}
	}
	t.addGate(iteGate, n.out, []dimacs.Lit{n.cond, n.other, o.other}, ids)
	t.stats.Ifs++
}

// addInequalities adds what two clauses of a group say that have signs p and q, which
// differ in all places.
func (t *ternaryGates) addNAEs(g *group, p, q uint32) {
	for x := range uint32(3) {
		if p>>x&1 != 0 {
			p, q = q, p
		}
		// The first clause has variable x, which so is true if the complements of
		// its other literals are.
		e := nae{out: dimacs.Lit(2 * g.vars[x]), high: t.clauseRef(g, p), low: t.clauseRef(g, q)}
		for n := range e.inputs {
			k := (x + 1 + uint32(n)) % 3
			e.inputs[n] = dimacs.Lit(2*g.vars[k] + p>>k&1 ^ 1)
		}
		t.addNAE(e)
	}
}

// addInequality adds an inequality, and the gates that it makes with two others.
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

func naeHash(out, end dimacs.Lit) uint32 { return mix(mix(1, uint32(out)), uint32(end)) }

func (t *ternaryGates) firstNAE(out, end dimacs.Lit) uint32 {
	*t.budget.Ticks++
	return t.byInput.first(naeHash(out, end))
}

// otherEnd returns the other input, if this is the output and one input.
func (e *nae) otherInput(out, end dimacs.Lit) (dimacs.Lit, bool) {
	switch {
	case e.out != out:
	case e.inputs[0] == end:
		return e.inputs[1], true
	case e.inputs[1] == end:
		return e.inputs[0], true
	}
	return 0, false
}

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

// addMaj adds the majority of the ends of e and d: o is the inequality without the
// second end of e, and third that without the first.
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
