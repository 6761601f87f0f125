package families

import "fmt"

// Ramsey numbers: each edge of a complete graph has one of a few colors, and no
// color contains all edges of a clique of some size. This is impossible from
// some number of vertices on, the Ramsey number: 6 for two colors and
// triangles, 18 for two colors and cliques of four; for cliques of five it is
// unknown.
//
// The vertices are symmetric. Without symmetry breaking, proofs are too long
// already for 18 vertices and cliques of four.

var ramsey = &Family{
	Name:   "ramsey",
	Help:   "Ramsey numbers: edge colorings of a complete graph without monochromatic clique",
	Source: "Radziszowski, Small Ramsey Numbers, Electronic Journal of Combinatorics, DS1",
	Params: []Param{
		{"vertices", Int, 17, 2, 10000, "vertices of the graph"},
		{"clique", Int, 4, 2, 1000, "size of the forbidden monochromatic clique"},
		otherParam,
		colorsParam},
	build: buildRamsey,
}

// ramseyNumbers are the known Ramsey numbers, except those for cliques of two
// vertices.
var ramseyNumbers = map[sizes]int{
	{2, 3, 3}: 6, {2, 3, 4}: 9, {2, 3, 5}: 14, {2, 3, 6}: 18, {2, 3, 7}: 23, {2, 3, 8}: 28, {2, 3, 9}: 36,
	{2, 4, 4}: 18, {2, 4, 5}: 25,
	{3, 3, 3}: 17, {3, 3, 4}: 30,
}

func buildRamsey(v Values, _ *rng) (*Instance, error) {
	n, s := v.int("vertices"), sizesOf(v, "clique")
	if s.other < 2 {
		return nil, fmt.Errorf("invalid value %d for other: want at least 2", s.other)
	}
	size := choose(n, 2)
	for color := range s.colors {
		size += choose(n, s.of(color))
	}
	if _, err := count(size); err != nil {
		return nil, err
	}
	p := newColorEncoder(s.colors, n*(n-1)/2)
	for color := range s.colors {
		cliques(n, s.of(color), func(edges []int) { p.forbid(color, edges...) })
	}
	return newInstance(p.f, s.answer(n, ramseyNumbers), "the edges of a complete graph of %d vertices in %d colors, no clique of %s vertices in one", n, s.colors, s), nil
}

// cliques calls visit with the edges, numbered by edgeVar, of each set of k of
// n vertices. The slice is valid only during the call.
func cliques(n, k int, visit func(edges []int)) {
	vertices := make([]int, 0, k)
	edges := make([]int, 0, k*(k-1)/2)
	var extend func(next int)
	extend = func(next int) {
		if len(vertices) == k {
			visit(edges)
			return
		}
		for u := next; u <= n-(k-len(vertices)); u++ {
			for _, w := range vertices {
				edges = append(edges, int(edgeVar(w, u)))
			}
			vertices = append(vertices, u)
			extend(u + 1)
			vertices = vertices[:len(vertices)-1]
			edges = edges[:len(edges)-len(vertices)]
		}
	}
	extend(0)
}
