package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Ranks returns the midranks of x: 1 for the smallest value; equal values have the mean of the
// ranks that they span. The time is O(n log n).
func Ranks(x []float64) []float64 {
	doubled, _ := doubledRanks(x)
	ranks := make([]float64, len(x))
	for i, r := range doubled {
		ranks[i] = float64(r) / 2
	}
	return ranks
}

// doubledRanks returns twice the midranks of x and the sizes of the groups of equal values. Doubled midranks are
// integers, so sums of them are exact.
func doubledRanks(x []float64) (ranks, ties []int) {
	mustBeNumbers(x)
	order := argsort(x)
	ranks = make([]int, len(x))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && x[order[end]] == x[order[start]] {
			end++
		}
		// Twice the mean of the ranks start+1 to end is the sum of these two.
		for _, i := range order[start:end] {
			ranks[i] = start + 1 + end
		}
		ties = append(ties, end-start)
		start = end
	}
	return ranks, ties
}

// argsort returns the indices of x in ascending order of the values.
func argsort(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	return order
}

// mustBePaired panics unless x and y are paired samples.
func mustBePaired(x, y []float64) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("stat: paired samples of lengths %d and %d", len(x), len(y)))
	}
	mustBeNumbers(x)
	mustBeNumbers(y)
}

// mustBeNumbers panics if x contains NaN.
func mustBeNumbers(x []float64) {
	if i := slices.IndexFunc(x, math.IsNaN); i >= 0 {
		panic(fmt.Sprintf("stat: observation %d is NaN", i))
	}
}
