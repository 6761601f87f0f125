package proof

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// A hintChecker holds the clauses that are not deleted, by id, and propagates
// along hints.
//
// The clauses are consecutive in the arena in the order in which they were
// added: a word with the index of the clause, a word with its size, then the
// literals. A deleted clause stays in the arena until this is compacted, which
// happens when more than half of it is garbage.
//
// The index of a clause is its id as long as ids are not much larger than the
// size of the input. From the first larger id on, clauses get the next free
// indices, and the index of an id is found by binary search in a list, which is
// sorted because ids ascend. So a proof that jumps to id 10^17 takes no more
// memory than another.
type hintChecker struct {
	variables
	arena   []uint32
	refs    []uint32 // by index: the clause in the arena, or unknownRef or deletedRef
	sparse  []int64  // the ids of the clauses whose index is not their id
	entered int      // the number of clauses that were registered
	garbage int      // the number of words of deleted clauses

	falsified []bool   // by literal: it is false
	trail     []uint32 // the false literals
	assumed   []bool   // by literal: it is an assumption; missing entries are false

	strict      bool    // lemmas have no repeated or complementary literals, and RAT lemmas no needless groups
	tracing     bool    // used is computed
	used        []int64 // the hints that the latest lemma needed, as indices
	occurs      literalIndex
	extraGroups int    // the number of groups of the latest lemma for clauses without the complement of the pivot
	msg         string // why the latest lemma is unproven
}

// References below firstRef are not in the arena.
const (
	unknownRef = iota
	deletedRef
	firstRef
)

// groupFlag is added to the size of a clause that has a group of hints.
const groupFlag = 1 << 31

// A verdict is the result of the check of a lemma.
type verdict int

const (
	unproven  verdict = iota
	byRUP             // the lemma follows by unit propagation along its hints
	byRAT             // the lemma is RAT
	tautology         // the lemma contains a literal and its complement
)

// newHintChecker returns a hintChecker with capacity for this many clauses and
// literals.
func newHintChecker(clauses, literals int, m dimacs.MemoryLimit) *hintChecker {
	m.Require(4 * (3*int64(clauses) + int64(literals)))
	return &hintChecker{
		variables: variables{far: map[dimacs.Var]uint32{}, memory: m},
		arena:     make([]uint32, firstRef, firstRef+2*clauses+literals),
		refs:      make([]uint32, 1, 1+clauses),
	}
}

// literal returns the internal number of l.
func (c *hintChecker) literal(l dimacs.Lit) uint32 {
	number, fresh := c.number(l.Var(), len(c.arena))
	if fresh {
		c.falsified = append(dimacs.Extend(c.memory, c.falsified, 2), false, false)
	}
	return number<<1 | uint32(l&1)
}

// clause returns the literals of the clause at ref.
func (c *hintChecker) clause(ref uint32) []uint32 {
	n := c.arena[ref+1]
	return c.arena[ref+2:][:n:n]
}

// push appends a clause to the arena. It has no id before register is called.
func (c *hintChecker) push(lits []dimacs.Lit) (ref uint32, err error) {
	// After compact, the occurrence lists must be built again in time linear in
	// the variables.
	if c.garbage > max(len(c.arena)/2, len(c.names)) {
		c.compact()
	}
	if uint64(len(c.arena)+len(lits)+2) >= 1<<32 || uint64(len(lits)) >= groupFlag || len(c.refs) >= 1<<31-1 {
		return 0, errTooLarge
	}
	ref = uint32(len(c.arena))
	c.arena = append(dimacs.Extend(c.memory, c.arena, 2+len(lits)), 0, uint32(len(lits)))
	for _, l := range lits {
		c.arena = append(c.arena, c.literal(l))
	}
	return ref, nil
}

// nearIDs is the largest id that is its own index before any clause is
// registered. The limit grows by 8 with each clause.
const nearIDs = 1 << 16

// register gives an id, which is above all others, to the last clause of the
// arena.
func (c *hintChecker) register(ref uint32, id int64) (index int) {
	if len(c.sparse) == 0 && id <= min(nearIDs+8*int64(c.entered), 1<<31-2) {
		for int64(len(c.refs)) < id {
			c.refs = append(dimacs.Extend(c.memory, c.refs, 1), unknownRef)
		}
	} else {
		c.sparse = append(dimacs.Extend(c.memory, c.sparse, 1), id)
	}
	index = len(c.refs)
	c.refs = append(dimacs.Extend(c.memory, c.refs, 1), ref)
	c.arena[ref] = uint32(index)
	c.entered++
	return index
}

// find returns the index of an id. For an unknown id, refs is unknownRef at
// this index, which may be 0.
func (c *hintChecker) find(id int64) int {
	dense := len(c.refs) - len(c.sparse)
	if 0 < id && id < int64(dense) {
		return int(id)
	}
	if i, ok := slices.BinarySearch(c.sparse, id); ok {
		return dense + i
	}
	return 0
}

