package stat

import (
	"fmt"
	"math"
	"slices"
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
