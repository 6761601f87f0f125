package families

import (
	"fmt"

	"sator/dimacs"
)

// Even colorings: two colors for the edges of a connected graph with even degrees, such that
// each vertex has as many edges of one color as of the other. An edge is a variable. Half of
// the edges would have each color, so that the formula is unsatisfiable if the number of
// edges is odd. If it is even, the colors alternate along an Eulerian circuit.
//
// The graph is a random connected regular one. If its number of edges has the wrong parity,
// an edge is divided by a new vertex of degree 2. A vertex of degree d has 2 C(d, d/2+1)
// clauses of d/2+1 literals.

var evenColoring = &Family{
	Name:   "even-coloring",
	Help:   "edge colorings that balance at each vertex; unsatisfiable with an odd number of edges",
	Source: "Markström, Locality and Hard SAT-Instances, 2006",
	Params: []Param{
		{"vertices", Int, 15, 5, 1 << 24, "number of vertices"},
		{"degree", Int, 4, 4, 16, "degree of the vertices, an even number"},
		{"even", Switch, 0, 0, 1, "make the number of edges even; satisfiable"}},
	build: buildEvenColoring,
}

func buildEvenColoring(v Values, r *rng) (*Instance, error) {
	n, d := v.int("vertices"), v.int("degree")
	if d%2 != 0 {
		return nil, fmt.Errorf("invalid value %d for degree: want an even number", d)
	}
	if err := checkRegular(n, d); err != nil {
		return nil, err
	}
	if _, err := count(2*float64(n)*choose(d, d/2+1) + 4); err != nil {
		return nil, err
	}
	g := r.regular(n, d)
	divided := (len(g.ends)%2 == 0) != v.on("even")
	if divided {
		g = g.divided()
	}
	f := dimacs.NewFormula(len(g.ends))
	for u := range g.used {
		at := positive(g.edges(u))
		addAtLeast(f, at, len(at)/2)
		addAtLeast(f, complements(at), len(at)/2)
	}
	inst := newInstance(f, statusOf(v.on("even")), "even coloring of a random connected graph of %d vertices, each of degree %d%s", n, d, when(divided, ", with an edge divided by a vertex"))
	if v.on("even") {
		inst.Model = g.alternating()
	}
	return inst, nil
}

// divided returns the graph with the last edge divided by a new vertex.
func (g *graph) divided() *graph {
	n := len(g.used)
	d := &graph{g.degree, nil, make([]dimacs.Var, (n+1)*g.degree), make([]int, n+1)}
	last := len(g.ends) - 1
	for _, e := range g.ends[:last] {
		d.join(e[0], e[1])
	}
	d.join(g.ends[last][0], uint32(n))
	d.join(uint32(n), g.ends[last][1])
	return d
}

// alternating returns an assignment of the edges that alternates along an Eulerian circuit
// of each component. All degrees must be even. It balances each vertex if each component
// has an even number of edges (Hierholzer's algorithm).
func (g *graph) alternating() dimacs.Model {
	m := allFalse(len(g.ends))
	next, used := make([]int, len(g.used)), make([]bool, len(g.ends))
	for root := range g.used {
		path, color := []step{{root, 0}}, dimacs.False
		for len(path) > 0 {
			u := path[len(path)-1].vertex
			if next[u] == g.used[u] {
				// The edges leave the path in the reverse order of the circuit.
				if e := path[len(path)-1].edge; len(path) > 1 {
					m[e], color = color, -color
				}
				path = path[:len(path)-1]
				continue
			}
			e := g.edges(u)[next[u]]
			if next[u]++; !used[e] {
				used[e] = true
				path = append(path, step{g.other(e, u), e})
			}
		}
	}
	return m
}
