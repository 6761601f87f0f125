package count

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Tree decompositions. Variables near the root of a tree decomposition of the formula split it
// into small parts, so the order prefers them (Korhonen and Järvisalo, "Integrating tree
// decompositions into decision heuristics of propositional model counters", CP 2021; their counter
// gets its decompositions from FlowCutter, ours come from an elimination order). The variables
// are eliminated one by one, next one of least degree in the graph with an edge between any two variables
// of a clause; its neighbors become a clique. Variables that are not counted come first, as the search decides
// them last. Ties are broken at random, many times, and the order of least
// width is taken. The bag of a variable has it and its
// neighbors at that time, and its parent is the bag of the neighbor eliminated next. The largest bag
// less one is the width. The root is the centroid: the bag without which no part has more than half of
// all variables.

const (
	decomposeTries = 100         // before a search that may be long; 1 before a quick one
	decomposeSteps = 100_000_000 // of one try, in edges visited; a formula that needs more has no small width
	retrySteps     = 20_000_000  // of all tries together: no further one begins when they are over
	decomposeEdges = 10_000_000  // of the cliques of all clauses: one of 3,000 literals has no small width
)

// A decomposition is a tree of bags, one for each variable.
type decomposition struct {
	bags   [][]uint32 // by variable: the others of its bag
	parent []int32    // by variable: the variable of the parent of its bag, or -1
	order  []uint32
	width  int
}

// ranks returns for each variable the bonus in its score: more near the root, and
// more if the width is small beside the number of variables.
func ranks(ctx context.Context, vars int, clauses [][]lit, counted []bool, tries int) []float64 {
	d := best(ctx, vars, clauses, counted, tries)
	if d == nil {
		return nil
	}
	depth, deepest := d.depths()
	weight := min(1e7, rankWeight*math.Exp(float64(len(d.order))/float64(max(1, d.width)))/float64(vars))
	rank := make([]float64, vars)
	for v := range rank {
		rank[v] = weight * (1 - float64(depth[v])/float64(deepest+1))
	}
	return rank
}

const rankWeight = 100

// best returns the decomposition of least width in a number of tries, or nil.
func best(ctx context.Context, vars int, clauses [][]lit, counted []bool, tries int) (best *decomposition) {
	edges := int64(0)
	for _, c := range clauses {
		edges += int64(len(c)) * int64(len(c))
	}
	r := rand.New(rand.NewPCG(1, 1))
	for all := 0; edges < decomposeEdges && tries > 0 && all < retrySteps && ctx.Err() == nil; tries-- {
		most, steps := vars, decomposeSteps
		if best != nil {
			most = best.width - 1
		}
		g := newGraph(vars, clauses, counted, r)
		if d := decompose(ctx, g, most, &steps); d != nil {
			best = d
		}
		all += decomposeSteps - steps + 10*g.edges
	}
	return best
}

// decompose eliminates all variables. It returns nil if that takes too many steps, or if the
// width exceeds most.
func decompose(ctx context.Context, g *graph, most int, steps *int) *decomposition {
	d := &decomposition{bags: g.adjacent, parent: make([]int32, len(g.adjacent))}
	place := make([]int32, len(g.adjacent))
	for v, ok := g.next(); ok; v, ok = g.next() {
		d.width = max(d.width, g.degree[v])
		if *steps <= 0 || d.width > most || ctx.Err() != nil {
			return nil
		}
		place[v] = int32(len(d.order))
		d.order = append(d.order, v)
		*steps -= g.eliminate(v)
	}
	for _, v := range d.order {
		d.parent[v] = -1
		for _, w := range d.bags[v] {
			if p := d.parent[v]; p < 0 || place[w] < place[p] {
				d.parent[v] = int32(w)
			}
		}
	}
	return d
}

