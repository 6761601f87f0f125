package proof

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// A hinted holds the clauses that are alive, by id, and follows hints through
// them.
//
// Clauses lie one after the other in the arena, in the order in which they
// came: a word with the index of the clause, a word with its size, then the
// literals. A deleted clause is garbage there until the arena is compacted,
// which happens when more than half of it is.
//
// The index of a clause is its id as long as ids are not much larger than what
// was read. From the first on that is, clauses get the next indices that are
// free, and their ids are searched in a list, which is ascending since ids are:
// a proof that jumps to id 10^17 costs no more than another.
type hinted struct {
	variables
	arena   []uint32
	refs    []uint32 // by index: the clause in the arena, or one of those below
	sparse  []int64  // the ids of the clauses whose index is not their id
	entered int      // clauses that ever were alive
	garbage int      // words of deleted clauses

	falsified []bool   // by literal: it is false at the moment
	trail     []uint32 // the literals that are falsified
	assumed   []bool   // by literal: it is an assumption; may be short

	tracing bool    // used is wanted
	used    []int64 // by the lemma that was checked last: indices, as hints are
	occurs  literalIndex
	odd     int    // groups of the lemma that it does not need
	why     string // the lemma is unproven
}

// References that are no clause.
const (
	neverThere = iota
	wasDeleted
	firstRef
)

// What is added to the size of a clause.
const groupFlag = 1 << 31 // it has a group

// A verdict says what a lemma is.
type verdict int

const (
	unproven  verdict = iota
	byRUP             // it follows by unit propagation along its hints
	byRAT             // it has the RAT property
	tautology         // it has a literal and its complement
)

// newHinted returns a checker with room for this many clauses and literals.
func newHinted(clauses, literals int) *hinted {
	return &hinted{
		variables: variables{far: map[dimacs.Var]uint32{}},
		arena:     make([]uint32, firstRef, firstRef+2*clauses+literals),
		refs:      make([]uint32, 1, 1+clauses),
	}
}

// literal returns the literal of l here.
func (c *hinted) literal(l dimacs.Lit) uint32 {
	number, fresh := c.number(l.Var(), len(c.arena))
	if fresh {
		c.falsified = append(c.falsified, false, false)
	}
	return number<<1 | uint32(l&1)
}

// clause returns the literals of the clause at ref.
func (c *hinted) clause(ref uint32) []uint32 {
	n := c.arena[ref+1]
	return c.arena[ref+2:][:n:n]
}

// push puts a clause at the end of the arena, where it is not alive before
// enter is called.
func (c *hinted) push(lits []dimacs.Lit) (ref uint32, err error) {
	// What is forgotten takes time linear in the variables to make again.
	if c.garbage > max(len(c.arena)/2, len(c.names)) {
		c.compact()
	}
	if uint64(len(c.arena)+len(lits)+2) >= 1<<32 || uint64(len(lits)) >= groupFlag || len(c.refs) >= 1<<31-1 {
		return 0, errTooLarge
	}
	ref = uint32(len(c.arena))
	c.arena = append(c.arena, 0, uint32(len(lits)))
	for _, l := range lits {
		c.arena = append(c.arena, c.literal(l))
	}
	return ref, nil
}

// nearIDs is up to where ids may jump at the beginning and be their own index.
const nearIDs = 1 << 16

// enter makes the last clause of the arena alive, with an id above all others.
func (c *hinted) enter(ref uint32, id int64) (index int) {
	if len(c.sparse) == 0 && id <= min(nearIDs+8*int64(c.entered), 1<<31-2) {
		for int64(len(c.refs)) < id {
			c.refs = append(c.refs, neverThere)
		}
	} else {
		c.sparse = append(c.sparse, id)
	}
	index = len(c.refs)
	c.refs = append(c.refs, ref)
	c.arena[ref] = uint32(index)
	c.entered++
	return index
}

// find returns the index of an id, or 0 if it has none.
func (c *hinted) find(id int64) int {
	dense := len(c.refs) - len(c.sparse)
	if 0 < id && id < int64(dense) {
		return int(id)
	}
	if i, ok := slices.BinarySearch(c.sparse, id); ok {
		return dense + i
	}
	return 0
}

// remove deletes a clause. It reports whether it was there.
func (c *hinted) remove(id int64) bool {
	index := c.find(id)
	ref := c.refs[index]
	if ref < firstRef {
		return false
	}
	c.refs[index] = wasDeleted
	c.garbage += 2 + len(c.clause(ref))
	return true
}

// compact moves the clauses that are alive together. References change.
func (c *hinted) compact() {
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
	c.occurs.forget()
}

// each calls f with the clauses that are alive, in their order, until it says
// false. f may move the clause towards the front.
func (c *hinted) each(f func(ref uint32) bool) {
	for ref, end := uint32(firstRef), uint32(len(c.arena)); ref < end; {
		next := ref + 2 + c.arena[ref+1]
		if c.refs[c.arena[ref]] == ref && !f(ref) {
			return
		}
		ref = next
	}
}

// derive checks the last clause of the arena, which is at ref, with its hints.
func (c *hinted) derive(ref uint32, hints []int64) verdict {
	c.used, c.odd = c.used[:0], 0
	defer c.undo(0)
	if !c.deny(c.clause(ref), noLiteral) {
		return tautology
	}
	end, done := c.follow(hints, 0)
	switch {
	case done:
		return byRUP
	case c.why != "":
		return unproven
	case c.resolve(ref, hints, end):
		return byRAT
	}
	return unproven
}

// deny falsifies the literals of a clause but one. It reports false if one of
// them is true.
func (c *hinted) deny(lits []uint32, but uint32) bool {
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

// undo takes back what was falsified when the trail had more than n literals.
func (c *hinted) undo(n int) {
	for _, l := range c.trail[n:] {
		c.falsified[l] = false
	}
	c.trail = c.trail[:n]
}

// follow goes through hints from one on, as far as they are positive: each is
// a clause that is falsified, which ends it, or has one literal that is not
// false, whose complement then is. It returns where it ended, and whether that
// was at a falsified clause. If a hint is wrong, c.why says so.
//
// This is where a check spends its time, so that the loop stays whole. Nearly
// all literals it meets are false.
func (c *hinted) follow(hints []int64, from int) (end int, done bool) {
	falsified, arena := c.falsified, c.arena
	dense := c.refs[:len(c.refs)-len(c.sparse)]
	for i := from; i < len(hints); i++ {
		id := hints[i]
		if id < 0 {
			return i, false
		}
		ref := uint32(neverThere)
		if id < int64(len(dense)) {
			ref = dense[id]
		} else {
			ref = c.refs[c.find(id)]
		}
		if ref < firstRef {
			c.why = fmt.Sprintf("hint %d, clause %d, %s", i+1, id, c.gone(id))
			return i, false
		}
		open := uint32(noLiteral)
		for _, l := range arena[ref+2:][:arena[ref+1]] {
			if falsified[l] || l == open {
				continue
			}
			if open != noLiteral {
				c.why = fmt.Sprintf("hint %d, clause %d %s, is not unit", i+1, id, c.quote(ref))
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

// gone says why an id is not alive.
func (c *hinted) gone(id int64) string {
	if c.refs[c.find(id)] == wasDeleted {
		return "was deleted"
	}
	return "is not there"
}

// quoteLen is how many literals of a clause a message quotes.
const quoteLen = 12

// quote returns the clause at ref for a message, as in "(1 -2 5)".
func (c *hinted) quote(ref uint32) string {
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
