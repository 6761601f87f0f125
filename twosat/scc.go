package twosat

import (
	"context"
	"math"
)

// Strongly connected components by Tarjan's algorithm ("Depth-first search and
// linear graph algorithms", 1972), in the form of Pearce ("A space-efficient
// algorithm for finding strongly connected components", 2016): one number for
// each vertex says what index, lowlink, "is on the stack" and component say in
// the textbook. A vertex that is open has the least index known to be reachable
// from it; one whose component is complete has a number above all indices, so
// that edges to it change nothing without being told apart.
//
// The search is bound by memory latency: it can not know where to look before
// it has looked. So it counts how often a vertex leads to another line of
// memory. The number of a vertex lies beside the start of its row, in one slice
// of pairs: arriving at a vertex fetches both, and its row is the only other
// line. The stack of the search keeps for each vertex on the path what is left
// of its row, and grows with the depth of the path, which is short in random
// graphs and 10^7 in a chain. The open vertices that are not on the path lie on
// a second stack. A vertex without successors never gets to either stack.
//
// What did not help: following the single successor of a vertex without a
// frame for it; marking complete vertices with a separate bit.

// Condense finds the strongly connected components of a graph: the largest sets
// of vertices that all reach one another. The time is linear; beside the
// result, up to 24 bytes a vertex are needed, and the depth of the graph does
// not matter.
func Condense(g *Graph) *Condensation {
	return condense(context.Background(), g)
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
		b := newRows(c.count, len(c.of))
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
	b := newRows(g.Len(), g.Size())
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
	path  []frame  // from the root of the search to where it is
	open  []uint32 // vertices of incomplete components that are not on the path
	index uint32   // of the next vertex
	done  uint32   // components that are complete
}

// A node is what the search knows of a vertex, and where its row starts. The
// number is 0 before the vertex is found.
type node struct{ start, number uint32 }

// A frame is a vertex on the path, and what is left of its row.
type frame struct {
	vertex, next, end uint32
	root              bool // no vertex found from here reaches further up
}

// Numbers of complete components count down from the highest: indices count up
// from 1, and there are never as many as would make them meet, since a vertex
// has either.
const lastNumber = math.MaxUint32

// condense is Condense, and returns nil if ctx ends before.
func condense(ctx context.Context, g *Graph) *Condensation {
	t := &tarjan{g: g, nodes: make([]node, g.Len()+1), index: 1}
	for v, start := range g.start {
		t.nodes[v].start = start
	}
	if !t.run(ctx) {
		return nil
	}
	of := make([]uint32, g.Len())
	for v := range of {
		of[v] = lastNumber - t.nodes[v].number
	}
	return &Condensation{of: of, count: int(t.done), graph: g}
}

// run searches from every vertex that was not found from another.
func (t *tarjan) run(ctx context.Context) bool {
	poll := pollEvery
	for v := range uint32(t.g.Len()) {
		if t.nodes[v].number != 0 {
			continue
		}
		t.enter(v)
		for len(t.path) > 0 {
			t.advance()
			if poll--; poll == 0 {
				if poll = pollEvery; ctx.Err() != nil {
					return false
				}
			}
		}
	}
	return true
}

// enter finds v: it goes on the path, unless it leads nowhere.
func (t *tarjan) enter(v uint32) {
	start, end := t.nodes[v].start, t.nodes[v+1].start
	if start == end {
		t.nodes[v].number = lastNumber - t.done
		t.done++
		return
	}
	t.nodes[v].number = t.index
	t.index++
	t.path = append(t.path, frame{v, start, end, true})
}

// advance follows the edges of the last vertex on the path to the next one that
// is new, or leaves that vertex.
func (t *tarjan) advance() {
	f := &t.path[len(t.path)-1]
	number := t.nodes[f.vertex].number
	for f.next < f.end {
		w := t.g.heads[f.next]
		f.next++
		switch n := t.nodes[w].number; {
		case n == 0:
			t.nodes[f.vertex].number = number
			t.enter(w)
			return
		case n < number:
			number, f.root = n, false
		}
	}
	t.nodes[f.vertex].number = number
	t.leave(*f)
}

// leave takes a vertex whose row is done off the path. If it is the first found
// of its component, this is complete: all open vertices with an index from its
// own on are members. Otherwise it is open, and what it reaches its predecessor
// reaches.
func (t *tarjan) leave(f frame) {
	t.path = t.path[:len(t.path)-1]
	number := t.nodes[f.vertex].number
	if !f.root {
		t.open = append(t.open, f.vertex)
		up := &t.path[len(t.path)-1]
		if p := &t.nodes[up.vertex]; number < p.number {
			p.number, up.root = number, false
		}
		return
	}
	mark := lastNumber - t.done
	t.done++
	t.nodes[f.vertex].number = mark
	n := len(t.open)
	for n > 0 && t.nodes[t.open[n-1]].number >= number {
		n--
		t.nodes[t.open[n]].number = mark
	}
	t.open = t.open[:n]
}
