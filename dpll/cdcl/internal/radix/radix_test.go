package radix

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSort compares Sort with the standard library, for few and many, narrow and wide
// keys. Values are in ascending order, as Sort requires.
func TestSort(t *testing.T) {
	var scratch []uint64
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		a := make([]uint64, rng.IntN(1000))
		mask := uint64(math.MaxUint32) >> rng.IntN(32)
		for i := range a {
			a[i] = rng.Uint64()&mask<<32 | uint64(i)
		}
		want := slices.Clone(a)
		slices.SortStableFunc(want, func(x, y uint64) int {
			switch x, y := x>>32, y>>32; {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		scratch = Sort(a, scratch)
		if !slices.Equal(a, want) {
			t.Fatalf("seed %d: %d keys are not sorted", seed, len(a))
		}
	}
}
