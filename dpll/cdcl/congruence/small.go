package congruence

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// xorSize is the size of the clauses of the longest exclusive or that is looked for, of
// which there are 2^(xorSize-1).
const xorSize = 5

// A group is the clauses over the same variables.
type group struct {
	vars [xorSize]uint32
	size uint32 // how many there are
	mask uint32 // of the signs that occur; those of a clause are a number, with a bit for each negated variable
	last uint32 // clause
}

// A member is a clause of a group.
type member struct{ ref, signs, next uint32 }

// small are the groups of short clauses.
type small struct {
	*closure
	table   buckets
	groups  []group
	members []member
}

// findSmall finds the gates of short clauses. It reports false if the call is stopped.
func (c *closure) findSmall() bool {
	seen := newTwice(c.host.Size().Irredundant - c.host.Size().Binary)
	if !c.eachSmall(func(r uint32) { seen.add(c.varsHash(r)) }) || seen.count > maxSmall {
		return !c.host.Stopped()
	}
	m := &small{closure: c, table: newBuckets(1024), groups: make([]group, 1), members: make([]member, 1)}
	return c.eachSmall(func(r uint32) {
		if h := c.varsHash(r); seen.has(h) {
			m.insert(r, h)
		}
	}) && m.findXors() && m.findTriples()
}

