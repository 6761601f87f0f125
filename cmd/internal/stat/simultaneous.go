package stat

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// An Estimate is a mean with an interval.
type Estimate struct{ Mean, Low, High float64 }

// Simultaneous returns the means of several samples over the same units, x[j][i] for
// unit i, with simultaneous 95 % intervals: the probability that all intervals together
// contain their true means is about 95 %. The intervals are Mean ± critical standard
// errors, and critical is common to all: the 95 % quantile of the largest deviation of a
// bootstrap mean from the mean of its sample, in standard errors of that sample (max-t;
// Romano and Wolf, Stepwise multiple testing as formalized data snooping, 2005). Each
// bootstrap sample draws whole units, so correlations between the samples are kept, and
// the intervals are shorter than with Bonferroni's correction. Units that depend on each
// other, such as shufflings of one formula, must be averaged before.
//
// A sample without variance has an interval of length 0 and no share in critical, which
// is NaN if all are so. All samples must have the same length. It takes O(10000 n m) for
// m samples of n units.
func Simultaneous(x [][]float64, seed uint64) (estimates []Estimate, critical float64) {
	units := 0
	errors := make([]float64, len(x)) // standard errors
	for j, sample := range x {
		mustBePaired(x[0], sample)
		mustBeNumbers(sample)
		units = len(sample)
		m, deviation := stat.MeanStdDev(sample, nil)
		if units > 1 {
			errors[j] = deviation / math.Sqrt(float64(units))
		}
		estimates = append(estimates, Estimate{Mean: m})
	}
	critical = maxDeviation(x, estimates, errors, units, seed)
	for j := range estimates {
		e := &estimates[j]
		e.Low, e.High = e.Mean, e.Mean
		if errors[j] > 0 {
			e.Low, e.High = e.Mean-critical*errors[j], e.Mean+critical*errors[j]
		}
	}
	return estimates, critical
}

// maxDeviation returns the 95 % quantile of the largest deviation, in standard errors.
func maxDeviation(x [][]float64, estimates []Estimate, errors []float64, units int, seed uint64) float64 {
	if units == 0 {
		return math.NaN()
	}
	random := rand.New(rand.NewPCG(seed, 0))
	largest := make([]float64, resamples)
	drawn := make([]int, units)
	for b := range largest {
		for i := range drawn {
			drawn[i] = random.IntN(units)
		}
		for j, sample := range x {
			if errors[j] == 0 {
				continue
			}
			sum := 0.0
			for _, i := range drawn {
				sum += sample[i]
			}
			largest[b] = max(largest[b], math.Abs(sum/float64(units)-estimates[j].Mean)/errors[j])
		}
	}
	if critical := Quantiles(largest, 0.95)[0]; critical > 0 {
		return critical
	}
	return math.NaN()
}
