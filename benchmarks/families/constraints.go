package families

import "sator/dimacs"

// What many families say of a few literals, and how many clauses it takes.

// addAtMostOne adds the clauses which say that no two of the literals are true:
// one for each pair.
func addAtMostOne(f *dimacs.Formula, lits []dimacs.Lit) {
	for i, l := range lits {
		for _, k := range lits[:i] {
			f.Add(k.Not(), l.Not())
		}
	}
}

// addExactlyOne adds the clauses which say that one of the literals is true and
// the others are false. There must be a literal.
func addExactlyOne(f *dimacs.Formula, lits []dimacs.Lit) {
	f.Add(lits...)
	addAtMostOne(f, lits)
}

// choose returns the number of sets of k things out of n. It is a float64 since
// it is there to find out whether a formula is too large.
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

// verdict returns the answer of which it is known whether there is a model.
func verdict(satisfiable bool) dimacs.Status {
	if satisfiable {
		return dimacs.Satisfiable
	}
	return dimacs.Unsatisfiable
}
