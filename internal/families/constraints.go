package families

import "sator/dimacs"

// Cardinality constraints shared by many families, and numbers of clauses.

// addAtMostOne adds the pairwise encoding of an at-most-one (AMO) constraint.
func addAtMostOne(f *dimacs.Formula, lits []dimacs.Lit) {
	for i, l := range lits {
		for _, k := range lits[:i] {
			f.Add(k.Not(), l.Not())
		}
	}
}

// addExactlyOne adds an exactly-one constraint. The slice must not be empty.
func addExactlyOne(f *dimacs.Formula, lits []dimacs.Lit) {
	f.Add(lits...)
	addAtMostOne(f, lits)
}

// addAtLeast states that at least k of the literals are true: each set of all but k-1 of
// them has a true one.
func addAtLeast(f *dimacs.Formula, lits []dimacs.Lit, k int) {
	for _, set := range subsets(len(lits), len(lits)-k+1) {
		f.Add(literals(len(set), func(i int) dimacs.Lit { return lits[set[i]] })...)
	}
}

// complements returns the complements of literals.
func complements(lits []dimacs.Lit) []dimacs.Lit {
	return literals(len(lits), func(i int) dimacs.Lit { return lits[i].Not() })
}

// literals returns n literals by number.
func literals(n int, of func(i int) dimacs.Lit) []dimacs.Lit {
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = of(i)
	}
	return lits
}

// positive returns the positive literals of variables.
func positive(vars []dimacs.Var) []dimacs.Lit {
	return literals(len(vars), func(i int) dimacs.Lit { return vars[i].Lit() })
}

// choose returns the binomial coefficient as a float64; it is used for size
// estimates.
func choose(n, k int) float64 {
	sets := 1.0
	for i := range k {
		sets = sets * float64(n-i) / float64(i+1)
	}
	return sets
}

// allFalse returns an assignment that makes n variables false.
func allFalse(n int) dimacs.Model {
	m := make(dimacs.Model, n)
	for v := range m {
		m[v] = dimacs.False
	}
	return m
}

// statusOf returns Satisfiable or Unsatisfiable.
func statusOf(satisfiable bool) dimacs.Status {
	if satisfiable {
		return dimacs.Satisfiable
	}
	return dimacs.Unsatisfiable
}
