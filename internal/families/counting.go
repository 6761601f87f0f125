package families

import (
	"fmt"

	"sator/dimacs"
)

// Counting principle: the elements of a set are partitioned into blocks of q elements. A
// variable for each set of q elements states that it is a block; each element is in
// exactly one block. The formula is satisfiable if and only if q divides the number n of
// elements; then it has n! / (q!^(n/q) (n/q)!) models. With blocks of two elements it is the
// parity principle, that a complete graph with an odd number of vertices has no perfect
// matching. Pairs of sets with a common element have one clause, however many they share:
// of C(n,q) sets, C(n,q) C(n-q,q)/2 pairs are disjoint.
//
// The functional onto pigeonhole principle follows from the counting principle, so that
// resolution proofs are exponential.

var counting = &Family{
	Name:   "counting",
	Help:   "counting principle: a partition into blocks of equal size; unsatisfiable if the size does not divide the number of elements",
	Source: "Beame, Impagliazzo, Krajíček, Pitassi and Pudlák, Lower Bounds on Hilbert's Nullstellensatz and Propositional Proofs, 1996",
	Params: []Param{
		{"elements", Int, 10, 1, 1000, "number of elements"},
		{"block", Int, 3, 1, 10, "elements of a block"}},
	build: buildCounting,
}

func buildCounting(v Values, _ *rng) (*Instance, error) {
	n, q := v.int("elements"), v.int("block")
	if q > n {
		return nil, fmt.Errorf("a block of %d elements does not fit into elements %d", q, n)
	}
	sets := choose(n, q)
	if _, err := count(float64(n) + sets*(sets-1)/2 - sets*choose(n-q, q)/2); err != nil {
		return nil, err
	}
	f := dimacs.NewFormula(int(sets))
	blocks := subsets(n, q)
	with := make([][]dimacs.Lit, n) // by element: the blocks with it
	for i, block := range blocks {
		for _, x := range block {
			with[x] = append(with[x], dimacs.Var(i).Lit())
		}
	}
	for x, all := range with {
		f.Add(all...)
		addDisjoint(f, blocks, all, x)
	}
	inst := newInstance(f, statusOf(n%q == 0), "counting principle: %d elements in blocks of %d", n, q)
	if n%q == 0 {
		inst.Model = allFalse(f.Vars())
		for i, block := range blocks {
			if block[0]%q == 0 && block[q-1] == block[0]+q-1 {
				inst.Model[i] = dimacs.True
			}
		}
	}
	return inst, nil
}

// addDisjoint states that no two of the blocks with element x are there. It leaves out the
// pairs with a smaller common element.
func addDisjoint(f *dimacs.Formula, blocks [][]int, with []dimacs.Lit, x int) {
	for i, l := range with {
		for _, k := range with[:i] {
			if firstCommon(blocks[k.Var()], blocks[l.Var()]) == x {
				f.Add(k.Not(), l.Not())
			}
		}
	}
}

// firstCommon returns the smallest common element of two sets in ascending order, or -1.
func firstCommon(a, b []int) int {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			return a[i]
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return -1
}

// subsets returns the subsets of k numbers below n, each in ascending order, in
// lexicographic order.
func subsets(n, k int) [][]int {
	var all [][]int
	var extend func(set []int, next int)
	extend = func(set []int, next int) {
		if len(set) == k {
			all = append(all, append([]int(nil), set...))
			return
		}
		for x := next; x <= n-(k-len(set)); x++ {
			extend(append(set, x), x+1)
		}
	}
	extend(make([]int, 0, k), 0)
	return all
}
