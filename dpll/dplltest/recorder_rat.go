package dplltest

import (
	"errors"
	"fmt"
	"slices"

	"sator/dimacs"
)

// A clause that does not follow may have the RAT property on its first literal, the
// pivot: its resolvent with each clause that contains the complement of the pivot
// follows (Järvisalo, Heule and Biere, "Inprocessing rules", IJCAR 2012). Then the
// formula has a model with it if it had one without. So variables are defined that
// were not there before. No clause may be given after such a step, and what is
// assumed is not refuted by a proof that has one.
//
// Here this is looked up clause by clause, as the definition says.

// redundant reports whether c has the RAT property.
func (p *Recorder) redundant(c []dimacs.Lit) bool {
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

// has reports whether the clause is alive and contains l.
func (d *recorded) has(l dimacs.Lit) bool { return !d.deleted && slices.Contains(d.lits, l) }

// resolvent returns c, and what is in d beside the complement of the pivot.
func resolvent(c, d []dimacs.Lit) []dimacs.Lit {
	r := slices.Clone(c)
	for _, l := range d {
		if l != c[0].Not() {
			r = append(r, l)
		}
	}
	return r
}

// followGroups checks the groups of hints of a clause, the negation of which and
// what followed from that is m: each is for a clause with the complement of the
// pivot, and no such clause lacks one.
func (p *Recorder) followGroups(c []dimacs.Lit, m dimacs.Model, groups []int64) error {
	seen := make(map[int64]bool)
	for len(groups) > 0 {
		id := -groups[0]
		end := 1 + groupEnd(groups[1:])
		if err := p.followGroup(c, slices.Clone(m), id, groups[1:end]); err != nil {
			return fmt.Errorf("resolved with %d: %w", id, err)
		}
		seen[id] = true
		groups = groups[end:]
	}
	for i, d := range p.live {
		if d.has(c[0].Not()) && !seen[int64(i)+1] {
			return fmt.Errorf("the last hint is not falsified, and there are none for clause %d, %v", i+1, d.lits)
		}
	}
	return nil
}

// followGroup checks the hints for the resolvent with the clause of an id.
func (p *Recorder) followGroup(c []dimacs.Lit, m dimacs.Model, id int64, hints []int64) error {
	d, err := p.clause(id)
	switch {
	case err != nil:
		return err
	case !slices.Contains(d, c[0].Not()):
		return fmt.Errorf("%v does not have the complement of the pivot", d)
	}
	for _, l := range d {
		switch {
		case l == c[0].Not():
		case m.Lit(l) == dimacs.True:
			return nil // the resolvent is a tautology, or as good as one
		default:
			m.Set(l.Not())
		}
	}
	falsified, err := p.lead(m, hints)
	if err == nil && !falsified {
		err = errors.New("the last hint is not falsified")
	}
	return err
}

// groupEnd returns the index of the first hint that begins a group.
func groupEnd(hints []int64) int {
	for i, h := range hints {
		if h < 0 {
			return i
		}
	}
	return len(hints)
}
