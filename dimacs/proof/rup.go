package proof

import (
	"slices"

	"sator/dimacs"
)

// Reverse unit propagation (RUP): a clause follows if unit propagation has a
// conflict once all its literals are assumed to be false (Goldberg and Novikov,
// "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003).
//
// Propagation watches two literals of each clause. The clauses that are known
// to be needed form the core. Core clauses and other clauses have separate
// watch lists. Propagation in the core is complete before any other clause is
// visited, so that as few clauses as possible join the core and have to be
// checked in turn (core-first propagation; Heule, Hunt and Wetzler, "Trimming
// while checking clausal proofs", FMCAD 2013). A clause that joins the core is
// watched there from then on; its old watches are dropped when they are
// visited.
//
// The trail begins with the root: the literals that follow from the clauses
// without assumptions. Between checks the root is closed under propagation.
// When lemmas are removed from the end of a proof, clauses from the limit on do
// not exist any more; their watches, too, are dropped when they are visited.

// A watch is a clause to visit when a literal becomes false. If its blocker,
// another literal of the clause, is true, the clause need not be visited.
type watch struct {
	blocker uint32
	ref     uint32 // the clause; the lowest bit is set if it is binary
}

// A propagator assigns literals. Its tables by literal or variable grow with
// the store.
type propagator struct {
	store
	vals   []int8 // by literal: 1 true, -1 false, 0 unassigned
	vars   []varInfo
	trail  []uint32
	root   int       // the length of the root part of the trail
	core   [][]watch // by literal: watches in the core, visited when the literal becomes false
	rest   [][]watch // by literal: watches outside the core
	heads  [2]int    // the trail before heads[0] is propagated in core, before heads[1] in rest
	limit  uint32    // clauses from here on are ignored
	split  bool      // core clauses are watched in core; before, all are in rest
	work   []uint32  // scratch of markCore: variables whose reasons are needed
	seen   []bool    // by variable: it is in work
	dead   int       // estimate of the number of watches of deleted clauses
	living int       // estimate of the number of watches
	order  []uint32  // scratch: positions on the trail
	hints  []int32   // the antecedents of all checked lemmas
	hinted bool      // hints are collected
}

// A varInfo describes the assignment of a variable.
type varInfo struct {
	reason   uint32 // the clause that became unit, or 0 for an assumption
	position uint32 // on the trail
	followed bool   // a root variable: all clauses that led to it are in the core
}

// grow extends the tables to the variables of the store.
func (p *propagator) grow() {
	n := len(p.names)
	if n > cap(p.vars) {
		more := n - len(p.vars)
		p.vars = dimacs.Extend(p.memory, p.vars, more)
		p.core = dimacs.Extend(p.memory, p.core, 2*more)
		p.rest = dimacs.Extend(p.memory, p.rest, 2*more)
	}
	for len(p.vars) < n {
		p.vars = append(p.vars, varInfo{})
		p.seen = append(p.seen, false)
		p.vals = append(p.vals, 0, 0)
		p.core = append(p.core, nil, nil)
		p.rest = append(p.rest, nil, nil)
	}
}

func (p *propagator) assign(l, reason uint32) {
	p.vals[l], p.vals[l^1] = 1, -1
	p.vars[l>>1] = varInfo{reason: reason, position: uint32(len(p.trail))}
	p.trail = append(p.trail, l)
}

// backtrack shortens the trail to n literals. They must be closed under
// propagation.
func (p *propagator) backtrack(n int) {
	for _, l := range p.trail[n:] {
		p.vals[l], p.vals[l^1] = 0, 0
	}
	p.trail = p.trail[:n]
	p.heads = [2]int{n, n}
	p.root = min(p.root, n)
}

// propagate closes the trail under propagation. It returns a falsified clause,
// or 0.
func (p *propagator) propagate() uint32 {
	for {
		for p.heads[0] < len(p.trail) {
			l := p.trail[p.heads[0]] ^ 1
			p.heads[0]++
			if c := p.propagateLit(p.core, l, deletedFlag); c != 0 {
				return c
			}
		}
		if p.heads[1] == len(p.trail) {
			return 0
		}
		l := p.trail[p.heads[1]] ^ 1
		p.heads[1]++
		if c := p.propagateLit(p.rest, l, deletedFlag|coreFlag); c != 0 {
			return c
		}
	}
}

