package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/internal/order"
)

// Garbage collection of clauses frees the memory of deleted clauses and puts the
// others into a better order. There are two kinds.
//
// A partial collection follows a reduction, which deletes learned clauses only. The
// other learned clauses are ordered as they occur in the watch lists, and the lists are
// walked in the order of decisions, so that clauses visited together lie together (as in
// CaDiCaL's moving collector). The walk computes the new references, and updates the watches
// and reasons. Then the clauses are compacted in place, copied in the new order to the
// memory that this has freed, and moved back as a whole. So a second copy needs memory only
// if more than half of the words are kept.
//
// A full collection runs at the root, after passes that deleted clauses and when there
// are new units. It takes all clauses: true clauses are deleted, false literals are
// removed, and the clauses are compacted in place, those of the formula first. Only clauses
// of the formula that follow learned ones, such as resolvents of an elimination, are copied.
// The lists keep their binary clauses only, and the long ones are connected again as if they
// had just been added (connect.go).
//
// For formulas of 10^7 clauses both kinds take longer than a canceled call may last.
// So both can stop between two lists or clauses, and the next call completes an
// interrupted collection before it does anything else.
type collector struct {
	s       *Solver
	full    bool // full instead of partial
	next    int  // variable, index of vars, or index of the words of the arena
	flushed bool // in a full collection: the lists have lost their long clauses
	dense   bool // a full collection in dense mode (dense.go)

	// A partial collection orders arena[from:].
	vars  []uint32 // all variables, in the order in which their lists are walked; nil at first
	from  uint32
	order []kept // in the new order
	words uint32 // of these clauses
	lent  int    // clauses among them that are garbage nevertheless

	// A full collection compacts the clauses of the formula up to end, and learned ones behind
	// them. Clauses of the formula that follow learned ones are set aside.
	end     uint32
	learned uint32   // words behind end
	late    []uint32 // words of the clauses set aside

	space *reservation // holds the second copy of ordered clauses, or late
}

// A kept value is the reference and the size of a learned clause that is not deleted.
type kept struct{ ref, size uint32 }

// collect frees the memory of deleted clauses. A full collection, for which the
// solver must be at the root and propagated, simplifies all clauses, too.
func (s *Solver) collect(full bool) {
	if !full && s.clauses.garbage == 0 {
		return
	}
	s.startCollection(newCollector(s, full))
}

// newCollector returns a collector that has not begun.
func newCollector(s *Solver, full bool) *collector {
	c := &collector{s: s, full: full, from: s.clauses.learnedStart, end: 2}
	if full {
		c.next = len(s.trail.vars)
		return c
	}
	s.opts.Memory.Require(4 * int64(len(s.clauses.arena)-int(c.from))) // of endOrder, at most
	c.order = make([]kept, 0, s.stats.Redundant)
	return c
}

func (s *Solver) startCollection(c *collector) {
	s.opts.enter("collect")
	s.stats.Collections++
	if c.full {
		s.schedule.due.lastFull = s.stats.Ticks
		s.trail.rootsRemoved = s.trail.roots
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
		done = c.flushLists() && c.compact()
	} else {
		done = c.orderLearned()
	}
	if !done {
		return
	}
	if c.full {
		c.endFull()
	} else {
		c.endOrder()
	}
	c.space.release()
	s.clauses.garbage = c.lent
	s.collecting = nil
	s.defragment(c.dense)
	s.connect()
}

// inOrder returns the variables in the order of decisions, the first one first, or nil
// if the call is stopped.
func (s *Solver) inOrder() []uint32 {
	vars := make([]uint32, 0, len(s.trail.vars))
	if s.decisions.stable {
		vars = append(vars, s.decisions.heap.Items...)
		for v := range s.trail.vars {
			if s.pausing(v + 1) {
				return nil
			}
			if !s.decisions.heap.Contains(uint32(v)) {
				vars = append(vars, uint32(v))
			}
		}
		return vars
	}
	for v := s.decisions.queue.Last; v != order.None; v = s.decisions.queue.Links[v].Prev {
		if vars = append(vars, v); s.pausing(len(vars)) {
			return nil
		}
	}
	for v := range s.trail.vars {
		if !s.removal.active(uint32(v)) {
			vars = append(vars, uint32(v))
		}
	}
	return vars
}

