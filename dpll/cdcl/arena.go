package cdcl

import (
	"errors"
	"fmt"

	"sator/dimacs"
)

// The clause arena holds every clause of three or more literals, one after the
// other, as 32-bit words without pointers. For Go's garbage collector it is one
// object to skip, and a reference takes 4 bytes instead of 8. Binary clauses are in
// the watch lists alone (watch.go), units on the trail.
//
// A clause at reference r:
//
//	r-2, r-1   its proof id, low and high word (only with a proof)
//	r          garbage | redundant | reason | moved | shrunken | compared |
//	           tried | foreign | used (5 bits) | glue (19)
//	r+1        number of literals
//	r+2        position where the last search for a watch ended, 2 to size-1
//	r+3 ...    the literals; the first two are watched
//
// Clauses begin at even words, so that the lowest bit of a reference is free: an
// odd reference is a binary clause. References count words, hence the arena ends at
// 2^32 words, 16 GiB. Word 0 is never a clause, so that reference 0 means no clause.
//
// The clauses of the formula come first. From learnedStart on there are learned
// clauses, too, so that reductions skip all clauses before it.

const (
	headerWords = 3
	maxWords    = 1 << 32

	garbageBit   = 1 << 0 // deleted: the next collection frees it
	redundantBit = 1 << 1 // learned: implied by the other clauses
	reasonBit    = 1 << 2 // a reason on the trail, set during a reduction
	movedBit     = 1 << 3 // set during a collection: r+1 is the new reference, or an index of its order
	shrunkenBit  = 1 << 4 // set in dense mode: r+2 is the size, r+1 the capacity
	comparedBit  = 1 << 5 // subsumption has compared the clause, unchanged since
	triedBit     = 1 << 6 // vivification tried the clause in this round
	foreignBit   = 1 << 7 // imported from another solver and not used yet
	usedShift    = 8
	usedMask     = 31 << usedShift
	glueShift    = 13
	maxGlue      = 1<<19 - 1
	maxUsed      = 31
)

// A clauses value holds the clauses and the watch lists.
type clauses struct {
	opts  *Options
	stats *Stats
	proof *proofLog
	call  *call

	arena          []uint32
	arenaSpace     *reservation // of a large arena
	prefix         int          // words before a clause: 2 for its proof id, 0 without a proof
	learnedStart   uint32       // start of the part of the arena with learned clauses
	unwatched      uint32       // start of the clauses that are not connected yet
	pending        pendingList
	garbage        int // number of deleted clauses from learnedStart on
	formulaGarbage int // number of deleted clauses before learnedStart

	pool      []watch
	poolSpace *reservation // of a large pool
	watches   []watchList  // by literal
	free      [33]uint32   // free lists of the pool, by size class
	freed     int          // number of watches in free places

	binaryIDs []int64 // proof ids of binary clauses
	ignored   uint32  // a clause that propagation skips, or 0
	mostWords uint64  // limit of the arena and of the pool: maxWords, or less in tests
}

// words returns the number of words that a clause of n literals takes.
func (c *clauses) words(n int) int {
	return (headerWords+n+1)&^1 + c.prefix
}

// size returns the number of words that the clauses take without their proof ids.
// Schedules that depend on it are the same with a proof and without.
func (c *clauses) size() int {
	st := c.stats
	return len(c.arena) - c.prefix*(st.Irredundant+st.Redundant-st.Binary+c.garbage+c.formulaGarbage)
}

// ErrFull is the reason of [Solver.Err] when the clauses exceed the address space of
// references: 2^32 words of clauses or watches.
var ErrFull = errors.New("cdcl: clauses exceed the 2^32 words (16 GiB) that references address")

// Err returns nil, the reason why Options.Verify gives no answer, or [ErrFull] if the clauses have exceeded the limits given at [Solver].
// The solver is of no use then: Add does nothing, Solve and Propagate return Unknown, and
// Simplified and ReconstructionStack yield no clause, since a pass may have ended within a step.
func (s *Solver) Err() error {
	switch {
	case s.call.state == full:
		return ErrFull
	case s.verifier != nil:
		return s.verifier.fault
	}
	return nil
}

// An overflow is the panic that ends a call because the clauses are too many: the only way out
// of a propagation or a pass. The exported calls that add clauses, or complete work that adds
// some, defer guard, so that it does not leave the package.
type overflow struct{}

// fill ends the call because the clauses are too many.
func (c *clauses) fill() {
	c.call.state = full
	panic(overflow{})
}

// requireWords ends the call if the arena or the pool must not have so many words.
func (c *clauses) requireWords(words int) {
	if uint64(words) > c.mostWords {
		c.fill()
	}
}

// requireSpace ends the call if the solver is full, since tables may be inconsistent then.
func (s *Solver) requireSpace() {
	if s.call.state == full {
		panic(overflow{})
	}
}

// guard recovers from overflow. It sets the answer of the call, if there is one.
func (s *Solver) guard(answer *dimacs.Status) {
	if s.call.state != full {
		return
	}
	if r := recover(); r != nil && r != any(overflow{}) {
		panic(r)
	}
	s.call.ctx = nil
	if answer != nil {
		*answer = dimacs.Unknown
	}
}

