package families

import (
	"sator/dimacs"
)

// Perfect matching: a set of edges of a random connected regular graph such that each vertex
// has exactly one of them. An edge is a variable. With an odd number of vertices there is
// no perfect matching. A regular graph of an even number of vertices has one if no d-2 edges
// disconnect it (Plesník, 1972), as almost all random ones; since the generator does not
// check this, the answer is unknown. n vertices of degree d have n d/2 variables and
// n (1 + C(d,2)) clauses. The parity principle on a complete graph is the family counting
// with blocks of 2.

var matching = &Family{
	Name:   "matching",
	Help:   "perfect matching of a random regular graph; unsatisfiable with an odd number of vertices",
	Source: "Razborov, Resolution Lower Bounds for Perfect Matching Principles, 2004",
	Params: []Param{
		{"vertices", Int, 15, 4, 1 << 24, "number of vertices"},
		{"degree", Int, 4, 3, 16, "degree of the vertices"}},
	build: buildMatching,
}

func buildMatching(v Values, r *rng) (*Instance, error) {
	n, d := v.int("vertices"), v.int("degree")
	if err := checkRegular(n, d); err != nil {
		return nil, err
	}
	if _, err := count(float64(n) * (1 + choose(d, 2))); err != nil {
		return nil, err
	}
	g := r.regular(n, d)
	f := dimacs.NewFormula(len(g.ends))
	for u := range n {
		addExactlyOne(f, positive(g.edges(u)))
	}
	inst := newInstance(f, dimacs.Unknown, "perfect matching of a random connected graph of %d vertices, each of degree %d", n, d)
	if n%2 != 0 {
		inst.Answer = dimacs.Unsatisfiable
	}
	return inst, nil
}
