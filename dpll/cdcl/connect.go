package cdcl

import (
	"math/bits"
	"slices"
	"unsafe"

	"sator/dimacs"
)

// Connecting clauses: added clauses wait unwatched until the next call of Solve, the
// long ones in the arena from s.clauses.unwatched on, the binary ones in s.clauses.pending. Then
// connect watches all of them at once. When there are many, a connector first counts
// the watches of each list and reserves the capacity. Like a collection, connecting
// can be interrupted, and the next call continues it.

type pendingBinary struct {
	a, b dimacs.Lit
	ref  uint32
}

// A pendingList holds pending binary clauses in chunks of pendingChunk, all full but the
// last, so that it never moves: the list of a large formula takes hundreds of megabytes, and
// a copy would double that and take longer than a canceled call may last. All chunks but the
// first one are outside the Go heap if possible. Then the memory of a chunk is returned when
// its clauses are popped: on the heap it was resident until the watch lists were full.
type pendingList struct {
	chunks [][]pendingBinary
	len    int
	space  *reservation
}

const (
	pendingChunk      = 1 << 16
	pendingChunkBytes = pendingChunk * uint64(unsafe.Sizeof(pendingBinary{}))
	mostPending       = maxWords / 2 // each has two watches
)

func (p *pendingList) push(m dimacs.MemoryLimit, c pendingBinary) {
	if p.len&(pendingChunk-1) == 0 {
		p.chunks = append(p.chunks, nil)
	}
	last := &p.chunks[len(p.chunks)-1]
	switch {
	case len(*last) < cap(*last):
	case len(p.chunks) == 1:
		*last = dimacs.Extend(m, *last, 1) // a small list stays small
	default:
		m.Require(int64(pendingChunkBytes))
		*last = p.newChunk()
	}
	*last = append(*last, c)
	p.len++
}

// newChunk returns the memory of the last chunk.
func (p *pendingList) newChunk() []pendingBinary {
	if p.space == nil {
		p.space = reserveSpace(mostPending * uint64(unsafe.Sizeof(pendingBinary{})))
	}
	if end := uint64(len(p.chunks)) * pendingChunkBytes; p.space != nil && end <= uint64(len(p.space.memory)) {
		memory := unsafe.SliceData(p.space.memory[end-pendingChunkBytes:])
		return unsafe.Slice((*pendingBinary)(unsafe.Pointer(memory)), pendingChunk)[:0]
	}
	return make([]pendingBinary, 0, pendingChunk)
}

// pop removes the last clause and returns it.
func (p *pendingList) pop() pendingBinary {
	last := &p.chunks[len(p.chunks)-1]
	c := (*last)[len(*last)-1]
	*last = (*last)[:len(*last)-1]
	if p.len--; p.len&(pendingChunk-1) == 0 {
		p.dropChunk()
	}
	return c
}

// dropChunk removes the last chunk, which is empty, and returns its memory to the system.
func (p *pendingList) dropChunk() {
	n := len(p.chunks) - 1
	p.chunks[n] = nil
	p.chunks = p.chunks[:n]
	switch {
	case p.space == nil:
	case n <= 1: // the first chunk is on the heap
		p.space.release()
		p.space = nil
	default:
		p.space.discard(uint64(n)*pendingChunkBytes, uint64(n+1)*pendingChunkBytes)
	}
}

// at returns clause i.
func (p *pendingList) at(i int) pendingBinary { return p.chunks[i/pendingChunk][i%pendingChunk] }

// A connector reserves capacity in the lists for many clauses at once.
type connector struct {
	s       *Solver
	count   []uint32     // by literal: number of new watches, and longerBit; nil at the end
	space   *reservation // of count
	pending int          // number of pending binary clauses counted
	arena   int          // end of the counted part of the arena
	tight   bool         // the pool is large
	lit     int          // lists of literals below it have their capacity
}

