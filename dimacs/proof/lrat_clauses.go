package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// A hintChecker holds the clauses that are not deleted, by id, and propagates
// along hints.
//
// A deleted clause stays in the arena until the arena is compacted, when more
// than half of it is garbage.
//
// The index of a clause is its id as long as ids are not much larger than the
// size of the input. From the first larger id on, clauses get the next free
// indices, and the index of an id is found by binary search in a list. It is
// sorted because ids ascend. So a proof that jumps to id 10^17 takes no more
// memory than another.
type hintChecker struct {
	variables
	arena
	refs    refTable        // by index: the clause in the arena, or a reference below firstRef
	sparse  []int64         // the ids of the clauses with an index that is not their id
	entered int             // the number of clauses that were registered
	source  *dimacs.Formula // its clauses are copied to the arena when they are needed
	copied  int             // number of clauses of the source that have an id
	sourced []sourceRun     // their indices
	waiting int             // number of them that are neither in the arena nor deleted
	garbage int             // the number of words of deleted clauses

	born      []uint32 // by variable: a reference before which no clause has it
	falsified []uint8  // by literal: 1 if it is false, or else 0
	trail     []uint32 // the false literals
	fetched   []uint32 // scratch: the references of hints
	touched   uint32   // the result of the reads of fetch
	assumed   []bool   // by literal: it is an assumption; missing entries are false

	strict      bool    // lemmas have no repeated or complementary literals, and RAT lemmas no needless groups
	tracing     bool    // used is computed
	used        []int64 // the hints that the latest lemma needed, as indices
	occurs      literalIndex
	extraGroups int    // the number of groups of the latest lemma for clauses without the complement of the pivot
	msg         string // why the latest lemma is unproven
}

// A sourceRun is a sequence of clauses of the source with consecutive indices, up to the next run.
type sourceRun struct{ index, clause uint32 }

