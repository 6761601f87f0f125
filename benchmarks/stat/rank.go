package stat

import (
	"fmt"
	"math"
	"slices"
)

// Ranks returns the midranks of x: 1 for its smallest value, and the mean of the ranks they span for equal ones. It
// sorts, in O(n log n).
func Ranks(x []float64) []float64 {
	doubled, _ := doubledRanks(x)
	ranks := make([]float64, len(x))
	for i, r := range doubled {
		ranks[i] = float64(r) / 2
	}
	return ranks
}

// doubledRanks returns twice the midranks of x, which are integers, so that sums of them compare exactly, and the
// sizes of the groups of equal values.
func doubledRanks(x []float64) (ranks, ties []int) {
	mustBeNumbers(x)
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case x[i] < x[j]:
			return -1
		case x[i] > x[j]:
			return +1
		}
		return 0
	})
	ranks = make([]int, len(x))
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && x[order[end]] == x[order[start]] {
			end++
		}
		// Ranks start+1 to end: twice their mean is the sum of the two.
		for _, i := range order[start:end] {
			ranks[i] = start + 1 + end
		}
		ties = append(ties, end-start)
		start = end
	}
	return ranks, ties
}

func mustBePaired(x, y []float64) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("stat: paired samples of lengths %d and %d", len(x), len(y)))
	}
	mustBeNumbers(x)
	mustBeNumbers(y)
}

func mustBeNumbers(x []float64) {
	if i := slices.IndexFunc(x, math.IsNaN); i >= 0 {
		panic(fmt.Sprintf("stat: observation %d is NaN", i))
	}
}
