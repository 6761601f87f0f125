package stat

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Association with a third variable held constant, and the slope of a straight line.
//
// A partial correlation removes the linear effect of z from x and y and correlates the residuals
// (Yule 1907); Kendall applied the idea to ranks (1942). It tests whether x is associated with y beyond what z
// explains. The p-value is that of the t distribution with n-3 degrees of freedom, and the interval
// is Fisher's with one observation fewer. Both are approximate for ranks.
//
// A stratified correlation compares observations only within strata, for instance puzzles with the
// same solution: x and y are ranked in each stratum, the mean rank is subtracted, and the ranks of
// all strata are correlated. Differences between strata have no influence. The p-value is that of a
// permutation test, which exchanges y within the strata only. It assumes nothing but that the
// observations of a stratum are exchangeable. The interval is the bootstrap's, over whole strata.
//
// The slope is that of the least squares line. Its interval and p-value assume independent residuals
// of equal variance, and normal ones in small samples.

// PartialSpearman returns the rank correlation of x and y with the ranks of z held constant. R is
// NaN if a sample is constant or if z determines the ranks of x or y.
func PartialSpearman(x, y, z []float64) Correlation {
	mustBePaired(x, y)
	mustBePaired(x, z)
	a, b, c := Ranks(x), Ranks(y), Ranks(z)
	xy, xz, yz := coefficient(a, b), coefficient(a, c), coefficient(b, c)
	r := Correlation{N: len(x) - 1, R: math.NaN()} // the variable held constant costs an observation
	if left := (1 - xz*xz) * (1 - yz*yz); left > 1e-12 {
		r.R = max(-1, min(1, (xy-xz*yz)/math.Sqrt(left)))
	}
	r.P = studentP(r.R, r.N)
	r.interval(1 + r.R*r.R/2)
	r.N++
	return r
}

// permutations is the number of random permutations of a test.
const permutations = 9_999

// StratifiedSpearman returns the correlation of the ranks of x and y within strata: strata[i] is the
// number of the stratum of observation i. The p-value is (k+1)/10000 if k of 9999 random
// permutations of y within the strata have a coefficient at least as far from 0. The interval is the
// 95 % bootstrap interval over strata. If x or y is constant in every stratum, all results are NaN.
// The time is O(10000 n).
func StratifiedSpearman(x, y []float64, strata []int, seed uint64) Correlation {
	mustBePaired(x, y)
	if len(strata) != len(x) {
		panic(fmt.Sprintf("stat: %d strata of %d observations", len(strata), len(x)))
	}
	parts := stratify(x, y, strata)
	var sum [3]float64
	for i := range parts {
		sum = plus(sum, parts[i].moments)
	}
	c := Correlation{N: len(x), R: pooled(sum)}
	if c.Low, c.High, c.P = c.R, c.R, c.R; math.IsNaN(c.R) {
		return c
	}
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, 0, resamples)
	for range resamples {
		var draw [3]float64
		for range parts {
			draw = plus(draw, parts[random.IntN(len(parts))].moments)
		}
		if r := pooled(draw); !math.IsNaN(r) { // only strata of equal values were drawn
			means = append(means, r)
		}
	}
	ends := Quantiles(means, 0.025, 0.975)
	c.Low, c.High = ends[0], ends[1]
	extreme := 1
	for range permutations {
		products := 0.0
		for _, p := range parts {
			random.Shuffle(len(p.y), func(i, j int) { p.y[i], p.y[j] = p.y[j], p.y[i] })
			for i := range p.x {
				products += p.x[i] * p.y[i]
			}
		}
		if math.Abs(products) >= math.Abs(sum[0])*(1-1e-12) {
			extreme++
		}
	}
	c.P = float64(extreme) / (permutations + 1)
	return c
}

// A part has the ranks of a stratum minus their mean.
type part struct {
	x, y    []float64
	moments [3]float64 // the sums of x*y, x*x and y*y
}

// stratify returns the parts in order of their first observation.
func stratify(x, y []float64, strata []int) []part {
	var parts []part
	index := map[int]int{}
	for i, s := range strata {
		k, ok := index[s]
		if !ok {
			k = len(parts)
			index[s] = k
			parts = append(parts, part{})
		}
		parts[k].x, parts[k].y = append(parts[k].x, x[i]), append(parts[k].y, y[i])
	}
	for k := range parts {
		p := &parts[k]
		p.x, p.y = Ranks(p.x), Ranks(p.y)
		middle := float64(len(p.x)+1) / 2
		for i := range p.x {
			p.x[i] -= middle
			p.y[i] -= middle
			p.moments = plus(p.moments, [3]float64{p.x[i] * p.y[i], p.x[i] * p.x[i], p.y[i] * p.y[i]})
		}
	}
	return parts
}

func plus(a, b [3]float64) [3]float64 { return [3]float64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// pooled returns the coefficient of sums of products, or NaN if it is undefined.
func pooled(sum [3]float64) float64 {
	if sum[1] == 0 || sum[2] == 0 {
		return math.NaN()
	}
	return max(-1, min(1, sum[0]/math.Sqrt(sum[1]*sum[2])))
}

// A Line is the least squares line of y on x, with the interval and the p-value of its slope.
type Line struct {
	N                int
	Intercept, Slope float64
	Low, High        float64 // 95 % confidence interval of the slope
	P                float64 // two-sided p-value for slope 0
}

// Fit returns the least squares line. With fewer than three observations, or if x is constant, its
// numbers are NaN.
//
// With repeated measures of each subject under all combinations of some factors, the slope of a
// difference between levels, computed per subject, is the interaction of x and the factor: for such
// a balanced design the test is that of a mixed model with random subjects.
func Fit(x, y []float64) Line {
	mustBePaired(x, y)
	l := Line{N: len(x), Intercept: math.NaN(), Slope: math.NaN(), Low: math.NaN(), High: math.NaN(), P: math.NaN()}
	if l.N < 3 || constant(x) {
		return l
	}
	l.Intercept, l.Slope = stat.LinearRegression(x, y, nil, false)
	squares, spread, center := 0.0, 0.0, stat.Mean(x, nil)
	for i := range x {
		squares += math.Pow(y[i]-l.Intercept-l.Slope*x[i], 2)
		spread += math.Pow(x[i]-center, 2)
	}
	freedom := float64(l.N - 2)
	t := distuv.StudentsT{Sigma: 1, Nu: freedom}
	deviation := math.Sqrt(squares / freedom / spread)
	half := t.Quantile(0.975) * deviation
	l.Low, l.High = l.Slope-half, l.Slope+half
	switch {
	case deviation > 0:
		l.P = 2 * t.CDF(-math.Abs(l.Slope)/deviation)
	case l.Slope == 0:
		l.P = 1
	default:
		l.P = 0
	}
	return l
}
