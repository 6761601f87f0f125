package twosat

import (
	"context"
	"math"
)

// Strongly connected components (SCC) by Tarjan's algorithm ("Depth-first search
// and linear graph algorithms", 1972), with the numbers of Pearce ("A
// space-efficient algorithm for finding strongly connected components", 2016): one
// number for each vertex replaces the textbook's index, "is on the stack" and
// component. While the component of a vertex is incomplete, the number is the
// index, in the order of discovery. Later it is above all indices, so that edges
// to complete components need no test of their own. The lowlink of a vertex is
// needed only while the vertex is on the path, and is stored there.
//
// Memory latency limits the search: it cannot prefetch an address that depends on
// the last access. So the time depends on the number of cache lines per vertex. The
// number of a vertex is beside the start of its row, in one slice of pairs: a
// visit fetches both, and the row is the only other cache line. A vertex without
// successors is put neither on the path nor on the stack. The stack has only open
// vertices that are not on the path. All this takes about two thirds of the time
// of the textbook's tables on large random graphs.

// Condense returns the strongly connected components of a graph by Tarjan's
// algorithm: the maximal sets of vertices that all reach one another. The time is
// linear. Beside the result, Condense needs 8 bytes a vertex and about 40 for each
// vertex on the longest path of the depth-first search. It does not recurse, so
// that depth is not limited.
func Condense(g *Graph) *Condensation {
	return condense(context.Background(), g)
}

// CondenseContext is [Condense] for large graphs. It returns nil soon after ctx
// has ended.
func CondenseContext(ctx context.Context, g *Graph) *Condensation {
	return condense(ctx, g)
}

// A Condensation has the strongly connected components of a graph, numbered from
// 0 in reverse topological order: an edge between two components leads to the
// lower number.
type Condensation struct {
	of    []uint32
	count int
	graph *Graph

	members *Graph // rows by component; computed on demand
}

// Len returns the number of components.
func (c *Condensation) Len() int { return c.count }

// Of returns the component of a vertex.
func (c *Condensation) Of(v uint32) uint32 { return c.of[v] }

// Members returns the vertices of a component in ascending order. The slice
// must not be changed. The first call takes linear time.
func (c *Condensation) Members(component uint32) []uint32 {
	if c.members == nil {
		b := newRowBuilder(c.count, len(c.of))
		for _, x := range c.of {
			b.count(x)
		}
		b.open()
		for v, x := range c.of {
			b.put(x, uint32(v))
		}
		c.members = b.graph()
	}
	return c.members.Row(component)
}

// DAG returns the graph of the components. It has one edge between two components
// if the graph has an edge between their members. All its edges lead to lower
// numbers, and its rows are in descending order. The time is linear.
func (c *Condensation) DAG() *Graph {
	last := make([]uint32, c.count) // last component with an edge to a component, plus 1
	start, heads := make([]uint32, 1, c.count+1), []uint32{}
	for x := range uint32(c.count) {
		for _, v := range c.Members(x) {
			for _, w := range c.graph.Row(v) {
				if y := c.of[w]; y != x && last[y] != x+1 {
					last[y] = x + 1
					heads = append(heads, y)
				}
			}
		}
		start = append(start, uint32(len(heads)))
	}
	return descending(&Graph{start, heads})
}

// descending returns the graph with rows sorted in descending order.
func descending(g *Graph) *Graph {
	g = g.Reverse()
	b := newRowBuilder(g.Len(), g.Size())
	for _, w := range g.heads {
		b.count(w)
	}
	b.open()
	for v := uint32(g.Len()); v > 0; v-- {
		for _, w := range g.Row(v - 1) {
			b.put(w, v-1)
		}
	}
	return b.graph()
}

// pollEvery is the number of steps between two checks of a context: some
// milliseconds, even if each step waits for memory several times.
const pollEvery = 1 << 13

// A tarjan is the state of a search for components.
type tarjan struct {
	g     *Graph
	nodes []node
	path  []frame  // to the current vertex, without it
	open  []uint32 // vertices of incomplete components that are not on the path
	index uint32   // of the next vertex
	done  uint32   // number of complete components
	poll  int      // steps until the next check of ctx
}

// A node is the start of the row of a vertex and its number: 0 before discovery,
// its index while its component is incomplete, and then lastNumber minus its
// component.
type node struct{ start, number uint32 }

// A frame is a vertex on the path, the unvisited part of its row, and its lowlink:
// the least index known to be reachable from it.
type frame struct{ vertex, next, end, low uint32 }

// lastNumber is the number of the first complete component; later ones count
// down. Indices count up from 1. They never meet, since a vertex has either an
// index or the number of a component.
const lastNumber = math.MaxUint32

// condense returns the components, or nil if ctx ends before.
func condense(ctx context.Context, g *Graph) *Condensation {
	t := &tarjan{g: g, nodes: make([]node, g.Len()+1), index: 1, poll: pollEvery}
	for v, start := range g.start {
		t.nodes[v].start = start
	}
	for v := range uint32(g.Len()) {
		if t.nodes[v].number == 0 && !t.search(ctx, v) {
			return nil
		}
	}
	of := make([]uint32, g.Len())
	for v := range of {
		of[v] = lastNumber - t.nodes[v].number
	}
	return &Condensation{of: of, count: int(t.done), graph: g}
}

// search completes the components of all vertices that v reaches, and reports
// false if ctx ends before. It is one loop, with the current vertex in variables.
func (t *tarjan) search(ctx context.Context, v uint32) bool {
	nodes, heads := t.nodes, t.g.heads
	low, next, end := t.enter(v), nodes[v].start, nodes[v+1].start
	for {
		for next < end {
			w := heads[next]
			next++
			n := nodes[w].number
			if n >= low {
				continue // complete, or not below the lowlink
			}
			if n != 0 {
				low = n
				continue
			}
			start, stop := nodes[w].start, nodes[w+1].start
			if start == stop {
				nodes[w].number = lastNumber - t.done
				t.done++
				continue
			}
			t.path = append(t.path, frame{v, next, end, low})
			v, next, end, low = w, start, stop, t.enter(w)
		}
		t.poll--
		if t.leave(v, low); len(t.path) == 0 {
			return t.poll > 0 || t.polled(ctx)
		}
		f := t.path[len(t.path)-1]
		t.path = t.path[:len(t.path)-1]
		v, next, end, low = f.vertex, f.next, f.end, min(low, f.low)
		if t.poll <= 0 && !t.polled(ctx) {
			return false
		}
	}
}

// polled starts the next interval between polls. It reports false if ctx has ended.
func (t *tarjan) polled(ctx context.Context) bool {
	t.poll = pollEvery
	return !ended(ctx)
}

// enter assigns the next index to v and returns it.
func (t *tarjan) enter(v uint32) uint32 {
	n := t.index
	t.nodes[v].number = n
	t.index++
	return n
}

// leave ends the visit of v, whose row is done. If v reaches no lower index, its
// component is complete: v and all open vertices found after it. Otherwise v
// becomes open.
func (t *tarjan) leave(v, low uint32) {
	if low != t.nodes[v].number {
		t.open = append(t.open, v)
		return
	}
	mark := lastNumber - t.done
	t.done++
	t.nodes[v].number = mark
	n := len(t.open)
	for ; n > 0 && t.nodes[t.open[n-1]].number >= low; n-- {
		t.nodes[t.open[n-1]].number = mark
	}
	t.open = t.open[:n]
}
