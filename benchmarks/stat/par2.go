package stat

import (
	"fmt"
	"math"
)

// PAR2 returns the PAR-2 score of the SAT competitions (penalized average runtime): the mean over
// all instances of the time, or of twice the limit for unsolved instances; lower is better. A
// solved instance counts with its time even if that is slightly above the limit because the limit
// was detected late. PAR2 of no instances is NaN.
func PAR2(times []float64, solved []bool, limit float64) float64 {
	if len(times) != len(solved) {
		panic(fmt.Sprintf("stat: %d times for %d instances", len(times), len(solved)))
	}
	if len(times) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for i, t := range times {
		if !solved[i] {
			t = 2 * limit
		}
		sum += t
	}
	return sum / float64(len(times))
}
