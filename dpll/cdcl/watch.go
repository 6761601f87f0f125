package cdcl

import (
	"math/bits"
	"slices"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/radix"
)

// Two watched literals: each clause is in the watch lists of two of its literals
// (Moskewicz, Madigan, Zhao, Zhang, Malik, "Chaff", DAC 2001). A watch contains a
// blocker, a literal of its clause that is examined first: if it is true, the clause
// need not be accessed (Chu, Harwood, Stuckey, "Cache conscious data structures for
// Boolean satisfiability solvers", JSAT 2009).
//
// A watch takes 8 bytes: the blocker in the low half, a reference in the high half. An
// even reference is a clause of the arena. An odd reference is a binary clause, which
// is stored in watches only: the blocker is its other literal, bit 1 is set if it is
// redundant, and the higher bits are an index into binaryIDs, which has the proof id
// (0 without a proof).
//
// All lists share one pool without pointers. The capacity of a list is a power of two, except
// for a long list after a collection (tightCapacity) and for lists in a large pool (largePool).
// A full list moves to a place of the next size class, and its old place is added to that class's
// free list, which is linked through first words; a place of another capacity becomes several
// free places. Collections lay out the pool anew, in the order in which literals are likely to be
// propagated.
//
// A watch may be pushed to another list while a list is walked, unless the pool moves.
// Then unchecked slices of it are invalid, and push reports that. So no buffer of
// delayed pushes is needed.

type watch uint64

func mkWatch(blocker dimacs.Lit, ref uint32) watch {
	return watch(blocker) | watch(ref)<<32
}

func (w watch) blocker() dimacs.Lit { return dimacs.Lit(uint32(w)) }
func (w watch) ref() uint32         { return uint32(w >> 32) }
func (w watch) binary() bool        { return w>>32&1 != 0 }
func (w watch) redundant() bool     { return w>>32&2 != 0 } // for binary clauses only

// binaryRef returns the reference of a binary clause with this proof id.
func (c *clauses) binaryRef(redundant bool, id int64) uint32 {
	ref := uint32(1)
	if redundant {
		ref |= 2
	}
	if c.proof.log != nil {
		if len(c.binaryIDs) >= 1<<30 {
			c.fill()
		}
		ref |= uint32(len(c.binaryIDs)) << 2
		c.binaryIDs = append(dimacs.Extend(c.opts.Memory, c.binaryIDs, 1), id)
	}
	return ref
}

// refID returns the proof id of the clause at ref, binary or long.
func (c *clauses) refID(ref uint32) int64 {
	switch {
	case c.proof.log == nil:
		return 0
	case ref&1 != 0:
		return c.binaryIDs[ref>>2]
	}
	return c.id(ref)
}

// A watchList is the place of a list in the pool.
type watchList struct{ off, len, cap uint32 }

// list returns the watches of l: the clauses to visit when l becomes false.
func (c *clauses) list(l dimacs.Lit) []watch {
	h := c.watches[l]
	return c.pool[h.off : h.off+h.len : h.off+h.cap]
}

// push appends a watch to the list of l.
func (c *clauses) push(l dimacs.Lit, w watch) {
	h := &c.watches[l]
	if h.len == h.cap {
		c.growList(h)
	}
	c.pool[h.off+h.len] = w
	h.len++
}

// growList moves a full list to a place of the next size class.
func (c *clauses) growList(h *watchList) (moved bool) {
	least := uint32(4)
	if len(c.pool) >= largePool {
		least = 1
	}
	return c.moveList(h, max(uint32(1)<<bits.Len32(h.cap), least))
}

// moveList moves a list to a place with this capacity, a power of two.
func (c *clauses) moveList(h *watchList, size uint32) (moved bool) {
	class := bits.Len32(size) - 1
	off := c.free[class]
	if off != 0 {
		c.free[class] = uint32(c.pool[off])
		c.freed -= int(size)
	} else {
		off, moved = c.extendPool(size)
	}
	copy(c.pool[off:off+h.len], c.pool[h.off:h.off+h.len])
	c.release(h)
	h.off, h.cap = off, size
	return moved
}