// orderLearned walks the lists, orders the learned clauses that are not garbage, and updates
// their watches.
func (c *collector) orderLearned() bool {
	s := c.s
	if c.vars == nil {
		c.vars = s.inOrder()
		c.orderLent()
	}
	if c.vars == nil {
		return false
	}
	for ; c.next < len(c.vars); c.next++ {
		if s.pausing(c.next) {
			return false
		}
		v := c.vars[c.next]
		l := literal(v, -s.decisions.phases.saved[v])
		c.orderList(l)
		c.orderList(l ^ 1)
	}
	return true
}

// orderLent orders the clauses that the propagator has lent and that are reasons.
func (c *collector) orderLent() {
	s := c.s
	c.lent = 0
	if s.user == nil || c.vars == nil {
		return
	}
	for _, l := range s.trail.lits {
		if r := s.trail.vars[l>>1].reason.ref(); r&1 == 0 && r >= c.from && s.clauses.isLent(r) {
			c.orderClause(r)
			c.lent++
		}
	}
}

// orderList orders the learned clauses in the list of l that are not ordered yet, and updates
// the watches in it.
func (c *collector) orderList(l dimacs.Lit) {
	s := c.s
	ws := s.clauses.list(l)
	kept := ws[:0]
	for _, w := range ws {
		r := w.ref()
		if r&1 != 0 || r < c.from {
			kept = append(kept, w)
			continue
		}
		if h := s.clauses.arena[r]; h&movedBit == 0 {
			if h&garbageBit != 0 {
				continue
			}
			c.orderClause(r)
		}
		kept = append(kept, mkWatch(w.blocker(), s.clauses.arena[r+1]))
	}
	s.clauses.watches[l].len = uint32(len(kept))
}

// orderClause appends the clause at r to the order and stores its new reference instead of
// its size.
func (c *collector) orderClause(r uint32) {
	s := c.s
	size := s.clauses.arena[r+1]
	c.order = append(c.order, kept{r, size})
	s.clauses.arena[r] |= movedBit
	s.clauses.arena[r+1] = c.from + c.words + uint32(s.clauses.prefix)
	c.words += uint32(s.clauses.words(int(size)))
}

// endOrder updates the reasons and moves the clauses to their new places.
func (c *collector) endOrder() {
	s := c.s
	for _, l := range s.trail.lits {
		w := &s.trail.vars[l>>1].reason
		if r := w.ref(); *w != 0 && r&1 == 0 && r >= c.from {
			*w = mkWatch(0, s.clauses.arena[r+1])
		}
	}
	before := len(s.clauses.arena)
	c.compactLearned()
	end := int(c.from) + int(c.words)
	second := s.clauses.arena[end:end:cap(s.clauses.arena)]
	if cap(second) < int(c.words) {
		second, c.space = populatedTable[uint32](int(c.words))
	}
	for _, k := range c.order {
		start := int(k.ref) - s.clauses.prefix
		second = append(second, s.clauses.arena[start:start+s.clauses.words(int(k.size))]...)
	}
	copy(s.clauses.arena[c.from:], second)
	s.clauses.arena = s.clauses.arena[:end]
	s.clauses.discardArena(before) // the next reduction will find about as many clauses
	s.clauses.unwatched = uint32(end)
}

// compactLearned moves the ordered clauses to the beginning of the learned part of the arena,
// without a change of their order there.
func (c *collector) compactLearned() {
	s := c.s
	for i, k := range c.order {
		s.clauses.arena[k.ref+1] = uint32(i)
	}
	to := int(c.from)
	for from := to; from < len(s.clauses.arena); {
		r := from + s.clauses.prefix
		if s.clauses.arena[r]&movedBit == 0 {
			s.clauses.forgetLent(uint32(r))
			from += s.clauses.words(int(s.clauses.arena[r+1]))
			continue
		}
		k := &c.order[s.clauses.arena[r+1]]
		s.clauses.arena[r] &^= movedBit
		s.clauses.arena[r+1] = k.size
		k.ref = uint32(to + s.clauses.prefix)
		n := s.clauses.words(int(k.size))
		copy(s.clauses.arena[to:to+n], s.clauses.arena[from:from+n])
		from, to = from+n, to+n
	}
}