// remove deletes a clause. It reports whether the clause existed.
func (c *hintChecker) remove(id int64) bool {
	index := c.find(id)
	ref := c.refs[index]
	if ref < firstRef {
		return false
	}
	c.refs[index] = deletedRef
	c.garbage += 2 + len(c.clause(ref))
	return true
}

// compact removes deleted clauses from the arena. References change.
func (c *hintChecker) compact() {
	to := uint32(firstRef)
	c.each(func(ref uint32) bool {
		n := 2 + c.arena[ref+1]
		copy(c.arena[to:], c.arena[ref:ref+n])
		c.refs[c.arena[to]] = to
		to += n
		return true
	})
	c.arena = c.arena[:to]
	c.garbage = 0
	c.occurs.reset()
}

// each calls f for the clauses that are not deleted, in order, until f returns
// false. f may move its clause towards the start of the arena.
func (c *hintChecker) each(f func(ref uint32) bool) {
	for ref, end := uint32(firstRef), uint32(len(c.arena)); ref < end; {
		next := ref + 2 + c.arena[ref+1]
		if c.refs[c.arena[ref]] == ref && !f(ref) {
			return
		}
		ref = next
	}
}

// checkLemma checks the clause at ref, which is the last one of the arena, with
// its hints.
func (c *hintChecker) checkLemma(ref uint32, hints []int64) verdict {
	c.used, c.extraGroups = c.used[:0], 0
	defer c.backtrack(0)
	lemma := c.clause(ref)
	switch {
	case !c.falsify(lemma, noLiteral):
		return tautology
	case c.strict && len(c.trail) < len(lemma):
		c.msg = "a literal is repeated"
		return unproven
	}
	end, done := c.propagate(hints, 0)
	switch {
	case done:
		return byRUP
	case c.msg != "":
		return unproven
	case c.resolve(ref, hints, end):
		return byRAT
	}
	return unproven
}

// falsify makes the literals of a clause false, except the literal but. It
// returns false if one of them is true.
func (c *hintChecker) falsify(lits []uint32, but uint32) bool {
	for _, l := range lits {
		if l == but || c.falsified[l] {
			continue
		}
		if c.falsified[l^1] {
			return false
		}
		c.falsified[l] = true
		c.trail = append(c.trail, l)
	}
	return true
}

// backtrack shortens the trail to n literals.
func (c *hintChecker) backtrack(n int) {
	for _, l := range c.trail[n:] {
		c.falsified[l] = false
	}
	c.trail = c.trail[:n]
}

// propagate propagates along the hints from index from up to the first negative
// one. Each hint must be a clause that is falsified, which ends propagation, or
// has exactly one literal that is not false, which becomes true. It returns the
// index after the last hint, and whether that was a falsified clause. If a hint
// is wrong, c.msg is set.
//
// A check spends its time in this loop, so that it stays whole. Nearly all
// literals that it visits are false.
func (c *hintChecker) propagate(hints []int64, from int) (end int, done bool) {
	falsified, arena := c.falsified, c.arena
	dense := c.refs[:len(c.refs)-len(c.sparse)]
	for i := from; i < len(hints); i++ {
		id := hints[i]
		if id < 0 {
			return i, false
		}
		ref := uint32(unknownRef)
		if id < int64(len(dense)) {
			ref = dense[id]
		} else {
			ref = c.refs[c.find(id)]
		}
		if ref < firstRef {
			c.msg = fmt.Sprintf("hint %d, clause %d, %s", i+1, id, c.absence(id))
			return i, false
		}
		open := uint32(noLiteral)
		for _, l := range arena[ref+2:][:arena[ref+1]] {
			if falsified[l] || l == open {
				continue
			}
			if open != noLiteral {
				c.msg = fmt.Sprintf("hint %d, clause %d %s, is not unit", i+1, id, c.quote(ref))
				return i, false
			}
			open = l
		}
		if open != noLiteral && falsified[open^1] {
			continue
		}
		if c.tracing {
			c.used = append(c.used, int64(arena[ref]))
		}
		if open == noLiteral {
			return i + 1, true
		}
		falsified[open^1] = true
		c.trail = append(c.trail, open^1)
	}
	return len(hints), false
}

// absence returns the reason why an id has no clause.
func (c *hintChecker) absence(id int64) string {
	if c.refs[c.find(id)] == deletedRef {
		return "was deleted"
	}
	return "does not exist"
}

// quoteLen is the number of literals of a clause that a message quotes.
const quoteLen = 12

// quote returns the clause at ref for a message, as in "(1 -2 5)".
func (c *hintChecker) quote(ref uint32) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, l := range c.clause(ref) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if i == quoteLen {
			fmt.Fprintf(&b, "... of %d", len(c.clause(ref)))
			break
		}
		b.WriteString(c.external(l).String())
	}
	b.WriteByte(')')
	return b.String()
}