// longerBit is set in the count of a literal that watches a longer clause.
const longerBit = 1 << 31

// addPending adds a binary clause that the next call of connect watches.
func (c *clauses) addPending(p pendingBinary) {
	c.pending.push(c.opts.Memory, p)
}

// connect watches all unwatched clauses. It stops early when the call is stopped.
func (s *Solver) connect() {
	if s.connecting == nil && len(s.clauses.arena)-int(s.clauses.unwatched)+s.clauses.pending.len > len(s.clauses.watches) {
		s.connecting = &connector{s: s, arena: int(s.clauses.unwatched)}
	}
	if s.connecting != nil && !s.connecting.reserve() {
		return
	}
	// In a large pool that is not written to yet, each of these steps may make the
	// operating system clear two huge pages, so these loops poll more often.
	for steps := 1; s.clauses.pending.len > 0; steps++ {
		if s.inconsistent || s.pausing(steps<<7) {
			return
		}
		s.connectBinary(s.clauses.pending.pop())
	}
	for steps := 1; int(s.clauses.unwatched) < len(s.clauses.arena); steps++ {
		if s.inconsistent || s.pausing(steps<<7) {
			return
		}
		r := s.clauses.unwatched + uint32(s.clauses.prefix)
		next := s.clauses.unwatched + uint32(s.clauses.words(int(s.clauses.arena[r+1])))
		if s.clauses.learnedStart == s.clauses.unwatched && s.clauses.arena[r]&redundantBit == 0 {
			s.clauses.learnedStart = next
			if s.clauses.arena[r]&garbageBit != 0 {
				s.clauses.garbage--
				s.clauses.formulaGarbage++
			}
		}
		s.clauses.unwatched = next
		if s.clauses.arena[r]&garbageBit == 0 {
			s.connectLong(r)
		}
	}
	s.connecting = nil
}

// reserve reserves capacity in the lists for all unwatched clauses, and reports
// whether it has completed.
func (c *connector) reserve() bool {
	s := c.s
	if !c.countWatches() {
		return false
	}
	if c.lit == 0 && !c.reservePool() {
		return false
	}
	for ; c.lit < len(c.count); c.lit++ {
		if s.pausing(c.lit) {
			return false
		}
		h := &s.clauses.watches[c.lit]
		size := c.capacity(h, c.lit)
		if size <= h.cap {
			continue
		}
		off, _ := s.clauses.extendPool(size)
		copy(s.clauses.pool[off:], s.clauses.list(dimacs.Lit(c.lit)))
		s.clauses.release(h)
		h.off, h.cap = off, size
	}
	c.space.release() // the watches need the memory
	c.count, c.space = nil, nil
	return true
}

// capacity returns the capacity that the list h of literal l needs.
func (c *connector) capacity(h *watchList, l int) uint32 {
	n := h.len + c.count[l]&^longerBit
	if n <= h.cap || c.tight && (n <= 2 || c.count[l]&longerBit == 0) {
		return n
	}
	return tightCapacity(n)
}

func (c *connector) countWatches() bool {
	s := c.s
	if c.lit > 0 {
		return true // clauses added since then grow the lists one by one
	}
	if n := len(s.clauses.watches); n > len(c.count) {
		count, space := populatedTable[uint32](n)
		count = append(count, c.count...)[:n]
		c.space.release()
		c.count, c.space = count, space
	}
	for ; c.pending < s.clauses.pending.len; c.pending++ {
		if s.pausing(c.pending) {
			return false
		}
		p := s.clauses.pending.at(c.pending)
		c.count[p.a]++
		c.count[p.b]++
	}
	for steps := 1; c.arena < len(s.clauses.arena); steps++ {
		if s.pausing(steps) {
			return false
		}
		r := c.arena + s.clauses.prefix
		for _, l := range s.clauses.arena[r+headerWords:][:2] {
			c.count[l] = (c.count[l] + 1) | longerBit
		}
		c.arena += s.clauses.words(int(s.clauses.arena[r+1]))
	}
	return true
}

