package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// normals returns samples of the standard normal distribution.
func normals(random *rand.Rand, samples, units int) [][]float64 {
	x := make([][]float64, samples)
	for j := range x {
		for range units {
			x[j] = append(x[j], random.NormFloat64())
		}
	}
	return x
}

// For independent normal samples critical is the quantile of the largest of m absolute
// normal numbers: 1.96 for one, 2.80 for ten (Sidak). Equal samples count as one.
func TestSimultaneousCritical(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	one := normals(random, 1, 400)
	ten := normals(random, 10, 400)
	equal := [][]float64{one[0], one[0], one[0], one[0]}
	for _, test := range []struct {
		name string
		x    [][]float64
		want float64
	}{{"one", one, 1.96}, {"ten", ten, 2.80}, {"equal", equal, 1.96}} {
		if _, got := Simultaneous(test.x, 3); math.Abs(got-test.want) > 0.06 {
			t.Errorf("%s: critical is %.3f, want %.2f", test.name, got, test.want)
		}
	}
}

// The intervals are symmetric in standard errors, and a constant sample has none.
func TestSimultaneousIntervals(t *testing.T) {
	x := [][]float64{{1, 2, 3, 4}, {5, 5, 5, 5}, {-10, 0, 10, 20}}
	e, critical := Simultaneous(x, 1)
	if e[1] != (Estimate{5, 5, 5}) {
		t.Errorf("a constant sample has %v", e[1])
	}
	for j, wantMean := range map[int]float64{0: 2.5, 2: 5} {
		se := math.Sqrt(5.0/3) / 2
		if j == 2 {
			se = 10 * se
		}
		near(t, "mean", e[j].Mean, wantMean, 1e-12)
		near(t, "low", e[j].Low, wantMean-critical*se, 1e-9)
		near(t, "high", e[j].High, wantMean+critical*se, 1e-9)
	}
	if again, _ := Simultaneous(x, 1); again[0] != e[0] {
		t.Error("the same seed gives another interval")
	}
	if _, critical := Simultaneous([][]float64{{2, 2}}, 1); !math.IsNaN(critical) {
		t.Errorf("critical of a constant is %v", critical)
	}
}
