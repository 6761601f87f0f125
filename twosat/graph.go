package twosat

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Compressed sparse rows: the heads of all edges lie in one slice, those of the
// edges that leave vertex v from start[v] up to start[v+1]. That is 4 bytes an
// edge and 4 a vertex, without pointers, and the row of a vertex is one piece
// of memory. The rows are filled by counting: one round over the edges counts
// how many leave each vertex, sums give where each row begins, and a second
// round puts the heads into their places. Both rounds visit the rows in the
// order of the edges, so that the processor has many of these visits under way
// at once: building takes less time than walking along the edges does later.

// An Edge leads from one vertex of a graph to another.
type Edge struct{ From, To uint32 }

// maxVertices bounds the vertices of a graph: as many as there are literals, and
// few enough for a bit beside their number.
const maxVertices = 1 << 31

// A Graph is a directed graph in compressed sparse rows. Its vertices are 0 to
// Len()-1; where it is an implication graph these are the literals. The same
// edge may occur several times, and an edge may lead back to where it begins:
// no algorithm of this package minds. A Graph does not change, and may be read
// by many goroutines.
type Graph struct {
	start []uint32 // Len()+1 entries
	heads []uint32
}

// NewGraph returns the graph of these edges. Rows are in the order of the
// edges. The time is linear. It panics if an edge has a vertex that is not
// there, and if there are more than 2^31 vertices or 2^32-1 edges.
func NewGraph(vertices int, edges []Edge) *Graph {
	b := newRowBuilder(vertices, len(edges))
	for _, e := range edges {
		if int(e.To) >= vertices {
			panic(fmt.Sprintf("twosat: an edge to %d in a graph of %d vertices", e.To, vertices))
		}
		b.count(e.From)
	}
	b.open()
	for _, e := range edges {
		b.put(e.From, e.To)
	}
	return b.graph()
}

// FromRows returns the graph whose edges from v lead to heads[start[v]] up to,
// not including, heads[start[v+1]]. It has len(start)-1 vertices. The slices are
// not copied and must not be changed while the graph is used. It panics unless
// start begins with 0, never decreases, and ends with len(heads), and all heads
// are vertices.
func FromRows(start, heads []uint32) *Graph {
	n := len(start) - 1
	if n < 0 || uint64(n) > maxVertices || start[0] != 0 || uint64(start[n]) != uint64(len(heads)) || !slices.IsSorted(start) {
		panic("twosat: the starts of rows are wrong")
	}
	for _, w := range heads {
		if int64(w) >= int64(n) {
			panic(fmt.Sprintf("twosat: an edge to %d in a graph of %d vertices", w, n))
		}
	}
	return &Graph{start, heads}
}

// Len returns the number of vertices.
func (g *Graph) Len() int { return len(g.start) - 1 }

// Size returns the number of edges.
func (g *Graph) Size() int { return len(g.heads) }

// Row returns the heads of the edges that leave v. The slice is a view into the
// graph and must not be changed.
func (g *Graph) Row(v uint32) []uint32 {
	return g.heads[g.start[v]:g.start[v+1]:g.start[v+1]]
}

// Edges iterates over the edges, by where they begin.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for v := range uint32(g.Len()) {
			for _, w := range g.Row(v) {
				if !yield(Edge{v, w}) {
					return
				}
			}
		}
	}
}

// Reverse returns the graph with all edges turned round. Its rows ascend. The
// time is linear.
func (g *Graph) Reverse() *Graph {
	b := newRowBuilder(g.Len(), g.Size())
	for _, w := range g.heads {
		b.count(w)
	}
	b.open()
	for v := range uint32(g.Len()) {
		for _, w := range g.Row(v) {
			b.put(w, v)
		}
	}
	return b.graph()
}

// Simple returns the graph with every edge once and none from a vertex to
// itself. Its rows ascend. The time is linear: turned round twice, the rows are
// sorted.
func (g *Graph) Simple() *Graph {
	g = g.Reverse().Reverse()
	start, heads := make([]uint32, len(g.start)), make([]uint32, 0, len(g.heads))
	for v := range uint32(g.Len()) {
		row := len(heads)
		for _, w := range g.Row(v) {
			if w != v && (len(heads) == row || heads[len(heads)-1] != w) {
				heads = append(heads, w)
			}
		}
		start[v+1] = uint32(len(heads))
	}
	return &Graph{start, heads}
}

// A rows value builds a graph: count every edge, open the rows, put every edge.
//
// Entry v+2 of start counts the edges that leave v. When the rows are opened,
// entry v+1 is where row v begins, and moves on with each edge that is put
// there until it is where row v ends.
type rowBuilder struct {
	start []uint32
	heads []uint32
}

// newRows begins a graph of so many vertices and at most so many edges.
func newRowBuilder(vertices, edges int) *rowBuilder {
	if vertices < 0 || uint64(vertices) > maxVertices || uint64(edges) > math.MaxUint32 {
		panic(fmt.Sprintf("twosat: a graph of %d vertices and %d edges", vertices, edges))
	}
	return &rowBuilder{start: make([]uint32, vertices+2)}
}

func (b *rowBuilder) count(v uint32) { b.start[v+2]++ }

func (b *rowBuilder) open() {
	sum := uint32(0)
	for i, n := range b.start {
		sum += n
		b.start[i] = sum
	}
	b.heads = make([]uint32, sum)
}

func (b *rowBuilder) put(v, w uint32) {
	at := &b.start[v+1]
	b.heads[*at] = w
	*at++
}

func (b *rowBuilder) graph() *Graph {
	n := len(b.start) - 1
	return &Graph{b.start[:n:n], b.heads}
}
