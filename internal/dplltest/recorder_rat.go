package dplltest

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// The resolution asymmetric tautology (RAT) property. A clause has it on its first
// literal, the pivot, if its resolvents with all clauses that contain the complement of
// the pivot have the RUP property (Järvisalo, Heule and Biere, "Inprocessing rules",
// IJCAR 2012). Adding the clause then keeps the formula satisfiable, but may remove
// models; definitions of new variables are such steps. No original clause may be added
// after a RAT step, and a proof with RAT steps proves nothing under assumptions.
//
// The recorder checks the definition clause by clause.

// hasRAT reports whether c has the RAT property.
func (p *Recorder) hasRAT(c []dimacs.Lit) bool {
	if len(c) == 0 {
		return false
	}
	for _, d := range p.live {
		if d.has(c[0].Not()) && !p.implied(resolvent(c, d.lits)) {
			return false
		}
	}
	return true
}

// has reports whether the clause is live and contains l.
func (d *recorded) has(l dimacs.Lit) bool { return !d.deleted && slices.Contains(d.lits, l) }

// resolvent returns the resolvent of c and d on the pivot, the first literal of c.
func resolvent(c, d []dimacs.Lit) []dimacs.Lit {
	r := slices.Clone(c)
	for _, l := range d {
		if l != c[0].Not() {
			r = append(r, l)
		}
	}
	return r
}

// checkGroups checks the groups of hints of a RAT step. The assignment m has the negation
// of c and the literals that the hints before the groups imply. Each group proves the
// resolvent with one clause, and each live clause with the complement of the pivot must
// have a group.
func (p *Recorder) checkGroups(c []dimacs.Lit, m dimacs.Model, groups []int64) error {
	seen := make(map[int64]bool)
	for len(groups) > 0 {
		id := -groups[0]
		end := 1 + groupEnd(groups[1:])
		if err := p.checkGroup(c, slices.Clone(m), id, groups[1:end]); err != nil {
			return fmt.Errorf("resolved with %d: %w", id, err)
		}
		seen[id] = true
		groups = groups[end:]
	}
	for i, d := range p.live {
		if d.has(c[0].Not()) && !seen[int64(i)+1] {
			return fmt.Errorf("the last hint is not falsified, and clause %d, %v, has no group of hints", i+1, d.lits)
		}
	}
	return nil
}

// checkGroup checks the hints for the resolvent with the clause of that id.
func (p *Recorder) checkGroup(c []dimacs.Lit, m dimacs.Model, id int64, hints []int64) error {
	d, err := p.clause(id)
	switch {
	case err != nil:
		return err
	case !slices.Contains(d, c[0].Not()):
		return fmt.Errorf("%v does not contain the complement of the pivot", d)
	}
	for _, l := range d {
		switch {
		case l == c[0].Not():
		case m.Lit(l) == dimacs.True:
			return nil // the resolvent is a tautology or contains a true literal
		default:
			m.Set(l.Not())
		}
	}
	falsified, err := p.propagateHints(m, hints)
	if err == nil && !falsified {
		err = errors.New("the last hint is not falsified")
	}
	return err
}

// groupEnd returns the index of the first hint of a group, or the number of hints.
func groupEnd(hints []int64) int {
	for i, h := range hints {
		if h < 0 {
			return i
		}
	}
	return len(hints)
}
