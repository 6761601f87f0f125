package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// The Wilcoxon signed-rank test (Wilcoxon, Individual comparisons by ranking methods, 1945).
//
// Two methods run on the same instances. If neither is better, each difference
// is positive or negative with equal probability. The test ranks the
// differences by absolute value and sums the ranks of the positive ones: a
// large difference counts more than in a sign test, but even a huge difference
// adds at most n.
//
// Pairs without a difference are dropped, as by Wilcoxon and by R's wilcox.test. Easy instances on
// which both methods have count 0 are therefore no evidence of equality; their number is reported
// and should be shown beside the p-value. Pratt's variant of 1959, which ranks zeros before
// dropping them, differs little.
//
// Equal absolute values have their midrank. For up to 50 differences the p-value is exact: all 2^n
// assignments of signs to the observed ranks are equally likely, and dynamic programming over the
// sums counts them in O(n³). For more, the normal approximation is used with correction for ties
// and for continuity, as in R.
//
// The test assumes that differences are symmetric about 0 under the hypothesis. This holds if the
// methods are interchangeable; the test is not a test of medians for skewed differences.

// A Paired is the comparison of two methods on the same instances.
type Paired struct {
	N                 int     // number of pairs
	Less, More, Equal int     // numbers of pairs in which x is less than, more than and equal to y
	W                 float64 // sum of the ranks of the positive differences x-y
	P                 float64 // two-sided p-value of the signed-rank test; 1 if all pairs are equal
	// Effect is the matched-pairs rank-biserial correlation (Kerby 2014): the fraction of the rank
	// sum with x > y minus the fraction with x < y, from -1 to 1; 0 if all pairs are equal.
	Effect float64
}

// exactSigns is the largest number of differences with an exact p-value.
const exactSigns = 50

// Compare returns the signed-rank test of x and y with the numbers of pairs and the effect size.
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
			c.Equal++ // including pairs of infinities, whose difference is NaN
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
		c.P = exactSignedRankP(ranks, w)
	} else {
		c.P = normalSignedRankP(c.W, len(ranks), ties)
	}
	return c
}

// exactSignedRankP returns the probability that the sum of the ranks with positive sign is at least
// as far from its mean as w, if all assignments of signs are equally likely.
func exactSignedRankP(ranks []int, w int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	probability := make([]float64, total+1) // by sum
	probability[0] = 1
	for _, r := range ranks {
		for s := total; s >= 0; s-- {
			probability[s] /= 2
			if s >= r {
				probability[s] += probability[s-r] / 2
			}
		}
	}
	// The distribution is symmetric, so both tails have the probability of the lower one.
	p := 0.0
	for _, c := range probability[:min(w, total-w)+1] {
		p += 2 * c
	}
	return min(1, p)
}

// normalSignedRankP is the normal approximation of exactSignedRankP, for n ranks with groups of
// ties.
func normalSignedRankP(w float64, n int, ties []int) float64 {
	m := float64(n)
	variance := m * (m + 1) * (2*m + 1) / 24
	for _, t := range ties {
		t := float64(t)
		variance -= (t*t*t - t) / 48
	}
	distance := max(0, math.Abs(w-m*(m+1)/4)-0.5)
	return 2 * distuv.UnitNormal.CDF(-distance/math.Sqrt(variance))
}
