package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/order"
)

// Garbage collection of clauses frees the memory of deleted clauses and puts the
// others into a better order. There are two kinds.
//
// A partial collection follows a reduction, which deletes learned clauses only. The
// other learned clauses are copied in the order in which they occur in the watch
// lists, and the lists are walked in the order of decisions, so that clauses
// visited together lie together (as in CaDiCaL's moving collector). A copied clause
// leaves its new reference behind, by which its second watch and its reason are
// updated.
//
// A full collection runs at the root, after passes that deleted clauses and when there
// are new units. It takes all clauses: true clauses are deleted, false literals are
// removed, and the clauses are compacted in place, those of the formula first. It needs
// no second arena and leaves no references behind. The lists keep their binary clauses
// only, and the long ones are connected again as if they had just been added
// (connect.go).
//
// For formulas of 10^7 clauses both kinds take longer than a canceled call may last.
// So both can stop between two lists or clauses, and the next call completes an
// interrupted collection before it does anything else.
type collector struct {
	full    bool // full instead of partial
	next    int  // variable, index of vars, or index of the words of the arena
	flushed bool // in a full collection: the lists have lost their long clauses
	dense   bool // a full collection in dense mode (dense.go)

	// A partial collection copies arena[from:] to the slice to.
	vars []uint32 // all variables, in the order in which their lists are walked
	from uint32
	to   []uint32

	// A full collection compacts the arena up to end, and sets learned clauses aside.
	end     uint32
	learned []uint32
}

// collect frees the memory of deleted clauses. A full collection, for which the
// solver must be at the root and propagated, simplifies all clauses, too.
func (s *Solver) collect(full bool) {
	if !full && s.garbage == 0 {
		return
	}
	if c := s.newCollector(full); c != nil {
		s.startCollection(c)
	}
}

// newCollector returns a collector that has not begun. It returns nil if the call is
// stopped before a partial collection.

func (s *Solver) newCollector(full bool) *collector {
	c := &collector{full: full, from: s.learnedStart, end: 2}
	learned := len(s.arena) - int(c.from) // words, at most
	if full {
		c.next = len(s.vars)
		if s.opts.Memory.Allows(4 * int64(learned)) {
			c.learned = make([]uint32, 0, learned) // else it grows by copying
		}
	} else {
		if c.vars = s.inOrder(); c.vars == nil {
			return nil
		}
		s.opts.Memory.Require(4 * int64(learned))
		c.to = make([]uint32, 0, learned)
	}
	return c
}

func (s *Solver) startCollection(c *collector) {
	s.enter("collect")
	s.stats.Collections++
	if c.full {
		s.due.lastFull = s.stats.Ticks
		s.rootsRemoved = s.roots
	}
	s.collecting = c
	s.continueCollection()
}

// continueCollection continues the collection until it is done or the call is
// stopped.
func (s *Solver) continueCollection() {
	c := s.collecting
	done := false
	if c.full {
		done = s.flushLists(c) && s.compact(c)
	} else {
		done = s.copyLearned(c)
	}
	if !done {
		return
	}
	if c.full {
		s.endFull(c)
	} else {
		s.endCopy(c)
	}
	s.garbage = 0
	s.collecting = nil
	if c.dense || s.freed > len(s.pool)/3 {
		s.defragment()
	}
	s.connect()
}

// inOrder returns the variables in the order of decisions, the first one first, or nil
// if the call is stopped.
func (s *Solver) inOrder() []uint32 {
	vars := make([]uint32, 0, len(s.vars))
	if s.stable {
		vars = append(vars, s.heap.Items...)
		for v := range s.vars {
			if s.pausing(v + 1) {
				return nil
			}
			if !s.heap.Contains(uint32(v)) {
				vars = append(vars, uint32(v))
			}
		}
		return vars
	}
	for v := s.queue.Last; v != order.None; v = s.queue.Links[v].Prev {
		if vars = append(vars, v); s.pausing(len(vars)) {
			return nil
		}
	}
	for v := range s.vars {
		if !s.active(uint32(v)) {
			vars = append(vars, uint32(v))
		}
	}
	return vars
}

