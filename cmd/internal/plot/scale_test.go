package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale     Scale
		low, high float64
		want      string
	}{
		{Linear, 0, 1, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"},
		{Linear, -0.3, 10.3, "0 1 2 3 4 5 6 7 8 9 10"},
		{Linear, -0.25, 0.31, "-0.25 -0.2 -0.15 -0.1 -0.05 0 0.05 0.1 0.15 0.2 0.25 0.3"},
		{Linear, 20.4, 29.3, "21 22 23 24 25 26 27 28 29"},
		{Linear, 0, 120, "0 50 100"},
		{Linear, -1500, 1500, "-1500 -1000 -500 0 500 1000 1500"},
		{Linear, 0, 0.003, "0 0.001 0.002 0.003"},
		{Log, 0.009, 1500, "0.01 0.1 1 10 100 1000"},
		{Log, 3, 120, "5 10 20 50 100"},
		{Log, 12, 40, "12 18 24 30 36"},
		{Log, 8, 95, "10 20 50"},
		{Log, 1e-6, 1e6, "1e-06 0.0001 0.01 1 100 10000 1e+06"},
		{Log1p, 0, 2500, "0 1 10 100 1000"},
		{Log1p, 0, 60, "0 1 2 5 10 20 50"},
		{Log1p, 0, 1, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"},
	} {
		ticks := c.scale.ticks(span{c.low, c.high})
		slices.SortFunc(ticks, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
		var labels []string
		for _, tick := range ticks {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
			if tick.Value < c.low-1e-9*math.Abs(c.low) || tick.Value > c.high+1e-9*c.high {
				t.Errorf("%s axis from %v to %v: a tick at %v", scales[c.scale].name, c.low, c.high, tick.Value)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%s axis from %v to %v: %s", scales[c.scale].name, c.low, c.high, got)
		}
	}
}

func TestShown(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		data span // scaled
	}{
		{Axis{}, span{3, 3}}, {Axis{}, span{0, 0}}, {Axis{}, span{1e17, 1e17}}, {Axis{}, span{-2, 7}},
		{Axis{Scale: Log}, span{math.Log(5), math.Log(5)}}, {Axis{Scale: Log}, span{-690, 690}}, {Axis{Scale: Log1p}, span{0, 0}},
		{Axis{Scale: Log1p}, span{1.6, 1.6}}, {Axis{zero: true}, span{5, 9}},
	} {
		got := c.axis.shown(c.data, margin)
		if !(got.low < got.high && got.low <= c.data.low && got.high > c.data.high) || math.IsInf(got.high-got.low, 0) {
			t.Errorf("a %s axis for %v shows %v", scales[c.axis.Scale].name, c.data, got)
		}
		if c.axis.zero && got.low != 0 {
			t.Errorf("an axis from zero shows %v", got)
		}
	}
	if got := (Axis{Min: 2, Max: 5}).shown(span{0, 9}, margin); got != (span{2, 5}) {
		t.Errorf("an axis from 2 to 5 shows %v", got)
	}
}
