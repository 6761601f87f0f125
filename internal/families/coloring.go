package families

import (
	"fmt"
	"math"
	"slices"

	"sator/dimacs"
)

// Graph coloring: each vertex of a random graph has one of k colors, and
// adjacent vertices have different colors. With three colors and about 2.3
// edges per vertex, half of the random graphs are colorable. The hardest graphs
// have this ratio.
//
// A planted graph is generated around a hidden coloring and is colorable. The
// colors are equally frequent, and only vertices of different colors are
// adjacent. High-degree vertices then reveal the coloring. Flat graphs hide it:
// all pairs of colors have the same number of edges, and within a pair the
// vertices of a color have the same number of neighbors, up to a difference of
// one.

var coloring = &Family{
	Name:   "coloring",
	Help:   "graph coloring of random, planted or flat graphs",
	Source: "Culberson and Luo, Exploring the k-Colorable Landscape with Iterated Greedy, 1996",
	Params: []Param{
		{"vertices", Int, 100, 2, 1 << 20, "vertices of the graph"},
		{"ratio", Real, 2.3, 0, 1e4, "edges per vertex"},
		{"colors", Int, 3, 2, 100, "number of colors"},
		{"planted", Switch, 0, 0, 1, "generate the graph around a hidden coloring; satisfiable"},
		{"flat", Switch, 0, 0, 1, "planted, with evenly distributed neighbors; satisfiable"}},
	build: buildColoring,
}

func buildColoring(v Values, r *rng) (*Instance, error) {
	n, k := v.int("vertices"), v.int("colors")
	if v.on("planted") && v.on("flat") {
		return nil, fmt.Errorf("planted and flat are mutually exclusive: flat graphs are planted")
	}
	m, err := count(math.Round(v["vertices"] * v["ratio"]))
	if err != nil {
		return nil, err
	}
	if _, err := count(float64(n)*(1+choose(k, 2)) + float64(m)*float64(k)); err != nil {
		return nil, err
	}
	hidden := r.classes(n, k)
	edges, description, err := r.colorable(v, hidden, m)
	if err != nil {
		return nil, err
	}
	p := newColorEncoder(k, n)
	p.addAtMostOneColor(n)
	for _, e := range edges {
		p.forbidAll(e[0], e[1])
	}
	inst := newInstance(p.f, dimacs.Unknown, "%s of %d vertices and %d edges in %d colors", description, n, m, k)
	if v.on("planted") || v.on("flat") {
		inst.Answer = dimacs.Satisfiable
		inst.Model = p.model(n, func(u int) int { return hidden[u] })
	}
	return inst, nil
}

// classes returns a random coloring of n vertices with k colors, equally
// frequent up to a difference of one.
func (r *rng) classes(n, k int) []int {
	colors := make([]int, n)
	for u := range colors {
		colors[u] = u % k
	}
	shuffle(r, colors)
	return colors
}

