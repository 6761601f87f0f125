package families

import (
	"sator/dimacs"
)

// Dominating set: a set of at most k vertices of a graph such that each vertex is in the set
// or adjacent to one of it. Variable e(i,v) states that v is element i of the set; no element
// is two vertices. n vertices have k n variables and n + k C(n,2) clauses; each permutation
// of the elements gives another model.
//
// A vertex of degree d dominates d+1 vertices, so that a set of less than n/(d+1) vertices is
// too small. A set that is found greedily shows that the formula is satisfiable for its size
// and more. In between the answer is unknown, but a cycle has a dominating set of k vertices
// if and only if k is at least n/3.

var dominating = &Family{
	Name:   "dominating",
	Help:   "dominating set of a random regular graph or a cycle; unsatisfiable if it is too small",
	Source: "Berge, The Theory of Graphs and Its Applications, 1962",
	Params: []Param{
		{"vertices", Int, 24, 4, 1 << 20, "number of vertices"},
		{"degree", Int, 3, 3, 16, "degree of the vertices of a random graph"},
		{"size", Int, 0, 0, 10000, "size of the set; 0 for one less than n/(d+1), rounded up"},
		{"cycle", Switch, 0, 0, 1, "take a cycle, of degree 2, instead of a random graph"}},
	build: buildDominating,
}

func buildDominating(v Values, r *rng) (*Instance, error) {
	n, d := v.int("vertices"), v.int("degree")
	if v.on("cycle") {
		delete(v, "degree")
		d = 2
	} else if err := checkRegular(n, d); err != nil {
		return nil, err
	}
	least := (n + d) / (d + 1)
	if v["size"] == 0 {
		v["size"] = float64(max(1, least-1))
	}
	k := v.int("size")
	if _, err := count(float64(n) + float64(k)*choose(n, 2)); err != nil {
		return nil, err
	}
	g, set := cycle(n), []int(nil)
	if v.on("cycle") {
		for u := 0; u < n; u += 3 {
			set = append(set, u)
		}
	} else {
		g = r.regular(n, d)
		set = g.greedyDominating()
	}
	inst := newInstance(dominatingFormula(g, k), dimacs.Unknown, "dominating set of %d vertices in a %s of %d vertices, each of degree %d", k, map[bool]string{false: "random connected graph", true: "cycle"}[v.on("cycle")], n, d)
	switch {
	case len(set) <= k:
		inst.Answer, inst.Model = dimacs.Satisfiable, allFalse(n*k)
		for i, u := range set {
			inst.Model[i*n+u] = dimacs.True
		}
	case k < least:
		inst.Answer = dimacs.Unsatisfiable
	}
	return inst, nil
}

// cycle returns a cycle of n vertices.
func cycle(n int) *graph {
	g := &graph{2, nil, make([]dimacs.Var, 2*n), make([]int, n)}
	for u := range n {
		g.join(uint32(u), uint32((u+1)%n))
	}
	return g
}

// dominatingFormula states that k vertices dominate the graph.
func dominatingFormula(g *graph, k int) *dimacs.Formula {
	n := len(g.used)
	f := dimacs.NewFormula(n * k)
	for u := range n {
		var c []dimacs.Lit
		for i := range k {
			c = append(c, dimacs.Var(i*n+u).Lit())
			for _, e := range g.edges(u) {
				c = append(c, dimacs.Var(i*n+g.other(e, u)).Lit())
			}
		}
		f.Add(c...)
	}
	for i := range k {
		addAtMostOne(f, literals(n, func(u int) dimacs.Lit { return dimacs.Var(i*n + u).Lit() }))
	}
	return f
}

// greedyDominating returns a dominating set: vertices that dominate most new ones first.
// The time is quadratic in the vertices.
func (g *graph) greedyDominating() []int {
	n := len(g.used)
	done := make([]bool, n)
	var set []int
	for left := n; left > 0; {
		best, most := 0, 0
		for u := range n {
			if gain := g.gain(u, done); gain > most {
				best, most = u, gain
			}
		}
		set = append(set, best)
		left -= most
		done[best] = true
		for _, e := range g.edges(best) {
			done[g.other(e, best)] = true
		}
	}
	return set
}

// gain returns the number of vertices that u dominates and that are not done.
func (g *graph) gain(u int, done []bool) int {
	gain := 0
	if !done[u] {
		gain++
	}
	for _, e := range g.edges(u) {
		if !done[g.other(e, u)] {
			gain++
		}
	}
	return gain
}
