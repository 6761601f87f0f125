package stat

import (
	"fmt"
	"slices"
)

// Penalized returns the terms of the PAR-2 score of the SAT competitions (penalized average runtime), which is their
// mean: the time of each solved instance, and twice the limit for each other; lower is better. A solved instance counts with its time even if that is slightly above the limit
// because the limit was detected late.
func Penalized(times []float64, solved []bool, limit float64) []float64 {
	if len(times) != len(solved) {
		panic(fmt.Sprintf("stat: %d times for %d instances", len(times), len(solved)))
	}
	costs := slices.Clone(times)
	for i := range costs {
		if !solved[i] {
			costs[i] = 2 * limit
		}
	}
	return costs
}
