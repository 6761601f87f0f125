package proof

import "slices"

// Reverse unit propagation: a clause follows if assuming that all its literals
// are false lets unit propagation run into a conflict (Goldberg and Novikov,
// "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003).
//
// Propagation watches two literals of each clause. There are two sets of
// watches: those of clauses that are known to be needed, the core, and those of
// the rest. All that follows in the core is found before anything else is
// looked at, so that as few clauses as possible are drawn into the core, and
// have to be checked in turn (core-first propagation; Heule, Hunt and Wetzler,
// "Trimming while checking clausal proofs", FMCAD 2013). A clause that becomes
// needed is watched in the core from then on, and its old watches go when they
// are met.
//
// The trail begins with the root: what follows from the clauses without any
// assumption. It is closed under propagation between the checks. When lemmas
// are taken away from the end of a proof, a clause after the limit is none any
// more; its watches, too, go when they are met.

// A watch is a clause that has to be looked at when a literal becomes false.
// If the blocker, another literal of it, is true, it need not be.
type watch struct {
	blocker uint32
	ref     uint32 // with the lowest bit set if the clause is binary
}

// A propagator assigns literals. What is indexed by literal or variable grows
// with the store.
type propagator struct {
	store
	vals   []int8 // by literal: 1 true, -1 false, 0 unassigned
	vars   []place
	trail  []uint32
	root   int       // length of the part of the trail that is the root
	core   [][]watch // by the literal that becomes false
	rest   [][]watch // the same
	heads  [2]int    // of the trail before them, consequences in the core and in the rest are found
	limit  uint32    // clauses from here on do not count
	split  bool      // core and rest are told apart
	work   []uint32  // variables whose reasons are to be followed, scratch
	seen   []bool    // by variable: it was on that list
	dead   int       // watches of deleted clauses in the lists, about
	living int       // watches in the lists, about
	order  []uint32  // positions on the trail, scratch
	hints  []int32   // antecedents, all clauses after one another
	hinted bool      // they are wanted
}

// A place is where on the trail a variable was assigned, and why.
type place struct {
	reason   uint32 // 0 for what was assumed
	position uint32
	followed bool // it is of the root, and all clauses that led to it are in the core
}

// grow makes room for the variables that the store knows.
func (p *propagator) grow() {
	for n := len(p.names); len(p.vars) < n; {
		p.vars = append(p.vars, place{})
		p.seen = append(p.seen, false)
		p.vals = append(p.vals, 0, 0)
		p.core = append(p.core, nil, nil)
		p.rest = append(p.rest, nil, nil)
	}
}

func (p *propagator) assign(l, reason uint32) {
	p.vals[l], p.vals[l^1] = 1, -1
	p.vars[l>>1] = place{reason: reason, position: uint32(len(p.trail))}
	p.trail = append(p.trail, l)
}

// cut shortens the trail to n literals, which must be closed under propagation.
func (p *propagator) cut(n int) {
	for _, l := range p.trail[n:] {
		p.vals[l], p.vals[l^1] = 0, 0
	}
	p.trail = p.trail[:n]
	p.heads = [2]int{n, n}
	p.root = min(p.root, n)
}

// propagate closes the trail. It returns a clause that became false, or 0.
func (p *propagator) propagate() uint32 {
	for {
		for p.heads[0] < len(p.trail) {
			l := p.trail[p.heads[0]] ^ 1
			p.heads[0]++
			if c := p.visit(p.core, l, deletedFlag); c != 0 {
				return c
			}
		}
		if p.heads[1] == len(p.trail) {
			return 0
		}
		l := p.trail[p.heads[1]] ^ 1
		p.heads[1]++
		if c := p.visit(p.rest, l, deletedFlag|coreFlag); c != 0 {
			return c
		}
	}
}

// visit looks at the clauses of one set that watch l, which became false. It
// drops watches of clauses after the limit, and of those with a flag of drop.
// It is one loop, in which a check spends nearly all of its time.
func (p *propagator) visit(lists [][]watch, l, drop uint32) uint32 {
	ws := lists[l]
	vals, arena := p.vals, p.arena
	kept := 0
	for i, w := range ws {
		if w.ref >= p.limit {
			continue
		}
		b := vals[w.blocker]
		if b > 0 {
			ws[kept] = w
			kept++
			continue
		}
		ref := w.ref &^ 1
		header := arena[ref]
		if header&drop != 0 {
			continue
		}
		if w.ref&1 != 0 {
			ws[kept] = w
			kept++
			if b < 0 {
				kept += copy(ws[kept:], ws[i+1:])
				lists[l] = ws[:kept]
				return ref
			}
			p.assign(w.blocker, ref)
			continue
		}
		c := arena[ref+headerWords:][:header>>sizeShift]
		other := c[0] ^ c[1] ^ l
		v := vals[other]
		if v > 0 {
			ws[kept] = watch{other, w.ref}
			kept++
			continue
		}
		k := 2
		for k < len(c) && vals[c[k]] < 0 {
			k++
		}
		if k < len(c) {
			m := c[k]
			c[0], c[1], c[k] = other, m, l
			lists[m] = append(lists[m], watch{other, w.ref})
			continue
		}
		ws[kept] = watch{other, w.ref}
		kept++
		if v < 0 {
			kept += copy(ws[kept:], ws[i+1:])
			lists[l] = ws[:kept]
			return ref
		}
		p.assign(other, ref)
	}
	lists[l] = ws[:kept]
	return 0
}

