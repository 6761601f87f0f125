package classic_test

import (
	"testing"

	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// newSolver returns a solver with the settings of the setup and the options o.
func newSolver(o classic.Options, setup dplltest.Setup) *classic.Solver {
	for _, s := range setup.Settings {
		switch s.Name {
		case "heuristic":
			o.Heuristic = classic.Heuristics[s.Value].Name
		case "pure":
			o.Pure = classic.Pure(s.Value)
		case "mom-k":
			o.MomK = s.Value
		}
	}
	o.Seed, o.Proof = setup.Seed, setup.Proof
	return classic.New(o)
}

// knobs are the options in the form of dplltest.
var knobs = []dplltest.Knob{
	{Name: "heuristic", Default: 0, Min: 0, Max: len(classic.Heuristics) - 1},
	{Name: "mom-k", Default: 1, Min: 0, Max: 30},
	{Name: "pure", Default: 0, Min: 0, Max: int(classic.PureEvery)},
}

// pures are the modes of pure literals.
var pures = []classic.Pure{classic.PureOff, classic.PureRoot, classic.PureEvery}

// options returns the options with this heuristic and mode.
func options(heuristic string, pure classic.Pure) classic.Options {
	o := classic.DefaultOptions()
	o.Heuristic, o.Pure = heuristic, pure
	return o
}

// TestConformance checks the answers and proofs under each heuristic and mode of
// pure literals. The formulas are small enough for the worst heuristics.
func TestConformance(t *testing.T) {
	seed := uint64(0)
	for _, h := range classic.Heuristics {
		for _, pure := range pures {
			t.Run(h.Name+"/"+pure.String(), func(t *testing.T) {
				newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(options(h.Name, pure), s) }
				cfg := dplltest.Config{Seed: seed, Vars: 50, Rounds: 20, Whole: 100, Proves: dplltest.PlainProofs}
				dplltest.Run(t, newEngine, cfg)
			})
			seed += 10_000
		}
	}
}

// TestConformanceRandomOptions does the same under random options.
func TestConformanceRandomOptions(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(classic.DefaultOptions(), s) }
	cfg := dplltest.Config{Seed: 1e6, Vars: 50, Rounds: 150, Whole: 3000, Knobs: knobs, Proves: dplltest.PlainProofs}
	dplltest.Run(t, newEngine, cfg)
}

// TestConformanceLarge tests the default options on larger formulas.
func TestConformanceLarge(t *testing.T) {
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(classic.DefaultOptions(), s) }
	cfg := dplltest.Config{Seed: 2e6, Vars: 100, Rounds: 100, Whole: 3000, Proves: dplltest.PlainProofs}
	dplltest.Run(t, newEngine, cfg)
}
