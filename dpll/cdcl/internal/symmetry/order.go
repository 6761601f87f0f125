package symmetry

import (
	"cmp"
	"slices"

	"sator/dimacs"
)

// Lexicographic order. An involution is a symmetry that is its own inverse. Let σ be one that
// exchanges the literals of the pairs (x1, y1), (x2, y2) ... A model or its image has values of
// x1 x2 ... that are not less than its values of y1 y2 ... in lexicographic order. So these
// constraints may be added:
//
//	x1 ≥ y1,  x1 = y1 → x2 ≥ y2,  x1 = y1 ∧ x2 = y2 → x3 ≥ y3 ...
//
// Where the first constraint holds, x1 = y1 means that x1 is false or y1 is true, so that the
// constraint of pair n is 2^(n-1) clauses, and no variables have to be added. The
// constraints of n pairs leave 1/2 + 1/2^(n+1) of all assignments, so three pairs are
// nearly as good as all: a formula that compares a product with the product of the
// exchanged factors has one symmetry, and breaking it halves the work at best.

// mostPairs is the number of pairs of an order.
const mostPairs = 3

// chooseOrder sets the order of a level with one symmetry if it is an involution. The first
// pair is that of the level, the others occur most often.
func (f *finder) chooseOrder(l *level) {
	f.set(l.perms[0])
	defer f.forget()
	y := l.below[0]
	if y == l.x^1 || slices.ContainsFunc(f.moved, func(k uint32) bool { return f.image[f.image[k]] != k }) {
		return
	}
	var others []uint32
	for _, k := range f.moved {
		// One literal of the four of a pair, if it has four.
		if i := f.image[k]; k&1 == 0 && k>>1 < i>>1 && k>>1 != l.x>>1 && k>>1 != y>>1 {
			others = append(others, k)
		}
	}
	slices.SortFunc(others, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(f.g.degree(b), f.g.degree(a)), cmp.Compare(a, b))
	})
	l.order = [][2]uint32{{l.x, y}}
	for _, k := range others[:min(len(others), mostPairs-1)] {
		l.order = append(l.order, [2]uint32{k, f.image[k]})
	}
}

// orderClauses returns the constraints of an order.
func orderClauses(pairs [][2]uint32) (cs [][]dimacs.Lit) {
	equal := [][]dimacs.Lit{nil} // clauses that are false if all pairs so far are equal
	for _, p := range pairs {
		x, y := dimacs.Lit(p[0]), dimacs.Lit(p[1])
		var longer [][]dimacs.Lit
		for _, e := range equal {
			e = slices.Clip(e)
			cs = append(cs, append(e, x, y^1))
			longer = append(longer, append(e, x), append(e, y^1))
		}
		equal = longer
	}
	return cs
}
