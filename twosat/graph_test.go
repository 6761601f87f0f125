package twosat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/twosat"
)

// collect returns the edges of a graph.
func collect(g *twosat.Graph) []twosat.Edge { return slices.Collect(g.Edges()) }

// sortEdges sorts edges by tail and head.
func sortEdges(es []twosat.Edge) []twosat.Edge {
	slices.SortFunc(es, func(a, b twosat.Edge) int {
		if a.From != b.From {
			return int(a.From) - int(b.From)
		}
		return int(a.To) - int(b.To)
	})
	return es
}

// TestGraph checks the operations on small graphs.
func TestGraph(t *testing.T) {
	edges := []twosat.Edge{{From: 2, To: 0}, {From: 0, To: 1}, {From: 2, To: 2}, {From: 0, To: 1}, {From: 2, To: 1}}
	g := twosat.NewGraph(4, edges)
	if got := fmt.Sprint(g.Len(), g.Size(), g.Row(0), g.Row(1), g.Row(2), g.Row(3)); got != "4 5 [1 1] [] [0 2 1] []" {
		t.Error("rows:", got)
	}
	if got := fmt.Sprint(collect(g)); got != "[{0 1} {0 1} {2 0} {2 2} {2 1}]" {
		t.Error("edges:", got)
	}
	if got := fmt.Sprint(collect(g.Reverse())); got != "[{0 2} {1 0} {1 0} {1 2} {2 2}]" {
		t.Error("reversed:", got)
	}
	if got := fmt.Sprint(collect(g.Simple())); got != "[{0 1} {2 0} {2 1}]" {
		t.Error("simple:", got)
	}
	for range g.Edges() {
		break // the iterator must stop
	}
	rows := twosat.FromRows([]uint32{0, 2, 2, 3}, []uint32{1, 2, 0})
	if got := fmt.Sprint(rows.Len(), collect(rows)); got != "3 [{0 1} {0 2} {2 0}]" {
		t.Error("from rows:", got)
	}
	if g := twosat.NewGraph(0, nil); g.Len() != 0 || g.Size() != 0 || g.Simple().Len() != 0 || g.Reverse().Len() != 0 {
		t.Error("the graph without vertices")
	}
}

// TestSimple compares Simple with a set of edges.
func TestSimple(t *testing.T) {
	for seed := range uint64(500) {
		g := randomGraph(seed, 1+int(seed%12), int(seed%40))
		var want []twosat.Edge
		seen := map[twosat.Edge]bool{}
		for e := range g.Edges() {
			if e.From != e.To && !seen[e] {
				seen[e] = true
				want = append(want, e)
			}
		}
		if got := collect(g.Simple()); !slices.Equal(got, sortEdges(want)) {
			t.Fatalf("seed %d: %v, not %v", seed, got, want)
		}
	}
}

// panics returns the message of a panic of f, or "".
func panics(f func()) (message string) {
	defer func() {
		if x := recover(); x != nil {
			message = fmt.Sprint(x)
		}
	}()
	f()
	return ""
}

// TestGraphMisuse expects panics.
func TestGraphMisuse(t *testing.T) {
	for _, x := range []struct {
		name string
		f    func()
	}{
		{"head beyond", func() { twosat.NewGraph(2, []twosat.Edge{{From: 0, To: 2}}) }},
		{"tail beyond", func() { twosat.NewGraph(2, []twosat.Edge{{From: 2, To: 0}}) }},
		{"negative", func() { twosat.NewGraph(-1, nil) }},
		{"no starts", func() { twosat.FromRows(nil, nil) }},
		{"first start", func() { twosat.FromRows([]uint32{1, 1}, []uint32{0}) }},
		{"last start", func() { twosat.FromRows([]uint32{0, 2}, []uint32{0}) }},
		{"descending starts", func() { twosat.FromRows([]uint32{0, 2, 1}, []uint32{0}) }},
		{"row beyond", func() { twosat.FromRows([]uint32{0, 1}, []uint32{1}) }},
	} {
		if panics(x.f) == "" {
			t.Errorf("%s: no panic", x.name)
		}
	}
}

