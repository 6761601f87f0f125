package families

import (
	"fmt"

	"sator/dimacs"
)

// Tseitin formulas: every edge of a graph is a variable and every vertex has a
// charge of 0 or 1. The formula states for each vertex that the XOR of its
// edges is its charge. Each edge occurs at two vertices, so on a connected
// graph the formula is satisfiable if and only if the sum of the charges is
// even.
//
// Gaussian elimination decides these formulas immediately. On random regular
// graphs, which are expanders, every resolution proof is exponentially long
// (Urquhart). A vertex of degree d has 2^(d-1) clauses of d literals.
//
// Tseitin's own graphs were grids. On a grid of n rows and at least n columns,
// the length of proofs is exponential in n only (Dantchev and Riis, Planar
// Tautologies Hard for Resolution, 2001): a solver can proceed from left to
// right and remember one column at a time, so a long grid of few rows is easy
// with the right variable order.

var tseitin = &Family{
	Name:   "tseitin",
	Help:   "Tseitin formulas (parity constraints) on a random regular graph or a grid; unsatisfiable if the charge is odd",
	Source: "Urquhart, Hard Examples for Resolution, 1987",
	Params: []Param{
		{"vertices", Int, 20, 4, 1 << 24, "number of vertices"},
		{"degree", Int, 3, 3, 16, "degree of the vertices"},
		{"rows", Int, 0, 0, 1 << 12, "rows of a grid, instead of a random graph"},
		{"columns", Int, 0, 0, 1 << 20, "columns of the grid; 0 for the number of rows"},
		{"even", Switch, 0, 0, 1, "make the sum of the charges even; satisfiable"}},
	build: buildTseitin,
}

func buildTseitin(v Values, r *rng) (*Instance, error) {
	g, description, err := r.graph(v)
	if err != nil {
		return nil, err
	}
	n := len(g.used)
	charges := r.charges(n, !v.on("even"))
	inst := newInstance(dimacs.NewFormula(len(g.ends)), dimacs.Unsatisfiable, "Tseitin formula: %s, and %s charge", description, map[bool]string{false: "odd", true: "even"}[v.on("even")])
	for u := range n {
		addParity(inst.Formula, g.edges(u), charges[u])
	}
	if v.on("even") {
		inst.Answer, inst.Model = dimacs.Satisfiable, g.modelOf(charges)
	}
	return inst, nil
}

// graph returns the requested graph and its description.
func (r *rng) graph(v Values) (*graph, string, error) {
	if v["rows"] != 0 || v["columns"] != 0 {
		return gridOf(v)
	}
	n, d := v.int("vertices"), v.int("degree")
	if err := checkRegular(n, d); err != nil {
		return nil, "", err
	}
	if _, err := count(float64(n) * float64(int(1)<<(d-1))); err != nil {
		return nil, "", err
	}
	return r.regular(n, d), fmt.Sprintf("a random connected graph of %d vertices, each of degree %d", n, d), nil
}

// checkRegular returns an error if no simple graph of n vertices has degree d.
func checkRegular(n, d int) error {
	switch {
	case n*d%2 != 0:
		return fmt.Errorf("vertices %d times degree %d is odd: want an even number of edge ends", n, d)
	case n <= d:
		return fmt.Errorf("degree %d requires more than %d vertices", d, n)
	}
	return nil
}

// gridOf returns the requested grid and its description. It deletes the
// parameters of random graphs from v.
func gridOf(v Values) (*graph, string, error) {
	if v["columns"] == 0 {
		v["columns"] = v["rows"]
	}
	rows, columns := v.int("rows"), v.int("columns")
	switch {
	case rows == 0:
		return nil, "", fmt.Errorf("columns is %d, but rows is not set", columns)
	case rows*columns == 1:
		return nil, "", fmt.Errorf("a grid of one vertex has no edges")
	}
	if _, err := count(8 * float64(rows) * float64(columns)); err != nil {
		return nil, "", err
	}
	delete(v, "vertices")
	delete(v, "degree")
	return grid(rows, columns), fmt.Sprintf("a grid of %d rows and %d columns", rows, columns), nil
}

// charges returns n random charges with an odd or even sum.
func (r *rng) charges(n int, odd bool) []bool {
	cs := make([]bool, n)
	sum := false
	for u := range n - 1 {
		cs[u] = r.flip()
		sum = sum != cs[u]
	}
	cs[n-1] = sum != odd
	return cs
}

// addParity adds an XOR constraint, without auxiliary variables: a clause for
// each assignment of the wrong parity.
func addParity(f *dimacs.Formula, edges []dimacs.Var, odd bool) {
	for _, c := range xorLiteral(len(edges), odd) {
		for i, e := range edges {
			c[i] = e.Lit() ^ c[i]&1
		}
		f.Add(c...)
	}
}