// flushLists removes all watches from the lists except those of binary clauses that
// are not satisfied.
func (c *collector) flushLists() bool {
	s := c.s
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
				c.purgeList(l)
			} else {
				c.flushList(l)
			}
		}
	}
	c.flushed = true
	c.next = 2
	return true
}

func (c *collector) flushList(l dimacs.Lit) {
	s := c.s
	ws := s.clauses.list(l)
	kept := ws[:0]
	for _, w := range ws {
		b := w.blocker()
		switch {
		case !w.binary():
		case s.trail.vals[l] <= 0 && s.trail.vals[b] <= 0:
			kept = append(kept, w)
		case l < b:
			s.clauses.binaryDeleted(l, b, w)
		}
	}
	h := &s.clauses.watches[l]
	h.len = uint32(len(kept))
	if s.trail.vals[l] != 0 {
		// The list of an assigned literal stays empty.
		s.clauses.release(h)
		*h = watchList{}
	}
}

// compact simplifies the clauses and moves those that are not deleted to the front
// of the arena.
func (c *collector) compact() bool {
	s := c.s
	for steps := 1; c.next < len(s.clauses.arena); steps++ {
		if s.pausing(steps) {
			return false
		}
		r := uint32(c.next + s.clauses.prefix)
		n := s.clauses.words(int(s.clauses.arena[r+1]))
		c.next += n
		c.compactClause(r)
	}
	return true
}

// compactClause simplifies the clause at r. It moves the clause to the front, sets it aside, or
// deletes it.
func (c *collector) compactClause(r uint32) {
	s := c.s
	h := s.clauses.arena[r]
	if h&garbageBit != 0 {
		s.clauses.forgetLent(r)
		return
	}
	if h&shrunkenBit != 0 {
		s.clauses.storeSize(r)
	}
	lits := s.clauses.lits(r)
	open, satisfied := 0, false
	for _, w := range lits {
		satisfied = satisfied || s.trail.vals[w] > 0
		if s.trail.vals[w] == 0 {
			open++
		}
	}
	if satisfied || c.dense && h&redundantBit != 0 && s.removal.hasRemoved(lits) {
		s.clauses.deleteClause(r)
		return
	}
	// Dense mode may leave fewer than two open literals; connect handles that.
	if open >= 2 && open < len(lits) && c.removeFalse(r) {
		return
	}
	n := s.clauses.words(int(s.clauses.arena[r+1]))
	from := s.clauses.arena[int(r)-s.clauses.prefix:][:n]
	switch {
	case h&redundantBit != 0:
		copy(s.clauses.arena[c.end+c.learned:], from)
		c.learned += uint32(n)
	case c.learned == 0:
		copy(s.clauses.arena[c.end:], from)
		c.end += uint32(n)
	default:
		c.setAside(from)
	}
}

// setAside copies the words of a clause of the formula that follows learned clauses.
func (c *collector) setAside(clause []uint32) {
	s := c.s
	if most := len(s.clauses.arena) - c.next + len(clause); c.late == nil && s.opts.Memory.Allows(4*int64(most)) {
		c.late, c.space = newTable[uint32](most) // else it grows by copying
	}
	c.late = append(dimacs.Extend(s.opts.Memory, c.late, len(clause)), clause...)
}

// removeFalse removes the false literals from the clause at r. If two literals are
// left, the clause becomes a pending binary clause and the result is true.
func (c *collector) removeFalse(r uint32) bool {
	s := c.s
	all := s.clauses.literals(s.clauses.lits(r))
	rest := s.analysis.clause[:0]
	for _, l := range all {
		if s.trail.vals[l] == 0 {
			rest = append(rest, l)
		}
	}
	s.analysis.clause = rest[:0]
	id := int64(0)
	if s.proof.log != nil {
		id = s.proof.log.Learn(rest, s.analysis.unitChain(all, s.clauses.id(r)))
		s.proof.log.Delete(s.clauses.id(r), all)
		s.clauses.arena[r-2], s.clauses.arena[r-1] = uint32(id), uint32(id>>32)
	}
	redundant := s.clauses.arena[r]&redundantBit != 0
	if len(rest) == 2 {
		if redundant {
			s.stats.Redundant--
		} else {
			s.stats.Irredundant--
		}
		s.clauses.addPending(pendingBinary{rest[0], rest[1], s.clauses.binaryRef(redundant, id)})
		return true
	}
	for i, l := range rest {
		s.clauses.arena[r+headerWords+uint32(i)] = uint32(l)
	}
	s.clauses.arena[r] &^= comparedBit
	s.clauses.arena[r+1], s.clauses.arena[r+2] = uint32(len(rest)), 2
	if s.clauses.glue(r) >= len(rest) {
		s.clauses.setGlue(r, len(rest)-1)
	}
	return false
}

