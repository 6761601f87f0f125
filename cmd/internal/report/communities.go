package report

import (
	"cmp"
	"fmt"
	"slices"

	"sator/cmd/internal/record"
	"sator/dimacs"
)

// Communities of the variable incidence graph: two variables are neighbors if a clause has
// both. Formulas from applications have communities, groups of variables with many edges
// inside and few between them (Ansotegui, Giraldez-Cru and Levy, "The community structure of
// SAT formulas", SAT 2012); uniform random ones have next to none. The modularity Q measures
// it: the share of the edges inside of communities, less the share that is expected if the
// edges are drawn at random between vertices of the same degrees.
//
// The Louvain method (Blondel and others, "Fast unfolding of communities in large networks",
// 2008) moves each vertex to the community of a neighbor where the modularity grows most,
// until no move helps, then makes each community a vertex, and so on. It visits the vertices in
// the order of their indices and computes with integers, so that the result is the same on
// every machine. As usual a clause of n literals spreads one unit of weight over its
// n(n-1)/2 edges; the unit is clauseWeight.
//
// The picture is the adjacency matrix with the variables in the order of their communities:
// communities are squares on the diagonal.

const (
	clauseWeight = 60      // a multiple of the edges of clauses with two to four literals
	longClause   = 40      // longer clauses are left out: they connect everything
	mostEdges    = 3 << 20 // keeps products of weights below 1<<62
)

// MostVariables is the largest number of variables for which Communities looks for them: more are
// too many to see, and to wait for.
const MostVariables = 20_000

// Matches reports whether a formula is the one that a recording describes, by their
// numbers of variables, literals and clauses of each size and kind.
func Matches(f *dimacs.Formula, l *record.Formula) bool {
	d := *record.Describe(f)
	d.Hash = l.Hash
	return d == *l
}

// A Partition is the community structure of a formula.
type Partition struct {
	Community  []int   // by variable; -1 for variables in no clause of two to 40 literals
	Sizes      []int   // by community, the largest first
	Modularity float64 // Q, at most 1
	edges      []edge  // of the graph
}

// An edge connects two variables.
type edge struct {
	a, b   int32 // a < b
	weight int64
}

// Communities returns the communities of the variables of a formula. It returns an error if
// the formula is too large for a picture. It takes time in proportion to the edges and the
// rounds, which are few.
func Communities(f *dimacs.Formula) (*Partition, error) {
	if f.Vars() > MostVariables {
		return nil, fmt.Errorf("the formula has %s variables, more than %s", count(f.Vars()), count(MostVariables))
	}
	edges, err := incidences(f)
	if err != nil {
		return nil, err
	}
	p := &Partition{Community: make([]int, f.Vars()), edges: edges}
	g := newGraph(f.Vars(), edges)
	for v := range p.Community {
		p.Community[v] = v
	}
	for {
		community, n := g.move()
		for v, c := range p.Community {
			p.Community[v] = community[c]
		}
		if n == len(g.self) {
			break
		}
		g = g.merged(community, n)
	}
	p.Modularity = g.modularity()
	p.number(f.Vars())
	return p, nil
}

