package dplltest

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Knob is an option of an engine with its default and its range.
type Knob struct {
	Name     string
	Default  int
	Min, Max int // inclusive

	// Often are values that half of the settings have, for a technique that random
	// values seldom reach. Nil means no such values.
	Often []int
}

// A Setting is a value of an option.
type Setting struct {
	Name  string
	Value int
}

// RandomSettings draws values for some or all of the knobs. Half of the values are
// at an end of the range or next to it. The distances of the others from Min have
// uniform logarithms. A knob with values that it often has gets one of them in half of
// the calls.
func RandomSettings(r *rand.Rand, knobs []Knob) []Setting {
	var settings []Setting
	rarely := 1 + r.IntN(4)
	for _, k := range knobs {
		switch {
		case len(k.Often) > 0 && r.IntN(2) == 0:
			settings = append(settings, Setting{k.Name, k.Often[r.IntN(len(k.Often))]})
		case r.IntN(rarely) == 0:
			settings = append(settings, Setting{k.Name, k.random(r)})
		}
	}
	return settings
}

// random draws a value of the knob.
func (k Knob) random(r *rand.Rand) int {
	span := uint64(k.Max - k.Min)
	switch r.IntN(8) {
	case 0:
		return k.Min
	case 1:
		return k.Min + int(min(span, 1))
	case 2:
		return k.Max - int(min(span, 1))
	case 3:
		return k.Max
	}
	span >>= r.IntN(1 + bits.Len64(span))
	return k.Min + int(r.Uint64N(span+1))
}

// shrinkSettings looks for the settings that the failure needs, each with a value as
// close to the default as it finds: it reduces the distance by half or by one as long
// as fails returns true, for the last time with the settings found.
func shrinkSettings(settings []Setting, knobs []Knob, fails func([]Setting) bool) {
	settings = slices.Clone(minimize(settings, fails))
	for i, s := range settings {
		k := slices.IndexFunc(knobs, func(k Knob) bool { return k.Name == s.Name })
		if k < 0 {
			continue
		}
		try := func(value int) bool {
			changed := slices.Clone(settings)
			changed[i].Value = value
			if !fails(changed) {
				return false
			}
			settings = changed
			return true
		}
		approach(knobs[k].Default, s.Value, try)
	}
}

// approach moves a value from one number towards another, as far as try returns
// true.
func approach(to, from int, try func(int) bool) {
	for from != to {
		half := to + (from-to)/2
		one := from + 1
		if from > to {
			one = from - 1
		}
		switch {
		case half != from && try(half):
			from = half
		case one != half && try(one):
			from = one
		default:
			return
		}
	}
}
