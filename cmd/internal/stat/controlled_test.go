package stat

import (
	"math"
	"testing"
)

// horsepower of the 32 cars of mtcars.
var horsepower = []float64{110, 110, 93, 110, 175, 105, 245, 62, 95, 123, 123, 180, 180, 180, 205, 215, 230,
	66, 52, 65, 97, 150, 150, 245, 175, 66, 91, 113, 264, 175, 335, 109}

// cylinders of the 32 cars of mtcars.
var cylinders = []int{6, 6, 4, 6, 8, 6, 8, 4, 4, 6, 6, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 8, 8, 8, 8, 4, 4, 4, 8, 6, 8, 4}

// The expected value is the correlation of the residuals of two regressions on the ranks of z.
func TestPartialSpearman(t *testing.T) {
	c := PartialSpearman(mpg, weight, horsepower)
	x, y, z := Ranks(mpg), Ranks(weight), Ranks(horsepower)
	residuals := func(v []float64) []float64 {
		l := Fit(z, v)
		left := make([]float64, len(v))
		for i := range v {
			left[i] = v[i] - l.Intercept - l.Slope*z[i]
		}
		return left
	}
	near(t, "partial rho", c.R, coefficient(residuals(x), residuals(y)), 1e-12)
	near(t, "p", c.P, studentP(c.R, 31), 1e-12)
	if c.N != 32 || !(c.Low < c.R && c.R < c.High) {
		t.Errorf("%+v", c)
	}
	if c := PartialSpearman(mpg, weight, mpg); !math.IsNaN(c.R) || !math.IsNaN(c.P) || !math.IsNaN(c.Low) {
		t.Errorf("with x held constant: %+v", c)
	}
}

func TestStratifiedSpearman(t *testing.T) {
	// One stratum: Spearman's coefficient.
	one := make([]int, len(mpg))
	near(t, "one stratum", StratifiedSpearman(mpg, weight, one, 1).R, Spearman(mpg, weight).R, 1e-12)
	// Opposite signs within and between strata.
	x := []float64{1, 2, 3, 11, 12, 13, 21, 22, 23}
	y := []float64{3, 2, 1, 13, 12, 11, 23, 22, 21}
	strata := []int{5, 5, 5, 2, 2, 2, 9, 9, 9}
	c := StratifiedSpearman(x, y, strata, 1)
	if c.R != -1 || c.Low != -1 || c.High != -1 || Spearman(x, y).R < 0.7 {
		t.Errorf("within strata %+v, over all %+v", c, Spearman(x, y))
	}
	// 2 of the 216 permutations are as extreme.
	near(t, "p", c.P, 2.0/216, 0.3)
	if again := StratifiedSpearman(x, y, strata, 1); again != c {
		t.Errorf("not reproducible: %+v and %+v", again, c)
	}
	// Cars of equal cylinders; the p-value of all cars would be smaller.
	c = StratifiedSpearman(mpg, weight, cylinders, 1)
	if c.P > 0.01 || c.Low > c.R || c.High < c.R || math.Abs(c.R) >= math.Abs(Spearman(mpg, weight).R) {
		t.Errorf("mtcars: %+v", c)
	}
	if c := StratifiedSpearman(x, x, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1); !math.IsNaN(c.R) || !math.IsNaN(c.P) || !math.IsNaN(c.High) {
		t.Errorf("strata of one observation: %+v", c)
	}
}

// lm(mpg ~ wt) of mtcars, as printed in many introductions to R.
func TestFit(t *testing.T) {
	l := Fit(weight, mpg)
	near(t, "intercept", l.Intercept, 37.2851, 1e-5)
	near(t, "slope", l.Slope, -5.3445, 1e-5)
	near(t, "low", l.Low, -6.486308, 1e-6)
	near(t, "high", l.High, -4.202635, 1e-6)
	near(t, "p", l.P, 1.294e-10, 1e-3)
	if l := Fit([]float64{1, 2, 3}, []float64{2, 4, 6}); l.Slope != 2 || l.P != 0 || l.Low != 2 {
		t.Errorf("an exact line: %+v", l)
	}
	if l := Fit([]float64{1, 2, 3}, []float64{2, 2, 2}); l.Slope != 0 || l.P != 1 {
		t.Errorf("a constant: %+v", l)
	}
	if l := Fit([]float64{1, 1, 1}, []float64{2, 4, 6}); !math.IsNaN(l.Slope) || !math.IsNaN(l.P) {
		t.Errorf("a vertical line: %+v", l)
	}
}