// checkCondensation compares a condensation with plainTarjan, and checks its
// documented properties.
func checkCondensation(g *twosat.Graph) error {
	c := twosat.Condense(g)
	want, count := plainTarjan(g)
	if c.Len() != count {
		return fmt.Errorf("%d components, not %d", c.Len(), count)
	}
	ours := make(map[uint32]uint32)
	for v, x := range want {
		y := c.Of(uint32(v))
		if z, ok := ours[x]; ok && z != y {
			return fmt.Errorf("vertex %d is in component %d, but others of its component in %d", v, y, z)
		}
		ours[x] = y
	}
	members := 0
	for x := range uint32(c.Len()) {
		ms := c.Members(x)
		if len(ms) == 0 || !slices.IsSorted(ms) {
			return fmt.Errorf("component %d has members %v", x, ms)
		}
		for _, v := range ms {
			if c.Of(v) != x {
				return fmt.Errorf("vertex %d is a member of %d and in %d", v, x, c.Of(v))
			}
		}
		members += len(ms)
	}
	if members != g.Len() {
		return fmt.Errorf("%d members", members)
	}
	return checkDAG(g, c)
}

// checkDAG checks the graph of the components and its order.
func checkDAG(g *twosat.Graph, c *twosat.Condensation) error {
	want := map[twosat.Edge]bool{}
	for e := range g.Edges() {
		x, y := c.Of(e.From), c.Of(e.To)
		if x < y {
			return fmt.Errorf("the edge %v leads from component %d up to %d", e, x, y)
		}
		if x != y {
			want[twosat.Edge{From: x, To: y}] = true
		}
	}
	dag := c.DAG()
	for e := range dag.Edges() {
		if !want[e] {
			return fmt.Errorf("the edge %v between components occurs twice or is wrong", e)
		}
		delete(want, e)
	}
	if len(want) > 0 {
		return fmt.Errorf("edges between components are missing: %v", want)
	}
	for x := range uint32(dag.Len()) {
		if row := dag.Row(x); !slices.IsSortedFunc(row, func(a, b uint32) int { return int(b) - int(a) }) {
			return fmt.Errorf("row %d does not descend: %v", x, row)
		}
	}
	return nil
}

// TestCondense checks condensations of random graphs.
func TestCondense(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 1 + r.IntN(30)
		if err := checkCondensation(randomGraph(seed, n, r.IntN(3*n))); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	for seed := range uint64(3) {
		if err := checkCondensation(randomGraph(seed, 20_000, 18_000+3000*int(seed))); err != nil {
			t.Fatalf("large, seed %d: %v", seed, err)
		}
	}
	if err := checkCondensation(twosat.NewGraph(0, nil)); err != nil {
		t.Fatal(err)
	}
}

// TestCondenseContext expects no result after ctx has ended.
func TestCondenseContext(t *testing.T) {
	const n = 200_000
	edges := make([]twosat.Edge, n)
	for v := range uint32(n) {
		edges[v] = twosat.Edge{From: v, To: (v + 1) % n}
	}
	g := twosat.NewGraph(n, edges)
	ctx, cancel := context.WithCancel(t.Context())
	if c := twosat.CondenseContext(ctx, g); c == nil || c.Len() != 1 {
		t.Errorf("a cycle has components %v", c)
	}
	cancel()
	if c := twosat.CondenseContext(ctx, g); c != nil {
		t.Errorf("%d components after ctx has ended", c.Len())
	}
}

// TestCondenseDeep checks long chains and cycles, forward and backward.
func TestCondenseDeep(t *testing.T) {
	const n = 1_000_000
	for _, forward := range []bool{true, false} {
		for _, closed := range []bool{false, true} {
			var es []twosat.Edge
			for v := uint32(1); v < n; v++ {
				es = append(es, twosat.Edge{From: v - 1, To: v})
			}
			if closed {
				es = append(es, twosat.Edge{From: n - 1, To: 0})
			}
			g, want := twosat.NewGraph(n, es), n
			if !forward {
				g = g.Reverse()
			}
			if closed {
				want = 1
			}
			if c := twosat.Condense(g); c.Len() != want {
				t.Errorf("%d components, not %d", c.Len(), want)
			}
		}
	}
}
