package families

import (
	"math"
	"slices"
	"testing"
)

// TestBelow checks ranges of all sizes, and the frequencies in small ones,
// within five standard deviations.
func TestBelow(t *testing.T) {
	r := newRNG(1)
	for shift := range 64 {
		for _, n := range []uint64{1 << shift, 1<<shift + 1, 3 << shift >> 1} {
			if n == 0 {
				continue
			}
			for range 20 {
				if x := r.below(n); x >= n {
					t.Fatalf("below(%d) is %d", n, x)
				}
			}
		}
	}
	const n, draws = 7, 70_000
	var counts [n]int
	for range draws {
		counts[r.below(n)]++
	}
	for x, c := range counts {
		if math.Abs(float64(c)-draws/n) > 5*math.Sqrt(draws/n) {
			t.Errorf("%d was drawn %d times out of %d", x, c, draws)
		}
	}
}

// TestBelowRejects uses three quarters of the range of a word: without
// rejection, a third of the numbers would be twice as frequent.
func TestBelowRejects(t *testing.T) {
	r := newRNG(2)
	const n, draws = 3 << 62, 30_000
	var schurBound [3]int
	for range draws {
		schurBound[r.below(n)%3]++
	}
	for x, c := range schurBound {
		if math.Abs(float64(c)-draws/3) > 5*math.Sqrt(draws/3) {
			t.Errorf("residue %d was drawn %d times out of %d", x, c, draws)
		}
	}
}

// TestShuffle counts the permutations of four items.
func TestShuffle(t *testing.T) {
	r := newRNG(3)
	const draws = 24_000
	counts := map[[4]int]int{}
	for range draws {
		xs := [4]int{0, 1, 2, 3}
		shuffle(r, xs[:])
		counts[xs]++
	}
	if len(counts) != 24 {
		t.Fatalf("%d permutations of 4 items", len(counts))
	}
	for xs, c := range counts {
		if math.Abs(float64(c)-draws/24) > 5*math.Sqrt(draws/24) {
			t.Errorf("%v came %d times out of %d", xs, c, draws)
		}
	}
}

// TestVariables checks that all sets of variables are equally frequent.
func TestVariables(t *testing.T) {
	inst := mustMake(t, "ksat", Values{"vars": 6, "k": 3, "clauses": 20_000}, 6)
	counts := map[string]int{}
	for _, c := range inst.Formula.Clauses() {
		var vars []byte
		for _, l := range c {
			vars = append(vars, byte('a'+l.Var()))
		}
		slices.Sort(vars)
		counts[string(vars)]++
	}
	if len(counts) != 20 {
		t.Fatalf("%d sets of 3 out of 6", len(counts))
	}
	for set, c := range counts {
		if math.Abs(float64(c)-1000) > 5*math.Sqrt(1000) {
			t.Errorf("%s was drawn %d times out of 20000", set, c)
		}
	}
}
