package families

import (
	"sator/dimacs"
)

// Clique-coloring formulas: a graph with a clique of k vertices has no coloring
// with fewer than k colors, and the formula states that some graph has both. It
// is the pigeonhole principle composed with a graph. Every proof is
// exponentially long in resolution and in cutting planes (Pudlák); cutting
// planes have short proofs of the pigeonhole principle itself.
//
// Variables state which vertices are adjacent, which vertex is the i-th of the
// clique, and which color a vertex has.

var cliqueColoring = &Family{
	Name:   "clique-coloring",
	Help:   "clique-coloring: a graph with a clique and a coloring; unsatisfiable with fewer colors than the clique has vertices",
	Source: "Pudlák, Lower Bounds for Resolution and Cutting Plane Proofs and Monotone Computations, 1997",
	Params: []Param{
		{"vertices", Int, 8, 2, 2000, "vertices of the graph"},
		{"clique", Int, 4, 2, 200, "vertices of the clique"},
		{"colors", Int, 0, 0, 200, "number of colors; 0 for one less than the size of the clique"}},
	build: buildCliqueColoring,
}

func buildCliqueColoring(v Values, _ *rng) (*Instance, error) {
	if v["colors"] == 0 {
		v["colors"] = v["clique"] - 1
	}
	g := &cliqueGraph{v.int("vertices"), v.int("clique"), v.int("colors"), new(dimacs.Formula)}
	if _, err := count(g.size()); err != nil {
		return nil, err
	}
	g.addClique()
	g.addColors()
	inst := newInstance(g.f, dimacs.Unsatisfiable, "a graph of %d vertices with a clique of %d and a coloring with %d colors", g.n, g.clique, g.colors)
	if g.clique <= g.n && g.clique <= g.colors {
		inst.Answer, inst.Model = dimacs.Satisfiable, g.example()
	}
	return inst, nil
}

// A cliqueGraph builds a formula about a graph of n vertices, its clique and
// its coloring.
type cliqueGraph struct {
	n, clique, colors int
	f                 *dimacs.Formula
}

// edge returns the literal "two different vertices are adjacent".
func (g *cliqueGraph) edge(u, v int) dimacs.Lit { return edgeVar(u, v).Lit() }

// member returns the literal "vertex u is the i-th of the clique".
func (g *cliqueGraph) member(i, u int) dimacs.Lit {
	return dimacs.Var(g.n*(g.n-1)/2 + i*g.n + u).Lit()
}

// color returns the literal "vertex u has color c".
func (g *cliqueGraph) color(u, c int) dimacs.Lit {
	return g.member(g.clique, 0) + dimacs.Lit(2*(u*g.colors+c))
}

// size returns the number of clauses.
func (g *cliqueGraph) size() float64 {
	n, clique, colors := float64(g.n), float64(g.clique), float64(g.colors)
	return clique + n + choose(g.clique, 2)*(n+n*(n-1)) + choose(g.n, 2)*colors
}

// addClique states that each position of the clique has a vertex, and that the
// vertices of two positions are different and adjacent.
func (g *cliqueGraph) addClique() {
	for i := range g.clique {
		g.f.Add(literals(g.n, func(u int) dimacs.Lit { return g.member(i, u) })...)
	}
	for i := range g.clique {
		for j := range i {
			for u := range g.n {
				g.f.Add(g.member(j, u).Not(), g.member(i, u).Not())
				for w := range g.n {
					if u != w {
						g.f.Add(g.member(j, u).Not(), g.member(i, w).Not(), g.edge(u, w))
					}
				}
			}
		}
	}
}

// addColors states that each vertex has a color and that adjacent vertices have
// different ones.
func (g *cliqueGraph) addColors() {
	for u := range g.n {
		g.f.Add(literals(g.colors, func(k int) dimacs.Lit { return g.color(u, k) })...)
	}
	for u := range g.n {
		for w := range u {
			for k := range g.colors {
				g.f.Add(g.edge(w, u).Not(), g.color(w, k).Not(), g.color(u, k).Not())
			}
		}
	}
}

// example returns the model in which the first vertices form the clique, with
// distinct colors, and there are no other edges.
func (g *cliqueGraph) example() dimacs.Model {
	m := allFalse(g.f.Vars())
	for u := range g.n {
		if u >= g.clique {
			m.Set(g.color(u, 0))
			continue
		}
		m.Set(g.member(u, u))
		m.Set(g.color(u, u))
		for w := range u {
			m.Set(g.edge(w, u))
		}
	}
	return m
}

// edgeVar numbers the pairs of different numbers from 0.
func edgeVar(u, v int) dimacs.Var {
	if u > v {
		u, v = v, u
	}
	return dimacs.Var(v*(v-1)/2 + u)
}
