package twosat

import (
	"context"
	"math"
)

// Strongly connected components by Tarjan's algorithm ("Depth-first search and
// linear graph algorithms", 1972), with the numbers of Pearce ("A space-efficient
// algorithm for finding strongly connected components", 2016): one number for
// each vertex says what index, "is on the stack" and component say in the
// textbook. While its component is incomplete that is its index, in the order in
// which vertices are found; then it is above all indices, so that an edge to it
// changes nothing and need not be told apart. The lowlink of a vertex is needed
// only while it is on the path, and lies there.
//
// The search is bound by memory latency: it can not know where to look before
// it has looked. So what counts is how often a vertex leads to another line of
// memory. Its number lies beside the start of its row, in one slice of pairs:
// arriving fetches both, and the row is the only other line. A vertex without
// successors gets neither on the path nor on the stack. The stack has only those
// open vertices that are not on the path. It all takes about two thirds of
// the time of the textbook's tables on large random graphs.

// Condense finds the strongly connected components of a graph: the largest sets
// of vertices that all reach one another. The time is linear; beside the
// result, 8 bytes a vertex are needed, and about 40 for each on the longest path
// that the search takes. Depth is no matter otherwise: nothing recurs.
func Condense(g *Graph) *Condensation {
	return condense(context.Background(), g)
}

// CondenseContext is [Condense] for large graphs and callers in a hurry: it returns
// nil, soon, if ctx ends before.
func CondenseContext(ctx context.Context, g *Graph) *Condensation {
	return condense(ctx, g)
}

// A Condensation has the strongly connected components of a graph, numbered
// from 0 in reverse topological order: an edge from one component to another
// leads to a lower number.
type Condensation struct {
	of    []uint32
	count int
	graph *Graph

	members *Graph // rows by component; made when asked for
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

// DAG returns the graph of the components: it has an edge from one to another,
// once, if the graph has any between their members. It has no cycles, all edges
// lead to lower numbers, and rows descend. The time is linear.
func (c *Condensation) DAG() *Graph {
	last := make([]uint32, c.count) // in whose row a component was put last, plus 1
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

// descending returns the graph with the rows sorted, the highest vertex first.
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

// pollEvery is how many steps pass between looks at a context: some
// milliseconds, even if each step waits for memory.
const pollEvery = 1 << 16

// A tarjan is a search for components.
type tarjan struct {
	g     *Graph
	nodes []node
	path  []frame  // above the vertex where the search is
	open  []uint32 // vertices of incomplete components that are not on the path
	index uint32   // of the next vertex
	done  uint32   // components that are complete
	poll  int      // steps until ctx is looked at
}

// A node is where the row of a vertex starts, and its number: 0 before it is
// found, its index while its component is incomplete, and then lastNumber less
// the component's.
type node struct{ start, number uint32 }

// A frame is a vertex on the path, what is left of its row, and the least index
// known to be reachable from it.
type frame struct{ vertex, next, end, low uint32 }

// Numbers of complete components count down from the highest: indices count up
// from 1, and there are never as many as would make them meet, since a vertex
// has either.
const lastNumber = math.MaxUint32

// condense is Condense, and returns nil if ctx ends before.
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

// search completes the components of all that v reaches, and reports false if
// ctx ends before. It is one loop, with the vertex where it is in variables.
func (t *tarjan) search(ctx context.Context, v uint32) bool {
	nodes, heads := t.nodes, t.g.heads
	low, next, end := t.enter(v), nodes[v].start, nodes[v+1].start
	for {
		for next < end {
			w := heads[next]
			next++
			n := nodes[w].number
			if n >= low {
				continue // complete, or it reaches no further up
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
		if t.leave(v, low); len(t.path) == 0 {
			return true
		}
		f := t.path[len(t.path)-1]
		t.path = t.path[:len(t.path)-1]
		v, next, end, low = f.vertex, f.next, f.end, min(low, f.low)
		if t.poll--; t.poll <= 0 {
			if t.poll = pollEvery; ended(ctx) {
				return false
			}
		}
	}
}

// enter gives v an index, and returns it.
func (t *tarjan) enter(v uint32) uint32 {
	n := t.index
	t.nodes[v].number = n
	t.index++
	return n
}

// leave is called when the row of v is done. If nothing further up is reached
// from v, its component is complete: v and all open vertices that were found
// after it. Otherwise v is open.
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