// reservePool reserves capacity in the pool for the lists. It reports false if the call is
// stopped.
func (c *connector) reservePool() bool {
	s := c.s
	c.tight = false
	need, ok := c.additional()
	if c.tight = need >= largePool; ok && c.tight {
		need, ok = c.additional()
	}
	if n := len(s.clauses.pool); ok && n+need > cap(s.clauses.pool) {
		s.clauses.pool = grown(s.opts.Memory, &s.clauses.poolSpace, s.clauses.pool, n+need)
	}
	return ok
}

// additional returns the capacity of all lists that are too small. It reports false if the
// call is stopped.
func (c *connector) additional() (need int, ok bool) {
	s := c.s
	for l := range c.count {
		if s.pausing(l) {
			return 0, false
		}
		h := &s.clauses.watches[l]
		if size := c.capacity(h, l); size > h.cap {
			need += int(size)
		}
	}
	return need, true
}

// tightCapacity returns the capacity for a list of n watches that is laid out anew. A long
// list has room for a sixteenth more, in steps of an eighth, since the watches of learned
// clauses are few in it. Capacities that are powers of two waste most in lists of binary
// clauses that exclude each other.
func tightCapacity(n uint32) uint32 {
	const long = 64 // a short list grows sooner, and leaves a free place
	if n < long {
		return uint32(listCapacity(n))
	}
	n += n / 16
	step := uint32(1) << (bits.Len32(n-1) - 4)
	return (n + step - 1) &^ (step - 1)
}

// listCapacity returns the capacity of a list of n watches, a power of two.
func listCapacity(n uint32) int {
	switch {
	case n == 0:
		return 0
	case n <= 4:
		return 4
	}
	return 1 << bits.Len32(n-1)
}

// connectBinary watches a pending binary clause if its literals are unassigned.
func (s *Solver) connectBinary(p pendingBinary) {
	if s.trail.vals[p.a] == 0 && s.trail.vals[p.b] == 0 {
		s.clauses.watchBinary(p.a, p.b, p.ref)
		return
	}
	s.replaceByUnit([]dimacs.Lit{p.a, p.b}, s.clauses.refID(p.ref))
}

func (s *Solver) connectLong(r uint32) {
	c := s.clauses.lits(r)
	if s.trail.vals[c[0]] == 0 && s.trail.vals[c[1]] == 0 {
		s.clauses.watchLong(r)
		return
	}
	n := 0
	for i, w := range c {
		if s.trail.vals[w] >= 0 {
			c[n], c[i] = c[i], c[n]
			n++
		}
	}
	if n >= 2 && s.trail.vals[c[0]] == 0 && s.trail.vals[c[1]] == 0 {
		s.clauses.watchLong(r)
		return
	}
	s.clauses.markGarbage(r)
	s.replaceByUnit(slices.Clone(s.clauses.literals(c)), s.clauses.id(r))
}

// replaceByUnit deletes a clause that does not have two literals unassigned at the
// root. If the clause is not satisfied, its unit or empty remainder replaces it.
func (s *Solver) replaceByUnit(lits []dimacs.Lit, id int64) {
	rest, satisfied := []dimacs.Lit(nil), false
	for _, l := range lits {
		switch {
		case s.trail.vals[l] > 0:
			satisfied = true
		case s.trail.vals[l] == 0:
			rest = append(rest, l)
		}
	}
	unit := id
	if !satisfied && s.proof.log != nil {
		unit = s.proof.log.Learn(rest, s.analysis.unitChain(lits, id))
	}
	if s.proof.log != nil {
		s.proof.log.Delete(id, lits)
	}
	switch {
	case satisfied:
	case len(rest) == 0:
		s.inconsistent = true
	default:
		s.assignRoot(rest[0], unit)
	}
}
