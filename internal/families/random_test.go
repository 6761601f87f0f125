package families

import (
	"math"
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
