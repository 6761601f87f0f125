package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// A Scale says how numbers become positions on an axis.
type Scale int

const (
	Linear Scale = iota
	Log          // positive numbers only
	Log1p        // log(1+x), for counts: from 0 on
)

// scales has for each Scale the monotonic function that makes distances of it, its inverse, the least number that can
// be shown, and its name.
var scales = [...]struct {
	forward, back func(float64) float64
	least         float64
	name          string
}{
	Linear: {func(x float64) float64 { return x }, func(x float64) float64 { return x }, -math.MaxFloat64, "linear"},
	Log:    {math.Log, math.Exp, math.SmallestNonzeroFloat64, "logarithmic"},
	Log1p:  {math.Log1p, math.Expm1, 0, "log(1+x)"},
}

// check returns an error if x, a number of the data, cannot be on an axis of this scale.
func (s Scale) check(f *Figure, x float64) error {
	if x >= scales[s].least && x <= math.MaxFloat64 {
		return nil
	}
	return fmt.Errorf("plot: figure %q: %v on a %s axis", f.Title, x, scales[s].name)
}

// A span is a range of numbers; empty is its neutral element.
type span struct{ low, high float64 }

var empty = span{math.Inf(1), math.Inf(-1)}

func (s *span) add(x float64) {
	s.low, s.high = min(s.low, x), max(s.high, x)
}

func (s span) isEmpty() bool { return s.low > s.high }

// The share of an axis left free beyond the data at either end, and at the top where words are written.
const (
	margin   = 0.03
	headroom = 0.13
)

// shown returns the range that axis a shows of data in s: a little more, with so much above, and never nothing.
func (a Axis) shown(s span, above float64) span {
	if a.Min != a.Max {
		return span{a.Min, a.Max}
	}
	scale := scales[a.Scale]
	if s.high-s.low <= 1e-9*max(math.Abs(s.low), math.Abs(s.high)) {
		switch a.Scale {
		case Linear:
			room := max(1, math.Abs(s.low)/10)
			s = span{s.low - room, s.high + room}
		default:
			s = span{s.low / 2, max(2*s.high, 1)}
		}
	}
	low, high := scale.forward(s.low), scale.forward(s.high)
	wide := span{scale.back(low - margin*(high-low)), min(math.MaxFloat64, scale.back(high+above*(high-low)))}
	if a.Scale == Log1p || a.Scale == Linear && s.low == 0 {
		wide.low = s.low // zero is an end
	}
	return wide
}

// ticks returns the ticks of an axis of scale s between the ends of shown.
func (s Scale) ticks(shown span) []plot.Tick {
	if s == Linear || s == Log1p && shown.high < 2 {
		return linearTicks(shown.low, shown.high)
	}
	return logTicks(shown.low, shown.high, s == Log1p)
}

// linearTicks are at multiples of 1, 2 or 5 times a power of ten, 5 to 12 of them, all labeled.
func linearTicks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	for _, f := range []float64{5, 2} {
		if (high-low)/(f*step) >= 5 {
			step *= f
			break
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
	var all []plot.Tick
	for i := range int(last-first) + 1 {
		value := (first+float64(i))*step + 0 // never -0
		all = append(all, plot.Tick{Value: value, Label: number(value, digits)})
	}
	return all
}

// logTicks are at 1 to 9 times the powers of ten, and at zero if asked. Labels are at all that fit: 1, 2 and 5 times
// the powers if there are at most two of these, more of them on less, else the powers, thinned out beyond eight.
func logTicks(low, high float64, zero bool) []plot.Tick {
	var all []plot.Tick
	first := int(math.Floor(math.Log10(low) + 1e-9))
	if zero {
		first = 0
		all = append(all, plot.Tick{Value: 0, Label: "0"})
	}
	last := int(math.Floor(math.Log10(high) + 1e-9))
	decades := math.Log10(high) - math.Log10(max(low, math.Pow(10, float64(first))))
	every := 1 + (last-first)/9
	for e := first; e <= last; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			label := ""
			switch {
			case m == 1 && (e-first)%every == 0,
				(m == 2 || m == 5) && decades <= 2,
				(m == 3 || m == 7) && decades <= 1.2,
				decades <= 0.7:
				label = number(v, max(0, -e))
			}
			all = append(all, plot.Tick{Value: v, Label: label})
		}
	}
	return all
}

// exponents shortens those that strconv writes.
var exponents = strings.NewReplacer("e+0", "e", "e-0", "e-", "e+", "e")

// number writes x with so many digits after the point, and commas between thousands; from ten million on, or below
// one in ten thousand, with an exponent.
func number(x float64, digits int) string {
	if size := math.Abs(x); size >= 1e7 || size != 0 && size < 1e-4 {
		return exponents.Replace(strconv.FormatFloat(x, 'g', 3, 64))
	}
	text := strconv.FormatFloat(x, 'f', digits, 64)
	whole, rest, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		rest = "." + rest
	}
	return sign + whole + rest
}
