package families

import (
	"fmt"
	"math"
	"math/bits"

	"sator/dimacs"
)

// Hamiltonian cycles: a tour along the edges of a graph that visits each vertex
// exactly once. By default the graph is a random cycle plus random edges.
// Random cubic graphs almost always have a tour (Robinson and Wormald, Almost
// All Cubic Graphs Are Hamiltonian, 1992), which is not planted. Generalized
// Petersen graphs GP(n,2) have an outer ring of n vertices, an inner ring of n
// vertices in steps of two, and spokes between the rings. They have no tour
// if n is 5 modulo 6 (Alspach, The Classification of Hamiltonian Generalized
// Petersen Graphs, 1983).
//
// Each direction of an edge has a variable, which is true if the tour uses it.
// The tour enters and leaves each vertex exactly once, which still allows
// several disjoint cycles. Each vertex also has a binary number (its position):
// vertex 0 has position 0, and the position increases by one along the tour, so
// that only a cycle through vertex 0 can close.

var hamilton = &Family{
	Name:   "hamilton",
	Help:   "Hamiltonian cycle of a graph",
	Source: "Zhou, In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem, CP 2020",
	Params: []Param{
		{"vertices", Int, 30, 4, 1 << 20, "vertices of the graph"},
		{"ratio", Real, 2, 1, 1000, "edges per vertex"},
		{"cubic", Switch, 0, 0, 1, "a random cubic graph without a planted tour"},
		{"petersen", Int, 0, 0, 1 << 20, "the generalized Petersen graph GP(N,2); unsatisfiable if N mod 6 is 5"}},
	build: buildHamilton,
}

func buildHamilton(v Values, r *rng) (*Instance, error) {
	t, description, err := r.tourGraph(v)
	if err != nil {
		return nil, err
	}
	c := t.formula()
	inst := &Instance{Formula: c.f, Comments: []string{
		"a tour through " + description,
		"variables from 1 on: for each edge its two directions",
	}}
	switch {
	case t.tour != nil:
		inst.Answer, inst.Model = dimacs.Satisfiable, c.model
	case v["petersen"] != 0:
		inst.Answer = statusOf(v.int("petersen")%6 != 5)
	}
	return inst, nil
}

// A tourGraph is a graph and, if known, a tour: the position of each vertex, 0
// for vertex 0.
type tourGraph struct {
	n     int
	edges [][2]int
	tour  []int
}

// tourGraph returns the requested graph and its description. It deletes
// parameters without effect from v.
func (r *rng) tourGraph(v Values) (*tourGraph, string, error) {
	n := v.int("vertices")
	switch {
	case v["petersen"] != 0 && v.on("cubic"):
		return nil, "", fmt.Errorf("petersen and cubic are mutually exclusive")
	case v["petersen"] != 0 && v["petersen"] < 5:
		return nil, "", fmt.Errorf("invalid value %d for petersen: want at least 5", v.int("petersen"))
	case v["petersen"] != 0:
		delete(v, "vertices")
		delete(v, "ratio")
		return petersen(v.int("petersen")), fmt.Sprintf("the generalized Petersen graph of %d and 2", v.int("petersen")), nil
	case v.on("cubic") && n%2 != 0:
		return nil, "", fmt.Errorf("vertices %d times degree 3 is odd: want an even number of edge ends", n)
	case v.on("cubic"):
		delete(v, "ratio")
		return r.cubic(n), fmt.Sprintf("a random cubic graph of %d vertices", n), nil
	}
	m := math.Round(v["vertices"] * v["ratio"])
	if _, err := count(m * float64(8*bits.Len(uint(n)))); err != nil {
		return nil, "", err
	}
	t, err := r.planted(n, int(m))
	return t, fmt.Sprintf("a random graph of %d vertices and %d edges with a planted tour", n, int(m)), err
}

func petersen(n int) *tourGraph {
	t := &tourGraph{n: 2 * n}
	for i := range n {
		t.edges = append(t.edges, [2]int{i, (i + 1) % n}, [2]int{i, n + i}, [2]int{n + i, n + (i+2)%n})
	}
	return t
}

