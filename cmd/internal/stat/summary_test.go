package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestQuantiles(t *testing.T) {
	// R: quantile(mtcars$mpg)
	got := Quantiles(mpg, 0, 0.25, 0.5, 0.75, 1)
	for i, want := range []float64{10.4, 15.425, 19.2, 22.8, 33.9} {
		near(t, "quantile", got[i], want, 1e-12)
	}
	x := []float64{4, 1, 3, 2}
	if got := Quantiles(x, 0.5)[0]; got != 2.5 {
		t.Errorf("median is %v", got)
	}
	if !slices.Equal(x, []float64{4, 1, 3, 2}) {
		t.Errorf("the sample became %v", x)
	}
	if got := Quantiles([]float64{7}, 0, 0.3, 1); !slices.Equal(got, []float64{7, 7, 7}) {
		t.Errorf("quantiles of one observation are %v", got)
	}
	inf := math.Inf(1)
	if got := Quantiles([]float64{1, inf, inf}, 0, 0.5, 0.7, 1); !slices.Equal(got, []float64{1, inf, inf, inf}) {
		t.Errorf("quantiles with infinities are %v", got)
	}
	if !math.IsNaN(Quantiles(nil, 0.5)[0]) {
		t.Error("the quantile of an empty sample is not NaN")
	}
}

// TestBootstrap compares with the theoretical interval of a normal sample.
func TestBootstrap(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	const n = 400
	x, ones := make([]float64, n), make([]float64, n)
	sum, squares := 0.0, 0.0
	for i := range x {
		x[i] = 3 + 2*random.NormFloat64()
		sum += x[i]
		squares += x[i] * x[i]
	}
	mean, low, high := Mean(x, 1)
	deviation := math.Sqrt((squares - sum*sum/n) / (n - 1))
	near(t, "mean", mean, sum/n, 1e-12)
	near(t, "half the interval", (high-low)/2, 1.96*deviation/math.Sqrt(n), 0.05)
	if !(low < mean && mean < high) {
		t.Errorf("%v is not between %v and %v", mean, low, high)
	}
	for i := range x {
		x[i], ones[i] = math.Exp(x[i]), 1
	}
	ratio, rlow, rhigh := GeoMeanRatio(x, ones, 1)
	near(t, "ratio", ratio, math.Exp(mean), 1e-9)
	near(t, "low end", rlow, math.Exp(low), 1e-9)
	near(t, "high end", rhigh, math.Exp(high), 1e-9)
}

func TestGeoMeanRatio(t *testing.T) {
	a, b := []float64{1, 8, 2}, []float64{2, 2, 4}
	ratio, low, high := GeoMeanRatio(a, b, 7)
	near(t, "ratio", ratio, 1, 1e-12)
	again, low2, high2 := GeoMeanRatio(a, b, 7)
	if again != ratio || low2 != low || high2 != high {
		t.Error("the same seed gives different intervals")
	}
	inverse, ilow, ihigh := GeoMeanRatio(b, a, 7)
	near(t, "inverse", inverse, 1/ratio, 1e-9)
	near(t, "inverse low end", ilow, 1/high, 1e-9)
	near(t, "inverse high end", ihigh, 1/low, 1e-9)
	if ratio, low, high := GeoMeanRatio([]float64{3}, []float64{6}, 1); math.Abs(ratio-0.5) > 1e-15 || low != ratio || high != ratio {
		t.Errorf("of one pair: %v, from %v to %v", ratio, low, high)
	}
	if ratio, _, _ := GeoMeanRatio(nil, nil, 1); !math.IsNaN(ratio) {
		t.Errorf("of nothing: %v", ratio)
	}
}