// rank says how good a literal is to be watched: one that is true, the earlier
// the better; else one that is unassigned; else a false one, the later the
// better. With the two best watched, the watches stay right when the trail is
// cut.
func (p *propagator) rank(l uint32) int64 {
	position := int64(p.vars[l>>1].position)
	switch v := p.vals[l]; {
	case v > 0:
		return 1<<40 - position
	case v == 0:
		return 1 << 39
	}
	return position
}

// choose puts the two best literals of c first.
func (p *propagator) choose(c []uint32) {
	for i := range min(2, len(c)) {
		best, r := i, p.rank(c[i])
		for k := i + 1; k < len(c); k++ {
			if q := p.rank(c[k]); q > r {
				best, r = k, q
			}
		}
		c[i], c[best] = c[best], c[i]
	}
}

// watchClause watches the first two literals of a clause of at least two.
func (p *propagator) watchClause(lists [][]watch, ref uint32) {
	c := p.clause(ref)
	w := ref
	if len(c) == 2 {
		w |= 1
	}
	lists[c[0]] = append(lists[c[0]], watch{c[1], w})
	lists[c[1]] = append(lists[c[1]], watch{c[0], w})
	p.living += 2
}

// attach makes a clause take part in propagation. If it is unit, its literal is
// assigned; if it is false, attach returns false.
func (p *propagator) attach(ref uint32) bool {
	if p.arena[ref]&inertFlag != 0 {
		return true
	}
	c := p.clause(ref)
	p.choose(c)
	if len(c) > 1 {
		lists := p.rest
		if p.split && p.arena[ref]&coreFlag != 0 {
			lists = p.core
		}
		p.watchClause(lists, ref)
	}
	switch {
	case len(c) == 0 || p.vals[c[0]] < 0:
		return false
	case p.vals[c[0]] == 0 && (len(c) == 1 || p.vals[c[1]] < 0):
		p.assign(c[0], ref)
	}
	return true
}

// satisfied reports whether a literal of the clause is true.
func (p *propagator) satisfied(ref uint32) bool {
	for _, l := range p.clause(ref) {
		if p.vals[l] > 0 {
			return true
		}
	}
	return false
}

// implied returns the literal that has the clause as its reason, and whether
// there is one. It is among the first two.
func (p *propagator) implied(ref uint32) (l uint32, ok bool) {
	c := p.clause(ref)
	for _, l := range c[:min(2, len(c))] {
		if p.vals[l] > 0 && p.vars[l>>1].reason == ref {
			return l, true
		}
	}
	return 0, false
}

// A cause is why a clause follows: another clause that became false, or a
// literal of it that is true at the root.
type cause struct {
	clause uint32
	lit    uint32
	found  bool
}

// refute assumes that the literals of a clause are false, on top of what is
// assigned, and propagates. What it assigns stays until it is cut.
func (p *propagator) refute(lits []uint32) cause { return p.refuteBut(lits, noLiteral) }

// refuteBut does so for a clause without one literal.
func (p *propagator) refuteBut(lits []uint32, but uint32) cause {
	for _, l := range lits {
		switch v := p.vals[l]; {
		case l == but:
		case v > 0:
			return cause{lit: l, found: true}
		case v == 0:
			p.assign(l^1, 0)
		}
	}
	c := p.propagate()
	return cause{clause: c, found: c != 0}
}

// justify puts all clauses that led to the cause into the core and, if they are
// wanted, appends them to the hints in the order in which they became unit.
func (p *propagator) justify(why cause) {
	p.work = p.work[:0]
	if why.clause != 0 {
		p.need(why.clause)
	} else {
		p.follow(why.lit >> 1)
	}
	for i := 0; i < len(p.work); i++ {
		p.need(p.vars[p.work[i]].reason)
	}
	if p.hinted {
		p.appendHints(why.clause)
	}
	for _, v := range p.work {
		p.seen[v] = false
	}
}

// follow puts a variable on the list of those whose reasons are needed.
func (p *propagator) follow(v uint32) {
	x := &p.vars[v]
	if p.seen[v] || x.reason == 0 || x.followed {
		return
	}
	if int(x.position) < p.root {
		x.followed = !p.hinted
	}
	p.seen[v] = true
	p.work = append(p.work, v)
}

// need puts a clause into the core, and follows its literals.
func (p *propagator) need(ref uint32) {
	for _, l := range p.clause(ref) {
		p.follow(l >> 1)
	}
	if p.arena[ref]&coreFlag == 0 {
		p.arena[ref] |= coreFlag
		if p.split && p.arena[ref]>>sizeShift > 1 {
			p.watchClause(p.core, ref)
		}
	}
}

// appendHints appends the reasons of the variables on the list, in the order of
// the trail, and the clause that became false, if there is one.
func (p *propagator) appendHints(conflict uint32) {
	p.order = p.order[:0]
	for _, v := range p.work {
		p.order = append(p.order, p.vars[v].position)
	}
	slices.Sort(p.order)
	for _, at := range p.order {
		p.hints = append(p.hints, p.hint(p.vars[p.trail[at]>>1].reason))
	}
	if conflict != 0 {
		p.hints = append(p.hints, p.hint(conflict))
	}
}

// hint returns the number of a clause as hints have it, from 1 on.
func (p *propagator) hint(ref uint32) int32 { return int32(p.arena[ref+1]) + 1 }

// sweep takes the watches of deleted clauses out of all lists when there are
// many.
func (p *propagator) sweep() {
	if p.dead < 1<<16 || p.dead < p.living/2 {
		return
	}
	p.living = 0
	for l, ws := range p.rest {
		kept := ws[:0]
		for _, w := range ws {
			if p.arena[w.ref&^1]&deletedFlag == 0 {
				kept = append(kept, w)
			}
		}
		p.rest[l] = kept
		p.living += len(kept)
	}
	p.dead = 0
}