// eachSmall calls f with the clauses of the formula that may be of an exclusive or. It
// reports false if the call is stopped.
func (c *closure) eachSmall(f func(r uint32)) bool {
	_, ok := c.host.EachClause(func(r uint32, lits []uint32) bool {
		if len(lits) <= xorSize && c.unfixed(lits) {
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
type twice struct {
	once, more []uint64
	count      int // hashes that were not added for the first time
}

func newTwice(n int) *twice {
	words := 1
	for words < n/4 {
		words *= 2
	}
	return &twice{once: make([]uint64, words), more: make([]uint64, words)}
}

func (t *twice) add(hash uint32) {
	at, bit := hash>>6&uint32(len(t.once)-1), uint64(1)<<(hash&63)
	if t.once[at]&bit != 0 {
		t.more[at] |= bit
		t.count++
	}
	t.once[at] |= bit
}

func (t *twice) has(hash uint32) bool {
	return t.more[hash>>6&uint32(len(t.more)-1)]>>(hash&63)&1 != 0
}

// insert puts the clause at r into its group.
func (m *small) insert(r, hash uint32) {
	var lits, vars [xorSize]uint32
	size := copy(lits[:], m.host.Lits(r))
	slices.Sort(lits[:size])
	signs := uint32(0)
	for i, w := range lits[:size] {
		vars[i] = w >> 1
		signs |= w & 1 << i
	}
	i := m.table.first(hash)
	for i != 0 && (m.groups[i].vars != vars || m.groups[i].size != uint32(size)) {
		i = m.table.next(i)
	}
	if i == 0 {
		i = m.table.add(hash)
		m.groups = append(m.groups, group{vars: vars, size: uint32(size)})
	}
	g := &m.groups[i]
	m.members = append(m.members, member{r, signs, g.last})
	g.last = uint32(len(m.members) - 1)
	g.mask |= 1 << signs
	*m.budget.Ticks++
}

// member returns the reference of the clause of a group with these signs.
func (m *small) member(g *group, signs uint32) uint32 {
	i := g.last
	for m.members[i].signs != signs {
		i = m.members[i].next
	}
	return m.members[i].ref
}

// oddMask has the signs of up to five variables of which an odd number are negative.
const oddMask = 0x96696996

// half returns the signs of the clauses of an exclusive or, as a mask.
func (g *group) half(odd bool) uint32 {
	mask := uint32(oddMask)
	if odd {
		mask = ^mask
	}
	return mask & uint32(1<<(1<<g.size)-1)
}

// findXors finds exclusive ors.
func (m *small) findXors() bool {
	for i := range m.groups[1:] {
		if inprocess.Pause(m.host, i+1) {
			return false
		}
		g := &m.groups[i+1]
		for _, odd := range [2]bool{false, true} {
			if mask := g.half(odd); g.mask&mask == mask {
				m.addXor(g, odd)
				m.stats.Xors++
			}
		}
	}
	return true
}

func (m *small) addXor(g *group, odd bool) {
	m.scratch = m.scratch[:0]
	for _, v := range g.vars[:g.size] {
		m.scratch = append(m.scratch, dimacs.Lit(2*v))
	}
	var ids []int64
	if m.proof != nil {
		ids = make([]int64, 1<<(g.size-1))
		for mask := g.half(odd); mask != 0; mask &= mask - 1 {
			signs := uint32(bits.TrailingZeros32(mask))
			ids[int(signs)&(len(ids)-1)] = m.host.ClauseID(m.member(g, signs))
		}
	}
	i := m.addGate(xorGate, noLit, m.scratch, ids)
	m.gates[i].odd = odd
}

// triples are what groups of three variables say that is part of a gate.
type triples struct {
	*small
	byCondition buckets // conditions, by the variables of the condition and the output
	conditions  []condition
	byEnd       buckets // inequalities, by output and one input, 2n and 2n+1 for the n-th
	unequal     []inequality
}

// A condition says that if a literal is true the output, which is positive, equals another
// literal.
type condition struct {
	when, out, other dimacs.Lit
	forth, back      uint32 // clauses: the output implies the other, and the other way round
}

// An inequality says that the output, which is positive, is true if both inputs are, and false if both
// are false.
type inequality struct {
	out       dimacs.Lit
	ends      [2]dimacs.Lit
	high, low uint32 // clauses
}

// findTriples finds if-then-elses and majorities.
func (m *small) findTriples() bool {
	t := &triples{small: m, byCondition: newBuckets(64), byEnd: newBuckets(64)}
	t.conditions = make([]condition, 1)
	t.unequal = make([]inequality, 1)
	for i := range m.groups[1:] {
		if inprocess.Pause(m.host, i+1) {
			return false
		}
		g := m.groups[i+1]
		if g.size == 3 && bits.OnesCount32(g.mask) > 1 {
			*m.budget.Ticks++
			t.look(&g)
		}
	}
	return true
}

// look takes from a group what pairs of its clauses say, but for exclusive ors.
func (t *triples) look(g *group) {
	mask := g.mask
	for _, odd := range [2]bool{false, true} {
		if half := g.half(odd); mask&half == half {
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
				t.addConditions(g, p, q)
			case 3:
				t.addInequalities(g, p, q)
			}
		}
	}
}

// addConditions adds what two clauses of a group say that have signs p and q, which differ in two places.
func (t *triples) addConditions(g *group, p, q uint32) {
	same := bits.TrailingZeros32(^(p ^ q) & 7)
	x, y := (same+1)%3, (same+2)%3
	when := dimacs.Lit(2*g.vars[same] + p>>same&1 ^ 1)
	if p>>x&1 == 0 {
		p, q = q, p
	}
	// The first clause has the complement of variable x, and so its output implies
	// the other literal.
	u, v := dimacs.Lit(2*g.vars[x]), dimacs.Lit(2*g.vars[y]+p>>y&1)
	forth, back := t.member(g, p), t.member(g, q)
	t.addCondition(condition{when, u, v, forth, back})
	if v.Neg() {
		t.addCondition(condition{when, v ^ 1, u ^ 1, forth, back})
	} else {
		t.addCondition(condition{when, v, u, back, forth})
	}
}

// addCondition adds a condition, and the gates that it makes with others.
func (t *triples) addCondition(n condition) {
	h := mix(mix(0, uint32(n.when>>1)), uint32(n.out))
	tries := 0
	for i := t.byCondition.first(h); i != 0 && tries < maxPartners; i = t.byCondition.next(i) {
		o := t.conditions[i]
		tries++
		*t.budget.Ticks++
		if o.when == n.when^1 && o.out == n.out && o.other != n.other^1 {
			t.addIte(n, o)
		}
	}
	t.byCondition.add(h)
	t.conditions = append(t.conditions, n)
}

func (t *triples) addIte(n, o condition) {
	var ids []int64
	if t.proof != nil {
		ids = []int64{t.host.ClauseID(n.forth), t.host.ClauseID(n.back), t.host.ClauseID(o.forth), t.host.ClauseID(o.back)}
	}
	t.addGate(iteGate, n.out, []dimacs.Lit{n.when, n.other, o.other}, ids)
	t.stats.Ifs++
}

// addInequalities adds what two clauses of a group say that have signs p and q, which
// differ in all places.
func (t *triples) addInequalities(g *group, p, q uint32) {
	for x := range uint32(3) {
		if p>>x&1 != 0 {
			p, q = q, p
		}
		// The first clause has variable x, which so is true if the complements of
		// its other literals are.
		e := inequality{out: dimacs.Lit(2 * g.vars[x]), high: t.member(g, p), low: t.member(g, q)}
		for n := range e.ends {
			k := (x + 1 + uint32(n)) % 3
			e.ends[n] = dimacs.Lit(2*g.vars[k] + p>>k&1 ^ 1)
		}
		t.addInequality(e)
	}
}

// addInequality adds an inequality, and the gates that it makes with two others.
func (t *triples) addInequality(e inequality) {
	tries := 0
	for i := t.firstEnd(e.out, e.ends[0]); i != 0 && tries < maxPartners; i = t.byEnd.next(i) {
		tries++
		o := t.unequal[(i+1)/2]
		d, ok := o.otherEnd(e.out, e.ends[0])
		if !ok || d>>1 == e.ends[1]>>1 {
			continue
		}
		if third := t.findInequality(e.out, e.ends[1], d); third != 0 {
			t.addMaj(e, o, t.unequal[third], d)
		}
	}
	for _, l := range e.ends {
		t.byEnd.add(endHash(e.out, l))
	}
	t.unequal = append(t.unequal, e)
}

func endHash(out, end dimacs.Lit) uint32 { return mix(mix(1, uint32(out)), uint32(end)) }

func (t *triples) firstEnd(out, end dimacs.Lit) uint32 {
	*t.budget.Ticks++
	return t.byEnd.first(endHash(out, end))
}

// otherEnd returns the other input, if this is the output and one input.
func (e *inequality) otherEnd(out, end dimacs.Lit) (dimacs.Lit, bool) {
	switch {
	case e.out != out:
	case e.ends[0] == end:
		return e.ends[1], true
	case e.ends[1] == end:
		return e.ends[0], true
	}
	return 0, false
}

func (t *triples) findInequality(out, a, b dimacs.Lit) uint32 {
	tries := 0
	for i := t.firstEnd(out, a); i != 0 && tries < maxPartners; i = t.byEnd.next(i) {
		tries++
		if d, ok := t.unequal[(i+1)/2].otherEnd(out, a); ok && d == b {
			return (i + 1) / 2
		}
	}
	return 0
}

// addMaj adds the majority of the ends of e and d: o is the inequality without the
// second end of e, and third that without the first.
func (t *triples) addMaj(e, o, third inequality, d dimacs.Lit) {
	var ids []int64
	if t.proof != nil {
		for _, r := range []uint32{third.high, o.high, e.high, third.low, o.low, e.low} {
			ids = append(ids, t.host.ClauseID(r))
		}
	}
	t.addGate(majGate, e.out, []dimacs.Lit{e.ends[0], e.ends[1], d}, ids)
	t.stats.Majs++
}
