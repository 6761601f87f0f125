package stat

import (
	"fmt"
	"math"
	"slices"
)

// PAR2 returns the PAR-2 score of the SAT competitions (penalized average runtime): the mean over
// all instances of the time, or of twice the limit for unsolved instances; lower is better. PAR2 of
// no instances is NaN. The interval of the score is that of [Mean] of the values of [Penalized].
func PAR2(times []float64, solved []bool, limit float64) float64 {
	costs := Penalized(times, solved, limit)
	if len(costs) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, c := range costs {
		sum += c
	}
	return sum / float64(len(costs))
}

// Penalized returns the terms of PAR-2: the time of each solved instance, and twice the limit for
// each other. A solved instance counts with its time even if that is slightly above the limit
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