// pausing reports whether a long loop must stop at this step. It polls at every
// 1024th step.
func (s *Solver) pausing(step int) bool {
	return step&1023 == 0 && s.pollAt != noPoll && s.poll(s.stats.Ticks)
}

// copyLearned walks the lists and copies the learned clauses that are not garbage.
func (s *Solver) copyLearned(c *collector) bool {
	for ; c.next < len(c.vars); c.next++ {
		if s.pausing(c.next) {
			return false
		}
		v := c.vars[c.next]
		l := literal(v, -s.phases.saved[v])
		s.copyList(c, l)
		s.copyList(c, l^1)
	}
	return true
}

func (s *Solver) copyList(c *collector, l dimacs.Lit) {
	ws := s.list(l)
	kept := ws[:0]
	for _, w := range ws {
		r := w.ref()
		if r&1 != 0 || r < c.from {
			kept = append(kept, w)
			continue
		}
		if h := s.arena[r]; h&movedBit == 0 {
			if h&garbageBit != 0 {
				continue
			}
			s.copyClause(c, r)
		}
		kept = append(kept, mkWatch(w.blocker(), s.arena[r+1]))
	}
	s.watches[l].len = uint32(len(kept))
}

// copyClause copies the clause at r and leaves its new reference there.
func (s *Solver) copyClause(c *collector, r uint32) {
	n := s.words(int(s.arena[r+1]))
	start := int(r) - s.prefix
	to := c.from + uint32(len(c.to)+s.prefix)
	c.to = append(c.to, s.arena[start:start+n]...)
	s.arena[r] |= movedBit
	s.arena[r+1] = to
}

func (s *Solver) endCopy(c *collector) {
	for _, l := range s.trail {
		w := &s.vars[l>>1].reason
		if r := w.ref(); *w != 0 && r&1 == 0 && r >= c.from {
			*w = mkWatch(0, s.arena[r+1])
		}
	}
	copy(s.arena[c.from:], c.to)
	s.arena = s.arena[:int(c.from)+len(c.to)]
	s.unwatched = uint32(len(s.arena))
}

// flushLists removes all watches from the lists except those of binary clauses that
// are not satisfied.
func (s *Solver) flushLists(c *collector) bool {
	if c.flushed {
		return true
	}
	for ; c.next > 0; c.next-- {
		if s.pausing(c.next) {
			return false
		}
		v := c.next - 1
		for l := dimacs.Lit(2 * v); l <= dimacs.Lit(2*v+1); l++ {
			if c.dense {
				s.purgeList(l)
			} else {
				s.flushList(l)
			}
		}
	}
	c.flushed = true
	c.next = 2
	return true
}

func (s *Solver) flushList(l dimacs.Lit) {
	ws := s.list(l)
	kept := ws[:0]
	for _, w := range ws {
		b := w.blocker()
		switch {
		case !w.binary():
		case s.vals[l] <= 0 && s.vals[b] <= 0:
			kept = append(kept, w)
		case l < b:
			s.binaryDeleted(l, b, w)
		}
	}
	h := &s.watches[l]
	h.len = uint32(len(kept))
	if s.vals[l] != 0 {
		// The list of an assigned literal stays empty.
		s.release(h)
		*h = watchList{}
	}
}

// binaryDeleted updates the statistics and the proof after a binary clause has left
// the watch lists.
func (s *Solver) binaryDeleted(a, b dimacs.Lit, w watch) {
	s.stats.Binary--
	if w.redundant() {
		s.stats.Redundant--
	} else {
		s.stats.Irredundant--
	}
	if s.proof != nil {
		s.external = append(s.external[:0], a, b)
		s.proof.Delete(s.refID(w.ref()), s.external)
	}
}

// compact simplifies the clauses and moves those that are not deleted to the front
// of the arena.
func (s *Solver) compact(c *collector) bool {
	for steps := 1; c.next < len(s.arena); steps++ {
		if s.pausing(steps) {
			return false
		}
		r := uint32(c.next + s.prefix)
		n := s.words(int(s.arena[r+1]))
		c.next += n
		s.compactClause(c, r)
	}
	return true
}

