package families

import (
	"fmt"

	"sator/dimacs"
)

// Subset cardinality formulas: the variables are the ones of a 0-1 matrix with n rows and n
// columns, of which each has d ones for an even d. In each row at least half of the variables
// are true, in each column at least half are false. That is possible, with exactly one
// half. With one more one in a place with a 0, its row needs d/2+1 true variables and its
// column d/2+1 false ones, which are n d + 2 in all: more than the n d + 1 variables.
//
// The smallest hard formulas known for their size are of this kind (Spence's sgen1), and
// resolution proofs are exponential if the matrix is that of an expander (Mikša and
// Nordström); cutting planes refute them by adding all constraints.

var subsetCardinality = &Family{
	Name:   "subset-cardinality",
	Help:   "halves of the rows and columns of a sparse matrix; unsatisfiable with one more place",
	Source: "Mikša and Nordström, Long Proofs of (Seemingly) Simple Formulas, SAT 2014",
	Params: []Param{
		{"rows", Int, 10, 4, 1 << 20, "number of rows and of columns"},
		{"degree", Int, 4, 2, 12, "places of each row and column, an even number"},
		{"even", Switch, 0, 0, 1, "no further place; satisfiable"}},
	build: buildSubsetCardinality,
}

func buildSubsetCardinality(v Values, r *rng) (*Instance, error) {
	n, d := v.int("rows"), v.int("degree")
	switch {
	case d%2 != 0:
		return nil, fmt.Errorf("invalid value %d for degree: want an even number", d)
	case 2*d > n:
		return nil, fmt.Errorf("degree %d requires at least %d rows", d, 2*d)
	}
	if _, err := count(2 * float64(n) * choose(d+1, d/2+1)); err != nil {
		return nil, err
	}
	g := r.bipartite(n, d)
	if !v.on("even") {
		row := uint32(r.below(uint64(n)))
		column := uint32(n) + uint32(r.below(uint64(n)))
		for !g.joinable(row, column) {
			column = uint32(n) + uint32(r.below(uint64(n)))
		}
		g.join(row, column)
	}
	f := dimacs.NewFormula(len(g.ends))
	for u := range g.used {
		at := positive(g.edges(u))
		if u >= n {
			at = complements(at) // columns count false variables
		}
		addAtLeast(f, at, (len(at)+1)/2)
	}
	inst := newInstance(f, statusOf(v.on("even")), "subset cardinality: %d rows and columns of %d places%s", n, d, when(!v.on("even"), ", and one more place"))
	if v.on("even") {
		inst.Model = g.alternating()
	}
	return inst, nil
}

// bipartite returns a random simple bipartite graph of n rows, the vertices from 0 on, and n
// columns, the vertices from n on, of degree d, at most n/2. There is room for one more edge
// at each vertex. It is a union of d random permutations; a row whose column is taken swaps
// columns with a random other row.
func (r *rng) bipartite(n, d int) *graph {
	g := &graph{d + 1, make([][2]uint32, 0, n*d+1), make([]dimacs.Var, 2*n*(d+1)), make([]int, 2*n)}
	columns := make([]uint32, n)
	for i := range columns {
		columns[i] = uint32(n + i)
	}
	fits := func(row int) bool { return g.joinable(uint32(row), columns[row]) }
	for range d {
		shuffle(r, columns)
		for row := 0; row < n; row++ {
			for !fits(row) {
				other := int(r.below(uint64(n)))
				columns[row], columns[other] = columns[other], columns[row]
				if other < row && !fits(other) {
					columns[row], columns[other] = columns[other], columns[row]
				}
			}
		}
		for row, column := range columns {
			g.join(uint32(row), column)
		}
	}
	return g
}
