package plot

import (
	"math"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale     Scale
		low, high float64
		want      string
	}{
		{Linear, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Linear, -0.3, 10.3, "0 2 4 6 8 10"},
		{Linear, 20.4, 29.3, "21 22 23 24 25 26 27 28 29"},
		{Linear, -1500, 1500, "−1,500 −1,000 −500 0 500 1,000 1,500"},
		{Linear, 0, 0.003, "0.0000 0.0005 0.0010 0.0015 0.0020 0.0025 0.0030"},
		{Log, 0.009, 1500, "0.01 0.1 1 10 100 1,000"},
		{Log, 3, 120, "5 10 20 50 100"},
		{Log, 12, 40, "20 30 40"},
		{Log, 8, 95, "10 20 30 50 70"},
		{Log, 1e-6, 1e6, "1e-6 0.0001 0.01 1 100 10,000 1,000,000"},
		{Log1p, 0, 2500, "0 1 10 100 1,000"},
		{Log1p, 0, 60, "0 1 2 5 10 20 50"},
		{Log1p, 0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
	} {
		var labels []string
		last := math.Inf(-1)
		for _, tick := range c.scale.ticks(span{c.low, c.high}) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
			if tick.Value <= last || tick.Value < c.low-1e-9*math.Abs(c.low) || tick.Value > c.high+1e-9*c.high {
				t.Errorf("%s axis from %v to %v: a tick at %v", scales[c.scale].name, c.low, c.high, tick.Value)
			}
			last = tick.Value
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%s axis from %v to %v: %s", scales[c.scale].name, c.low, c.high, got)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 0, "0"}, {0, 2, "0.00"}, {999, 0, "999"}, {1000, 0, "1,000"}, {1234567, 0, "1,234,567"},
		{-1234.5, 1, "−1,234.5"}, {-12, 0, "−12"}, {1e8, 0, "1e8"}, {2.5e10, 0, "2.5e10"}, {1e-5, 5, "1e-5"},
	} {
		if got := number(c.x, c.digits); got != c.want {
			t.Errorf("number(%v, %d) is %s, not %s", c.x, c.digits, got, c.want)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		data span
	}{
		{Axis{}, span{3, 3}}, {Axis{}, span{0, 0}}, {Axis{}, span{1e17, 1e17}}, {Axis{}, span{-2, 7}},
		{Axis{Scale: Log}, span{5, 5}}, {Axis{Scale: Log}, span{1e-300, 1e300}}, {Axis{Scale: Log1p}, span{0, 0}},
		{Axis{Scale: Log1p}, span{4, 4}},
	} {
		got := c.axis.shown(c.data, margin)
		if !(got.low < got.high && got.low <= c.data.low && got.high > c.data.high) || math.IsInf(got.high-got.low, 0) {
			t.Errorf("a %s axis of %v shows %v", scales[c.axis.Scale].name, c.data, got)
		}
	}
	if got := (Axis{Min: 2, Max: 5}).shown(span{0, 9}, margin); got != (span{2, 5}) {
		t.Errorf("an axis from 2 to 5 shows %v", got)
	}
}