// shrinkList lowers the capacity of a list to size, which is 0 or a power of two, if it is
// larger. The rest of its place becomes free places.
func (c *clauses) shrinkList(h *watchList, size uint32) {
	if size == 0 {
		c.release(h)
		*h = watchList{}
		return
	}
	if h.cap > size {
		c.release(&watchList{off: h.off + size, cap: h.cap - size})
		h.cap = size
	}
}

// release adds the place of a list to the free lists, in parts that are powers of two.
func (c *clauses) release(h *watchList) {
	off := h.off
	for rest := h.cap; rest > 0; rest &= rest - 1 {
		class := bits.TrailingZeros32(rest)
		c.pool[off] = watch(c.free[class])
		c.free[class] = off
		off += 1 << class
	}
	c.freed += int(h.cap)
}

// extendPool appends size watches to the pool and returns the position of the first.
func (c *clauses) extendPool(size uint32) (off uint32, moved bool) {
	n := len(c.pool)
	need := n + int(size)
	c.requireWords(need)
	if need > cap(c.pool) {
		c.pool, moved = grown(c.opts.Memory, &c.poolSpace, c.pool, need), true
	}
	c.pool = c.pool[:need]
	return uint32(n), moved
}

// mostSorted is the largest number of lists that slideLists moves. It cannot be stopped while it
// sorts them, which takes 20 milliseconds for so many.
const mostSorted = 1 << 20

// slideLists moves the lists of a pool with a reservation to its beginning, in the order of their
// places and without free places, and returns the memory behind them to the system. So a new
// layout needs no memory beside the free places of the old one. It returns the literals in this
// order, in the lower halves of a table, or nil if the lists are too many or the call is stopped.
// The caller releases the reservation of the table.
func (c *clauses) slideLists(pausing func(step int) bool) (placed []uint64, space *reservation) {
	if c.poolSpace == nil || len(c.watches) > mostSorted {
		return nil, nil
	}
	if placed, space = c.placesInOrder(pausing); placed == nil {
		return nil, nil
	}
	c.free, c.freed = [33]uint32{}, 0
	off := uint32(1)
	for i, p := range placed {
		if pausing(i + 1) {
			return nil, space
		}
		h := &c.watches[uint32(p)]
		copy(c.pool[off:], c.pool[h.off:h.off+h.len])
		h.off, h.cap = off, h.len
		off += h.len
	}
	c.poolSpace.discard(8*uint64(off), 8*uint64(cap(c.pool)))
	c.pool = c.pool[:off]
	return placed, space
}

// placesInOrder returns the literals with watches, in the order of the places of their lists, which
// are in the upper halves. The other lists lose their places. It returns nil if the call is stopped.
func (c *clauses) placesInOrder(pausing func(step int) bool) ([]uint64, *reservation) {
	n := 0
	for l := range c.watches {
		if pausing(l + 1) {
			return nil, nil
		}
		if h := &c.watches[l]; h.len > 0 {
			n++
		} else {
			*h = watchList{}
		}
	}
	placed, space := populatedTable[uint64](2 * n) // the second half is scratch memory
	for l := range c.watches {
		if h := &c.watches[l]; h.len > 0 {
			placed = append(placed, uint64(h.off)<<32|uint64(l))
		}
	}
	radix.Sort(placed, placed[n:])
	return placed, space
}

// watchLong adds the clause at r to the lists of its first two literals.
func (c *clauses) watchLong(r uint32) {
	a, b := dimacs.Lit(c.arena[r+headerWords]), dimacs.Lit(c.arena[r+headerWords+1])
	c.push(a, mkWatch(b, r))
	c.push(b, mkWatch(a, r))
}

