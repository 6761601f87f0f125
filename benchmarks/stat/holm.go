package stat

import "slices"

// Holm adjusts the p-values of a family of tests for being many (Holm, A simple sequentially rejective multiple test
// procedure, 1979): those adjusted values below 0.05 may all be called significant with a chance of at most 5 % that
// any of them is so by accident, whatever the tests have to do with each other. The result is in the order of p, and
// at most 1.
func Holm(p []float64) []float64 {
	mustBeNumbers(p)
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		if p[i] < p[j] {
			return -1
		}
		if p[i] > p[j] {
			return +1
		}
		return 0
	})
	adjusted := make([]float64, len(p))
	worst := 0.0
	for done, i := range order {
		worst = max(worst, min(1, p[i]*float64(len(p)-done)))
		adjusted[i] = worst
	}
	return adjusted
}
