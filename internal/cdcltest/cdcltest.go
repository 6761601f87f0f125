// Package cdcltest draws options of package cdcl, for tests of that package and of those
// above it.
//
//	o := cdcl.Options{}
//	cdcltest.RandomKnobs(rng, &o)
package cdcltest

import (
	"math/rand/v2"

	"sator/dpll/cdcl"
	"sator/internal/dplltest"
)

// Knobs returns the knobs of package cdcl as package dplltest has them.
func Knobs() []dplltest.Knob {
	var knobs []dplltest.Knob
	for _, k := range cdcl.Knobs {
		knobs = append(knobs, dplltest.Knob{Name: k.Name, Default: k.Default, Min: k.Min, Max: k.Max})
	}
	return knobs
}

// RandomKnobs sets some knobs to random values, and returns these settings.
func RandomKnobs(rng *rand.Rand, o *cdcl.Options) []dplltest.Setting {
	settings := dplltest.RandomSettings(rng, Knobs())
	for _, s := range settings {
		o.Set(s.Name, s.Value)
	}
	return settings
}
