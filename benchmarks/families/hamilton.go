package families

import (
	"fmt"
	"math"
	"math/bits"

	"sator/dimacs"
)

// Hamiltonian cycles: a tour along the edges of a graph that visits each vertex
// once. By default the graph is a random cycle with other edges added. Random
// cubic graphs almost always have a tour (Robinson and Wormald, Almost All Cubic
// Graphs Are Hamiltonian, 1992), and it is not planted. Generalized Petersen
// graphs, two rings of n vertices joined by spokes, the inner one going round in
// steps of two, have none if n is 5 modulo 6 (Alspach, The Classification of
// Hamiltonian Generalized Petersen Graphs, 1983).
//
// A variable for each direction of an edge says that the tour goes along it. The
// tour enters and leaves each vertex once. So far there may be several tours
// that share the vertices. Each vertex also has a number in binary, vertex 0 has
// zero, and along the tour numbers go up by one, so that only a tour through
// vertex 0 can close.

var hamilton = &Family{
	Name:   "hamilton",
	Help:   "a tour through all vertices of a graph",
	Source: "Zhou, In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem, CP 2020",
	Params: []Param{
		{"vertices", Int, 30, 4, 1 << 20, "vertices of the graph"},
		{"ratio", Real, 2, 1, 1000, "edges for each vertex"},
		{"cubic", Switch, 0, 0, 1, "a random graph with three edges at each vertex, without a planted tour"},
		{"petersen", Int, 0, 0, 1 << 20, "a generalized Petersen graph with rings of N vertices; unsatisfiable if N mod 6 is 5"}},
	build: buildHamilton,
}

func buildHamilton(v Values, r *source) (*Instance, error) {
	t, what, err := r.touring(v)
	if err != nil {
		return nil, err
	}
	c := t.formula()
	inst := &Instance{Formula: c.f, Comments: []string{
		"a tour through " + what,
		"variables from 1 on: for each edge its two directions",
	}}
	switch {
	case t.tour != nil:
		inst.Answer, inst.Model = dimacs.Satisfiable, c.model
	case v["petersen"] != 0:
		inst.Answer = verdict(v.int("petersen")%6 != 5)
	}
	return inst, nil
}

// A touring is a graph and a tour through it, if one is known: the number of
// each vertex along it, from 0 at vertex 0.
type touring struct {
	n     int
	edges [][2]int
	tour  []int
}

// touring returns the graph that v asks for, and what it is. It drops from v
// what does not matter.
func (r *source) touring(v Values) (*touring, string, error) {
	n := v.int("vertices")
	switch {
	case v["petersen"] != 0 && v.on("cubic"):
		return nil, "", fmt.Errorf("petersen and cubic exclude each other")
	case v["petersen"] != 0 && v["petersen"] < 5:
		return nil, "", fmt.Errorf("petersen is %d, not at least 5: the inner ring goes in steps of two", v.int("petersen"))
	case v["petersen"] != 0:
		delete(v, "vertices")
		delete(v, "ratio")
		return petersen(v.int("petersen")), fmt.Sprintf("the generalized Petersen graph of %d and 2", v.int("petersen")), nil
	case v.on("cubic") && n%2 != 0:
		return nil, "", fmt.Errorf("vertices %d times degree 3 is odd, and no graph has half an edge", n)
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

func petersen(n int) *touring {
	t := &touring{n: 2 * n}
	for i := range n {
		t.edges = append(t.edges, [2]int{i, (i + 1) % n}, [2]int{i, n + i}, [2]int{n + i, n + (i+2)%n})
	}
	return t
}

func (r *source) cubic(n int) *touring {
	t := &touring{n: n}
	for _, e := range r.regular(n, 3).ends {
		t.edges = append(t.edges, [2]int{int(e[0]), int(e[1])})
	}
	return t
}

// planted returns a random graph of n vertices and m edges with a tour.
func (r *source) planted(n, m int) (*touring, error) {
	t := &touring{n: n, tour: make([]int, n)}
	order := make([]int, n) // the vertices along the tour
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
		return nil, fmt.Errorf("beside the tour %w", err)
	}
	t.edges = append(t.edges, more...)
	shuffle(r, t.edges)
	for i, e := range t.edges {
		t.edges[i] = [2]int{min(e[0], e[1]), max(e[0], e[1])}
	}
	return t, nil
}

// An arc is a direction of an edge, which the tour takes or not.
type arc struct {
	from, to int
	taken    dimacs.Lit
}

// formula returns the formula as a circuit, whose values are a model if there is
// a tour.
func (t *touring) formula() *circuit {
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
	t.addNumbers(c, arcs)
	return c
}

// addNumbers gives each vertex a number, and says that along the arcs taken it
// goes up by one. With as many bits as the last number needs, a ring of vertices
// without vertex 0 cannot close although numbers start over after the highest:
// it would have to have all of them.
func (t *touring) addNumbers(c *circuit, arcs []arc) {
	width := bits.Len(uint(t.n - 1))
	number, next := make([][]dimacs.Lit, t.n), make([][]dimacs.Lit, t.n)
	for u := range t.n {
		number[u] = constant(width, 0)
		if u > 0 {
			number[u] = c.inputs(width, t.number(u))
		}
		next[u] = c.addWord(number[u], constant(width, 1))
	}
	for _, a := range arcs {
		if a.to != 0 {
			c.equalIf(a.taken, next[a.from], number[a.to])
		}
	}
}

// number returns the place of a vertex along the tour, if there is one.
func (t *touring) number(u int) uint64 {
	if t.tour == nil {
		return 0
	}
	return uint64(t.tour[u])
}

// equalIf adds the clauses which say that numbers of the same length are equal
// if a wire is 1. The second one has no constants.
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
