package proof

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// RAT checking in LRAT proofs. A lemma is RAT (resolution asymmetric tautology)
// on its first literal, the pivot, if each resolvent with a clause that
// contains the complement of the pivot follows by unit propagation (Järvisalo,
// Heule and Biere, "Inprocessing rules", IJCAR 2012). The hints of the lemma
// have a group for each of these candidates. For a group, the other literals of
// the candidate are falsified in addition to the result of the hints before the
// groups, and the hints of the group lead to a conflict.
//
// A candidate without a group must be found. Most RAT lemmas define a new
// variable. Only the latest clauses have it, and these are searched. For other
// pivots there are occurrence lists. Most proofs do not need them, so they are built for
// the first such lemma, and the newer clauses are added for later ones.
//
// An assumption is a unit clause without an id. A lemma whose pivot is the
// complement of an assumption has a resolvent with it, the lemma without its
// pivot, and no hints can refer to that. But if this resolvent followed, the
// lemma would follow too. So such a lemma is rejected: -1 is RAT in the empty
// formula, and yet the empty formula has a model with 1.

// resolve checks that the lemma at ref is RAT with the groups hints[from:]. If
// it is not, c.msg is set.
func (c *hintChecker) resolve(ref uint32, hints []int64, from int) bool {
	lemma := c.clause(ref)
	if len(lemma) == 0 {
		c.msg = "the hints end without a falsified clause"
		return false
	}
	pivot := lemma[0]
	if int(pivot^1) < len(c.assumed) && c.assumed[pivot^1] {
		c.msg = fmt.Sprintf("the hints end without a falsified clause, and the complement of %v is an assumption", c.external(pivot))
		return false
	}
	mark := len(c.trail)
	for i := from; i < len(hints); {
		next, ok := c.group(pivot^1, hints, i)
		if !ok {
			return false
		}
		c.backtrack(mark)
		i = next
	}
	return c.checkComplete(ref, hints[from:])
}

// group checks the group that begins at hints[i] for a candidate that should
// contain not. It returns the start of the next group.
func (c *hintChecker) group(not uint32, hints []int64, i int) (next int, ok bool) {
	id := -hints[i]
	ref := c.lookup(id)
	if ref < firstRef {
		c.msg = fmt.Sprintf("hint %d, a group for clause %d, which %s", i+1, id, c.absence(id))
		return 0, false
	}
	candidate := c.clause(ref)
	switch {
	case !slices.Contains(candidate, not) && c.strict:
		c.msg = fmt.Sprintf("hint %d, a group for clause %d, which lacks %v", i+1, id, c.external(not))
		return 0, false
	case !slices.Contains(candidate, not):
		c.extraGroups++
		return groupEnd(hints, i+1), true
	case c.tracing:
		c.used = append(c.used, -int64(c.at(ref)[0]))
	}
	if !c.falsify(candidate, not) {
		return groupEnd(hints, i+1), true
	}
	end, done := c.propagate(hints, i+1)
	if !done && c.msg == "" {
		c.msg = fmt.Sprintf("the hints for clause %d %s end without a falsified clause", id, c.quote(ref))
	}
	return groupEnd(hints, end), done
}

// groupEnd returns the start of the next group at or after index i.
func groupEnd(hints []int64, i int) int {
	for i < len(hints) && hints[i] >= 0 {
		i++
	}
	return i
}

// checkComplete checks that each clause with the complement of the pivot of the
// lemma at ref has a group.
func (c *hintChecker) checkComplete(ref uint32, hints []int64) bool {
	not := c.clause(ref)[0] ^ 1
	c.setFlag(hints, groupFlag)
	defer c.setFlag(hints, 0)
	for q := range c.containing(not) {
		if c.at(q)[1]&groupFlag == 0 {
			c.msg = fmt.Sprintf("the hints end without a falsified clause, and clause %d %s with %v has no group of hints",
				c.id(q), c.quote(q), c.external(not))
			return false
		}
	}
	return true
}

// mostSearched is the largest distance of references for a search of clauses for a
// literal.
const mostSearched = 1 << 12

// containing iterates over the clauses that contain l and are not deleted.
func (c *hintChecker) containing(l uint32) func(yield func(ref uint32) bool) {
	born := c.born[l>>1]
	if old := born == 0 || c.source != nil && int(c.names[l>>1]) < c.source.Vars(); old || c.latest-born > mostSearched {
		if old {
			c.loadAll()
			born = firstRef
		}
		c.occurs.update(c, born)
		return c.occurs.alive(c, l)
	}
	return func(yield func(ref uint32) bool) {
		for ref := born; ref != 0; ref = c.next(ref + uint32(c.size(ref))) {
			if c.exists(ref) && slices.Contains(c.clause(ref), l) && !yield(ref) {
				return
			}
		}
	}
}

// setFlag sets the group flag of all clauses with groups to flag.
func (c *hintChecker) setFlag(hints []int64, flag uint32) {
	for _, h := range hints {
		if h < 0 {
			size := &c.at(c.refs.at(c.find(-h)))[1]
			*size = *size&^groupFlag | flag
		}
	}
}

// id returns the id of the clause at ref.
func (c *hintChecker) id(ref uint32) int64 {
	index := int(c.at(ref)[0])
	if dense := c.refs.n - len(c.sparse); index >= dense {
		return c.sparse[index-dense]
	}
	return int64(index)
}

// A literalIndex contains the occurrence lists of all literals, as linked lists
// in one slice. Deleted clauses are removed when they are visited. The index is
// reset when references change.
type literalIndex struct {
	heads []uint32 // by literal: its first link, or 0
	links []link

	// The index contains the clauses at from and after it, and below upto. A variable that a lemma
	// defines needs none before it: for those of bounded variable addition the index would
	// take more memory than all clauses.
	from, upto uint32
}

// A link is an occurrence.
type link struct{ ref, next uint32 }

// update adds the clauses of the arena at from and after it that are new and have an id. The
// latest lemma has no id yet: register adds it.
func (o *literalIndex) update(c *hintChecker, from uint32) {
	if o.upto == 0 || from < o.from {
		*o = literalIndex{from: from, upto: from, links: make([]link, 1)}
	}
	for ref := c.next(o.upto); ref != 0; ref = c.next(o.upto) {
		if c.exists(ref) {
			o.add(c, ref)
		}
		o.upto = ref + uint32(c.size(ref))
	}
}

// add adds the clause at ref.
func (o *literalIndex) add(c *hintChecker, ref uint32) {
	for len(o.heads) < len(c.falsified) {
		o.heads = append(dimacs.Extend(c.memory, o.heads, 1), 0)
	}
	for _, l := range c.clause(ref) {
		o.links = append(dimacs.Extend(c.memory, o.links, 1), link{ref, o.heads[l]})
		o.heads[l] = uint32(len(o.links) - 1)
	}
}

// alive iterates over the clauses that contain l and are not deleted.
func (o *literalIndex) alive(c *hintChecker, l uint32) func(yield func(ref uint32) bool) {
	return func(yield func(ref uint32) bool) {
		if int(l) >= len(o.heads) {
			return
		}
		for at := &o.heads[l]; *at > 0; {
			x := &o.links[*at]
			if !c.exists(x.ref) {
				*at = x.next
				continue
			}
			if !yield(x.ref) {
				return
			}
			at = &x.next
		}
	}
}
