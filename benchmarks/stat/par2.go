package stat

import (
	"fmt"
	"math"
)

// PAR2 returns the penalized average runtime of the SAT competitions: the mean over all instances of the time taken, or
// of twice the limit for those not solved; less is better. What is solved counts with its time, even if that is a little
// over the limit because the limit was noticed late. Of nothing it is NaN.
func PAR2(times []float64, solved []bool, limit float64) float64 {
	if len(times) != len(solved) {
		panic(fmt.Sprintf("stat: %d times of %d instances", len(times), len(solved)))
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