// depths returns for each variable the least depth of a bag that has it, under the centroid of its
// tree: the first bag with half of the tree's variables below.
func (d *decomposition) depths() (depth []int32, deepest int32) {
	size, all := make([]int, len(d.parent)), make([]int, len(d.parent)) // of the part below a bag, and of its tree
	tree := make([][]uint32, len(d.parent))
	for _, v := range d.order { // parents come later
		size[v]++
		if p := d.parent[v]; p >= 0 {
			size[p] += size[v]
			tree[p], tree[v] = append(tree[p], v), append(tree[v], uint32(p))
		}
	}
	for _, v := range slices.Backward(d.order) {
		if all[v] = size[v]; d.parent[v] >= 0 {
			all[v] = all[d.parent[v]]
		}
	}
	depth, bags := slices.Repeat([]int32{-1}, len(d.parent)), slices.Repeat([]int32{-1}, len(d.parent))
	for _, root := range d.order {
		if 2*size[root] < all[root] || bags[root] >= 0 {
			continue
		}
		bags[root] = 0
		for queue := []uint32{root}; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			deepest = max(deepest, bags[v])
			for _, w := range append(d.bags[v], v) {
				if depth[w] < 0 {
					depth[w] = bags[v]
				}
			}
			for _, w := range tree[v] {
				if bags[w] < 0 {
					bags[w] = bags[v] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	return depth, deepest
}

// A graph is the one that an elimination changes. Its vertices are in buckets, in the order of elimination.
type graph struct {
	adjacent [][]uint32 // sorted; may have eliminated vertices
	degree   []int      // of vertices that are not eliminated
	last     []bool     // vertices that are eliminated after the others; nil for none
	buckets  [][]uint32 // see bucket; moved and eliminated vertices are skipped
	edges    int        // at the start, each counted twice
	gone     []bool
	least    int
	random   *rand.Rand
	scratch  []uint32
}

func newGraph(vars int, clauses [][]lit, last []bool, r *rand.Rand) *graph {
	g := &graph{random: r, last: last, adjacent: make([][]uint32, vars), degree: make([]int, vars), gone: make([]bool, vars), buckets: make([][]uint32, 1)}
	for _, c := range clauses {
		for i, l := range c {
			for _, m := range c[:i] {
				g.adjacent[l>>1] = append(g.adjacent[l>>1], uint32(m>>1))
				g.adjacent[m>>1] = append(g.adjacent[m>>1], uint32(l>>1))
			}
		}
	}
	for v := range uint32(vars) {
		slices.Sort(g.adjacent[v])
		g.adjacent[v] = slices.Clip(slices.Compact(g.adjacent[v]))
		g.edges += len(g.adjacent[v])
		g.file(v, len(g.adjacent[v]))
	}
	return g
}

// bucket returns the bucket of a vertex: its degree, or more for a last one.
func (g *graph) bucket(v uint32) int {
	if g.last != nil && g.last[v] {
		return g.degree[v] + len(g.adjacent)
	}
	return g.degree[v]
}

// file puts a vertex into the bucket of its degree, n.
func (g *graph) file(v uint32, n int) {
	g.degree[v] = n
	b := g.bucket(v)
	for len(g.buckets) <= b {
		g.buckets = append(g.buckets, nil)
	}
	g.buckets[b] = append(g.buckets[b], v)
	g.least = min(g.least, b)
}

// next removes any vertex of the first bucket.
func (g *graph) next() (v uint32, ok bool) {
	for ; g.least < len(g.buckets); g.least++ {
		for b := g.buckets[g.least]; len(b) > 0; b = g.buckets[g.least] {
			i := g.random.IntN(len(b))
			v, b[i] = b[i], b[len(b)-1]
			g.buckets[g.least] = b[:len(b)-1]
			if !g.gone[v] && g.bucket(v) == g.least {
				return v, true
			}
		}
	}
	return 0, false
}

// eliminate makes the neighbors of v a clique without v, and returns the number of steps. A single neighbor
// keeps v in its list, so that the center of a star is not copied for each leaf.
func (g *graph) eliminate(v uint32) (steps int) {
	g.gone[v] = true
	clique := slices.DeleteFunc(g.adjacent[v], func(w uint32) bool { return g.gone[w] })
	g.adjacent[v] = clique
	if len(clique) == 1 {
		g.file(clique[0], g.degree[clique[0]]-1)
		return 100
	}
	for _, w := range clique {
		steps += len(g.adjacent[w]) + len(clique)
		g.scratch = union(g.scratch[:0], g.adjacent[w], clique)
		g.adjacent[w] = append(g.adjacent[w][:0], slices.DeleteFunc(g.scratch, func(x uint32) bool { return x == w || g.gone[x] })...)
		g.file(w, len(g.adjacent[w]))
	}
	return 100 + steps
}

// union appends the members of two sorted sets to one.
func union(to, a, b []uint32) []uint32 {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			to, a = append(to, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			to, b = append(to, b[0]), b[1:]
		default:
			to, a, b = append(to, a[0]), a[1:], b[1:]
		}
	}
	return to
}