// colorable returns the m edges of the requested graph and its description. The
// edges are sorted, so their order does not depend on the hidden coloring.
func (r *rng) colorable(v Values, hidden []int, m int) (edges [][2]int, description string, err error) {
	n, k := len(hidden), v.int("colors")
	switch {
	case v.on("planted"):
		description = "a random graph around a coloring"
		differ := func(u, w int) bool { return hidden[u] != hidden[w] }
		edges, err = r.edges(n, m, differ, between(hidden, k))
	case v.on("flat"):
		description = "a random flat graph around a coloring"
		edges, err = r.flat(hidden, k, m)
	default:
		description = "a random graph"
		edges, err = r.edges(n, m, func(u, w int) bool { return u != w }, choose(n, 2))
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return edges, description, err
}

// between returns the number of pairs of vertices with different colors.
func between(colors []int, k int) float64 {
	frequency := make([]int, k)
	for _, c := range colors {
		frequency[c]++
	}
	pairs := choose(len(colors), 2)
	for _, f := range frequency {
		pairs -= choose(f, 2)
	}
	return pairs
}

// edges returns m distinct random edges among the pairs of n vertices allowed
// by may; all sets of m such edges are equally likely. The parameter pairs is
// the number of allowed pairs.
func (r *rng) edges(n, m int, may func(u, w int) bool, pairs float64) ([][2]int, error) {
	if float64(m) > pairs {
		return nil, fmt.Errorf("the graph would have %d edges, more than the possible %s", m, decimal(pairs))
	}
	seen := make(map[[2]int]bool, m)
	edges := make([][2]int, 0, m)
	for len(edges) < m {
		u, w := int(r.below(uint64(n))), int(r.below(uint64(n)))
		e := [2]int{min(u, w), max(u, w)}
		if may(u, w) && !seen[e] {
			seen[e] = true
			edges = append(edges, e)
		}
	}
	return edges, nil
}

// flat returns m random edges between vertices of different colors, distributed
// as evenly as possible over the pairs of colors and, for each pair, over the
// vertices.
func (r *rng) flat(colors []int, k, m int) ([][2]int, error) {
	classes := make([][]int, k)
	for u, c := range colors {
		classes[c] = append(classes[c], u)
	}
	pairs := k * (k - 1) / 2
	var edges [][2]int
	for c := range k {
		for d := range c {
			// The first pairs of colors get the remainder of the division.
			share := (m - len(edges) + pairs - 1) / pairs
			pairs--
			if float64(share) > float64(len(classes[c]))*float64(len(classes[d])) {
				return nil, fmt.Errorf("two colors would have %d edges between them, more than the possible %d", share, len(classes[c])*len(classes[d]))
			}
			edges = append(edges, r.evenEdges(classes[d], classes[c], share)...)
		}
	}
	return edges, nil
}

// evenEdges returns m distinct random edges between two sets of vertices. The
// degrees within a set differ by at most one. There must be at least m pairs.
func (r *rng) evenEdges(from, to []int, m int) [][2]int {
	capacity := len(from) * len(to)
	if m <= capacity/2 {
		return r.sparseEvenEdges(from, to, m)
	}
	missing := map[[2]int]bool{}
	for _, e := range r.sparseEvenEdges(from, to, capacity-m) {
		missing[e] = true
	}
	edges := make([][2]int, 0, m)
	for _, u := range from {
		for _, w := range to {
			if e := [2]int{min(u, w), max(u, w)}; !missing[e] {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// sparseEvenEdges is like evenEdges; m is at most half of the number of pairs.
// It pairs the endpoints by a random permutation and removes duplicate edges by
// swapping endpoints with other edges.
func (r *rng) sparseEvenEdges(from, to []int, m int) [][2]int {
	us, ws := r.stubs(from, m), r.stubs(to, m)
	shuffle(r, ws)
	edge := func(i int) [2]int { return [2]int{min(us[i], ws[i]), max(us[i], ws[i])} }
	times := make(map[[2]int]int, m) // multiplicity of each edge
	for i := range us {
		times[edge(i)]++
	}
	for again := true; again; {
		again = false
		for i := range us {
			for times[edge(i)] > 1 {
				j := int(r.below(uint64(m)))
				times[edge(i)]--
				times[edge(j)]--
				ws[i], ws[j] = ws[j], ws[i]
				times[edge(i)]++
				times[edge(j)]++
				again = true
			}
		}
	}
	edges := make([][2]int, m)
	for i := range edges {
		edges[i] = edge(i)
	}
	return edges
}

// stubs returns m vertices of the set with multiplicities that differ by at
// most one; the vertices with the higher multiplicity are random.
func (r *rng) stubs(set []int, m int) []int {
	set = slices.Clone(set)
	shuffle(r, set)
	stubs := make([]int, m)
	for i := range stubs {
		stubs[i] = set[i%len(set)]
	}
	return stubs
}
