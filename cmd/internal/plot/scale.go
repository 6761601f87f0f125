package plot

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// A Scale maps numbers to positions on an axis.
type Scale int

const (
	Linear Scale = iota
	Log          // positive numbers
	Log1p        // log(1+x), for counts
)

// scales has for each Scale the monotonic function to scaled numbers, its inverse, the least valid number, and the name
// in error messages.
var scales = [...]struct {
	forward, back func(float64) float64
	least         float64
	name          string
}{
	Linear: {func(x float64) float64 { return x }, func(x float64) float64 { return x }, -math.MaxFloat64, "linear"},
	Log:    {math.Log, math.Exp, math.SmallestNonzeroFloat64, "logarithmic"},
	Log1p:  {math.Log1p, math.Expm1, 0, "log(1+x)"},
}

// check returns an error if an axis with this scale cannot show x.
func (s Scale) check(f *Figure, x float64) error {
	if x >= scales[s].least && x <= math.MaxFloat64 {
		return nil
	}
	return fmt.Errorf("plot: figure %q: %v on a %s axis", f.Title, x, scales[s].name)
}

// A span is a range of numbers.
type span struct{ low, high float64 }

var empty = span{math.Inf(1), math.Inf(-1)}

func (s *span) add(x float64) {
	s.low, s.high = min(s.low, x), max(s.high, x)
}

func (s span) isEmpty() bool { return s.low > s.high }

// Margins beyond the data as a fraction of the axis: in general, and above data with the texts of marks.
const (
	margin   = 0.03
	headroom = 0.13
)

// shown returns the range of axis a for data in the span s. Both are in scaled
// numbers. The range is that of the data plus margins; above is the margin at
// the upper end. It is never empty.
func (a Axis) shown(s span, above float64) span {
	if a.Min != a.Max {
		return span{scales[a.Scale].forward(a.Min), scales[a.Scale].forward(a.Max)}
	}
	if a.zero {
		s.add(0)
	}
	zero := s.low
	if s.high-s.low <= 1e-9*max(math.Abs(s.low), math.Abs(s.high)) {
		extra := max(1, math.Abs(s.low)/10)
		s = span{s.low - extra, s.high + extra}
	}
	wide := span{s.low - margin*(s.high-s.low), min(math.MaxFloat64, s.high+above*(s.high-s.low))}
	if zero == 0 && a.Scale != Log {
		wide.low = 0 // the axis ends at zero
	}
	if a.Scale == Log1p {
		wide.low = max(0, s.low)
	}
	return wide
}

// maxLabels is the largest number of ticks on a linear axis that all have labels.
const maxLabels = 12

// ticks returns the ticks of an axis. A logarithmic axis over at least one decade has the ticks of [plot.LogTicks], and
// a tick at 0 if the scale is Log1p. Other axes have the ticks of [plot.DefaultTicks], all with labels if there are
// few.
func (s Scale) ticks(shown span) []plot.Tick {
	switch {
	case s == Log && shown.high/shown.low >= 10:
		return logTicks(shown.low, shown.high)
	case s == Log1p && shown.high >= 2:
		return append([]plot.Tick{{Value: 0, Label: "0"}}, logTicks(1, shown.high)...)
	}
	ticks := plot.DefaultTicks{}.Ticks(shown.low, shown.high)
	if len(ticks) <= maxLabels {
		for i, t := range ticks {
			if math.Abs(t.Value) < 1e-9*(shown.high-shown.low) {
				t.Value = 0 // a multiple of the step, up to rounding
			}
			ticks[i].Label = strconv.FormatFloat(t.Value, 'g', 6, 64)
		}
	}
	return ticks
}

// logTicks returns the ticks of [plot.LogTicks] between low and high. Over less than two decades, 2 and 5 times the
// powers of ten have labels too. Over more than ten decades, not every power has a label.
func logTicks(low, high float64) []plot.Tick {
	decades := math.Log10(high / low)
	every := 1 + int(decades)/10
	var all []plot.Tick
	// For each power of ten, LogTicks returns the power with a label, then 1 to 9 times the power without.
	for i, t := range (plot.LogTicks{Prec: 6}).Ticks(low, high) {
		switch {
		case i/10%every != 0:
			t.Label = ""
		case decades < 2 && (i%10 == 2 || i%10 == 5):
			t.Label = strconv.FormatFloat(t.Value, 'g', 6, 64)
		}
		if low*(1-1e-9) <= t.Value && t.Value <= high*(1+1e-9) && i%10 != 1 {
			all = append(all, t)
		}
	}
	return all
}
