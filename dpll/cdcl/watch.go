package cdcl

import (
	"math/bits"
	"slices"

	"sator/dimacs"
)

// Two literals of each clause are watched (Moskewicz, Madigan, Zhao, Zhang,
// Malik, "Chaff", DAC 2001), and a watch carries a literal of its clause, the
// blocker, that is looked at first: if it is true the clause need not be
// touched (Chu, Harwood, Stuckey, "Cache conscious data structures for
// Boolean satisfiability solvers", JSAT 2009).
//
// A watch is 8 bytes: blocker in the low half, reference in the high half. An
// even reference is a clause of the arena. An odd one is a binary clause, which
// is nowhere else: the blocker is its other literal, bit 1 tells whether it is
// redundant, and the bits above are an index into binaryIDs, where the proof id
// is kept (0 without a proof).
//
// All lists share one pool without pointers. A list has room for a power of
// two of watches; when it is full it moves to a place of the next class, and
// the old place goes to that class's list of free places, linked through their
// first words. Collections lay the pool out anew, in the order in which
// literals are likely to be propagated.
//
// Pushing onto another list while one is walked is safe as long as the pool
// itself does not move; only then are the walker's views stale, and push says
// so. No buffer of delayed pushes is needed.

type watch uint64

func mkWatch(blocker dimacs.Lit, ref uint32) watch {
	return watch(blocker) | watch(ref)<<32
}

func (w watch) blocker() dimacs.Lit { return dimacs.Lit(uint32(w)) }
func (w watch) ref() uint32         { return uint32(w >> 32) }
func (w watch) binary() bool        { return w>>32&1 != 0 }
func (w watch) redundant() bool     { return w>>32&2 != 0 } // of a binary clause

// binaryRef returns the reference of a binary clause with this proof id.
func (s *Solver) binaryRef(redundant bool, id int64) uint32 {
	ref := uint32(1)
	if redundant {
		ref |= 2
	}
	if s.proof != nil {
		if len(s.binaryIDs) >= 1<<30 {
			panic(arenaFull{})
		}
		ref |= uint32(len(s.binaryIDs)) << 2
		s.binaryIDs = append(s.binaryIDs, id)
	}
	return ref
}

// refID returns the proof id of the clause that ref means.
func (s *Solver) refID(ref uint32) int64 {
	switch {
	case s.proof == nil:
		return 0
	case ref&1 != 0:
		return s.binaryIDs[ref>>2]
	}
	return s.id(ref)
}

// A watchList says where in the pool the watches of a literal are.
type watchList struct{ off, len, cap uint32 }

// list returns the watches of l: the clauses to visit when l becomes false.
func (s *Solver) list(l dimacs.Lit) []watch {
	h := s.watches[l]
	return s.pool[h.off : h.off+h.len : h.off+h.cap]
}

// push adds a watch to the list of l and reports whether the pool has moved.
func (s *Solver) push(l dimacs.Lit, w watch) (moved bool) {
	h := &s.watches[l]
	if h.len == h.cap {
		moved = s.growList(h)
	}
	s.pool[h.off+h.len] = w
	h.len++
	return moved
}

// growList moves a full list to a place of the next class.
func (s *Solver) growList(h *watchList) (moved bool) {
	size := max(2*h.cap, 4)
	class := bits.Len32(size) - 1
	off := s.free[class]
	if off != 0 {
		s.free[class] = uint32(s.pool[off])
		s.freed -= int(size)
	} else {
		off, moved = s.extendPool(size)
	}
	copy(s.pool[off:off+h.len], s.pool[h.off:h.off+h.len])
	s.release(h)
	h.off, h.cap = off, size
	return moved
}

// release gives the place of a list back.
func (s *Solver) release(h *watchList) {
	if h.cap > 0 {
		class := bits.Len32(h.cap) - 1
		s.pool[h.off] = watch(s.free[class])
		s.free[class] = h.off
		s.freed += int(h.cap)
	}
}

// extendPool appends size watches to the pool and returns where they begin.
func (s *Solver) extendPool(size uint32) (off uint32, moved bool) {
	n := len(s.pool)
	need := n + int(size)
	if uint64(need) > maxWords {
		panic(arenaFull{})
	}
	if need > cap(s.pool) {
		s.pool, moved = withCapacity(s.pool, grownCapacity(need)), true
	}
	s.pool = s.pool[:need]
	return uint32(n), moved
}

// watchLong makes the first two literals of the clause at r watch it.
func (s *Solver) watchLong(r uint32) {
	a, b := dimacs.Lit(s.arena[r+headerWords]), dimacs.Lit(s.arena[r+headerWords+1])
	s.push(a, mkWatch(b, r))
	s.push(b, mkWatch(a, r))
}

// addClause adds a clause of two or more literals with this proof id, watched by
// the first two, and returns its reference.
func (s *Solver) addClause(c []dimacs.Lit, redundant bool, glue int, id int64) uint32 {
	if len(c) == 2 {
		ref := s.binaryRef(redundant, id)
		s.watchBinary(c[0], c[1], ref)
		return ref
	}
	r := s.alloc(c, redundant, glue, id)
	if redundant {
		s.stats.Redundant++
	} else {
		s.stats.Irredundant++
	}
	s.watchLong(r)
	s.unwatched = uint32(len(s.arena))
	return r
}

// unwatch takes the clause at r out of the lists of the two literals that watch
// it, in time linear in these.
func (s *Solver) unwatch(r uint32) {
	for _, w := range s.lits(r)[:2] {
		s.removeWatch(dimacs.Lit(w), func(w watch) bool { return w.ref() == r })
	}
}

// deleteBinary takes the binary clause of a and b out of both lists and tells the
// proof, in time linear in the lists.
func (s *Solver) deleteBinary(a, b dimacs.Lit, ref uint32) {
	s.removeWatch(a, func(w watch) bool { return w == mkWatch(b, ref) })
	s.removeWatch(b, func(w watch) bool { return w == mkWatch(a, ref) })
	s.binaryDeleted(a, b, mkWatch(b, ref))
}

// removeWatch takes the first watch that is meant out of the list of l.
func (s *Solver) removeWatch(l dimacs.Lit, meant func(watch) bool) {
	ws := s.list(l)
	s.stats.Ticks += 1 + int64(len(ws)>>3)
	i := slices.IndexFunc(ws, meant)
	copy(ws[i:], ws[i+1:])
	s.watches[l].len--
}

// watchBinary puts the clause of a and b into their lists.
func (s *Solver) watchBinary(a, b dimacs.Lit, ref uint32) {
	s.push(a, mkWatch(b, ref))
	s.push(b, mkWatch(a, ref))
	s.stats.Binary++
	if ref&2 != 0 {
		s.stats.Redundant++
	} else {
		s.stats.Irredundant++
	}
}
