package cdcl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sator/dimacs"
)

// TestLongestTrail compares the values of the longest trail with copies of whole trails.
func TestLongestTrail(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	p := phases{best: longestTrail{values: make([]int8, 20)}}
	g, want, size := &p.best, make([]int8, 20), 0
	x := trail{vals: make([]int8, 40)}
	for range 10_000 {
		n := rng.IntN(len(x.lits) + 1)
		if g.update(&x, n); n > size {
			size = n
			for _, l := range x.lits[:n] {
				want[l>>1] = x.vals[l&^1]
			}
		}
		if !slices.Equal(g.values, want) {
			t.Fatalf("%v, want %v", g.values, want)
		}
		if rng.IntN(4) == 0 {
			g.size, size = 0, 0
		}
		n = rng.IntN(len(x.lits) + 1)
		p.shorten(n)
		for _, l := range x.lits[n:] {
			x.vals[l], x.vals[l^1] = 0, 0
		}
		for x.lits = x.lits[:n]; len(x.lits) < 12; {
			if l := dimacs.Lit(rng.IntN(40)); x.vals[l] == 0 {
				x.lits = append(x.lits, l)
				x.vals[l], x.vals[l^1] = 1, -1
			}
		}
	}
}
