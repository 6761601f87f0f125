package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Clique in binary: a graph has a clique of k vertices, whose numbers are in binary. For each
// two members and each ordered pair of vertices that are equal or not adjacent, a clause
// excludes it; other clauses exclude numbers that are no vertices. With n vertices, b bits and
// m edges there are C(k,2) (n^2 - 2m) + k (2^b - n) clauses, and k! models for each clique.
//
// A complete graph of p parts, of equal sizes up to one vertex, has cliques of up to p
// vertices (Turán). The answer for random graphs is unknown, unless a clique is planted; at
// the density at which few graphs have the clique, resolution proofs are long.

var cliqueBinary = &Family{
	Name:   "clique-binary",
	Help:   "clique of a graph, with the vertices in binary; unsatisfiable with fewer parts than members",
	Source: "Dantchev, Galesi, Ghani and Martin, Proof Complexity and the Binary Encoding of Combinatorial Principles, 2024",
	Params: []Param{
		{"vertices", Int, 20, 2, 4096, "number of vertices"},
		{"clique", Int, 5, 2, 64, "number of vertices of the clique"},
		{"density", Real, 0.5, 0, 1, "share of the edges of a random graph"},
		{"parts", Int, 0, 0, 4096, "parts of a complete graph of parts; instead of a random graph"},
		{"planted", Switch, 0, 0, 1, "plant a clique in the random graph; satisfiable"}},
	build: buildCliqueBinary,
}

func buildCliqueBinary(v Values, r *rng) (*Instance, error) {
	n, k, parts := v.int("vertices"), v.int("clique"), v.int("parts")
	switch {
	case parts > 0 && v.on("planted"):
		return nil, fmt.Errorf("parts and planted are mutually exclusive")
	case parts > n:
		return nil, fmt.Errorf("invalid value %d for parts: want at most %d", parts, n)
	case v.on("planted") && k > n:
		return nil, fmt.Errorf("a clique of %d vertices does not fit into vertices %d", k, n)
	}
	members := newNumbers(k, n)
	if _, err := count(choose(k, 2)*float64(n)*float64(n) + members.size()); err != nil {
		return nil, err
	}
	inst := &Instance{Formula: dimacs.NewFormula(members.vars())}
	var clique []int // by member
	var graph string
	adjacent := make([]bool, n*n)
	if parts > 0 {
		delete(v, "density")
		graph = fmt.Sprintf("a complete graph of %d vertices in %d parts", n, parts)
		join(adjacent, n, func(u, w int) bool { return u%parts != w%parts })
		for i := range min(k, parts) {
			clique = append(clique, i)
		}
		inst.Answer = statusOf(k <= parts)
	} else {
		graph = fmt.Sprintf("a random graph of %d vertices", n)
		threshold := uint64(math.Round(v["density"] * (1 << 53)))
		join(adjacent, n, func(int, int) bool { return r.Uint64()>>11 < threshold })
		if v.on("planted") {
			clique = r.clique(adjacent, n, k)
			inst.Answer = dimacs.Satisfiable
		}
	}
	members.addRange(inst.Formula)
	members.addPairs(inst.Formula, func(u, w int) bool { return adjacent[u*n+w] })
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = members.model(func(i int) int { return clique[i] })
	}
	inst.Comments = []string{fmt.Sprintf("a clique of %d vertices in %s%s", k, graph, when(v.on("planted"), ", planted"))}
	return inst, nil
}

// join sets the entries of an adjacency matrix.
func join(adjacent []bool, n int, edge func(u, w int) bool) {
	for u := range n {
		for w := range u {
			if edge(u, w) {
				adjacent[u*n+w], adjacent[w*n+u] = true, true
			}
		}
	}
}

// clique joins k random vertices, and returns them.
func (r *rng) clique(adjacent []bool, n, k int) []int {
	order := make([]int, n)
	for u := range order {
		order[u] = u
	}
	shuffle(r, order)
	for i, u := range order[:k] {
		for _, w := range order[:i] {
			adjacent[u*n+w], adjacent[w*n+u] = true, true
		}
	}
	return order[:k]
}

// addPairs states that each two numbers are related, by a symmetric relation.
func (x numbers) addPairs(f *dimacs.Formula, related func(a, b int) bool) {
	for i := range x.n {
		for h := range i {
			for a := range x.below {
				for b := range x.below {
					if !related(a, b) {
						f.Add(append(x.differs(h, a), x.differs(i, b)...)...)
					}
				}
			}
		}
	}
}
