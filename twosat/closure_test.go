package twosat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
	"sator/twosat"
)

// limits make a closure compute the whole table, or blocks of many or few columns.
var limits = []int64{1 << 40, 20_000, 0}

// checkClosure compares a closure with depth-first search.
func checkClosure(g *twosat.Graph, limit int64) error {
	c := twosat.NewClosure(g, limit)
	n := uint32(g.Len())
	var pairs []twosat.Edge
	var want []bool
	for u := range n {
		for v, reaches := range reached(g, u) {
			pairs = append(pairs, twosat.Edge{From: u, To: uint32(v)})
			want = append(want, reaches)
		}
	}
	rand.New(rand.NewPCG(1, uint64(n))).Shuffle(len(pairs), func(i, j int) {
		pairs[i], pairs[j], want[i], want[j] = pairs[j], pairs[i], want[j], want[i]
	})
	for i, got := range c.Query(pairs) {
		if got != want[i] {
			return fmt.Errorf("limit %d: %v gives %v", limit, pairs[i], got)
		}
	}
	if err := checkCounts(c); err != nil {
		return fmt.Errorf("limit %d: %v", limit, err)
	}
	for i, p := range pairs[:min(len(pairs), 100)] {
		if got := c.Reaches(p.From, p.To); got != want[i] {
			return fmt.Errorf("limit %d: one query, %v gives %v", limit, p, got)
		}
	}
	return checkLists(c)
}

// checkCounts compares the numbers of reached components with depth-first search.
func checkCounts(c *twosat.Closure) error {
	dag, of := c.Condensation().DAG(), c.Condensation()
	for v := range uint32(of.Len()) {
		if !c.HasTable() {
			break
		}
		want := 0
		for _, reaches := range reached(dag, v) {
			if reaches {
				want++
			}
		}
		if got := c.Count(of.Members(v)[0]); got != want {
			return fmt.Errorf("component %d reaches %d, not %d", v, got, want)
		}
	}
	return nil
}

// checkLists compares closure and reduction with their definitions, on the graph
// of the components.
func checkLists(c *twosat.Closure) error {
	dag := c.Condensation().DAG()
	var closure, reduction []twosat.Edge
	for x := range uint32(dag.Len()) {
		marks := reached(dag, x)
		for y, reaches := range marks {
			if reaches && uint32(y) != x {
				closure = append(closure, twosat.Edge{From: x, To: uint32(y)})
			}
		}
		for _, y := range dag.Row(x) {
			if !slices.ContainsFunc(dag.Row(x), func(z uint32) bool { return z != y && reached(dag, z)[y] }) {
				reduction = append(reduction, twosat.Edge{From: x, To: y})
			}
		}
	}
	if got := sortEdges(slices.Collect(c.Pairs())); !slices.Equal(got, closure) {
		return fmt.Errorf("closure %v, not %v", got, closure)
	}
	if got := sortEdges(collect(c.Reduction())); !slices.Equal(got, sortEdges(reduction)) {
		return fmt.Errorf("reduction %v, not %v", got, reduction)
	}
	for range c.Pairs() {
		break // the iterator must stop
	}
	return nil
}

// TestClosure checks closures of random graphs.
func TestClosure(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(25)
		if seed%50 == 0 {
			n = 150 + r.IntN(150) // several words
		}
		for _, g := range []*twosat.Graph{randomDAG(seed, n, r.IntN(4*n)), randomGraph(seed, n, r.IntN(2*n))} {
			for _, limit := range limits {
				if err := checkClosure(g, limit); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
	}
}

// TestClosureEmpty checks the closure of a graph without vertices.
func TestClosureEmpty(t *testing.T) {
	for _, limit := range limits {
		c := twosat.NewClosure(twosat.NewGraph(0, nil), limit)
		if len(c.Query(nil)) != 0 || c.Reduction().Len() != 0 || len(slices.Collect(c.Pairs())) != 0 || len(c.Forced()) != 0 {
			t.Error("a graph without vertices has answers")
		}
	}
}

// TestClosureLimit expects a table exactly within the limit, and panics of calls
// that need a table or an even number of vertices.
func TestClosureLimit(t *testing.T) {
	g := randomDAG(1, 1000, 2000) // a table of 64*(1+...+15) + 40*16 words
	if c := twosat.NewClosure(g, 8*8320); !c.HasTable() {
		t.Error("no table within a sufficient limit")
	}
	if c := twosat.NewClosure(g, 8*8320-1); c.HasTable() {
		t.Error("a table beyond the limit")
	}
	if panics(func() { twosat.NewClosure(g, 0).Count(0) }) == "" {
		t.Error("counted without a table")
	}
	if panics(func() { twosat.NewClosure(twosat.NewGraph(3, nil), 0).Forced() }) == "" {
		t.Error("forced literals of an odd number of vertices")
	}
}

// TestForcedClosure compares the forced literals of the closure with those of
// Solver.Forced, also on instances with large searches.
func TestForcedClosure(t *testing.T) {
	for _, x := range []struct {
		name string
		f    *dimacs.Formula
	}{
		{"chain", chain(2500)}, {"ladder", ladder(2500)}, {"grid", grid(2500)}, {"hub", hub(2500)},
		{"threshold", random(t, 4000, 0.97, 1)}, {"sparse", random(t, 4000, 0.7, 1)},
	} {
		s, err := twosat.From(x.f, nil)
		if err != nil {
			t.Fatal(err)
		}
		forced, status := s.Forced(context.Background())
		if status != dimacs.Satisfiable {
			t.Fatalf("%s: %v", x.name, status)
		}
		want := twosat.NewClosure(s.Graph(), 1<<30).Forced()
		if got := forced.Lits(); !slices.Equal(got, want) {
			t.Errorf("%s: %d forced, not %d", x.name, len(got), len(want))
		}
		if got := twosat.NewClosure(s.Graph(), 1<<20).Forced(); !slices.Equal(got, want) {
			t.Errorf("%s: %d forced by blocks of columns, not %d", x.name, len(got), len(want))
		}
		if x.name == "hub" && forced.Blocks == 0 {
			t.Error("hub: no blocks")
		}
	}
}
