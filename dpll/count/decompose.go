package count

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Tree decompositions. Variables near the root of a tree decomposition of the formula split it
// into small parts, so the order prefers them (Korhonen and Järvisalo, "Integrating tree
// decompositions into decision heuristics of propositional model counters", CP 2021; their counter
// gets its decompositions from FlowCutter, ours come from an elimination order). The variables
// are eliminated one by one, next one of least degree in the graph whose edges join variables
// of a clause; its neighbors become a clique. Ties are broken at random, many times, and the order of least
// width is taken. The bag of a variable has it and its
// neighbors at that time, and its parent is the bag of the neighbor eliminated next. The largest bag
// less one is the width. The root is the centroid: the bag without which no part has more than half of
// all variables.

const (
	decomposeTries = 100         // before a search that may be long; 1 before a quick one
	decomposeSteps = 100_000_000 // of one try, in edges visited; a formula that needs more has no small width
	retrySteps     = 20_000_000  // of all tries together: no further one begins when they are over
)

// A decomposition is a tree of bags, one for each variable.
type decomposition struct {
	bags   [][]uint32 // by variable: the others of its bag
	parent []int32    // by variable: the variable of the parent of its bag, or -1
	order  []uint32
	width  int
}

// ranks returns for each variable what the order adds to its score: more for those near the root, and
// more if the width is small beside the number of variables.
func ranks(vars int, clauses [][]lit, tries int) []float64 {
	d := best(vars, clauses, tries)
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
func best(vars int, clauses [][]lit, tries int) (best *decomposition) {
	r := rand.New(rand.NewPCG(1, 1))
	for all := 0; tries > 0 && all < retrySteps; tries-- {
		most, steps := vars, decomposeSteps
		if best != nil {
			most = best.width - 1
		}
		g := newGraph(vars, clauses, r)
		if d := decompose(g, most, &steps); d != nil {
			best = d
		}
		all += decomposeSteps - steps + 10*g.edges
	}
	return best
}

// decompose eliminates all variables. It returns nil if that takes too many steps, or if the
// width exceeds most.
func decompose(g *graph, most int, steps *int) *decomposition {
	d := &decomposition{bags: g.adjacent, parent: make([]int32, len(g.adjacent))}
	place := make([]int32, len(g.adjacent))
	for v, ok := g.next(); ok; v, ok = g.next() {
		degree := len(d.bags[v])
		d.width = max(d.width, degree)
		if *steps -= 100 + degree*degree; *steps <= 0 || degree > most {
			return nil
		}
		place[v] = int32(len(d.order))
		d.order = append(d.order, v)
		g.eliminate(v)
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

// depths returns the depths of all variables under the centroid: that of the first bag that has them.
func (d *decomposition) depths() (depth []int32, deepest int32) {
	size := make([]int, len(d.parent))
	for _, v := range d.order { // parents come later
		size[v]++
		if p := d.parent[v]; p >= 0 {
			size[p] += size[v]
		}
	}
	return d.below(d.centroids(size))
}

// centroids returns the centroid of each tree: its first bag with half of all variables below.
func (d *decomposition) centroids(size []int) []uint32 {
	tree := make([]int32, len(d.parent)) // by variable: its root
	found := make([]bool, len(d.parent)) // by root
	for _, v := range slices.Backward(d.order) {
		if tree[v] = int32(v); d.parent[v] >= 0 {
			tree[v] = tree[d.parent[v]]
		}
	}
	var all []uint32
	for _, v := range d.order {
		if r := tree[v]; !found[r] && 2*size[v] >= size[r] {
			found[r] = true
			all = append(all, v)
		}
	}
	return all
}

// below returns the depths under these roots.
func (d *decomposition) below(roots []uint32) (depth []int32, deepest int32) {
	children := make([][]uint32, len(d.parent))
	for _, v := range d.order {
		if p := d.parent[v]; p >= 0 {
			children[p] = append(children[p], v)
		}
	}
	depth = make([]int32, len(d.parent))
	for v := range depth {
		depth[v] = -1
	}
	type bag struct {
		v     uint32
		depth int32
	}
	var queue []bag
	for _, v := range roots {
		queue = append(queue, bag{v, 0})
	}
	visited := make([]bool, len(d.parent))
	for i := 0; i < len(queue); i++ {
		b := queue[i]
		if visited[b.v] {
			continue
		}
		visited[b.v] = true
		deepest = max(deepest, b.depth)
		if depth[b.v] < 0 {
			depth[b.v] = b.depth
		}
		for _, w := range d.bags[b.v] {
			if depth[w] < 0 {
				depth[w] = b.depth
			}
		}
		if p := d.parent[b.v]; p >= 0 {
			queue = append(queue, bag{uint32(p), b.depth + 1})
		}
		for _, w := range children[b.v] {
			queue = append(queue, bag{w, b.depth + 1})
		}
	}
	return depth, deepest
}

// A graph is the one that an elimination changes. Its vertices are in buckets by their degrees.
type graph struct {
	adjacent [][]uint32 // sorted
	buckets  [][]uint32 // by degree; those that were moved or eliminated are skipped
	edges    int        // at the start, each counted twice
	gone     []bool
	least    int
	random   *rand.Rand
	scratch  []uint32
}

func newGraph(vars int, clauses [][]lit, r *rand.Rand) *graph {
	g := &graph{random: r, adjacent: make([][]uint32, vars), gone: make([]bool, vars), buckets: make([][]uint32, 1)}
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
		g.file(v)
	}
	return g
}

// file puts a vertex into the bucket of its degree.
func (g *graph) file(v uint32) {
	n := len(g.adjacent[v])
	for len(g.buckets) <= n {
		g.buckets = append(g.buckets, nil)
	}
	g.buckets[n] = append(g.buckets[n], v)
	g.least = min(g.least, n)
}

// next removes a vertex of least degree, any one, from the buckets.
func (g *graph) next() (v uint32, ok bool) {
	for ; g.least < len(g.buckets); g.least++ {
		for b := g.buckets[g.least]; len(b) > 0; b = g.buckets[g.least] {
			i := g.random.IntN(len(b))
			v, b[i] = b[i], b[len(b)-1]
			g.buckets[g.least] = b[:len(b)-1]
			if !g.gone[v] && len(g.adjacent[v]) == g.least {
				return v, true
			}
		}
	}
	return 0, false
}

// eliminate makes the neighbors of v a clique, and removes v from their lists.
func (g *graph) eliminate(v uint32) {
	g.gone[v] = true
	clique := g.adjacent[v]
	for _, w := range clique {
		g.scratch = union(g.scratch[:0], g.adjacent[w], clique, v, w)
		g.adjacent[w] = append(g.adjacent[w][:0], g.scratch...)
		g.file(w)
	}
}

// union appends the members of two sorted sets to one, without v and w.
func union(to, a, b []uint32, v, w uint32) []uint32 {
	for len(a) > 0 || len(b) > 0 {
		var x uint32
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			x, a = a[0], a[1:]
		case len(a) == 0 || b[0] < a[0]:
			x, b = b[0], b[1:]
		default:
			x, a, b = a[0], a[1:], b[1:]
		}
		if x != v && x != w {
			to = append(to, x)
		}
	}
	return to
}