// alloc appends a clause to the arena and returns its reference. It does not watch
// the clause and does not log it to the proof.
func (c *clauses) alloc(lits []dimacs.Lit, redundant bool, glue int, id int64) uint32 {
	start := len(c.arena)
	c.extendArena(c.words(len(lits)))
	r := start + c.prefix
	if c.prefix > 0 {
		c.arena[start], c.arena[start+1] = uint32(id), uint32(id>>32)
	}
	head := uint32(min(glue, maxGlue)) << glueShift
	if redundant {
		head |= redundantBit
	}
	c.arena[r], c.arena[r+1], c.arena[r+2] = head, uint32(len(lits)), 2
	for i, l := range lits {
		c.arena[r+headerWords+i] = uint32(l)
	}
	return uint32(r)
}

// extendArena appends n words to the arena.
func (c *clauses) extendArena(n int) {
	need := len(c.arena) + n
	c.requireWords(need)
	if need > cap(c.arena) {
		c.arena = grown(c.opts.Memory, &c.arenaSpace, c.arena, need)
	}
	c.arena = c.arena[:need]
}

// lits returns the literals of the clause at r, in place.
func (c *clauses) lits(r uint32) []uint32 {
	n := c.arena[r+1]
	return c.arena[r+headerWords : r+headerWords+n]
}

// id returns the proof id of the clause at r, or 0 without a proof.
func (c *clauses) id(r uint32) int64 {
	if c.prefix == 0 {
		return 0
	}
	return int64(c.arena[r-2]) | int64(c.arena[r-1])<<32
}

func (c *clauses) glue(r uint32) int { return int(c.arena[r] >> glueShift) }

func (c *clauses) setGlue(r uint32, glue int) {
	c.arena[r] = c.arena[r]&(1<<glueShift-1) | uint32(min(glue, maxGlue))<<glueShift
}

func (c *clauses) setUsed(r uint32, used uint32) {
	c.arena[r] = c.arena[r]&^usedMask | used<<usedShift
}

// eachClause calls f with the reference of every clause from start on, garbage
// included, until f returns false. The words of a clause must begin at start.
func (c *clauses) eachClause(start uint32, f func(r uint32) bool) {
	for i := int(start); i < len(c.arena); {
		r := i + c.prefix
		n := c.words(int(c.arena[r+1]))
		if !f(uint32(r)) {
			return
		}
		i += n
	}
}

// deleteClause marks the clause at r as garbage and logs the deletion to the proof.
func (c *clauses) deleteClause(r uint32) {
	c.markGarbage(r)
	if c.proof.log != nil {
		c.proof.log.Delete(c.id(r), c.literals(c.lits(r)))
	}
}

// lent is the header of a clause that the propagator gave as a reason or conflict. It is garbage
// from the start, but stays as long as it is a reason, and its deletion is logged at the end.
const lent = maxGlue<<glueShift | garbageBit

func (c *clauses) isLent(r uint32) bool { return c.arena[r] == lent }

// forgetLent logs the deletion of the clause at r if it was lent.
func (c *clauses) forgetLent(r uint32) {
	if c.isLent(r) && c.proof.log != nil {
		c.proof.log.Delete(c.id(r), c.literals(c.lits(r)))
	}
}

// markGarbage marks the clause at r as garbage. It does not log the deletion.
func (c *clauses) markGarbage(r uint32) {
	h := &c.arena[r]
	if checking && *h&garbageBit != 0 {
		panic(fmt.Sprintf("cdcl: clause %d deleted twice", r))
	}
	*h |= garbageBit
	if r < c.learnedStart {
		c.formulaGarbage++
	} else {
		c.garbage++
	}
	if *h&redundantBit != 0 {
		c.stats.Redundant--
	} else {
		c.stats.Irredundant--
	}
}

// literals copies words of the arena to scratch memory for callbacks and the proof.
func (c *clauses) literals(words []uint32) []dimacs.Lit {
	c.proof.scratch = c.proof.scratch[:0]
	for _, w := range words {
		c.proof.scratch = append(c.proof.scratch, dimacs.Lit(w))
	}
	return c.proof.scratch
}

// discardArena returns the memory of the arena beyond this many words to the system: clauses
// deleted since were there.
func (c *clauses) discardArena(words int) {
	if c.arenaSpace != nil {
		c.arenaSpace.discard(4*uint64(words), 4*uint64(cap(c.arena)))
	}
}

// storeSize moves the size of a shrunken clause from the third word to the second.
func (c *clauses) storeSize(r uint32) {
	c.arena[r] &^= shrunkenBit
	c.arena[r+1], c.arena[r+2] = c.arena[r+2], 2
}

// denseCost estimates the ticks to enter and leave dense mode. An estimate near the
// largest reference means that the lists would not fit.
func (c *clauses) denseCost() int64 {
	return int64(c.size()/4 + len(c.watches)/2)
}

// irredundantLiterals visits all clauses. Binary clauses are those that are not in the arena.
func (c *clauses) irredundantLiterals() int64 {
	literals, binary := int64(0), c.stats.Irredundant
	c.eachClause(2, func(r uint32) bool {
		if c.arena[r]&(garbageBit|redundantBit) == 0 {
			literals += int64(c.arena[r+1])
			binary--
		}
		return true
	})
	return literals + 2*int64(binary)
}
