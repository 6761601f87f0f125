package stat

import (
	"fmt"

	"gonum.org/v1/gonum/stat/distuv"
)

// SignTest returns the two-sided p-value of the sign test: the probability that, of less+more tosses of a fair coin, the
// number of heads is at least as far from its mean as less. It is exact, and 1 for no tosses. A negative number panics.
//
// Applied to the instances that exactly one of two solvers solves, this is the exact form of McNemar's test (Note on the
// sampling error of the difference between correlated proportions, 1947).
func SignTest(less, more int) float64 {
	if less < 0 || more < 0 {
		panic(fmt.Sprintf("stat: sign test of %d and %d", less, more))
	}
	if less == more {
		return 1
	}
	heads := distuv.Binomial{N: float64(less + more), P: 0.5}
	return min(1, 2*heads.CDF(float64(min(less, more))))
}
