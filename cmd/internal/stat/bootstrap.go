package stat

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// Bootstrap confidence intervals (Efron 1979).
//
// The distribution of the instances is unknown, so the bootstrap uses the sample in its place: it
// draws as many observations from the sample with replacement, computes their mean, repeats this,
// and returns the middle 95 % of the means, the percentile interval. The method assumes that the
// instances are independent draws from the population of interest, which a collection of benchmarks
// rarely is: the interval applies to instances like these. With fewer than about twenty
// observations, or very heavy tails, it is too narrow.
//
// The random numbers come from a PCG generator with the given seed: the same sample in the same order
// gives the same interval.

// resamples is the number of bootstrap samples. The ends of a percentile interval then have a
// standard error of about 2 % of its length.
const resamples = 10_000

// Mean returns the arithmetic mean of x and its 95 % bootstrap interval, in O(10000 n). For an
// empty sample all three results are NaN.
func Mean(x []float64, seed uint64) (mean, low, high float64) {
	mustBeNumbers(x)
	if len(x) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	low, high = bootstrapMean(x, seed)
	return stat.Mean(x, nil), low, high
}

// GeoMeanRatio returns the geometric mean of a[i]/b[i], for instance of the times of two solvers on
// the same instances, and its 95 % bootstrap interval over the pairs, in O(10000 n). A ratio below
// 1 means that a is smaller. All values must be positive and finite, else GeoMeanRatio panics; a
// time measured as 0 must be raised to the resolution of the clock by the caller. For empty samples
// all three results are NaN.
//
// The geometric mean is symmetric: the ratio of b to a is the inverse. With arithmetic means of
// ratios, each of two solvers can be slower than the other (Fleming and Wallace, How not to lie
// with statistics, 1986).
func GeoMeanRatio(a, b []float64, seed uint64) (ratio, low, high float64) {
	mustBePaired(a, b)
	if len(a) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	logs := make([]float64, len(a))
	for i := range a {
		if !(a[i] > 0 && b[i] > 0 && a[i] <= math.MaxFloat64 && b[i] <= math.MaxFloat64) {
			panic(fmt.Sprintf("stat: no ratio of %v and %v", a[i], b[i]))
		}
		logs[i] = math.Log(a[i]) - math.Log(b[i])
	}
	low, high = bootstrapMean(logs, seed)
	return math.Exp(stat.Mean(logs, nil)), math.Exp(low), math.Exp(high)
}

// bootstrapMean returns the 95 % percentile interval of the mean of x, which must not be empty.
func bootstrapMean(x []float64, seed uint64) (low, high float64) {
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range x {
			sum += x[random.IntN(len(x))]
		}
		means[i] = sum / float64(len(x))
	}
	ends := Quantiles(means, 0.025, 0.975)
	return ends[0], ends[1]
}
