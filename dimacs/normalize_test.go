package dimacs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNormalize(t *testing.T) {
	f := NewFormula(6)
	for _, c := range [][]int{
		{1, 2}, {2, 1}, {1, 2, 1}, {1, -1}, {}, {3, -4, 3, -4}, {-4, 3}, {}, {2, 3, -2}, {1}, {-1}, {3, 4},
	} {
		f.AddInts(c...)
	}
	before := show(f)
	g := f.Normalize()
	if want := "1 2,,3 -4,1,-1,3 4"; show(g) != want || g.Vars() != 6 || g.Size() != 8 {
		t.Errorf("got %d variables, %d literals, %q; want 6, 8, %q", g.Vars(), g.Size(), show(g), want)
	}
	if show(f) != before {
		t.Error("the formula was changed")
	}
	if g := new(Formula).Normalize(); g.Len() != 0 || g.Vars() != 0 {
		t.Errorf("got %d clauses from none", g.Len())
	}
}

// TestNormalizeRandom compares Normalize with a map of the sorted clauses, on
// formulas with many repetitions.
func TestNormalizeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		f := new(Formula)
		vars := 2 + round
		for range round * 80 {
			var c []Lit
			for range rng.IntN(6) {
				c = append(c, Lit(rng.IntN(2*vars)))
			}
			f.Add(c...)
		}
		want := NewFormula(f.Vars())
		seen := map[string]bool{}
		for _, c := range f.Clauses() {
			var short []Lit
			tautology := false
			for _, l := range c {
				tautology = tautology || slices.Contains(c, l.Not())
				if !slices.Contains(short, l) {
					short = append(short, l)
				}
			}
			key := fmt.Sprint(slices.Sorted(slices.Values(short)))
			if !tautology && !seen[key] {
				want.Add(short...)
			}
			seen[key] = true
		}
		got := f.Normalize()
		same(t, want, got)
		same(t, got, got.Normalize())
	}
}

// TestNormalizeCollision has two clauses with the same slot and the same tag in
// the hash table.
func TestNormalizeCollision(t *testing.T) {
	const slots = 64
	clauses := map[uint64][]Lit{}
	for v := range Lit(1 << 20) {
		c := []Lit{v, 1 << 25}
		h := hash(c)&^indexMask | hash(c)%slots
		other, found := clauses[h]
		if clauses[h] = c; !found {
			continue
		}
		f := new(Formula)
		f.Add(other...)
		f.Add(c...)
		if g := f.Normalize(); g.Len() != 2 {
			t.Errorf("got %d clauses for %v and %v, want 2", g.Len(), other, c)
		}
		return
	}
	t.Error("no collision")
}