func (s *Solver) compactClause(c *collector, r uint32) {
	h := s.arena[r]
	if h&garbageBit != 0 {
		return
	}
	if h&shrunkenBit != 0 {
		s.storeSize(r)
	}
	lits := s.lits(r)
	open, satisfied := 0, false
	for _, w := range lits {
		satisfied = satisfied || s.vals[w] > 0
		if s.vals[w] == 0 {
			open++
		}
	}
	if satisfied || c.dense && h&redundantBit != 0 && s.hasRemoved(lits) {
		s.deleteClause(r)
		return
	}
	// Dense mode may leave fewer than two open literals; connect handles that.
	if open >= 2 && open < len(lits) && s.removeFalse(r) {
		return
	}
	n := s.words(int(s.arena[r+1]))
	from := s.arena[int(r)-s.prefix:][:n]
	if h&redundantBit != 0 {
		c.learned = append(dimacs.Extend(s.opts.Memory, c.learned, n), from...)
		return
	}
	copy(s.arena[c.end:], from)
	c.end += uint32(n)
}

// removeFalse removes the false literals from the clause at r. If two literals are
// left, the clause becomes a pending binary clause and the result is true.
func (s *Solver) removeFalse(r uint32) bool {
	all := s.literals(s.lits(r))
	c := s.clause[:0]
	for _, l := range all {
		if s.vals[l] == 0 {
			c = append(c, l)
		}
	}
	s.clause = c[:0]
	id := int64(0)
	if s.proof != nil {
		id = s.proof.Learn(c, s.unitChain(all, s.id(r)))
		s.proof.Delete(s.id(r), all)
		s.arena[r-2], s.arena[r-1] = uint32(id), uint32(id>>32)
	}
	redundant := s.arena[r]&redundantBit != 0
	if len(c) == 2 {
		if redundant {
			s.stats.Redundant--
		} else {
			s.stats.Irredundant--
		}
		s.addPending(pendingBinary{c[0], c[1], s.binaryRef(redundant, id)})
		return true
	}
	for i, l := range c {
		s.arena[r+headerWords+uint32(i)] = uint32(l)
	}
	s.arena[r] &^= comparedBit
	s.arena[r+1], s.arena[r+2] = uint32(len(c)), 2
	if s.glue(r) >= len(c) {
		s.setGlue(r, len(c)-1)
	}
	return false
}

func (s *Solver) endFull(c *collector) {
	copy(s.arena[c.end:], c.learned)
	s.arena = s.arena[:int(c.end)+len(c.learned)]
	s.learnedStart = c.end
	s.formulaGarbage = 0
	s.unwatched = 2
	s.report(Collect)
}

// defragment copies the watch lists to a new pool, in the order of decisions and
// without the free places between them. It does nothing if there is no memory for the
// copy, or if the call is stopped.
func (s *Solver) defragment() {
	total := 1
	for i := range s.watches {
		total += listCapacity(s.watches[i].len)
	}
	if !s.opts.Memory.Allows(8 * int64(grownCapacity(total))) {
		return
	}
	vars := s.inOrder()
	pool := make([]watch, 1, grownCapacity(total))
	for i, v := range vars {
		if s.pausing(i + 1) {
			return
		}
		l := literal(v, -s.phases.saved[v])
		for _, l := range [2]dimacs.Lit{l, l ^ 1} {
			end := len(pool) + listCapacity(s.watches[l].len)
			pool = append(pool, s.list(l)...)[:end]
		}
	}
	if len(vars) < len(s.vars) {
		return
	}
	off := uint32(1)
	for _, v := range vars {
		l := literal(v, -s.phases.saved[v])
		for _, l := range [2]dimacs.Lit{l, l ^ 1} {
			h := &s.watches[l]
			h.off, h.cap = off, uint32(listCapacity(h.len))
			off += h.cap
		}
	}
	s.pool, s.free, s.freed = pool, [33]uint32{}, 0
}
