package families

import (
	"fmt"
	"math"
	"slices"

	"sator/dimacs"
)

// Graph coloring: each vertex of a random graph gets one of k colors, and the
// ends of an edge differ. With three colors half of the random graphs have a
// coloring at some 2.3 edges for each vertex, and the hardest are there.
//
// Planted, the graph is made around a coloring, and there is a model. The
// colors are equally frequent, and only ends of different colors are joined. A
// vertex with many edges then tells a lot. Flat graphs hide that: all pairs of
// colors have the same number of edges, and the vertices of a color have the
// same number of neighbors in each other color, but for one.

var coloring = &Family{
	Name:   "coloring",
	Help:   "colors for the vertices of a random graph, the ends of an edge differ",
	Source: "Culberson and Luo, Exploring the k-Colorable Landscape with Iterated Greedy, 1996",
	Params: []Param{
		{"vertices", Int, 100, 2, 1 << 20, "vertices of the graph"},
		{"ratio", Real, 2.3, 0, 1e4, "edges for each vertex"},
		{"colors", Int, 3, 2, 100, "number of colors"},
		{"planted", Switch, 0, 0, 1, "make the graph around a coloring; satisfiable"},
		{"flat", Switch, 0, 0, 1, "the same, with neighbors spread evenly"}},
	build: buildColoring,
}

func buildColoring(v Values, r *source) (*Instance, error) {
	n, k := v.int("vertices"), v.int("colors")
	if v.on("planted") && v.on("flat") {
		return nil, fmt.Errorf("planted and flat exclude each other: flat graphs are planted")
	}
	m, err := count(math.Round(v["vertices"] * v["ratio"]))
	if err != nil {
		return nil, err
	}
	if _, err := count(float64(n)*(1+choose(k, 2)) + float64(m)*float64(k)); err != nil {
		return nil, err
	}
	hidden := r.classes(n, k)
	edges, what, err := r.colorable(v, hidden, m)
	if err != nil {
		return nil, err
	}
	p := newPalette(k, n)
	p.noneTwice(n)
	for _, e := range edges {
		p.forbidAll(e[0], e[1])
	}
	inst := &Instance{Formula: p.f, Comments: []string{
		fmt.Sprintf("%s of %d vertices and %d edges in %d colors", what, n, m, k),
	}}
	if v.on("planted") || v.on("flat") {
		inst.Answer = dimacs.Satisfiable
		inst.Model = p.model(n, func(u int) int { return hidden[u] })
	}
	return inst, nil
}

// classes returns a random color for each of n vertices, all of the k colors
// being equally frequent, but for one.
func (r *source) classes(n, k int) []int {
	colors := make([]int, n)
	for u := range colors {
		colors[u] = u % k
	}
	shuffle(r, colors)
	return colors
}

// colorable returns the m edges of the graph that v asks for, and what it is.
// They are sorted, so that their order tells nothing about the hidden coloring.
func (r *source) colorable(v Values, hidden []int, m int) (edges [][2]int, what string, err error) {
	n, k := len(hidden), v.int("colors")
	switch {
	case v.on("planted"):
		what = "a random graph around a coloring"
		differ := func(u, w int) bool { return hidden[u] != hidden[w] }
		edges, err = r.edges(n, m, differ, between(hidden, k))
	case v.on("flat"):
		what = "a random flat graph around a coloring"
		edges, err = r.flat(hidden, k, m)
	default:
		what = "a random graph"
		edges, err = r.edges(n, m, func(u, w int) bool { return u != w }, choose(n, 2))
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return edges, what, err
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

// edges returns m different random edges between those of n vertices that may be
// joined, each set of them being equally likely. Of pairs that may be joined
// there are as many as the last argument says.
func (r *source) edges(n, m int, may func(u, w int) bool, pairs float64) ([][2]int, error) {
	if float64(m) > pairs {
		return nil, fmt.Errorf("the graph would have %d edges, and has room for %s", m, decimal(pairs))
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

// flat returns m random edges between vertices of different colors, spread as
// evenly as can be over the pairs of colors, and of each pair over its vertices.
func (r *source) flat(colors []int, k, m int) ([][2]int, error) {
	classes := make([][]int, k)
	for u, c := range colors {
		classes[c] = append(classes[c], u)
	}
	pairs := k * (k - 1) / 2
	var edges [][2]int
	for c := range k {
		for d := range c {
			// The first pairs of colors get the edges that are left over.
			share := (m - len(edges) + pairs - 1) / pairs
			pairs--
			if float64(share) > float64(len(classes[c]))*float64(len(classes[d])) {
				return nil, fmt.Errorf("two colors would have %d edges between them, and have room for %d", share, len(classes[c])*len(classes[d]))
			}
			edges = append(edges, r.even(classes[d], classes[c], share)...)
		}
	}
	return edges, nil
}

// even returns m different random edges from one set of vertices to another;
// the vertices of a set have equally many, but for one. There is room for them.
func (r *source) even(from, to []int, m int) [][2]int {
	room := len(from) * len(to)
	if m <= room/2 {
		return r.match(from, to, m)
	}
	missing := map[[2]int]bool{}
	for _, e := range r.match(from, to, room-m) {
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

// match is even for at most half of the edges there is room for. It joins the
// ends by a random permutation, and mends edges that are there twice by
// exchanging their ends with those of others.
func (r *source) match(from, to []int, m int) [][2]int {
	us, ws := r.stubs(from, m), r.stubs(to, m)
	shuffle(r, ws)
	edge := func(i int) [2]int { return [2]int{min(us[i], ws[i]), max(us[i], ws[i])} }
	times := make(map[[2]int]int, m) // how often each edge is there
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

// stubs returns m vertices of the set, each as often as the others but for one;
// which ones are there once more is random.
func (r *source) stubs(set []int, m int) []int {
	set = slices.Clone(set)
	shuffle(r, set)
	stubs := make([]int, m)
	for i := range stubs {
		stubs[i] = set[i%len(set)]
	}
	return stubs
}