// addClause adds a clause of two or more literals with this proof id, watched by its
// first two literals, and returns its reference.
func (c *clauses) addClause(lits []dimacs.Lit, redundant bool, glue int, id int64) uint32 {
	if len(lits) == 2 {
		ref := c.binaryRef(redundant, id)
		c.watchBinary(lits[0], lits[1], ref)
		return ref
	}
	r := c.alloc(lits, redundant, glue, id)
	if redundant {
		c.stats.Redundant++
	} else {
		c.stats.Irredundant++
	}
	c.watchLong(r)
	c.unwatched = uint32(len(c.arena))
	return r
}

// unwatch removes the clause at r from the lists of its watched literals, in time
// linear in the lists.
func (c *clauses) unwatch(r uint32) {
	for _, w := range c.lits(r)[:2] {
		c.removeWatch(dimacs.Lit(w), func(w watch) bool { return w.ref() == r })
	}
}

// removeWatch removes the first watch that meets the condition from the list of l.
func (c *clauses) removeWatch(l dimacs.Lit, meant func(watch) bool) {
	ws := c.list(l)
	c.stats.Ticks += 1 + int64(len(ws)>>3)
	i := slices.IndexFunc(ws, meant)
	copy(ws[i:], ws[i+1:])
	c.watches[l].len--
}

// watchBinary adds the binary clause of a and b to their lists.
func (c *clauses) watchBinary(a, b dimacs.Lit, ref uint32) {
	c.push(a, mkWatch(b, ref))
	c.push(b, mkWatch(a, ref))
	c.stats.Binary++
	if ref&2 != 0 {
		c.stats.Redundant++
	} else {
		c.stats.Irredundant++
	}
}

// newPool returns a pool for this many watches, which can grow.
func newPool(watches int) ([]watch, *reservation) {
	if uint64(watches)*sizeOf[watch]() < leastReserved {
		return make([]watch, 0, grownCapacity(watches)), nil
	}
	var r *reservation
	pool := grown[watch](nil, &r, nil, watches)
	return pool, r
}

// setPool replaces the pool of watches by one without free places.
func (c *clauses) setPool(pool []watch, r *reservation) {
	c.poolSpace.release()
	c.pool, c.poolSpace = pool, r
	c.free, c.freed = [33]uint32{}, 0
}

// binaryDeleted updates the statistics and the proof after a binary clause has left
// the watch lists.
func (c *clauses) binaryDeleted(a, b dimacs.Lit, w watch) {
	c.stats.Binary--
	if w.redundant() {
		c.stats.Redundant--
	} else {
		c.stats.Irredundant--
	}
	if c.proof.log != nil {
		c.proof.scratch = append(c.proof.scratch[:0], a, b)
		c.proof.log.Delete(c.refID(w.ref()), c.proof.scratch)
	}
}

// promoteWatch makes the watch w in the list of l the watch of an irredundant clause.
// It reports false if the list has no such watch.
func (c *clauses) promoteWatch(l dimacs.Lit, w watch) bool {
	ws := c.list(l)
	c.stats.Ticks += 1 + int64(len(ws)>>3)
	for i := range ws {
		if ws[i] == w {
			ws[i] = mkWatch(w.blocker(), w.ref()&^2)
			return true
		}
	}
	return false
}

// hasBinary reports whether there is a binary clause of a and b, irredundant or
// learned.
func (c *clauses) hasBinary(a, b dimacs.Lit) bool {
	if c.watches[a].len > c.watches[b].len {
		a, b = b, a
	}
	ws := c.list(a)
	c.stats.Ticks += 1 + int64(len(ws)>>3)
	return slices.ContainsFunc(ws, func(w watch) bool { return w.binary() && w.blocker() == b })
}

// edgeID returns the proof id of the clause of edge i, or 0 without a proof. Without a proof the
// graph needs no references.
func (c *clauses) edgeID(g *inprocess.Implications, i uint32) int64 {
	if c.proof.log == nil {
		return 0
	}
	return c.refID(g.Refs[i])
}

// largePool is the number of watches in a pool from which lists get less spare capacity:
// those of binary clauses alone get none, since only clauses learned later are added to them,
// and the others begin with the next power of two, even if that is 1 or 2. In smaller pools
// the next watch of a learned clause would soon move many lists, for little memory.
const largePool = largeTable / 8