// endFull puts the clauses that were set aside between those of the formula and the learned ones.
func (c *collector) endFull() {
	s := c.s
	learned := s.clauses.arena[c.end : c.end+c.learned]
	s.clauses.learnedStart = c.end + uint32(len(c.late))
	copy(s.clauses.arena[s.clauses.learnedStart:], learned)
	copy(s.clauses.arena[c.end:], c.late)
	s.clauses.arena = s.clauses.arena[:s.clauses.learnedStart+c.learned]
	s.clauses.formulaGarbage = 0
	s.clauses.unwatched = 2
	s.report(Collect)
}

// defragment copies the watch lists to a new pool, in the order of decisions and
// without the free places between them, if these are a third of the pool. After dense mode
// the lists have room for clauses that they no longer contain, and a quarter of the pool is
// enough; a small pool is copied always. defragment does nothing if there is no memory for
// the copy, or if the call is stopped.
func (s *Solver) defragment(dense bool) {
	if !dense && s.clauses.freed <= len(s.clauses.pool)/3 {
		return
	}
	total := 1
	for i := range s.clauses.watches {
		total += int(tightCapacity(s.clauses.watches[i].len))
	}
	if s.clauses.poolSpace != nil && total > len(s.clauses.pool)/4*3 {
		return
	}
	if !s.opts.Memory.Allows(8 * int64(grownCapacity(total))) {
		return
	}
	vars := s.inOrder()
	if s.call.stopped {
		return
	}
	_, sorted := s.clauses.slideLists(s.pausing)
	sorted.release()
	if s.call.stopped {
		return
	}
	pool, space := newPool(total)
	pool = append(pool, 0)
	for i, v := range vars {
		if s.pausing(i + 1) {
			space.release()
			return
		}
		l := literal(v, -s.decisions.phases.saved[v])
		for _, l := range [2]dimacs.Lit{l, l ^ 1} {
			end := len(pool) + int(tightCapacity(s.clauses.watches[l].len))
			pool = append(pool, s.clauses.list(l)...)[:end]
		}
	}
	off := uint32(1)
	for _, v := range vars {
		l := literal(v, -s.decisions.phases.saved[v])
		for _, l := range [2]dimacs.Lit{l, l ^ 1} {
			h := &s.clauses.watches[l]
			if h.len == 0 {
				*h = watchList{} // not the end of the pool, which propagation must not read
				continue
			}
			h.off, h.cap = off, tightCapacity(h.len)
			off += h.cap
		}
	}
	s.clauses.setPool(pool, space)
}

// purgeList keeps only the binary clauses of a list that are not deleted. The deletions
// of the others are in the proof already.
func (c *collector) purgeList(l dimacs.Lit) {
	s := c.s
	kept := s.clauses.list(l)[:0]
	if s.trail.vals[l] == 0 && s.removal.active(uint32(l>>1)) {
		for _, w := range s.clauses.list(l) {
			if w.binary() && !s.stale(w) {
				kept = append(kept, w)
			}
		}
	}
	h := &s.clauses.watches[l]
	if h.len = uint32(len(kept)); h.len == 0 {
		s.clauses.release(h)
		*h = watchList{}
	}
}

// stale reports whether the clause of a watch is deleted.
func (s *Solver) stale(w watch) bool {
	if !w.binary() {
		return s.clauses.arena[w.ref()]&garbageBit != 0
	}
	b := w.blocker()
	return s.trail.vals[b] != 0 || !s.removal.active(uint32(b>>1))
}