// References below firstRef are not in the arena.
const (
	unknownRef = iota
	deletedRef
	goneRef   // deleted, or never known
	sourceRef // a clause of the source that is not in the arena yet
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

func newHintChecker(m dimacs.MemoryLimit) *hintChecker {
	return &hintChecker{
		variables: variables{far: map[dimacs.Var]uint32{}, names: make([]dimacs.Var, 1), memory: m}, // number 0 is that of falseLiteral
		falsified: []uint8{1, 0}, born: make([]uint32, 1),
		arena: arena{limit: m},
		refs:  refTable{n: 1, blocks: []*refBlock{uniform[unknownRef]}, live: []uint8{0}, memory: m},
	}
}

// literal returns the internal number of l.
func (c *hintChecker) literal(l dimacs.Lit) uint32 {
	number, fresh := c.number(l.Var(), c.words)
	if fresh {
		c.falsified = append(dimacs.Extend(c.memory, c.falsified, 2), 0, 0)
		c.born = append(dimacs.Extend(c.memory, c.born, 1), c.latest)
	}
	return number<<1 | uint32(l&1)
}

// push appends a clause to the arena. It has no id before register is called.
func (c *hintChecker) push(lits []dimacs.Lit) (ref uint32, err error) {
	// After compact, the occurrence lists must be built again in time linear in
	// the variables.
	if c.garbage > max(c.words/2, len(c.names)) {
		c.compact()
	}
	if !c.fits(len(lits)) || c.refs.n >= 1<<31-1 {
		return 0, errTooLarge
	}
	return c.append(lits), nil
}

// append appends a clause to the arena, without its index.
func (c *hintChecker) append(lits []dimacs.Lit) (ref uint32) {
	ref, words := c.alloc(len(lits))
	words[0] = 0 // the index of no clause
	for i, l := range lits {
		words[2+i] = c.literal(l)
	}
	return ref
}

// nearIDs is the largest id that is its own index before any clause is
// registered. The limit grows by 8 with each clause.
const nearIDs = 1 << 16

// register gives an id above all others to the last clause of the arena.
func (c *hintChecker) register(ref uint32, id int64) (index int) {
	index = c.enter(ref, id)
	c.at(ref)[0] = uint32(index)
	if ref < c.occurs.upto {
		c.occurs.add(c, ref)
	}
	return index
}

// registerSource gives an id above all others to the next clause of the source.
func (c *hintChecker) registerSource(id int64) {
	index, clause := c.enter(sourceRef, id), c.copied
	c.copied++
	c.waiting++
	if n := len(c.sourced); n == 0 || index-int(c.sourced[n-1].index) != clause-int(c.sourced[n-1].clause) {
		c.sourced = append(c.sourced, sourceRun{uint32(index), uint32(clause)})
	}
}

// enter sets the reference of a new id above all others, and returns its index.
func (c *hintChecker) enter(ref uint32, id int64) (index int) {
	if len(c.sparse) == 0 && id <= min(nearIDs+8*int64(c.entered), 1<<31-2) {
		for int64(c.refs.n) < id {
			c.refs.append(unknownRef)
		}
	} else {
		c.sparse = append(dimacs.Extend(c.memory, c.sparse, 1), id)
	}
	c.entered++
	return c.refs.append(ref)
}

// find returns the index of an id. For an unknown id, refs is unknownRef at
// this index. It may be 0.
func (c *hintChecker) find(id int64) int {
	dense := c.refs.n - len(c.sparse)
	if 0 < id && id < int64(dense) {
		return int(id)
	}
	if i, ok := slices.BinarySearch(c.sparse, id); ok {
		return dense + i
	}
	return 0
}

// lookup returns the reference of a clause, or one below sourceRef.
func (c *hintChecker) lookup(id int64) uint32 {
	index := c.find(id)
	if ref := c.refs.at(index); ref != sourceRef {
		return ref
	}
	return c.load(index)
}

// load copies a clause of the source to the arena, together with its neighbors. They are likely
// to be needed, too, and take no longer to decode if the source is packed.
func (c *hintChecker) load(index int) uint32 {
	const neighbors = 64
	n, _ := slices.BinarySearchFunc(c.sourced, uint32(index), func(r sourceRun, index uint32) int { return cmp.Compare(r.index, index+1) })
	first := int(c.sourced[n-1].clause) + index - int(c.sourced[n-1].index)
	from := first &^ (neighbors - 1)
	n, _ = slices.BinarySearchFunc(c.sourced, uint32(from), func(r sourceRun, clause uint32) int { return cmp.Compare(r.clause, clause+1) })
	for i, lits := range c.source.Range(from, min(from+neighbors, c.copied)) {
		for n < len(c.sourced) && int(c.sourced[n].clause) <= i {
			n++
		}
		k := int(c.sourced[n-1].index) + i - int(c.sourced[n-1].clause)
		if c.refs.at(k) == sourceRef {
			ref := c.append(lits)
			c.refs.set(k, ref)
			c.at(ref)[0] = uint32(k)
			c.waiting--
		}
	}
	return c.refs.at(index)
}

// loadAll copies all clauses of the source that are not deleted to the arena.
func (c *hintChecker) loadAll() {
	if c.waiting == 0 {
		return
	}
	for n, r := range c.sourced {
		end := c.copied
		if n+1 < len(c.sourced) {
			end = int(c.sourced[n+1].clause)
		}
		for index := int(r.index); index < int(r.index)+end-int(r.clause); index++ {
			if c.refs.at(index) == sourceRef {
				c.load(index)
			}
		}
	}
}

// remove deletes a clause. It reports whether the clause existed.
func (c *hintChecker) remove(id int64) bool {
	index := c.find(id)
	switch ref := c.refs.at(index); {
	case ref < sourceRef:
		return false
	case ref == sourceRef:
		c.waiting--
	default:
		c.garbage += c.size(ref)
	}
	c.refs.remove(index)
	return true
}

// compact removes deleted clauses from the arena. References change.
func (c *hintChecker) compact() {
	old := c.arena
	c.arena = arena{limit: old.limit}
	block := uint32(0)
	for ref := old.next(firstRef); ref != 0; ref = old.next(ref + uint32(old.size(ref))) {
		for ; block < ref>>arenaBits; block++ { // a block that is done holds the next clauses
			c.arena.spare, old.blocks[block] = old.blocks[block][:0], nil
		}
		d := old.at(ref)
		if index := int(d[0]); c.refs.at(index) == ref {
			to, words := c.alloc(int(d[1]))
			copy(words, d)
			c.refs.set(index, to)
		}
	}
	c.garbage = 0
	clear(c.born)
	c.occurs = literalIndex{}
}

// exists reports whether the clause at ref has an id and is not deleted.
func (c *hintChecker) exists(ref uint32) bool { return c.refs.at(int(c.at(ref)[0])) == ref }

// each calls f for the clauses that are not deleted, in order, until f returns
// false.
func (c *hintChecker) each(f func(ref uint32) bool) {
	for ref := c.next(firstRef); ref != 0; ref = c.next(ref + uint32(c.size(ref))) {
		if c.exists(ref) && !f(ref) {
			return
		}
	}
}

// checkLemma checks the clause at ref, the last one of the arena, with its hints.
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
		if l == but || c.falsified[l] != 0 {
			continue
		}
		if c.falsified[l^1] != 0 {
			return false
		}
		c.falsified[l] = 1
		c.trail = append(c.trail, l)
	}
	return true
}

