package diagram

import (
	"cmp"
	"slices"
)

// The layered layout follows Sugiyama, Tagawa and Toda, "Methods for Visual
// Understanding of Hierarchical System Structures" (1981), each step in its
// simplest form:
//
//   - Cycle removal: a depth-first search reverses its back edges.
//   - Layer assignment: a node stands one layer below its lowest predecessor. A
//     node without predecessors stands just above its highest successor. An edge
//     that spans several layers gets a dummy node in each layer between its ends.
//   - Crossing reduction: sweeps downward and upward sort each layer by the mean
//     position of the neighbors in the previous layer. The order with the fewest
//     crossings is kept.
//   - Coordinates: further sweeps move each layer as near as possible to the mean
//     coordinates of its neighbors, by least squares, with the order and minimum
//     distances as constraints. This is isotonic regression; pooling adjacent
//     violators solves it in linear time.

const (
	layerHeight = 64 // distance of two layers
	orderSweeps = 12
	placeSweeps = 12
	nodeGap     = 14 // least distance of two nodes in a layer
	dummyWidth  = 4  // width of a dummy node
	upwardShift = 7  // horizontal distance of an upward edge from its dummy nodes
)

// LayOutLayers computes coordinates and routes of a directed graph without loops,
// in layers: edges lead down, except for some edges of cycles. Nodes must have
// their Width and Height.
func (d *Diagram) LayOutLayers() {
	l := &layering{}
	for _, n := range d.Nodes {
		l.width = append(l.width, n.Width)
	}
	for _, e := range d.Edges {
		l.edges = append(l.edges, [2]int{e.From, e.To})
	}
	l.layer(l.breakCycles())
	l.route()
	l.sort()
	l.place()
	for i := range d.Nodes {
		d.Nodes[i].X, d.Nodes[i].Y = l.x[i], l.y(i)
	}
	for i := range d.Edges {
		d.Edges[i].Route = l.curve(i, d.Nodes)
	}
	d.Width, d.Height = l.right, float64(layerHeight*len(l.layers))
}

// A layering is a layout under construction. Its nodes are those of the diagram
// and, after them, the dummy nodes.
type layering struct {
	edges    [][2]int
	layers   [][]int // nodes of each layer from left to right
	layerOf  []int
	routes   [][]int // nodes on an edge from its upper to its lower end, both included
	reversed []bool  // the edge leads up
	above    [][]int // neighbors of a node in the layer above
	below    [][]int // neighbors of a node in the layer below
	width    []float64
	x        []float64 // center
	right    float64   // right border of the widest layer
}

// y returns the vertical center of a node.
func (l *layering) y(node int) float64 { return layerHeight * (float64(l.layerOf[node]) + 0.5) }

// curve returns the points of an edge from the border of its first node to the
// border of its last one.
func (l *layering) curve(edge int, nodes []Node) []Point {
	route := l.routes[edge]
	points := make([]Point, len(route))
	for k, v := range route {
		points[k] = Point{l.x[v], l.y(v)}
		if l.reversed[edge] {
			points[k].X += upwardShift
		}
	}
	upper, lower := route[0], route[len(route)-1]
	points[0].Y += nodes[upper].Height / 2
	points[len(points)-1].Y -= nodes[lower].Height / 2
	if l.reversed[edge] {
		slices.Reverse(points)
	}
	return points
}

// breakCycles marks the back edges of a depth-first search as reversed, and
// returns the nodes in topological order of the remaining graph.
func (l *layering) breakCycles() []int {
	const unvisited, active, done = 0, 1, 2
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
		state[v] = active
		for _, i := range out[v] {
			switch w := l.edges[i][1]; state[w] {
			case unvisited:
				visit(w)
			case active:
				l.reversed[i] = true
			}
		}
		state[v] = done
		order = append(order, v)
	}
	for v := range n {
		if state[v] == unvisited {
			visit(v)
		}
	}
	slices.Reverse(order)
	return order
}

// ends returns the upper and the lower end of an edge.
func (l *layering) ends(i int) (upper, lower int) {
	e := l.edges[i]
	if l.reversed[i] {
		return e[1], e[0]
	}
	return e[0], e[1]
}

// layer assigns each node to a layer.
func (l *layering) layer(order []int) {
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
		l.appendToLayer(v)
	}
}

// appendToLayer appends a node to its layer.
func (l *layering) appendToLayer(v int) {
	for len(l.layers) <= l.layerOf[v] {
		l.layers = append(l.layers, nil)
	}
	l.layers[l.layerOf[v]] = append(l.layers[l.layerOf[v]], v)
}

// route adds dummy nodes for edges that span several layers, and finds the
// neighbors of all nodes.
func (l *layering) route() {
	l.routes = make([][]int, len(l.edges))
	for i := range l.edges {
		upper, lower := l.ends(i)
		route := []int{upper}
		for layer := l.layerOf[upper] + 1; layer < l.layerOf[lower]; layer++ {
			v := len(l.width)
			l.width, l.layerOf = append(l.width, dummyWidth), append(l.layerOf, layer)
			l.appendToLayer(v)
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

// sort orders the nodes of each layer so that few edges cross.
func (l *layering) sort() {
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

// sweep calls f for each layer but the first, from top to bottom or from bottom
// to top, with the neighbors of all nodes in the previous layer.
func (l *layering) sweep(downward bool, f func(layer []int, neighbors [][]int)) {
	for i := 1; i < len(l.layers); i++ {
		if downward {
			f(l.layers[i], l.above)
		} else {
			f(l.layers[len(l.layers)-1-i], l.below)
		}
	}
}

// mean returns the mean value of some nodes, or otherwise if there are no nodes.
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

// crossings returns the number of pairs of edges that cross between two layers.
// Edges are visited in the order of their upper ends; a Fenwick tree over the
// lower layer counts the earlier edges with a lower end further to the right.
func (l *layering) crossings(position []float64) int {
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

// place computes the horizontal coordinates of all nodes.
func (l *layering) place() {
	l.x = make([]float64, len(l.width))
	noNeighbors := make([][]int, len(l.width))
	for _, layer := range l.layers {
		l.align(layer, noNeighbors)
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

// A pool is a run of adjacent nodes of a layer at their minimum distances. The
// mean coordinate of its neighbors gives each node a target for the first node
// of the layer; sum adds the targets.
type pool struct{ size, sum float64 }

func (p pool) mean() float64 { return p.sum / p.size }

// align moves the nodes of a layer toward their neighbors.
func (l *layering) align(layer []int, neighbors [][]int) {
	offset := make([]float64, len(layer)) // from the first node, all at minimum distances
	for i := 1; i < len(layer); i++ {
		a, b := layer[i-1], layer[i]
		offset[i] = offset[i-1] + (l.width[a]+l.width[b])/2 + nodeGap
	}
	var pools []pool
	for i, v := range layer {
		p := pool{1, mean(l.x, neighbors[v], l.x[v]) - offset[i]}
		for len(pools) > 0 && pools[len(pools)-1].mean() >= p.mean() {
			last := pools[len(pools)-1]
			p = pool{p.size + last.size, p.sum + last.sum}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		for range int(p.size) {
			l.x[layer[i]] = p.mean() + offset[i]
			i++
		}
	}
}
