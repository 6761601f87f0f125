package families

import (
	"fmt"
	"testing"
)

// TestRegular checks that graphs are regular, simple and connected. The sizes
// include complete graphs, for which few pairings succeed.
func TestRegular(t *testing.T) {
	for _, s := range []struct{ n, d int }{{4, 3}, {5, 4}, {6, 3}, {6, 5}, {9, 4}, {17, 16}, {20, 7}, {100, 3}, {1000, 4}} {
		for seed := range uint64(10) {
			g := newRNG(seed).regular(s.n, s.d)
			if err := badGraph(g, s.n, s.d); err != nil {
				t.Errorf("%d vertices of degree %d, seed %d: %v", s.n, s.d, seed, err)
			}
		}
	}
}

func badGraph(g *graph, n, d int) error {
	if len(g.ends) != n*d/2 {
		return fmt.Errorf("%d edges", len(g.ends))
	}
	seen := map[[2]uint32]bool{}
	group := make([]int, n) // connected components
	for u := range group {
		group[u] = u
	}
	for _, e := range g.ends {
		if e[0] == e[1] || seen[e] || seen[[2]uint32{e[1], e[0]}] {
			return fmt.Errorf("edge %v", e)
		}
		seen[e] = true
		from, to := group[e[0]], group[e[1]]
		for u := range group {
			if group[u] == from {
				group[u] = to
			}
		}
	}
	at := make([]int, len(g.ends))
	for u := range n {
		if group[u] != group[0] {
			return fmt.Errorf("vertex %d is not connected with vertex 0", u)
		}
		if len(g.edges(u)) != d {
			return fmt.Errorf("vertex %d has %d edges", u, len(g.edges(u)))
		}
		for _, e := range g.edges(u) {
			at[e]++
			if int(g.ends[e][0]) != u && int(g.ends[e][1]) != u {
				return fmt.Errorf("edge %d does not end at %d", e, u)
			}
		}
	}
	for e, c := range at {
		if c != 2 {
			return fmt.Errorf("edge %d is at %d vertices", e, c)
		}
	}
	return nil
}

// TestStuck: two edge ends at one vertex, or at adjacent vertices, cannot be
// joined.
func TestStuck(t *testing.T) {
	g := &graph{2, nil, nil, []int{0, 0, 0}}
	g.at = append(g.at, 0, 0, 0, 0, 0, 0)
	g.join(0, 1)
	for _, s := range []struct {
		stubs []uint32
		want  bool
	}{{[]uint32{0, 0}, true}, {[]uint32{0, 1}, true}, {[]uint32{1, 0}, true}, {[]uint32{0, 2}, false}, {[]uint32{2, 2, 1, 1}, false}} {
		if got := g.stuck(s.stubs); got != s.want {
			t.Errorf("stuck(%v) is %v", s.stubs, got)
		}
	}
}
