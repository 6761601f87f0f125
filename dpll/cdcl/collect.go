package cdcl

import (
	"sator/dimacs"
	"sator/dpll/cdcl/order"
)

// Collections give back the room of dropped clauses, and put those that stay in
// a better order. There are two kinds.
//
// After a reduction only learned clauses have gone. Those that stay are copied
// in the order in which the watch lists name them, when the lists are walked in
// the order of decisions: what is visited together then lies together (as in
// CaDiCaL's moving collector). A clause that was copied leaves its new
// reference behind, by which its second watch and its reason are mended.
//
// A sweep, at the root and when units are new, takes all clauses: those that
// are true go, false literals are taken out, and what is left slides down in
// place, the clauses of the formula first. It needs no second arena, and leaves
// no references behind; the lists keep their binary clauses only, and the rest
// is watched anew as if it had just been added (connect.go).
//
// Formulas of 10^7 clauses make either take longer than a cancelled call may
// last. So both can stop between two lists or clauses, and what has begun is
// finished before anything else, by the next call.
type collector struct {
	full    bool
	vars    []uint32 // in the order in which their lists are walked
	next    int      // of vars, or of the words of the arena
	flushed bool     // a sweep's lists have lost their long clauses
	dense   bool     // a sweep comes from dense mode (dense.go)

	// A partial collection copies arena[from:] here.
	from uint32
	to   []uint32

	// A sweep slides to this word, and keeps learned clauses aside.
	end     uint32
	learned []uint32
}

// collect gives back what dropped clauses take. With sweep, for which the
// solver is at the root and propagated, it simplifies all clauses too.
func (s *Solver) collect(sweep bool) {
	if !sweep && s.garbage == 0 {
		return
	}
	s.startCollection(s.newCollector(sweep))
}

func (s *Solver) newCollector(sweep bool) *collector {
	c := &collector{full: sweep, from: s.learnedStart, end: 2}
	c.vars = s.inOrder()
	if sweep {
		c.next = len(c.vars)
	} else {
		c.to = make([]uint32, 0, len(s.arena)-int(c.from))
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

// continueCollection goes on with the collection until it is done or the call
// is stopped.
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

// inOrder returns the variables, those first that are decided first.
func (s *Solver) inOrder() []uint32 {
	vars := make([]uint32, 0, len(s.vars))
	if s.stable {
		vars = append(vars, s.heap.Items...)
		for v := range s.vars {
			if !s.heap.Contains(uint32(v)) {
				vars = append(vars, uint32(v))
			}
		}
		return vars
	}
	for v := s.queue.Last; v != order.None; v = s.queue.Links[v].Prev {
		vars = append(vars, v)
	}
	for v := range s.vars {
		if !s.active(uint32(v)) {
			vars = append(vars, uint32(v))
		}
	}
	return vars
}

// pausing reports whether a long walk should stop here; it asks every 1024
// steps.
func (s *Solver) pausing(step int) bool {
	return step&1023 == 0 && s.pollAt != noPoll && s.poll(s.stats.Ticks)
}

// copyLearned walks the lists and copies the learned clauses that stay.
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

// flushLists takes all but the binary clauses that are not true out of the
// lists.
func (s *Solver) flushLists(c *collector) bool {
	if c.flushed {
		return true
	}
	for ; c.next > 0; c.next-- {
		if s.pausing(c.next) {
			return false
		}
		v := c.vars[c.next-1]
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
		// A list of an assigned literal stays empty.
		s.release(h)
		*h = watchList{}
	}
}

// binaryDeleted tells that a binary clause is gone.
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

// compact simplifies the clauses and moves those that stay to the front of the
// arena.
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
	// Dense mode may leave fewer than two: connect finds that out.
	if open >= 2 && open < len(lits) && s.removeFalse(r) {
		return
	}
	n := s.words(int(s.arena[r+1]))
	from := s.arena[int(r)-s.prefix:][:n]
	if h&redundantBit != 0 {
		c.learned = append(c.learned, from...)
		return
	}
	copy(s.arena[c.end:], from)
	c.end += uint32(n)
}

// removeFalse takes the false literals out of the clause at r. If two are left it
// becomes a binary clause, waiting to be watched, and removeFalse reports true.
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
		s.pending = append(s.pending, pendingBinary{c[0], c[1], s.binaryRef(redundant, id)})
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

// defragment lays the lists out anew, in the order of decisions, without the
// places given back between them.
func (s *Solver) defragment() {
	total := 1
	for i := range s.watches {
		total += listCapacity(s.watches[i].len)
	}
	pool := make([]watch, 1, grownCapacity(total))
	for _, v := range s.inOrder() {
		l := literal(v, -s.phases.saved[v])
		for _, l := range [2]dimacs.Lit{l, l ^ 1} {
			h := &s.watches[l]
			ws := s.list(l)
			h.off, h.cap = uint32(len(pool)), uint32(listCapacity(h.len))
			pool = append(pool, ws...)
			pool = pool[:int(h.off)+int(h.cap)]
		}
	}
	s.pool, s.free, s.freed = pool, [33]uint32{}, 0
}
