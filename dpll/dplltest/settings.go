package dplltest

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A Knob is an option of an engine: what it is without a setting, and its
// range.
type Knob struct {
	Name     string
	Default  int
	Min, Max int // inclusive
}

// A Setting gives an option of the engine a value.
type Setting struct {
	Name  string
	Value int
}

// RandomSettings draws values for some of the knobs, or for all. Half of the
// values are at an end of the range or next to it; of the others the logarithm
// is uniform.
func RandomSettings(r *rand.Rand, knobs []Knob) []Setting {
	var settings []Setting
	rarely := 1 + r.IntN(4)
	for _, k := range knobs {
		if r.IntN(rarely) == 0 {
			settings = append(settings, Setting{k.Name, k.draw(r)})
		}
	}
	return settings
}

func (k Knob) draw(r *rand.Rand) int {
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

// shrinkSettings returns those settings without which the failure is lost, each
// with a value that is as near to the default as could be found: what takes
// away half of the distance, or one, is tried as long as it fails.
func shrinkSettings(settings []Setting, knobs []Knob, fails func([]Setting) bool) []Setting {
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
	return settings
}

// approach moves from a value towards another one, as far as try says true.
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
