package twosat

import (
	"cmp"
	"slices"
)

// A layout in layers, after Sugiyama, Tagawa and Toda, "Methods for Visual
// Understanding of Hierarchical System Structures" (1981), each step in its
// simplest form:
//
//   - Cycles: an edge back to a vertex that a depth-first search is at is turned
//     round, so that none are left.
//   - Layers: a vertex stands one below the lowest of those that lead to it, and
//     one that nothing leads to just above the highest that it leads to. A long
//     edge gets a place in each layer that it passes.
//   - Order: in turn downward and upward, each layer is sorted by the mean
//     position of the neighbors in the layer before. The order with the fewest
//     crossings is kept.
//   - Places: in turn again, each layer is moved as near as possible to the mean
//     of its neighbors' places, by least squares, while its order and distances
//     stay. That is isotonic regression, and pooling neighbors that would
//     overlap solves it in linear time.
//
// Nothing is drawn by chance, so that the same graph looks the same each time.

// A layout says where vertices stand and which way edges go.
type layout struct {
	edges    [][2]int
	layers   [][]int // what stands in each, from left to right: vertices, and places of edges
	layerOf  []int
	routes   [][]int // what an edge passes, from above to below, its ends included
	reversed []bool  // the edge leads up
	above    [][]int // neighbors in the layer above, and in that below
	below    [][]int
	width    []float64
	x        []float64 // of the middle
	right    float64   // where the widest layer ends
}

const (
	orderSweeps = 12
	placeSweeps = 12
	layoutGap   = 14 // between two vertices
	layoutLane  = 4  // width of what an edge passes through
)

// newLayout lays out vertices of some widths with edges between them.
func newLayout(widths []float64, edges [][2]int) *layout {
	l := &layout{edges: edges, width: slices.Clone(widths)}
	l.layer(l.breakCycles())
	l.route()
	l.sort()
	l.place()
	return l
}

// breakCycles finds the edges that are turned round, and returns the vertices in
// an order in which no other edge leads back.
func (l *layout) breakCycles() []int {
	const fresh, open, done = 0, 1, 2
	n := len(l.width)
	out := make([][]int, n)
	for i, e := range l.edges {
		out[e[0]] = append(out[e[0]], i)
	}
	l.reversed = make([]bool, len(l.edges))
	state := make([]uint8, n)
	var order []int
	var visit func(v int)
	visit = func(v int) {
		state[v] = open
		for _, i := range out[v] {
			switch w := l.edges[i][1]; state[w] {
			case fresh:
				visit(w)
			case open:
				l.reversed[i] = true
			}
		}
		state[v] = done
		order = append(order, v)
	}
	for v := range n {
		if state[v] == fresh {
			visit(v)
		}
	}
	slices.Reverse(order)
	return order
}

// ends returns the upper and the lower end of an edge.
func (l *layout) ends(i int) (upper, lower int) {
	e := l.edges[i]
	if l.reversed[i] {
		return e[1], e[0]
	}
	return e[0], e[1]
}

// layer gives every vertex a layer, and the layers their vertices.
func (l *layout) layer(order []int) {
	n := len(l.width)
	down, up := make([][]int, n), make([][]int, n)
	for i := range l.edges {
		a, b := l.ends(i)
		down[a], up[b] = append(down[a], b), append(up[b], a)
	}
	l.layerOf = make([]int, n)
	for _, v := range order {
		for _, w := range down[v] {
			l.layerOf[w] = max(l.layerOf[w], l.layerOf[v]+1)
		}
	}
	for _, v := range order {
		if len(up[v]) > 0 || len(down[v]) == 0 {
			continue
		}
		highest := l.layerOf[down[v][0]]
		for _, w := range down[v] {
			highest = min(highest, l.layerOf[w])
		}
		l.layerOf[v] = highest - 1
	}
	for _, v := range order {
		l.enter(v)
	}
}

// enter puts a vertex at the end of its layer.
func (l *layout) enter(v int) {
	for len(l.layers) <= l.layerOf[v] {
		l.layers = append(l.layers, nil)
	}
	l.layers[l.layerOf[v]] = append(l.layers[l.layerOf[v]], v)
}

