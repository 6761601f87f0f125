package stat

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Quantiles returns the quantiles of x at each q, from 0 (minimum) to 1 (maximum). It interpolates
// linearly, with the observations at 0, 1/(n-1), ..., 1: definition 7 of Hyndman and Fan (Sample
// quantiles in statistical packages, 1996), also the default of R, numpy and spreadsheets. The
// quantile at 1/2 is the usual median. Quantiles of an empty sample are NaN.
func Quantiles(x []float64, q ...float64) []float64 {
	sorted := sortedCopy(x)
	result := make([]float64, len(q))
	for i, q := range q {
		result[i] = quantile(sorted, q)
	}
	return result
}

func sortedCopy(x []float64) []float64 {
	mustBeNumbers(x)
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return sorted
}

func quantile(sorted []float64, q float64) float64 {
	if !(q >= 0 && q <= 1) {
		panic(fmt.Sprintf("stat: quantile %v is not between 0 and 1", q))
	}
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) || sorted[i] == sorted[i+1] {
		return sorted[i] // the difference of two infinities would be NaN
	}
	part := at - float64(i)
	if part == 0 {
		return sorted[i]
	}
	return sorted[i] + part*(sorted[i+1]-sorted[i])
}

// Median returns the median of x and a confidence interval of at least 95 % for
// the median of the population, for any distribution: the k-th smallest and the
// k-th largest observation. k is the largest number such that at most k-1 of n
// tosses of a fair coin are heads with probability at most 2.5 %. With fewer
// than 6 observations no such k exists; the interval is then the range of the
// sample, which contains the median with probability 1 - 2^(1-n).
func Median(x []float64) (median, low, high float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	sorted := sortedCopy(x)
	k := medianRank(len(x))
	return quantile(sorted, 0.5), sorted[k-1], sorted[len(sorted)-k]
}

// medianRank returns the k of Median, at least 1.
func medianRank(n int) int {
	heads := distuv.Binomial{N: float64(n), P: 0.5}
	// Start near the solution by the normal approximation: the standard deviation is sqrt(n)/2.
	k := max(1, int(float64(n)/2-math.Sqrt(float64(n)))-1)
	for k+1 <= n/2 && heads.CDF(float64(k)) <= 0.025 {
		k++
	}
	return k
}