// A graph is a graph of bounded degree whose edges are variables.
type graph struct {
	degree int
	ends   [][2]uint32  // by edge: its two vertices
	at     []dimacs.Var // the edges of vertex u start at index u*degree
	used   []int        // number of edges of each vertex so far
}

// edges returns the edges of u.
func (g *graph) edges(u int) []dimacs.Var { return g.at[u*g.degree : u*g.degree+g.used[u]] }

// other returns the end of e other than u.
func (g *graph) other(e dimacs.Var, u int) int {
	return int(g.ends[e][0]) + int(g.ends[e][1]) - u
}

// join adds an edge.
func (g *graph) join(u, v uint32) {
	for _, w := range [2]uint32{u, v} {
		g.at[int(w)*g.degree+g.used[w]] = dimacs.Var(len(g.ends))
		g.used[w]++
	}
	g.ends = append(g.ends, [2]uint32{u, v})
}

// joinable reports whether u and v are different and not adjacent.
func (g *graph) joinable(u, v uint32) bool {
	for _, e := range g.edges(int(u)) {
		if g.other(e, int(u)) == int(v) {
			return false
		}
	}
	return u != v
}

// grid returns a grid graph with its vertices numbered row by row.
func grid(rows, columns int) *graph {
	n := rows * columns
	g := &graph{4, make([][2]uint32, 0, 2*n), make([]dimacs.Var, 4*n), make([]int, n)}
	for u := range n {
		if u%columns+1 < columns {
			g.join(uint32(u), uint32(u+1))
		}
		if u+columns < n {
			g.join(uint32(u), uint32(u+columns))
		}
	}
	return g
}

// regular returns a random simple connected graph of n vertices of degree d, 3
// <= d < n, with n*d even. For fixed d the distribution is asymptotically
// uniform, and almost all random regular graphs are connected.
func (r *rng) regular(n, d int) *graph {
	for {
		if g := r.pairing(n, d); g != nil && len(g.tree()) == n {
			return g
		}
	}
}

// pairing generates a regular graph by random pairing of edge ends; pairs that
// would give a loop or a duplicate edge are paired again in the next round
// (Steger and Wormald, Generating Random Regular Graphs Quickly, 1999). It
// returns nil if no remaining pair is possible.
func (r *rng) pairing(n, d int) *graph {
	g := &graph{d, make([][2]uint32, 0, n*d/2), make([]dimacs.Var, n*d), make([]int, n)}
	stubs := make([]uint32, n*d)
	for i := range stubs {
		stubs[i] = uint32(i / d)
	}
	for len(stubs) > 0 {
		shuffle(r, stubs)
		left := stubs[:0]
		for i := 0; i < len(stubs); i += 2 {
			if u, v := stubs[i], stubs[i+1]; g.joinable(u, v) {
				g.join(u, v)
			} else {
				left = append(left, u, v)
			}
		}
		if len(left) == len(stubs) && g.stuck(left) {
			return nil
		}
		stubs = left
	}
	return g
}

// stuck reports whether no two of the vertices can be joined.
func (g *graph) stuck(stubs []uint32) bool {
	for i, u := range stubs {
		for _, v := range stubs[:i] {
			if g.joinable(u, v) {
				return false
			}
		}
	}
	return true
}

// A step of a search reaches a vertex by an edge.
type step struct {
	vertex int
	edge   dimacs.Var
}

// tree returns the breadth-first spanning tree of the component of vertex 0:
// its vertices in order of discovery, each with the edge to its parent. The
// edge of the first step is meaningless.
func (g *graph) tree() []step {
	seen := make([]bool, len(g.used))
	seen[0] = true
	steps := make([]step, 1, len(g.used))
	for i := 0; i < len(steps); i++ {
		u := steps[i].vertex
		for _, e := range g.edges(u) {
			if v := g.other(e, u); !seen[v] {
				seen[v] = true
				steps = append(steps, step{v, e})
			}
		}
	}
	return steps
}

// modelOf returns an assignment of the edges with the given charges, on a
// connected graph with an even sum of charges: edges outside a spanning tree
// are 0, and the tree edges are determined from the leaves to the root.
func (g *graph) modelOf(charges []bool) dimacs.Model {
	m := allFalse(len(g.ends))
	lacks := append([]bool(nil), charges...)
	steps := g.tree()
	for i := len(steps) - 1; i > 0; i-- {
		if u, e := steps[i].vertex, steps[i].edge; lacks[u] {
			m[e] = dimacs.True
			above := g.other(e, u)
			lacks[above] = !lacks[above]
		}
	}
	return m
}