// propagateLit visits the clauses in lists that watch l, after l became false. It
// drops watches of clauses from the limit on, and of clauses with a flag in
// drop. It returns a falsified clause, or 0. It is one loop because a check
// spends nearly all its time here.
func (p *propagator) propagateLit(lists [][]watch, l, drop uint32) uint32 {
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

// watchScore rates a literal as a watch, higher is better: a true literal, best
// the earliest on the trail; else an unassigned one; else a false one, best the
// latest on the trail. If the two best literals are watched, the watches stay
// valid after backtracking.
func (p *propagator) watchScore(l uint32) int64 {
	position := int64(p.vars[l>>1].position)
	switch v := p.vals[l]; {
	case v > 0:
		return 1<<40 - position
	case v == 0:
		return 1 << 39
	}
	return position
}

// chooseWatches moves the two literals of c with the best scores to the front.
func (p *propagator) chooseWatches(c []uint32) {
	for i := range min(2, len(c)) {
		best, r := i, p.watchScore(c[i])
		for k := i + 1; k < len(c); k++ {
			if q := p.watchScore(c[k]); q > r {
				best, r = k, q
			}
		}
		c[i], c[best] = c[best], c[i]
	}
}

// watchClause adds watches for the first two literals of a clause with at least
// two literals.
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

// attach adds a clause to propagation. It assigns the literal of a unit clause,
// and returns false if the clause is falsified.
func (p *propagator) attach(ref uint32) bool {
	if p.arena[ref]&inertFlag != 0 {
		return true
	}
	c := p.clause(ref)
	p.chooseWatches(c)
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

// implied returns the literal that the clause implied, if there is one. It
// is one of the first two literals.
func (p *propagator) implied(ref uint32) (l uint32, ok bool) {
	c := p.clause(ref)
	for _, l := range c[:min(2, len(c))] {
		if p.vals[l] > 0 && p.vars[l>>1].reason == ref {
			return l, true
		}
	}
	return 0, false
}

// A cause is the reason why a clause is RUP: a falsified clause, or a literal
// of the clause that is true at the root.
type cause struct {
	clause uint32
	lit    uint32
	found  bool
}

// refute assumes that the literals of a clause are false, in addition to the
// trail, and propagates. The caller must backtrack.
func (p *propagator) refute(lits []uint32) cause { return p.refuteBut(lits, noLiteral) }

// refuteBut is refute for a clause without the literal but.
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

// markCore puts all clauses that led to the cause into the core. If hints are
// collected, it appends these clauses to hints in the order in which they
// became unit.
func (p *propagator) markCore(why cause) {
	p.work = p.work[:0]
	if why.clause != 0 {
		p.markClause(why.clause)
	} else {
		p.markVar(why.lit >> 1)
	}
	for i := 0; i < len(p.work); i++ {
		p.markClause(p.vars[p.work[i]].reason)
	}
	if p.hinted {
		p.appendHints(why.clause)
	}
	for _, v := range p.work {
		p.seen[v] = false
	}
}

// markVar adds v to work if the reason of v is needed.
func (p *propagator) markVar(v uint32) {
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

// markClause puts a clause into the core and marks its variables.
func (p *propagator) markClause(ref uint32) {
	for _, l := range p.clause(ref) {
		p.markVar(l >> 1)
	}
	if p.arena[ref]&coreFlag == 0 {
		p.arena[ref] |= coreFlag
		if p.split && p.arena[ref]>>sizeShift > 1 {
			p.watchClause(p.core, ref)
		}
	}
}

// appendHints appends to hints the reasons of the variables in work in the
// order of the trail, and then the falsified clause unless that is 0.
func (p *propagator) appendHints(conflict uint32) {
	p.order = p.order[:0]
	for _, v := range p.work {
		p.order = append(p.order, p.vars[v].position)
	}
	slices.Sort(p.order)
	p.hints = dimacs.Extend(p.memory, p.hints, len(p.order)+1)
	for _, at := range p.order {
		p.hints = append(p.hints, p.hint(p.vars[p.trail[at]>>1].reason))
	}
	if conflict != 0 {
		p.hints = append(p.hints, p.hint(conflict))
	}
}

// hint returns the number of a clause in hints, from 1 on.
func (p *propagator) hint(ref uint32) int32 { return int32(p.arena[ref+1]) + 1 }

// dropDeleted removes the watches of deleted clauses from all lists when they
// are at least half of all watches.
func (p *propagator) dropDeleted() {
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
