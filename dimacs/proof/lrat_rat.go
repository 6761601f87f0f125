package proof

import (
	"fmt"
	"slices"
)

// A lemma has the RAT property on its first literal, the pivot, if each
// resolvent with a clause that contains the complement of the pivot follows by
// unit propagation (Järvisalo, Heule and Biere, "Inprocessing rules", IJCAR
// 2012). Its hints then have a group for each of these candidates. The rest of
// the candidate is falsified on top of what the hints before the groups gave,
// and the hints of the group lead on from there.
//
// That no candidate lacks a group is seen in the occurrences of the complement
// of the pivot. Most proofs have no RAT steps, and where there are some they
// often come in a row, so that the occurrences are collected when a step asks
// for them: all clauses the first time, and later those that came since.
//
// An assumption is a clause of one literal that has no id. A lemma whose pivot
// is the complement of one has a resolvent with it, the lemma without its pivot,
// and nowhere to hint at how that follows. But then the lemma would follow too.
// So there is no such step: -1 has the RAT property in the formula that is
// empty, and yet that has a model in which 1 is true.

// resolve checks that the lemma at ref has the RAT property, its groups being
// hints[from:]. If not, c.why says so.
func (c *hinted) resolve(ref uint32, hints []int64, from int) bool {
	lemma := c.clause(ref)
	if len(lemma) == 0 {
		c.why = "the hints end without a falsified clause"
		return false
	}
	pivot := lemma[0]
	if int(pivot^1) < len(c.assumed) && c.assumed[pivot^1] {
		c.why = fmt.Sprintf("the hints end without a falsified clause, and the complement of %v is an assumption", c.external(pivot))
		return false
	}
	mark := len(c.trail)
	for i := from; i < len(hints); {
		next, ok := c.group(pivot^1, hints, i)
		if !ok {
			return false
		}
		c.undo(mark)
		i = next
	}
	return c.complete(ref, hints[from:])
}

// group checks the group that begins at hints[i], with a candidate that should
// contain not, and returns where the next one begins.
func (c *hinted) group(not uint32, hints []int64, i int) (next int, ok bool) {
	id := -hints[i]
	ref := c.refs[c.find(id)]
	if ref < firstRef {
		c.why = fmt.Sprintf("hint %d, a group for clause %d, which %s", i+1, id, c.gone(id))
		return 0, false
	}
	candidate := c.clause(ref)
	switch {
	case !slices.Contains(candidate, not):
		c.odd++
		return groupEnd(hints, i+1), true
	case c.tracing:
		c.used = append(c.used, -int64(c.arena[ref]))
	}
	if !c.deny(candidate, not) {
		return groupEnd(hints, i+1), true
	}
	end, done := c.follow(hints, i+1)
	if !done && c.why == "" {
		c.why = fmt.Sprintf("the hints for clause %d %s end without a falsified clause", id, c.quote(ref))
	}
	return groupEnd(hints, end), done
}

// groupEnd returns where the next group begins, from i on.
func groupEnd(hints []int64, i int) int {
	for i < len(hints) && hints[i] >= 0 {
		i++
	}
	return i
}

// complete checks that no clause that contains the complement of the pivot of
// the lemma at ref lacks a group.
func (c *hinted) complete(ref uint32, hints []int64) bool {
	not := c.clause(ref)[0] ^ 1
	c.occurs.update(c, ref)
	c.flag(hints, groupFlag)
	defer c.flag(hints, 0)
	for q := range c.occurs.alive(c, not) {
		if c.arena[q+1]&groupFlag == 0 {
			c.why = fmt.Sprintf("the hints end without a falsified clause, and there are none for clause %d %s with %v",
				c.id(q), c.quote(q), c.external(not))
			return false
		}
	}
	return true
}

// flag sets the group flag of all clauses with groups.
func (c *hinted) flag(hints []int64, flag uint32) {
	for _, h := range hints {
		if h < 0 {
			size := &c.arena[c.refs[c.find(-h)]+1]
			*size = *size&^groupFlag | flag
		}
	}
}

// id returns the id of the clause at ref.
func (c *hinted) id(ref uint32) int64 {
	index := int(c.arena[ref])
	if dense := len(c.refs) - len(c.sparse); index >= dense {
		return c.sparse[index-dense]
	}
	return int64(index)
}

// A literalIndex tells in which clauses a literal occurs. The lists are chained
// through one slice, and deleted clauses are taken out when they are met. When
// references change all is forgotten.
type literalIndex struct {
	heads []uint32 // by literal: its first link, 0 for none
	links []link
	upto  uint32 // clauses below it are in
}

// A link is an occurrence.
type link struct{ ref, next uint32 }

func (o *literalIndex) forget() { *o = literalIndex{} }

// update takes in the clauses that came since, up to the one at end.
func (o *literalIndex) update(c *hinted, end uint32) {
	if o.upto == 0 {
		o.upto, o.links = firstRef, make([]link, 1)
	}
	for len(o.heads) < len(c.falsified) {
		o.heads = append(o.heads, 0)
	}
	for o.upto < end {
		ref := o.upto
		o.upto += 2 + c.arena[ref+1]
		if c.refs[c.arena[ref]] != ref {
			continue
		}
		for _, l := range c.arena[ref+2 : o.upto] {
			o.links = append(o.links, link{ref, o.heads[l]})
			o.heads[l] = uint32(len(o.links) - 1)
		}
	}
}

// alive iterates over the clauses with a literal that are alive.
func (o *literalIndex) alive(c *hinted, l uint32) func(yield func(ref uint32) bool) {
	return func(yield func(ref uint32) bool) {
		for at := &o.heads[l]; *at > 0; {
			x := &o.links[*at]
			if c.refs[c.arena[x.ref]] != x.ref {
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
