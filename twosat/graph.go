package twosat

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Compressed sparse rows (CSR): the heads of all edges are in one slice, those of
// vertex v from start[v] up to start[v+1]. That takes 4 bytes an edge and 4 a
// vertex, without pointers, and the row of a vertex is contiguous. A counting sort
// fills the rows: a first pass over the edges counts the edges that leave each
// vertex, prefix sums give the start of each row, and a second pass stores the
// heads. Both passes visit rows in the order of the edges, so that the processor
// overlaps many memory accesses: building takes less time than a later search
// along the edges.

// An Edge leads from one vertex of a graph to another.
type Edge struct{ From, To uint32 }

// maxVertices bounds the vertices of a graph: the number of literals. It leaves a
// bit of a uint32 beside the number of a vertex.
const maxVertices = 1 << 31

// A Graph is a directed graph in compressed sparse rows (CSR). Its vertices are 0
// to Len()-1; in an implication graph they are the literals. Parallel edges and
// loops are allowed. A Graph is immutable, and many goroutines may read it.
type Graph struct {
	start []uint32 // Len()+1 entries
	heads []uint32
}

// NewGraph returns a graph with these edges. Each row keeps their order. The time
// is linear. NewGraph panics if an edge has a vertex beyond vertices-1, and if
// there are more than 2^31 vertices or 2^32-1 edges.
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

// FromRows returns the graph in which the heads of v are heads[start[v]:start[v+1]].
// It has len(start)-1 vertices. The graph uses the slices without copying them.
// FromRows panics unless start begins with 0, never decreases and ends with
// len(heads), and all heads are vertices.
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

// Row returns the heads of the edges that leave v. The slice belongs to the graph
// and must not be changed.
func (g *Graph) Row(v uint32) []uint32 {
	return g.heads[g.start[v]:g.start[v+1]:g.start[v+1]]
}

// Edges iterates over the edges in the order of their tails.
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

// Reverse returns the graph with all edges reversed. Its rows are in ascending
// order. The time is linear.
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

// Simple returns the graph without parallel edges and loops. Its rows are in
// ascending order. The time is linear, since reversing the graph twice sorts the
// rows.
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

// A rowBuilder builds a graph: count every edge, open the rows, put every edge.
//
// Entry v+2 of start counts the edges that leave v. After open, entry v+1 is the
// start of row v; each put increments it, until it is the end of row v.
type rowBuilder struct {
	start []uint32
	heads []uint32
}

// newRowBuilder begins a graph of so many vertices and at most so many edges.
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
