package mus

import (
	"slices"

	"sator/dimacs"
)

// Recursive model rotation (Belov and Marques-Silva, "Accelerating MUS extraction with
// recursive model rotation", FMCAD 2011). A model of all groups but one falsifies clauses
// of this group alone. If the value of a variable of such a clause is flipped, and then
// clauses of exactly one other group are false, that group is necessary, too, and no call
// of the solver is needed for it. The rotation goes on from the flipped model.

// A rotation has a model with the number of true literals of each clause of the set.
type rotation struct {
	*shrinker
	m      dimacs.Model
	trues  []int // true literals of each clause
	falses []int // false clauses of each group
	broken int   // groups with false clauses
}

// newRotation returns a rotation that starts with a copy of m.
func newRotation(s *shrinker, m dimacs.Model) *rotation {
	r := &rotation{shrinker: s, m: slices.Clone(m), trues: make([]int, s.g.Formula.Len()), falses: make([]int, s.g.Groups+1)}
	for i, c := range s.g.Formula.Clauses() {
		for _, l := range c {
			if r.m.Lit(l) == dimacs.True {
				r.trues[i]++
			}
		}
		if r.trues[i] == 0 {
			r.count(i, 1)
		}
	}
	return r
}

// count adds to the number of false clauses of the group of a clause.
func (r *rotation) count(clause, by int) {
	group := r.g.Group[clause]
	if group > 0 && !r.in[group] {
		return
	}
	before := r.falses[group]
	r.falses[group] += by
	switch {
	case before == 0:
		r.broken++
	case r.falses[group] == 0:
		r.broken--
	}
}

// flip makes l true, a false literal.
func (r *rotation) flip(l dimacs.Lit) {
	r.m.Set(l)
	for _, i := range r.occurs[l] {
		if r.trues[i]++; r.trues[i] == 1 {
			r.count(i, -1)
		}
	}
	for _, i := range r.occurs[l.Not()] {
		if r.trues[i]--; r.trues[i] == 0 {
			r.count(i, 1)
		}
	}
}

// from rotates the model. All false clauses belong to the group. Each group is marked
// at most once, so that the recursion ends.
func (r *rotation) from(group int) {
	if r.broken != 1 || r.falses[group] == 0 {
		return
	}
	for _, i := range r.clauses[group] {
		if r.trues[i] > 0 {
			continue
		}
		for _, l := range r.g.Formula.Clause(i) {
			r.flip(l)
			if next := r.only(); next > 0 && !r.necessary[next] {
				r.keep(next, r.m)
				r.rotated++
				r.from(next)
			}
			r.flip(l.Not())
		}
	}
}

// only returns the only group with false clauses, or 0 if there are several.
func (r *rotation) only() int {
	if r.broken != 1 {
		return 0
	}
	return slices.IndexFunc(r.falses, func(n int) bool { return n > 0 })
}