// route makes places for long edges in the layers that they pass.
func (l *layout) route() {
	l.routes = make([][]int, len(l.edges))
	for i := range l.edges {
		upper, lower := l.ends(i)
		route := []int{upper}
		for layer := l.layerOf[upper] + 1; layer < l.layerOf[lower]; layer++ {
			v := len(l.width)
			l.width, l.layerOf = append(l.width, layoutLane), append(l.layerOf, layer)
			l.enter(v)
			route = append(route, v)
		}
		l.routes[i] = append(route, lower)
	}
	l.above, l.below = make([][]int, len(l.width)), make([][]int, len(l.width))
	for _, route := range l.routes {
		for k := 1; k < len(route); k++ {
			a, b := route[k-1], route[k]
			l.below[a], l.above[b] = append(l.below[a], b), append(l.above[b], a)
		}
	}
}

// sort orders the layers so that few edges cross.
func (l *layout) sort() {
	position := make([]float64, len(l.width))
	number := func(layer []int) {
		for i, v := range layer {
			position[v] = float64(i)
		}
	}
	for _, layer := range l.layers {
		number(layer)
	}
	var best [][]int
	fewest := -1
	for sweep := range orderSweeps {
		l.sweep(sweep%2 == 0, func(layer []int, neighbors [][]int) {
			key := make(map[int]float64, len(layer))
			for _, v := range layer {
				key[v] = mean(position, neighbors[v], position[v])
			}
			slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
			number(layer)
		})
		if n := l.crossings(position); fewest < 0 || n < fewest {
			fewest, best = n, nil
			for _, layer := range l.layers {
				best = append(best, slices.Clone(layer))
			}
		}
	}
	l.layers = best
}

// sweep calls f with each layer but the first, downward or upward, and with the
// neighbors in the layer before.
func (l *layout) sweep(downward bool, f func(layer []int, neighbors [][]int)) {
	for i := 1; i < len(l.layers); i++ {
		if downward {
			f(l.layers[i], l.above)
		} else {
			f(l.layers[len(l.layers)-1-i], l.below)
		}
	}
}

// mean returns the mean of the values of some vertices, or another one if there
// are none.
func mean(value []float64, of []int, otherwise float64) float64 {
	if len(of) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, v := range of {
		sum += value[v]
	}
	return sum / float64(len(of))
}

// crossings counts the pairs of edges that cross between layers: for each edge,
// in the order of its upper end, those before it whose lower end is further to
// the right. They are counted in a Fenwick tree over the lower layer.
func (l *layout) crossings(position []float64) int {
	total := 0
	for i := 0; i+1 < len(l.layers); i++ {
		tree := make([]int, len(l.layers[i+1])+1)
		seen := 0
		for _, v := range l.layers[i] {
			for _, w := range l.below[v] {
				upTo := 0
				for at := int(position[w]) + 1; at > 0; at &= at - 1 {
					upTo += tree[at]
				}
				total += seen - upTo
			}
			for _, w := range l.below[v] {
				for at := int(position[w]) + 1; at < len(tree); at += at & -at {
					tree[at]++
				}
				seen++
			}
		}
	}
	return total
}

// place gives all places their coordinate.
func (l *layout) place() {
	l.x = make([]float64, len(l.width))
	none := make([][]int, len(l.width))
	for _, layer := range l.layers {
		l.align(layer, none)
	}
	for sweep := range placeSweeps {
		l.sweep(sweep%2 == 0, l.align)
	}
	left := 0.0
	for v := range l.x {
		left = min(left, l.x[v]-l.width[v]/2)
	}
	for v := range l.x {
		l.x[v] -= left
		l.right = max(l.right, l.x[v]+l.width[v]/2)
	}
}

// A pool is a run of vertices of a layer that touch one another: each wants the
// first of them at some place, and they stand at the mean of these.
type pool struct{ size, sum float64 }

func (p pool) at() float64 { return p.sum / p.size }

// align moves a layer toward its neighbors.
func (l *layout) align(layer []int, neighbors [][]int) {
	offset := make([]float64, len(layer)) // from the first, if all touch
	for i := 1; i < len(layer); i++ {
		a, b := layer[i-1], layer[i]
		offset[i] = offset[i-1] + (l.width[a]+l.width[b])/2 + layoutGap
	}
	var pools []pool
	for i, v := range layer {
		p := pool{1, mean(l.x, neighbors[v], l.x[v]) - offset[i]}
		for len(pools) > 0 && pools[len(pools)-1].at() >= p.at() {
			last := pools[len(pools)-1]
			p = pool{p.size + last.size, p.sum + last.sum}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		for range int(p.size) {
			l.x[layer[i]] = p.at() + offset[i]
			i++
		}
	}
}
