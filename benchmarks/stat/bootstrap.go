package stat

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// The bootstrap (Efron 1979)
//
// How far would a mean move if the instances had been others? Nobody knows their distribution, but the sample is a
// picture of it: draw as many observations from the sample, with replacement, compute the mean of those, repeat, and
// take the middle 95 % of what comes out. This is the percentile interval. It assumes that instances were drawn
// independently from what one wants to speak about, which a collected set of benchmarks rarely is: the interval is about
// instances like these. With fewer than some twenty observations, or very heavy tails, it is too narrow.
//
// The random numbers are those of a PCG generator with the seed given: the same sample in the same order gives the same
// interval.

// resamples is the number of samples drawn. The ends of a percentile interval then have a standard error of about 2 % of
// its length.
const resamples = 10_000

// Mean returns the arithmetic mean of x and its 95 % bootstrap interval, in O(10000 n). Of nothing, all three are NaN.
func Mean(x []float64, seed uint64) (mean, low, high float64) {
	mustBeNumbers(x)
	if len(x) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	low, high = bootstrapMean(x, seed)
	return stat.Mean(x, nil), low, high
}

// GeoMeanRatio returns the geometric mean of a[i]/b[i], say of the times that two solvers took for the same instances,
// and its 95 % bootstrap interval over the pairs, in O(10000 n). Below 1, a is faster. All must be positive and finite:
// a time that was measured as 0 must be raised to what the clock can tell from it first, or it panics. Of nothing, all
// three are NaN.
//
// The geometric mean, since it does not depend on which of the two is the base: the ratio of b to a is the inverse.
// The arithmetic mean of ratios can say of both that they are slower than the other (Fleming and Wallace, How not to
// lie with statistics, 1986).
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

// bootstrapMean returns the 95 % percentile interval of the mean of x, which is not empty.
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
