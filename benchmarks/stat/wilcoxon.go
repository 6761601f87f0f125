package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// The signed-rank test (Wilcoxon, Individual comparisons by ranking methods, 1945)
//
// Two methods run on the same instances. If neither is better, each difference is as likely to be positive as negative.
// The test ranks the differences by size and adds up the ranks of the positive ones: large differences count for more
// than in a sign test, but a single huge one for no more than n.
//
// Pairs without a difference are dropped, as Wilcoxon did and R's wilcox.test does: they speak for neither side. Easy
// instances on which both methods need nothing are therefore no evidence of equality; their number is reported, and
// belongs beside the p-value. (Pratt's variant of 1959 ranks them before dropping; it differs little.)
//
// Equal sizes share their midrank. For up to 50 differences the p-value is exact: every one of the 2^n ways of giving
// signs to the ranks that are there is as likely, and a table over sums counts them in O(n³). Beyond, the sum is close
// to normal, with the variance reduced for ties and half a step of continuity correction, as in R.
//
// Assumption: under the hypothesis differences are symmetric about 0. That holds if the methods are interchangeable; it
// is not a test of medians for skewed differences.

// A Paired is how two methods compare on the same instances.
type Paired struct {
	N                 int     // pairs
	Less, More, Equal int     // pairs in which x is less than, more than and equal to y
	W                 float64 // sum of the ranks of the differences x-y that are positive
	P                 float64 // two-sided, of the signed-rank test; 1 if all pairs are equal
	// Effect is the matched-pairs rank-biserial correlation (Kerby 2014): the share of the rank sum that says x > y less
	// the share that says x < y, from -1 to 1; 0 if all pairs are equal.
	Effect float64
}

// Wilcoxon returns the statistic of the signed-rank test on the pairs of x and y, which is the sum of the ranks of
// positive differences x-y, and its two-sided p-value.
func Wilcoxon(x, y []float64) (w, p float64) {
	c := Compare(x, y)
	return c.W, c.P
}

// exactSigns is the largest number of differences for which the distribution of the statistic is computed.
const exactSigns = 50

// Compare returns the signed-rank test of x and y with what belongs beside it.
func Compare(x, y []float64) Paired {
	mustBePaired(x, y)
	c := Paired{N: len(x), P: 1}
	var sizes []float64
	var positive []bool
	for i := range x {
		switch {
		case x[i] < y[i]:
			c.Less++
		case x[i] > y[i]:
			c.More++
		default:
			c.Equal++ // two infinities are equal, though their difference is no number
			continue
		}
		sizes = append(sizes, math.Abs(x[i]-y[i]))
		positive = append(positive, x[i] > y[i])
	}
	if len(sizes) == 0 {
		return c
	}
	ranks, ties := doubledRanks(sizes)
	w, total := 0, 0
	for i, r := range ranks {
		total += r
		if positive[i] {
			w += r
		}
	}
	c.W = float64(w) / 2
	c.Effect = float64(2*w-total) / float64(total)
	if len(ranks) <= exactSigns {
		c.P = signsP(ranks, w)
	} else {
		c.P = normalP(c.W, len(ranks), ties)
	}
	return c
}

// signsP returns the chance that the sum of the ranks with positive sign is at least as far from its middle as w, if
// signs are given by the toss of a coin.
func signsP(ranks []int, w int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	chance := make([]float64, total+1) // of every sum
	chance[0] = 1
	for _, r := range ranks {
		for s := total; s >= 0; s-- {
			chance[s] /= 2
			if s >= r {
				chance[s] += chance[s-r] / 2
			}
		}
	}
	// The distribution is symmetric: both tails are the lower one.
	p := 0.0
	for _, c := range chance[:min(w, total-w)+1] {
		p += 2 * c
	}
	return min(1, p)
}

// normalP is signsP by the normal distribution, for n ranks in groups of equal ones.
func normalP(w float64, n int, ties []int) float64 {
	m := float64(n)
	variance := m * (m + 1) * (2*m + 1) / 24
	for _, t := range ties {
		t := float64(t)
		variance -= (t*t*t - t) / 48
	}
	distance := max(0, math.Abs(w-m*(m+1)/4)-0.5)
	return 2 * distuv.UnitNormal.CDF(-distance/math.Sqrt(variance))
}
