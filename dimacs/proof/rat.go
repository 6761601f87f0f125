package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// A clause has the RAT property (resolution asymmetric tautology; Järvisalo,
// Heule and Biere, "Inprocessing rules", IJCAR 2012) on its first literal, the
// pivot, if its resolvent with each clause that contains the complement of the
// pivot follows by unit propagation. A formula that has a model then has one
// that satisfies the clause too: where it does not, the pivot can be flipped.
// So definitions of new variables can be added, and clauses that cut off models
// but not all of them.
//
// Backward, only clauses that are in the core need be resolved with. The others
// are not in the proof that remains: there, a clause is deleted after its last
// use. Nor do any come in by the check itself: while the pivot is false, a clause
// with its complement is true, and no antecedent of anything.
//
// An assumption is a clause too, of one literal. The resolvent with it is the
// lemma without its pivot: if that followed, so would the lemma. So there is no
// RAT on the complement of an assumption. Otherwise -1 would refute a formula
// without clauses under the assumption 1.

// A group is what refutes one resolvent.
type group struct {
	ref   uint32 // of the clause that was resolved with
	hints span
}

// rat reports whether the clause whose literals have just been assumed to be
// false, without a conflict, has the RAT property on the pivot. If it does, the
// result is empty, and otherwise it says why not.
func (d *drat) rat(pivot uint32) (blame string) {
	if pivot == noLiteral {
		return "the empty clause does not follow by unit propagation"
	}
	if int(pivot) < len(d.target) && d.target[pivot] {
		return fmt.Sprintf("the clause does not follow by unit propagation, and is not RAT on %v, the complement of an assumption", d.external(pivot))
	}
	d.groups = d.groups[:0]
	for _, ref := range d.containing(pivot ^ 1) {
		if d.counts(ref) && !d.resolve(ref, pivot) {
			return fmt.Sprintf("the clause does not follow by unit propagation, and is not RAT on %v because of the clause %s",
				d.external(pivot), clauseText(d.externalClause(ref, pivot^1)))
		}
	}
	d.orderGroups()
	return ""
}

// counts reports whether a clause has to be resolved with.
func (d *drat) counts(ref uint32) bool {
	header := d.arena[ref]
	return ref < d.limit && header&deletedFlag == 0 && (!d.split || header&coreFlag != 0)
}

// resolve reports whether the resolvent with the clause at ref follows.
func (d *drat) resolve(ref, pivot uint32) bool {
	base := len(d.trail)
	defer d.cut(base)
	from := len(d.hints)
	why := d.refuteBut(d.clause(ref), pivot^1)
	if !why.found {
		return false
	}
	if d.split {
		d.justify(why)
	}
	d.groups = append(d.groups, group{ref, span{from, len(d.hints)}})
	return true
}

// orderGroups makes hints of the groups as LRAT wants them: by the clauses that
// were resolved with, each of which comes as a negative number before its own.
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

// containing returns the clauses with a literal, in order, of which some may
// not count any more. The first call lists the clauses by their literals.
func (d *drat) containing(l uint32) []uint32 {
	if d.occurs == nil {
		d.occurs = make([][]uint32, 2*len(d.names))
		for _, ref := range d.refs {
			d.note(ref)
		}
	}
	if int(l) >= len(d.occurs) {
		return nil
	}
	return d.occurs[l]
}

// note enters a clause into the lists of clauses by literals, if there are any.
func (d *drat) note(ref uint32) {
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

// clauseText returns a clause as DIMACS has it, without its end if it is long.
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
