package stat

import (
	"fmt"
	"slices"
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

// TestPenalized: an unsolved instance counts twice the limit, a solved one its time.
func TestPenalized(t *testing.T) {
	got := Penalized([]float64{10, 100, 101}, []bool{true, false, true}, 100)
	if want := []float64{10, 200, 101}; !slices.Equal(got, want) {
		t.Errorf("the costs are %v, want %v", got, want)
	}
}
