package stat

// Holm returns the p-values of a family of tests adjusted by Holm's step-down procedure (A simple
// sequentially rejective multiple test procedure, 1979): if all tests with an adjusted value below
// 0.05 are called significant, the probability of any false positive is at most 5 %, for any
// dependence between the tests. The result is in the order of p, and at most 1.
func Holm(p []float64) []float64 {
	mustBeNumbers(p)
	adjusted := make([]float64, len(p))
	largest := 0.0
	for done, i := range argsort(p) {
		largest = max(largest, min(1, p[i]*float64(len(p)-done)))
		adjusted[i] = largest
	}
	return adjusted
}