func (r *rng) cubic(n int) *tourGraph {
	t := &tourGraph{n: n}
	for _, e := range r.regular(n, 3).ends {
		t.edges = append(t.edges, [2]int{int(e[0]), int(e[1])})
	}
	return t
}

// planted returns a random graph of n vertices and m edges with a tour.
func (r *rng) planted(n, m int) (*tourGraph, error) {
	t := &tourGraph{n: n, tour: make([]int, n)}
	order := make([]int, n) // the vertices in tour order
	for u := range order {
		order[u] = u
	}
	shuffle(r, order[1:])
	tour := make(map[[2]int]bool, n)
	for i, u := range order {
		w := order[(i+1)%n]
		t.tour[u] = i
		t.edges = append(t.edges, [2]int{u, w})
		tour[[2]int{min(u, w), max(u, w)}] = true
	}
	others := func(u, w int) bool { return u != w && !tour[[2]int{min(u, w), max(u, w)}] }
	more, err := r.edges(n, m-n, others, choose(n, 2)-float64(n))
	if err != nil {
		return nil, fmt.Errorf("besides the tour, %w", err)
	}
	t.edges = append(t.edges, more...)
	shuffle(r, t.edges)
	for i, e := range t.edges {
		t.edges[i] = [2]int{min(e[0], e[1]), max(e[0], e[1])}
	}
	return t, nil
}

// An arc is a direction of an edge.
type arc struct {
	from, to int
	taken    dimacs.Lit
}

// formula returns the formula as a circuit, whose values are a model if the
// tour is known.
func (t *tourGraph) formula() *circuit {
	c := &circuit{f: new(dimacs.Formula)}
	arcs := make([]arc, 0, 2*len(t.edges))
	for _, e := range t.edges {
		for _, a := range [2]arc{{from: e[0], to: e[1]}, {from: e[1], to: e[0]}} {
			a.taken = c.wire(t.tour != nil && t.tour[a.to] == (t.tour[a.from]+1)%t.n)
			arcs = append(arcs, a)
		}
	}
	leaves, enters := make([][]dimacs.Lit, t.n), make([][]dimacs.Lit, t.n)
	for _, a := range arcs {
		leaves[a.from] = append(leaves[a.from], a.taken)
		enters[a.to] = append(enters[a.to], a.taken)
	}
	for u := range t.n {
		addExactlyOne(c.f, leaves[u])
		addExactlyOne(c.f, enters[u])
	}
	t.addTourPositions(c, arcs)
	return c
}

// addTourPositions gives each vertex a binary position that increases by one
// along the arcs of the tour. The positions have the minimal number of bits and
// wrap around. There are at least n positions. A cycle without vertex 0 would
// need a vertex for each position, so it cannot close.
func (t *tourGraph) addTourPositions(c *circuit, arcs []arc) {
	width := bits.Len(uint(t.n - 1))
	position, next := make([][]dimacs.Lit, t.n), make([][]dimacs.Lit, t.n)
	for u := range t.n {
		position[u] = constant(width, 0)
		if u > 0 {
			position[u] = c.inputs(width, t.position(u))
		}
		next[u] = c.addWord(position[u], constant(width, 1))
	}
	for _, a := range arcs {
		if a.to != 0 {
			c.equalIf(a.taken, next[a.from], position[a.to])
		}
	}
}

// position returns the position of a vertex along the tour, or 0 if no tour is
// known.
func (t *tourGraph) position(u int) uint64 {
	if t.tour == nil {
		return 0
	}
	return uint64(t.tour[u])
}

// equalIf adds clauses for "if condition, then a = b", where b has no
// constants.
func (c *circuit) equalIf(condition dimacs.Lit, a, b []dimacs.Lit) {
	for i := range a {
		switch a[i] {
		case one:
			c.f.Add(condition.Not(), b[i])
		case zero:
			c.f.Add(condition.Not(), b[i].Not())
		default:
			c.f.Add(condition.Not(), a[i].Not(), b[i])
			c.f.Add(condition.Not(), a[i], b[i].Not())
		}
	}
}
