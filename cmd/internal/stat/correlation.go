package stat

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Correlation: does y grow with x?
//
// Pearson's coefficient measures how close the points are to a straight line. Spearman's is
// Pearson's coefficient of the ranks and measures how close the points are to any increasing curve.
//
// The p-value is the probability of a coefficient at least as far from 0 if x and y are
// independent. Under this hypothesis r*sqrt((n-2)/(1-r²)) has Student's t distribution with n-2
// degrees of freedom: exactly for Pearson's coefficient if x or y is normal, and approximately for
// ranks of more than about ten observations. For fewer ranks all n! pairings are enumerated (Pitman
// 1937), which is exact with and without ties.
//
// The interval is Fisher's (1921): atanh(r) is approximately normal with standard deviation
// 1/sqrt(n-3). For ranks the variance is larger by the factor 1 + r²/2 (Bonett and Wright, Sample
// size requirements for estimating Pearson, Kendall and Spearman correlations, 2000). For Pearson's
// coefficient this assumes that x and y are jointly normal; on raw counts with heavy tails the
// interval is too narrow, another reason to use ranks or logarithms.

// A Correlation is a correlation coefficient of two paired samples, with its p-value and confidence
// interval.
type Correlation struct {
	N         int     // number of pairs
	R         float64 // the coefficient, -1 to 1; NaN if a sample is constant or has fewer than two observations
	P         float64 // two-sided p-value for the hypothesis of no association; NaN if N < 3 or R is NaN
	Low, High float64 // 95 % confidence interval of R: -1 to 1 if N < 4, NaN if R is NaN
}

// Pearson returns the product-moment correlation of x and y. The p-value is that of the t
// distribution with n-2 degrees of freedom; the interval is Fisher's.
func Pearson(x, y []float64) Correlation {
	mustBePaired(x, y)
	c := Correlation{N: len(x), R: coefficient(x, y)}
	c.P = studentP(c.R, c.N)
	c.interval(1)
	return c
}

// exactRanks is the largest number of pairs with an exact p-value of Spearman's coefficient: 9! = 362,880 pairings take
// a few milliseconds, and above this limit the error of the t distribution is less than 0.01.
const exactRanks = 9

// Spearman returns the rank correlation of x and y, with midranks for ties. The p-value is exact,
// given the ties, for up to 9 pairs, and that of the t distribution with n-2 degrees of freedom for
// more; the interval is Fisher's with Bonett and Wright's variance.
func Spearman(x, y []float64) Correlation {
	mustBePaired(x, y)
	c := Correlation{N: len(x), R: coefficient(Ranks(x), Ranks(y))}
	switch {
	case c.N < 3 || c.N > exactRanks || math.IsNaN(c.R):
		c.P = studentP(c.R, c.N)
	default:
		c.P = permutationP(x, y)
	}
	c.interval(1 + c.R*c.R/2)
	return c
}

// coefficient returns Pearson's r, or NaN if it is undefined. It tests for constant samples
// explicitly, because rounding may leave them a tiny variance and an arbitrary r.
func coefficient(x, y []float64) float64 {
	if constant(x) || constant(y) {
		return math.NaN()
	}
	return max(-1, min(1, stat.Correlation(x, y, nil)))
}

func constant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// studentP returns the two-sided p-value of a coefficient r of n pairs, by the t distribution.
func studentP(r float64, n int) float64 {
	if n < 3 || math.IsNaN(r) {
		return math.NaN()
	}
	if math.Abs(r) == 1 {
		return 0
	}
	freedom := float64(n - 2)
	t := math.Abs(r) * math.Sqrt(freedom/((1-r)*(1+r)))
	return 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.CDF(-t)
}

// interval sets c.Low and c.High. The variance of atanh(R) is variance/(n-3).
func (c *Correlation) interval(variance float64) {
	switch {
	case math.IsNaN(c.R):
		c.Low, c.High = c.R, c.R
	case c.N < 4:
		c.Low, c.High = -1, 1
	default:
		half := quantile95 * math.Sqrt(variance/float64(c.N-3))
		c.Low, c.High = math.Tanh(math.Atanh(c.R)-half), math.Tanh(math.Atanh(c.R)+half)
	}
}

// quantile95 is the 97.5 % quantile of the standard normal distribution.
var quantile95 = distuv.UnitNormal.Quantile(0.975)

// permutationP returns the fraction of all pairings of the ranks of x and y whose correlation is at
// least as far from 0 as the observed one. It compares integer sums of products, because all other
// terms of the coefficient are the same for every pairing.
func permutationP(x, y []float64) float64 {
	a, _ := doubledRanks(x)
	b, _ := doubledRanks(y)
	n := len(a)
	center := n * (n + 1) * (n + 1) // the sum of products for a coefficient of 0
	distance := func() int {
		sum := -center
		for i, r := range a {
			sum += r * b[i]
		}
		return max(sum, -sum)
	}
	observed := distance()
	extreme, all := 0, 0
	permute(b, len(b), func() {
		all++
		if distance() >= observed {
			extreme++
		}
	})
	return float64(extreme) / float64(all)
}

// permute calls visit for every permutation of the first k elements of b, by Heap's algorithm
// (1963).
func permute(b []int, k int, visit func()) {
	if k <= 1 {
		visit()
		return
	}
	for i := range k {
		permute(b, k-1, visit)
		if i == k-1 {
			break
		}
		if k%2 == 0 {
			b[i], b[k-1] = b[k-1], b[i]
		} else {
			b[0], b[k-1] = b[k-1], b[0]
		}
	}
}
