package cdcl

import (
	"math/bits"
	"slices"

	"sator/dimacs"
)

// Clauses that are added wait unwatched until the next call of Solve: long ones
// in the arena from s.unwatched on, binary ones in s.pending. Then all are
// connected at once, and a first load knows the length of each list before it
// makes room for any. Like collections this can be interrupted, and goes on
// with the next call.

type pendingBinary struct {
	a, b dimacs.Lit
	ref  uint32
}

// A connector makes room in the lists for many clauses at once.
type connector struct {
	count   []uint32 // by literal: watches to come
	pending int      // binary clauses counted
	arena   int      // the arena up to here is counted
	lit     int      // lists up to this literal have their room
}

// connect watches what waits. It stops early when the call is stopped.
func (s *Solver) connect() {
	if s.connecting == nil && len(s.arena)-int(s.unwatched)+len(s.pending) > len(s.watches) {
		s.connecting = &connector{arena: int(s.unwatched)}
	}
	if s.connecting != nil && !s.reserve(s.connecting) {
		return
	}
	for steps := 1; len(s.pending) > 0; steps++ {
		if s.inconsistent || s.pausing(steps) {
			return
		}
		last := len(s.pending) - 1
		p := s.pending[last]
		s.pending = s.pending[:last]
		s.connectBinary(p)
	}
	s.pending = nil
	// In a large pool that nobody has written to, each of these steps may make the
	// system clear two huge pages: it asks more often.
	for steps := 1; int(s.unwatched) < len(s.arena); steps++ {
		if s.inconsistent || s.pausing(steps<<6) {
			return
		}
		r := s.unwatched + uint32(s.prefix)
		next := s.unwatched + uint32(s.words(int(s.arena[r+1])))
		if s.learnedStart == s.unwatched && s.arena[r]&redundantBit == 0 {
			s.learnedStart = next
		}
		s.unwatched = next
		if s.arena[r]&garbageBit == 0 {
			s.connectLong(r)
		}
	}
	s.connecting = nil
}

// reserve makes room in the lists for all that waits, and reports whether it
// got to the end.
func (s *Solver) reserve(c *connector) bool {
	if !s.countWatches(c) {
		return false
	}
	if c.lit == 0 {
		s.reservePool(c.count)
	}
	for ; c.lit < len(c.count); c.lit++ {
		if s.pausing(c.lit) {
			return false
		}
		h := &s.watches[c.lit]
		n := h.len + c.count[c.lit]
		if n <= h.cap {
			continue
		}
		size := uint32(listCapacity(n))
		off, _ := s.extendPool(size)
		copy(s.pool[off:], s.list(dimacs.Lit(c.lit)))
		s.release(h)
		h.off, h.cap = off, size
	}
	return true
}

func (s *Solver) countWatches(c *connector) bool {
	if c.lit > 0 {
		return true // what was added since is pushed without
	}
	c.count = lengthen(c.count, len(s.watches))
	for ; c.pending < len(s.pending); c.pending++ {
		if s.pausing(c.pending) {
			return false
		}
		p := s.pending[c.pending]
		c.count[p.a]++
		c.count[p.b]++
	}
	for steps := 1; c.arena < len(s.arena); steps++ {
		if s.pausing(steps) {
			return false
		}
		r := c.arena + s.prefix
		c.count[s.arena[r+headerWords]]++
		c.count[s.arena[r+headerWords+1]]++
		c.arena += s.words(int(s.arena[r+1]))
	}
	return true
}

// reservePool makes room for the lists in the pool.
func (s *Solver) reservePool(count []uint32) {
	need := 0
	for l, n := range count {
		if h := &s.watches[l]; h.len+n > h.cap {
			need += listCapacity(h.len + n)
		}
	}
	if n := len(s.pool); n+need > cap(s.pool) {
		s.pool = withCapacity(s.pool, grownCapacity(n+need))
	}
}

// listCapacity returns the capacity of a list of n watches.
func listCapacity(n uint32) int {
	switch {
	case n == 0:
		return 0
	case n <= 4:
		return 4
	}
	return 1 << bits.Len32(n-1)
}

// connectBinary watches a binary clause; with an assigned literal it is true,
// unit or false at the root.
func (s *Solver) connectBinary(p pendingBinary) {
	if s.vals[p.a] == 0 && s.vals[p.b] == 0 {
		s.watchBinary(p.a, p.b, p.ref)
		return
	}
	s.replaceByUnit([]dimacs.Lit{p.a, p.b}, s.refID(p.ref))
}

func (s *Solver) connectLong(r uint32) {
	c := s.lits(r)
	if s.vals[c[0]] == 0 && s.vals[c[1]] == 0 {
		s.watchLong(r)
		return
	}
	n := 0
	for i, w := range c {
		if s.vals[w] >= 0 {
			c[n], c[i] = c[i], c[n]
			n++
		}
	}
	if n >= 2 && s.vals[c[0]] == 0 && s.vals[c[1]] == 0 {
		s.watchLong(r)
		return
	}
	s.markGarbage(r)
	s.replaceByUnit(slices.Clone(s.literals(c)), s.id(r))
}

// replaceByUnit replaces a clause that does not have two literals that are
// unassigned at the root by what is left of it.
func (s *Solver) replaceByUnit(lits []dimacs.Lit, id int64) {
	rest, satisfied := []dimacs.Lit(nil), false
	for _, l := range lits {
		switch {
		case s.vals[l] > 0:
			satisfied = true
		case s.vals[l] == 0:
			rest = append(rest, l)
		}
	}
	unit := id
	if !satisfied && s.proof != nil {
		unit = s.proof.Learn(rest, s.unitChain(lits, id))
	}
	if s.proof != nil {
		s.proof.Delete(id, lits)
	}
	switch {
	case satisfied:
	case len(rest) == 0:
		s.inconsistent = true
	default:
		s.assignRoot(rest[0], unit)
	}
}
