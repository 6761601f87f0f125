package dplltest

import (
	"math/rand/v2"
	"slices"

	"sator/dimacs"
)

// A Transformation changes a case into another one with the same status.
type Transformation struct {
	Name  string
	Apply func(r *rand.Rand, c Case) Case
}

// Transformations lists the transformations for metamorphic tests. They need no
// oracle and therefore test engines on formulas of any size.
var Transformations = []Transformation{
	{"clauses shuffled", shuffled},
	{"variables renamed", renamed},
	{"signs flipped", flipped},
	{"an implied clause added", implied},
}

// shuffled changes the order of clauses, of their literals and of assumptions.
func shuffled(r *rand.Rand, c Case) Case {
	f := dimacs.NewFormula(c.Formula.Vars())
	for _, i := range r.Perm(c.Formula.Len()) {
		d := slices.Clone(c.Formula.Clause(i))
		r.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
		f.Add(d...)
	}
	as := slices.Clone(c.Assumptions)
	r.Shuffle(len(as), func(i, j int) { as[i], as[j] = as[j], as[i] })
	return Case{f, as}
}

// renamed permutes the variables.
func renamed(r *rand.Rand, c Case) Case {
	to := r.Perm(variables(c))
	return mapped(c, func(l dimacs.Lit) dimacs.Lit { return rename(to, l) })
}

// flipped replaces some variables by their negations.
func flipped(r *rand.Rand, c Case) Case {
	flip := make([]bool, variables(c))
	for v := range flip {
		flip[v] = r.IntN(2) == 0
	}
	return mapped(c, func(l dimacs.Lit) dimacs.Lit { return negateIf(l, flip[l.Var()]) })
}

// variables returns the number of variables of the formula and the assumptions.
func variables(c Case) int {
	n := c.Formula.Vars()
	for _, l := range c.Assumptions {
		n = max(n, int(l.Var())+1)
	}
	return n
}

// mapped replaces every literal l by to(l).
func mapped(c Case, to func(dimacs.Lit) dimacs.Lit) Case {
	f := dimacs.NewFormula(c.Formula.Vars())
	for _, d := range c.Formula.Clauses() {
		f.Add(mapLits(d, to)...)
	}
	return Case{f, mapLits(c.Assumptions, to)}
}

// mapLits replaces every literal l by to(l).
func mapLits(ls []dimacs.Lit, to func(dimacs.Lit) dimacs.Lit) []dimacs.Lit {
	ks := make([]dimacs.Lit, len(ls))
	for i, l := range ls {
		ks[i] = to(l)
	}
	return ks
}

// implied adds a resolvent of two random clauses. If they have no resolvent, it adds
// the first clause with another literal.
func implied(r *rand.Rand, c Case) Case {
	if c.Formula.Len() == 0 {
		return c
	}
	one := c.Formula.Clause(r.IntN(c.Formula.Len()))
	two := c.Formula.Clause(r.IntN(c.Formula.Len()))
	f := dimacs.NewFormula(c.Formula.Vars())
	f.Append(c.Formula)
	f.Add(resolve(r, one, two)...)
	return Case{f, c.Assumptions}
}

// resolve returns the resolvent of two clauses, or the first one with another literal.
func resolve(r *rand.Rand, one, two []dimacs.Lit) []dimacs.Lit {
	for _, pivot := range one {
		if !slices.Contains(two, pivot.Not()) {
			continue
		}
		var res []dimacs.Lit
		for _, l := range one {
			if l != pivot {
				res = append(res, l)
			}
		}
		for _, l := range two {
			if l != pivot.Not() {
				res = append(res, l)
			}
		}
		return res
	}
	weaker := slices.Clone(one)
	if len(two) > 0 {
		weaker = append(weaker, two[r.IntN(len(two))])
	}
	return weaker
}
