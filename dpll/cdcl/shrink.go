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

// shrink shrinks and minimizes s.analysis.clause.
func (s *Solver) shrink() {
	s.analysis.keys = s.analysis.keys[:0]
	for _, l := range s.analysis.clause[1:] {
		x := &s.trail.vars[l>>1]
		s.analysis.keys = append(s.analysis.keys, uint64(x.trail)<<32|uint64(l))
	}
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	if s.trail.outOfOrder != noOutOfOrder {
		s.sortByLevel()
	}
	kept := s.analysis.clause[:1]
	for i := 0; i < len(s.analysis.keys); {
		lev := s.trail.vars[uint32(s.analysis.keys[i])>>1].level
		j := i + 1
		for j < len(s.analysis.keys) && s.trail.vars[uint32(s.analysis.keys[j])>>1].level == lev {
			j++
		}
		kept = s.shrinkBlock(kept, s.analysis.keys[i:j], lev)
		i = j
	}
	s.analysis.clause = kept
}

// sortByLevel sorts the keys by level. They are in the order of the trail, which is the order
// of levels only if no literal is out of order. A comparison sort is slow on learned clauses
// of hundreds of literals.
func (s *Solver) sortByLevel() {
	for i, k := range s.analysis.keys {
		x := &s.trail.vars[uint32(k)>>1]
		s.analysis.keys[i] = uint64(x.level)<<32 | uint64(x.trail)
	}
	s.analysis.keys2 = radix.Sort(s.analysis.keys, s.analysis.keys2)
	for i, k := range s.analysis.keys {
		at := uint32(k)
		s.analysis.keys[i] = uint64(at)<<32 | uint64(s.trail.lits[at]^1)
	}
}

// shrinkBlock appends to kept the UIP of a block or its minimized literals. The block is
// in the order of the trail.
func (s *Solver) shrinkBlock(kept []dimacs.Lit, block []uint64, lev uint32) []dimacs.Lit {
	if len(block) > 1 {
		if point, ok := s.blockUIP(block, lev); ok {
			s.stats.ShrunkenLits += int64(len(block) - 1)
			return append(kept, point^1)
		}
	}
	for _, k := range block {
		l := dimacs.Lit(k)
		if s.opts.Minimize != 0 && s.implied(l, 0) {
			s.stats.MinimizedLits++
		} else {
			kept = append(kept, l)
		}
	}
	return kept
}

// blockUIP returns the UIP of the block, a true literal, and marks the variables between
// the UIP and the block as removable. All literals of the block are false.
func (s *Solver) blockUIP(block []uint64, lev uint32) (point dimacs.Lit, ok bool) {
	s.analysis.work = s.analysis.work[:0]
	for _, k := range block {
		s.markShrinkable(uint32(k) >> 1)
	}
	open := len(block)
	at := s.trail.vars[uint32(block[len(block)-1])>>1].trail
	for {
		l := s.trail.lits[at]
		for s.analysis.marks[l>>1]&shrinkableMark == 0 {
			at--
			l = s.trail.lits[at]
		}
		if open == 1 {
			s.markBlockRemovable(l, lev)
			return l, true
		}
		at--
		n, ok := s.shrinkReason(l, lev)
		if !ok {
			for _, v := range s.analysis.work {
				s.analysis.marks[v] &^= shrinkableMark
			}
			return 0, false
		}
		open += n - 1
	}
}

func (s *Solver) markShrinkable(v uint32) {
	s.analysis.marks[v] |= shrinkableMark
	s.analysis.work = append(s.analysis.work, v)
}

// shrinkReason marks the other literals in the reason of l as shrinkable, and returns
// how many were not marked before. It fails at a literal of a lower level that the
// clause does not imply.
func (s *Solver) shrinkReason(l dimacs.Lit, lev uint32) (n int, ok bool) {
	w := s.trail.vars[l>>1].reason
	if w == 0 { // implied by a propagator, unexplained
		return 0, false
	}
	if w.binary() {
		return s.shrinkLit(w.blocker(), lev)
	}
	if s.opts.Shrink < ShrinkAll {
		return 0, false
	}
	for _, x := range s.lits(w.ref()) {
		if k := dimacs.Lit(x); k != l {
			m, ok := s.shrinkLit(k, lev)
			if !ok {
				return 0, false
			}
			n += m
		}
	}
	return n, true
}

func (s *Solver) shrinkLit(l dimacs.Lit, lev uint32) (n int, ok bool) {
	v := uint32(l >> 1)
	x := &s.trail.vars[v]
	m := s.analysis.marks[v]
	switch {
	case x.level == 0 || m&shrinkableMark != 0:
		return 0, true
	case x.level < lev:
		ok := m&removableMark != 0 || s.opts.Shrink == ShrinkMinimizing && s.implied(l, 1)
		return 0, ok
	}
	s.markShrinkable(v)
	return 1, true
}

// markBlockRemovable marks the variables between a block and its UIP: the clause implies
// them.
func (s *Solver) markBlockRemovable(point dimacs.Lit, lev uint32) {
	for _, v := range s.analysis.work {
		if s.analysis.marks[v]&(removableMark|poisonMark) == 0 {
			s.analysis.minimized = append(s.analysis.minimized, v)
		}
		s.analysis.marks[v] = s.analysis.marks[v]&^(shrinkableMark|poisonMark) | removableMark
	}
	v := uint32(point >> 1)
	if s.analysis.marks[v]&seenMark == 0 {
		s.analysis.marks[v] |= seenMark
		s.analysis.analyzed = append(s.analysis.analyzed, v)
	}
	l := &s.trail.levels[lev]
	l.first = min(l.first, s.trail.vars[v].trail)
}
