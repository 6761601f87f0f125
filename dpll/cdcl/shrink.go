package cdcl

import (
	"cmp"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/radix"
)

// Shrinking replaces all literals that the learned clause has of a level by a
// single one, if there is a literal of that level that implies them all
// together with the rest of the clause: the unique implication point of the
// block (Fleury and Biere, "Efficient all-UIP learned clause minimization", SAT
// 2021). Blocks for which there is none are minimized literal by literal.
// Blocks come in the order of their levels, the lowest first.
//
// The point is found like the first UIP: from the latest literal of the block
// back along the trail, through reasons. A literal of a lower level ends it,
// unless the clause implies it.

// shrink shrinks and minimizes s.clause.
func (s *Solver) shrink() {
	s.keys = s.keys[:0]
	for _, l := range s.clause[1:] {
		x := &s.vars[l>>1]
		s.keys = append(s.keys, uint64(x.trail)<<32|uint64(l))
	}
	s.keys2 = radix.Sort(s.keys, s.keys2)
	if s.outOfOrder != noOutOfOrder {
		s.sortByLevel()
	}
	kept := s.clause[:1]
	for i := 0; i < len(s.keys); {
		lev := s.vars[uint32(s.keys[i])>>1].level
		j := i + 1
		for j < len(s.keys) && s.vars[uint32(s.keys[j])>>1].level == lev {
			j++
		}
		kept = s.shrinkBlock(kept, s.keys[i:j], lev)
		i = j
	}
	s.clause = kept
}

// sortByLevel sorts the keys, which are in the order of the trail, by level:
// without stray literals they are already.
func (s *Solver) sortByLevel() {
	lev := func(k uint64) uint32 { return s.vars[uint32(k)>>1].level }
	slices.SortStableFunc(s.keys, func(a, b uint64) int { return cmp.Compare(lev(a), lev(b)) })
}

// shrinkBlock appends to kept what the literals of a level, in the order of the
// trail, come down to.
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

// blockUIP returns the literal of the trail that implies the block, and marks
// what lies between as implied by the clause. All literals of the block are
// false; the point is true.
func (s *Solver) blockUIP(block []uint64, lev uint32) (point dimacs.Lit, ok bool) {
	s.work = s.work[:0]
	for _, k := range block {
		s.markShrinkable(uint32(k) >> 1)
	}
	open := len(block)
	at := s.vars[uint32(block[len(block)-1])>>1].trail
	for {
		l := s.trail[at]
		for s.marks[l>>1]&shrinkableMark == 0 {
			at--
			l = s.trail[at]
		}
		if open == 1 {
			s.markBlockRemovable(l, lev)
			return l, true
		}
		at--
		n, ok := s.shrinkReason(l, lev)
		if !ok {
			for _, v := range s.work {
				s.marks[v] &^= shrinkableMark
			}
			return 0, false
		}
		open += n - 1
	}
}

func (s *Solver) markShrinkable(v uint32) {
	s.marks[v] |= shrinkableMark
	s.work = append(s.work, v)
}

// shrinkReason makes the literals that imply l shrinkable, and returns how many
// were not before. It fails at a literal of a lower level that the clause does
// not imply.
func (s *Solver) shrinkReason(l dimacs.Lit, lev uint32) (n int, ok bool) {
	w := s.vars[l>>1].reason
	if w.binary() {
		return s.shrinkLit(w.blocker(), lev)
	}
	if s.opts.Shrink < 2 {
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
	x := &s.vars[v]
	m := s.marks[v]
	switch {
	case x.level == 0 || m&shrinkableMark != 0:
		return 0, true
	case x.level < lev:
		ok := m&removableMark != 0 || s.opts.Shrink > 2 && s.implied(l, 1)
		return 0, ok
	}
	s.markShrinkable(v)
	return 1, true
}

// markBlockRemovable ends a block that came down to point: what was shrinkable is
// implied by the clause from now on.
func (s *Solver) markBlockRemovable(point dimacs.Lit, lev uint32) {
	for _, v := range s.work {
		if s.marks[v]&(removableMark|poisonMark) == 0 {
			s.minimized = append(s.minimized, v)
		}
		s.marks[v] = s.marks[v]&^(shrinkableMark|poisonMark) | removableMark
	}
	v := uint32(point >> 1)
	if s.marks[v]&seenMark == 0 {
		s.marks[v] |= seenMark
		s.analyzed = append(s.analyzed, v)
	}
	l := &s.levels[lev]
	l.first = min(l.first, s.vars[v].trail)
}
