package families

import "fmt"

// Ramsey: each edge of a complete graph gets one of a few colors, and no color
// may have all edges between some number of vertices. From some number of
// vertices on this cannot be done. It is 6 for two colors and triangles, the
// party at which three people know each other or three do not, and 18 for sets
// of four; of five nobody knows.
//
// All vertices are alike. Without knowing that, a proof has to go through more
// of them than there is time for: 18 vertices and sets of four are out of reach.

var ramsey = &Family{
	Name:   "ramsey",
	Help:   "colors for the edges of a complete graph, no clique in one color",
	Source: "Radziszowski, Small Ramsey Numbers, Electronic Journal of Combinatorics, DS1",
	Params: []Param{
		{"vertices", Int, 17, 2, 10000, "vertices of the graph"},
		{"clique", Int, 4, 2, 1000, "vertices of a clique that no color may have"},
		otherParam,
		colorsParam},
	build: buildRamsey,
}

// ramseys are the numbers that are known, but for cliques of two vertices.
var ramseys = map[sizes]int{
	{2, 3, 3}: 6, {2, 3, 4}: 9, {2, 3, 5}: 14, {2, 3, 6}: 18, {2, 3, 7}: 23, {2, 3, 8}: 28, {2, 3, 9}: 36,
	{2, 4, 4}: 18, {2, 4, 5}: 25,
	{3, 3, 3}: 17, {3, 3, 4}: 30,
}

func buildRamsey(v Values, _ *source) (*Instance, error) {
	n, s := v.int("vertices"), sizesOf(v, "clique")
	if s.other < 2 {
		return nil, fmt.Errorf("other is %d, not at least 2: a vertex has no edge", s.other)
	}
	size := choose(n, 2)
	for color := range s.colors {
		size += choose(n, s.of(color))
	}
	if _, err := count(size); err != nil {
		return nil, err
	}
	p := newPalette(s.colors, n*(n-1)/2)
	for color := range s.colors {
		cliques(n, s.of(color), func(edges []int) { p.forbid(color, edges...) })
	}
	return &Instance{Formula: p.f, Answer: s.answer(n, ramseys), Comments: []string{
		fmt.Sprintf("the edges of a complete graph of %d vertices in %d colors, no clique of %s vertices in one", n, s.colors, s),
	}}, nil
}

// cliques calls visit with the edges, as numbered by pair, between each set of
// k of n vertices. The slice is overwritten by the next one.
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
				edges = append(edges, int(pair(w, u)))
			}
			vertices = append(vertices, u)
			extend(u + 1)
			vertices = vertices[:len(vertices)-1]
			edges = edges[:len(edges)-len(vertices)]
		}
	}
	extend(0)
}