// incidences returns the edges of the variable incidence graph, sorted, with sums of weights.
func incidences(f *dimacs.Formula) ([]edge, error) {
	var all []edge
	for _, c := range f.Clauses() {
		if len(c) < 2 || len(c) > longClause {
			continue
		}
		w := max(1, clauseWeight/int64(len(c)*(len(c)-1)/2))
		for i, x := range c {
			for _, y := range c[:i] {
				a, b := int32(x>>1), int32(y>>1)
				if a != b {
					all = append(all, edge{min(a, b), max(a, b), w})
				}
			}
		}
		if len(all) > mostEdges {
			return nil, fmt.Errorf("the clauses have more than %s pairs of variables", count(mostEdges))
		}
	}
	slices.SortFunc(all, func(x, y edge) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return summed(all), nil
}

// summed joins equal edges of a sorted list, in place.
func summed(all []edge) []edge {
	kept := all[:0]
	for _, e := range all {
		if n := len(kept); n > 0 && kept[n-1].a == e.a && kept[n-1].b == e.b {
			kept[n-1].weight += e.weight
		} else {
			kept = append(kept, e)
		}
	}
	return kept
}

// number numbers the communities by size, and takes isolated variables out.
func (p *Partition) number(vars int) {
	connected := make([]bool, vars)
	for _, e := range p.edges {
		connected[e.a], connected[e.b] = true, true
	}
	size := make([]int, vars)
	var communities []int // in the order of their first variables
	for v, c := range p.Community {
		if !connected[v] {
			continue
		}
		if size[c]++; size[c] == 1 {
			communities = append(communities, c)
		}
	}
	slices.SortStableFunc(communities, func(a, b int) int { return size[b] - size[a] })
	rank := make([]int, vars)
	for i, c := range communities {
		rank[c] = i
		p.Sizes = append(p.Sizes, size[c])
	}
	for v, c := range p.Community {
		if p.Community[v] = -1; connected[v] {
			p.Community[v] = rank[c]
		}
	}
}

// A graph is an undirected graph with weights. The neighbors of v are to[start[v]:start[v+1]].
type graph struct {
	start  []int
	to     []int32
	weight []int64
	self   []int64 // twice the weight of the edges inside of a vertex
	degree []int64 // sum of the weights at a vertex, self included
	total  int64   // sum of the degrees
}

func newGraph(n int, edges []edge) *graph {
	g := &graph{start: make([]int, n+1), self: make([]int64, n), degree: make([]int64, n)}
	for _, e := range edges {
		g.start[e.a+1]++
		g.start[e.b+1]++
	}
	for v := range n {
		g.start[v+1] += g.start[v]
	}
	g.to, g.weight = make([]int32, 2*len(edges)), make([]int64, 2*len(edges))
	next := slices.Clone(g.start)
	put := func(from, to int32, w int64) {
		g.to[next[from]], g.weight[next[from]] = to, w
		next[from]++
		g.degree[from] += w
		g.total += w
	}
	for _, e := range edges {
		put(e.a, e.b, e.weight)
		put(e.b, e.a, e.weight)
	}
	return g
}

// move moves vertices between communities until no move makes the modularity larger. It
// returns the community of each vertex, and the number of communities.
func (g *graph) move() (community []int, n int) {
	vertices := len(g.self)
	community = make([]int, vertices)
	sum := slices.Clone(g.degree) // of the degrees in a community
	for v := range community {
		community[v] = v
	}
	near := make([]int64, vertices) // weight between a vertex and a community
	var seen []int
	for moved := true; moved; {
		moved = false
		for v := range vertices {
			seen = seen[:0]
			for i := g.start[v]; i < g.start[v+1]; i++ {
				c := community[g.to[i]]
				if near[c] == 0 {
					seen = append(seen, c)
				}
				near[c] += g.weight[i]
			}
			old := community[v]
			sum[old] -= g.degree[v]
			// The gain of community c is near[c]/total - degree*sum[c]/total², here times total².
			gain := func(c int) int64 { return near[c]*g.total - g.degree[v]*sum[c] }
			best, most := old, gain(old)
			for _, c := range seen {
				if x := gain(c); x > most {
					best, most = c, x
				}
			}
			sum[best] += g.degree[v]
			community[v] = best
			moved = moved || best != old
			for _, c := range seen {
				near[c] = 0
			}
		}
	}
	return renumbered(community)
}

// renumbered numbers the communities from 0 in the order of their first vertices.
func renumbered(community []int) (all []int, n int) {
	number := make([]int, len(community))
	for _, c := range community {
		if number[c] == 0 {
			n++
			number[c] = n
		}
	}
	for v, c := range community {
		community[v] = number[c] - 1
	}
	return community, n
}

// merged returns the graph with the n communities as vertices.
func (g *graph) merged(community []int, n int) *graph {
	var edges []edge
	self := make([]int64, n)
	for v, c := range community {
		self[c] += g.self[v]
		for i := g.start[v]; i < g.start[v+1]; i++ {
			switch d := community[g.to[i]]; {
			case c == d:
				self[c] += g.weight[i]
			case c < d:
				edges = append(edges, edge{int32(c), int32(d), g.weight[i]})
			}
		}
	}
	slices.SortFunc(edges, func(x, y edge) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	m := newGraph(n, summed(edges))
	for c, w := range self {
		m.self[c] = w
		m.degree[c] += w
		m.total += w
	}
	return m
}

// modularity returns Q of the partition in which each vertex is a community.
func (g *graph) modularity() float64 {
	if g.total == 0 {
		return 0
	}
	q := 0.0
	for v, w := range g.self {
		share := float64(g.degree[v]) / float64(g.total)
		q += float64(w)/float64(g.total) - share*share
	}
	return q
}
