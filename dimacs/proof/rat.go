package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// RAT checking in DRAT proofs. A clause is RAT (resolution asymmetric
// tautology; Järvisalo, Heule and Biere, "Inprocessing rules", IJCAR 2012) on
// its first literal, the pivot, if its resolvent with each clause that contains
// the complement of the pivot is RUP. If the formula has a model, it then has
// one that satisfies the clause too: in a model that falsifies the clause, the
// pivot can be flipped. Such lemmas can define new variables, or exclude some
// models but not all.
//
// A backward check computes the resolvents with core clauses only. The other
// clauses are not in the trimmed proof, since that deletes a clause after its
// last use. The check itself adds no clause with the complement of the pivot to
// the core: while the pivot is false, such a clause is true, and is no
// antecedent.
//
// An assumption is a unit clause too. Its resolvent with a lemma on the
// complement of the assumption is the lemma without the pivot. If that were
// RUP, the lemma would be RUP. So no lemma is RAT on the complement of an
// assumption. Otherwise -1 would refute a formula without clauses under the
// assumption 1.

// A group contains the antecedents of one resolvent.
type group struct {
	ref   uint32 // the clause that the lemma was resolved with
	hints span
}

// rat checks that a clause is RAT on the pivot, after its literals were assumed
// to be false without a conflict. The result is empty if it is, and otherwise
// the error message.
func (d *drat) rat(pivot uint32) (msg string) {
	if pivot == noLiteral {
		return "the empty clause does not follow by unit propagation"
	}
	if int(pivot) < len(d.assumedFalse) && d.assumedFalse[pivot] {
		return fmt.Sprintf("the clause does not follow by unit propagation, and is not RAT on %v, the complement of an assumption", d.external(pivot))
	}
	d.groups = d.groups[:0]
	for _, ref := range d.containing(pivot ^ 1) {
		if d.isCandidate(ref) && !d.resolve(ref, pivot) {
			return fmt.Sprintf("the clause does not follow by unit propagation, and is not RAT on %v because of the clause %s",
				d.external(pivot), clauseText(d.externalClause(ref, pivot^1)))
		}
	}
	d.orderGroups()
	return ""
}

// isCandidate reports whether the lemma must be resolved with the clause at
// ref.
func (d *drat) isCandidate(ref uint32) bool {
	header := d.arena[ref]
	return ref < d.limit && header&deletedFlag == 0 && (!d.split || header&coreFlag != 0)
}

// resolve reports whether the resolvent with the clause at ref is RUP.
func (d *drat) resolve(ref, pivot uint32) bool {
	base := len(d.trail)
	defer d.backtrack(base)
	from := len(d.hints)
	why := d.refuteBut(d.clause(ref), pivot^1)
	if !why.found {
		return false
	}
	if d.split {
		d.markCore(why)
	}
	d.groups = append(d.groups, group{ref, span{from, len(d.hints)}})
	return true
}

// orderGroups rewrites the hints of the groups in the form of LRAT: the groups
// in the order of their clauses, and before each group the negated number of
// its clause.
func (d *drat) orderGroups() {
	if !d.hinted || !d.split || len(d.groups) == 0 {
		return
	}
	from := d.groups[0].hints.from
	slices.SortFunc(d.groups, func(a, b group) int { return cmp.Compare(a.ref, b.ref) })
	var ordered []int32
	for _, g := range d.groups {
		ordered = append(ordered, -d.hint(g.ref))
		ordered = append(ordered, d.hints[g.hints.from:g.hints.to]...)
	}
	d.hints = append(d.hints[:from], ordered...)
}

// containing returns the clauses that contain l, in order. Some of them may be
// deleted. The first call builds the occurrence lists.
func (d *drat) containing(l uint32) []uint32 {
	if d.occurs == nil {
		d.memory.Require(2 * 24 * int64(len(d.names)))
		d.occurs = make([][]uint32, 2*len(d.names))
		for _, ref := range d.refs {
			d.addOccurrences(ref)
		}
	}
	if int(l) >= len(d.occurs) {
		return nil
	}
	return d.occurs[l]
}

// addOccurrences adds a clause to the occurrence lists if they exist.
func (d *drat) addOccurrences(ref uint32) {
	if d.occurs == nil {
		return
	}
	for len(d.occurs) < 2*len(d.names) {
		d.occurs = append(d.occurs, nil)
	}
	for _, l := range d.clause(ref) {
		d.occurs[l] = append(d.occurs[l], ref)
	}
}

// clauseText returns a clause in DIMACS notation, cut after 20 literals.
func clauseText(lits []dimacs.Lit) string {
	var b strings.Builder
	for i, l := range lits {
		if i == 20 {
			return b.String() + "..."
		}
		fmt.Fprintf(&b, "%v ", l)
	}
	return b.String() + "0"
}