// backtrack shortens the trail to n literals.
func (c *hintChecker) backtrack(n int) {
	for _, l := range c.trail[n:] {
		c.falsified[l] = 0
	}
	c.trail = c.trail[:n]
}

// propagate propagates along the hints from index from up to the first negative
// one. Each hint must be a falsified clause, the end of propagation, or a clause with
// exactly one literal that is not false; this literal becomes true. It returns the
// index after the last hint, and whether that was a falsified clause. If a hint
// is wrong, c.msg is set.
//
// A check spends its time in this loop, so that it stays whole. Nearly all
// literals that it visits are false.
func (c *hintChecker) propagate(hints []int64, from int) (end int, done bool) {
	end = c.fetch(hints, from)
	falsified := c.falsified
	for i, ref := range c.fetched {
		if ref < firstRef {
			id := hints[from+i]
			c.msg = fmt.Sprintf("hint %d, clause %d, %s", from+i+1, id, c.absence(id))
			return from + i, false
		}
		// The open literal cannot be predicted, so that it is found without a branch.
		// Four literals at a time, so that the number of rounds is the same for most clauses.
		open, falses := uint32(0), uint32(0)
		d := c.at(ref)
		n := (d[1] + 3) &^ 3
		lits := d[2:][:n]
		for len(lits) >= 4 {
			l0, l1, l2, l3 := lits[0], lits[1], lits[2], lits[3]
			f0, f1, f2, f3 := uint32(falsified[l0]), uint32(falsified[l1]), uint32(falsified[l2]), uint32(falsified[l3])
			open ^= l0&(f0-1) ^ l1&(f1-1) ^ l2&(f2-1) ^ l3&(f3-1)
			falses += f0 + f1 + f2 + f3
			lits = lits[4:]
		}
		opens := n - falses
		if opens > 1 && !c.soleOpen(ref, &open) {
			c.msg = fmt.Sprintf("hint %d, clause %d %s, is not unit", from+i+1, hints[from+i], c.quote(ref))
			return from + i, false
		}
		if opens > 0 && falsified[open^1] != 0 {
			continue
		}
		if c.tracing {
			c.used = append(c.used, int64(d[0]))
		}
		if opens == 0 {
			return from + i + 1, true
		}
		falsified[open^1] = 1
		c.trail = append(c.trail, open^1)
	}
	return end, false
}

// fetch sets c.fetched to the references of the clauses of the hints from index from up to the
// first negative one, and returns the index after them. It reads each clause once, so that the
// cache misses of many clauses overlap.
func (c *hintChecker) fetch(hints []int64, from int) (end int) {
	c.fetched = c.fetched[:0]
	dense, blocks := int64(c.refs.n-len(c.sparse)), c.refs.blocks
	touched := uint32(0)
	for end = from; end < len(hints); end++ {
		id := hints[end]
		if id < 0 {
			break
		}
		ref := uint32(unknownRef)
		if id < dense {
			ref = blocks[id>>refBits][id&refMask]
		} else {
			ref = c.refs.at(c.find(id))
		}
		if ref == sourceRef {
			ref = c.load(c.find(id))
		}
		if ref >= firstRef {
			touched |= c.at(ref)[0]
		}
		c.fetched = append(c.fetched, ref)
	}
	c.touched = touched
	return end
}

// soleOpen reports whether all literals of the clause at ref that are not false are the same one,
// and sets open to it.
func (c *hintChecker) soleOpen(ref uint32, open *uint32) bool {
	*open = noLiteral
	for _, l := range c.clause(ref) {
		switch {
		case c.falsified[l] != 0 || l == *open:
		case *open != noLiteral:
			return false
		default:
			*open = l
		}
	}
	return true
}

// absence returns the reason why an id has no clause.
func (c *hintChecker) absence(id int64) string {
	switch c.refs.at(c.find(id)) {
	case deletedRef:
		return "was deleted"
	case goneRef:
		return "was deleted, or never existed"
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
