package stat

import (
	"fmt"
	"testing"
)

// The values were computed with exact fractions from the definition of binom.test(less, less+more) of R: sums of binomial
// coefficients divided by a power of 2.
func TestSignTest(t *testing.T) {
	for _, x := range []struct {
		less, more int
		want       float64
	}{
		{0, 0, 1},
		{3, 3, 1},
		{0, 1, 1},
		{0, 5, 0.0625},
		{0, 6, 0.03125},
		{2, 8, 0.109375},
		{5, 13, 0.09625244140625},
		{13, 5, 0.09625244140625},
		{10, 25, 0.01667384780012071},
		{100, 150, 0.001883300935076157},
	} {
		near(t, fmt.Sprintf("sign test of %d and %d", x.less, x.more), SignTest(x.less, x.more), x.want, 1e-12)
	}
}

// TestPenalized compares the mean of the costs with PAR2.
func TestPenalized(t *testing.T) {
	times, solved := []float64{1, 30.01, 12, 5}, []bool{true, false, false, true}
	costs := Penalized(times, solved, 30)
	for i, want := range []float64{1, 60, 60, 5} {
		near(t, "cost", costs[i], want, 0)
	}
	mean, low, high := Mean(costs, 1)
	near(t, "PAR-2", PAR2(times, solved, 30), mean, 1e-12)
	// The percentile interval of four observations is near the range of the means of two of each kind.
	if !(low >= 1 && low < mean && mean < high && high <= 60) {
		t.Errorf("interval [%v, %v] of %v", low, high, mean)
	}
}
