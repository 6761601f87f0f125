package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/radix"
)

// All-UIP shrinking replaces the literals of a level in the learned clause, a block, by
// a single literal: the complement of a literal of that level that implies them all
// together with the rest of the clause, the unique implication point (UIP) of the
// level (Fleury and Biere, "Efficient all-UIP learned clause minimization", SAT 2021).
// If a block has no such UIP, its literals are minimized one by one. The blocks are
// visited in the order of their levels, the lowest first.
//
// The UIP of a block is found like the first UIP: from the latest literal of the block
// back along the trail, through reasons. The search fails at a literal of a lower level
// that the clause does not imply.

// shrink shrinks and minimizes a.clause.
func (a *analysis) shrink() {
	a.keys = a.keys[:0]
	for _, l := range a.clause[1:] {
		x := &a.trail.vars[l>>1]
		a.keys = append(a.keys, uint64(x.trail)<<32|uint64(l))
	}
	a.keys2 = radix.Sort(a.keys, a.keys2)
	if a.trail.outOfOrder != noOutOfOrder {
		a.sortByLevel()
	}
	kept := a.clause[:1]
	for i := 0; i < len(a.keys); {
		lev := a.trail.vars[uint32(a.keys[i])>>1].level
		j := i + 1
		for j < len(a.keys) && a.trail.vars[uint32(a.keys[j])>>1].level == lev {
			j++
		}
		kept = a.shrinkBlock(kept, a.keys[i:j], lev)
		i = j
	}
	a.clause = kept
}

// sortByLevel sorts the keys by level. They are in the order of the trail, which is the order
// of levels only if no literal is out of order. A comparison sort is slow on learned clauses
// of hundreds of literals.
func (a *analysis) sortByLevel() {
	for i, k := range a.keys {
		x := &a.trail.vars[uint32(k)>>1]
		a.keys[i] = uint64(x.level)<<32 | uint64(x.trail)
	}
	a.keys2 = radix.Sort(a.keys, a.keys2)
	for i, k := range a.keys {
		at := uint32(k)
		a.keys[i] = uint64(at)<<32 | uint64(a.trail.lits[at]^1)
	}
}

// shrinkBlock appends to kept the UIP of a block or its minimized literals. The block is
// in the order of the trail.
func (a *analysis) shrinkBlock(kept []dimacs.Lit, block []uint64, lev uint32) []dimacs.Lit {
	if len(block) > 1 {
		if point, ok := a.blockUIP(block, lev); ok {
			a.stats.ShrunkenLits += int64(len(block) - 1)
			return append(kept, point^1)
		}
	}
	for _, k := range block {
		l := dimacs.Lit(k)
		if !a.opts.NoMinimize && a.implied(l, 0) {
			a.stats.MinimizedLits++
		} else {
			kept = append(kept, l)
		}
	}
	return kept
}

// blockUIP returns the UIP of the block, a true literal, and marks the variables between
// the UIP and the block as removable. All literals of the block are false.
func (a *analysis) blockUIP(block []uint64, lev uint32) (point dimacs.Lit, ok bool) {
	a.work, a.block = a.work[:0], a.block[:0]
	for _, k := range block {
		a.markShrinkable(uint32(k) >> 1)
	}
	open := len(block)
	at := a.trail.vars[uint32(block[len(block)-1])>>1].trail
	for {
		l := a.trail.lits[at]
		for a.marks[l>>1]&shrinkableMark == 0 {
			at--
			l = a.trail.lits[at]
		}
		if open == 1 {
			a.markBlockRemovable(l, lev)
			return l, true
		}
		at--
		n, ok := a.shrinkReason(l, lev)
		if !ok {
			for _, v := range a.work {
				a.marks[v] &^= shrinkableMark
			}
			return 0, false
		}
		open += n - 1
		if a.proof.hints {
			a.block = append(a.block, uint32(l>>1))
		}
	}
}

func (a *analysis) markShrinkable(v uint32) {
	a.marks[v] |= shrinkableMark
	a.work = append(a.work, v)
}

// shrinkReason marks the other literals in the reason of l as shrinkable, and returns
// how many were not marked before. It fails at a literal of a lower level that the
// clause does not imply.
func (a *analysis) shrinkReason(l dimacs.Lit, lev uint32) (n int, ok bool) {
	w := a.trail.vars[l>>1].reason
	if w == 0 { // implied by a propagator, unexplained
		return 0, false
	}
	if w.binary() {
		return a.shrinkLit(w.blocker(), lev)
	}
	if a.opts.Shrink < ShrinkAll {
		return 0, false
	}
	for _, x := range a.clauses.lits(w.ref()) {
		if k := dimacs.Lit(x); k != l {
			m, ok := a.shrinkLit(k, lev)
			if !ok {
				return 0, false
			}
			n += m
		}
	}
	return n, true
}

func (a *analysis) shrinkLit(l dimacs.Lit, lev uint32) (n int, ok bool) {
	v := uint32(l >> 1)
	x := &a.trail.vars[v]
	m := a.marks[v]
	switch {
	case x.level == 0 || m&shrinkableMark != 0:
		return 0, true
	case x.level < lev:
		ok := m&removableMark != 0 || a.opts.Shrink == ShrinkMinimizing && a.implied(l, 1)
		return 0, ok
	}
	a.markShrinkable(v)
	return 1, true
}

// markBlockRemovable marks the variables between a block and its UIP: the clause implies
// them.
func (a *analysis) markBlockRemovable(point dimacs.Lit, lev uint32) {
	for _, v := range a.work {
		if a.marks[v]&(removableMark|poisonMark) == 0 {
			a.minimized = append(a.minimized, v)
		}
		a.marks[v] = a.marks[v]&^(shrinkableMark|poisonMark) | removableMark
	}
	for i := len(a.block) - 1; i >= 0; i-- {
		a.removed = append(a.removed, a.block[i])
	}
	v := uint32(point >> 1)
	if a.marks[v]&seenMark == 0 {
		a.marks[v] |= seenMark
		a.analyzed = append(a.analyzed, v)
	}
	l := &a.trail.levels[lev]
	l.first = min(l.first, a.trail.vars[v].trail)
}
