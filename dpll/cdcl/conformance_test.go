package cdcl_test

import (
	"testing"

	"sator/dpll/cdcl"
	"sator/internal/cdcltest"
	"sator/internal/dplltest"
)

// optionSets are options with which mechanisms run early that the default options start
// late or never on small formulas.
var optionSets = []struct {
	name string
	set  func(o *cdcl.Options)
}{
	{"default", func(*cdcl.Options) {}},
	{"verify", func(o *cdcl.Options) { o.Verify = true }},
	{"verify and simplify", func(o *cdcl.Options) { o.Verify = true; o.InprocessInterval = 1; o.ReduceInterval = 2 }},
	{"focused", func(o *cdcl.Options) { o.Stable = cdcl.FocusedMode }},
	{"stable", func(o *cdcl.Options) { o.Stable = cdcl.StableMode }},
	{"both modes in quick alternation", func(o *cdcl.Options) { o.ModeInterval = 1; o.ReluctantInterval = 1 }},
	{"chronological", func(o *cdcl.Options) { o.Chrono = 1 }},
	{"chronological with reuse", func(o *cdcl.Options) { o.Chrono = 1; o.ChronoReuse = true; o.Stable = cdcl.StableMode }},
	{"reduce always", func(o *cdcl.Options) { o.ReduceInterval = 1; o.ReduceFraction = 100; o.Tier1 = 1; o.Tier2 = 1 }},
	{"reduce often", func(o *cdcl.Options) { o.ReduceInterval = 2; o.Chrono = 1 }},
	{"plain clauses", func(o *cdcl.Options) { o.NoMinimize = true; o.Shrink = cdcl.ShrinkOff }},
	{"shrink without minimizing", func(o *cdcl.Options) { o.NoMinimize = true; o.Shrink = cdcl.ShrinkAll }},
	{"shrink along binaries", func(o *cdcl.Options) { o.Shrink = cdcl.ShrinkBinary; o.MinimizeDepth = 1 }},
	{"no restarts", func(o *cdcl.Options) { o.NoRestart = true }},
	{"restart always", func(o *cdcl.Options) { o.RestartInterval = 1; o.RestartMargin = -1; o.NoReuseTrail = true }},
	{"target phases always", func(o *cdcl.Options) { o.Target = cdcl.TargetAlways; o.RephaseInterval = 1 }},
	{"lucky always", func(o *cdcl.Options) { o.Lucky = cdcl.LuckyAlways }},
	{"walk always", func(o *cdcl.Options) { o.NoWalk = false; o.RephaseInterval = 1 }},
	{"eliminate", func(o *cdcl.Options) { o.NoEliminate = false; o.NoSubsume = false; o.InprocessInterval = 1 }},
	{"eliminate alone", func(o *cdcl.Options) { o.NoEliminate = false; o.InprocessInterval = 1 }},
	{"definitions", func(o *cdcl.Options) {
		o.NoEliminate = false
		o.NoEliminateDefinitions = false
		o.InprocessInterval = 1
		o.EliminateBound = 16
	}},
	{"eliminate with rising bounds", func(o *cdcl.Options) { o.NoEliminate, o.InprocessInterval, o.EliminateRaise = false, 1, 1 }},
	{"subsume", func(o *cdcl.Options) { o.NoSubsume = false; o.InprocessInterval = 1 }},
	{"substitute", func(o *cdcl.Options) { o.NoSubstitute = false; o.InprocessInterval = 1 }},
	{"congruence", func(o *cdcl.Options) { o.NoCongruence = false; o.InprocessInterval = 1 }},
	{"congruence alone", func(o *cdcl.Options) {
		o.NoCongruence, o.InprocessInterval = false, 1
		o.NoSubstitute, o.NoEliminate, o.NoSubsume, o.NoProbe, o.NoTransitive, o.NoVivify = true, true, true, true, true, true
	}},
	{"transitive", func(o *cdcl.Options) { o.NoTransitive = false; o.InprocessInterval = 1 }},
	{"cardinality", func(o *cdcl.Options) { o.NoCardinality = false; o.InprocessInterval = 1 }},
	{"probe", func(o *cdcl.Options) { o.NoProbe = false; o.InprocessInterval = 1 }},
	{"binary clauses", func(o *cdcl.Options) {
		o.NoSubstitute, o.NoProbe, o.NoTransitive, o.InprocessInterval = false, false, false, 1
	}},
	{"sweep", func(o *cdcl.Options) { o.NoSweep, o.NoSubstitute, o.InprocessInterval = false, false, 1 }},
	{"sweep alone", func(o *cdcl.Options) {
		for _, k := range cdcl.PassKnobs() {
			if k.Min == 0 && k.Name != "simplify" {
				o.Set(k.Name, 0)
			}
		}
		o.NoSweep, o.InprocessInterval = false, 1
	}},
	{"vivify always", func(o *cdcl.Options) { o.NoVivify = false; o.InprocessInterval = 1 }},
	{"vivify plain clauses", func(o *cdcl.Options) {
		o.NoVivify, o.InprocessInterval, o.ReduceInterval, o.Chrono, o.Shrink, o.NoMinimize = false, 3, 3, 1, cdcl.ShrinkOff, true
	}},
	{"vivify after elimination", func(o *cdcl.Options) {
		o.NoVivify, o.NoEliminate, o.NoSubsume, o.NoSubstitute, o.InprocessInterval = false, false, false, false, 1
	}},
	{"xor", func(o *cdcl.Options) { o.NoXOR = false; o.InprocessInterval = 1 }},
	{"rephase always", func(o *cdcl.Options) { o.RephaseInterval = 1; o.Phase = cdcl.PhaseFalse }},
}

// newSolver returns a solver with the settings of the test, and else with these options.
func newSolver(o cdcl.Options, setup dplltest.Setup) *cdcl.Solver {
	for _, s := range setup.Settings {
		o.Set(s.Name, s.Value)
	}
	o.Seed, o.Proof, o.Learned = setup.Seed, setup.Proof, setup.Learned
	return cdcl.New(o)
}

// TestConformance runs the tests for all engines under each set of options.
func TestConformance(t *testing.T) {
	for i, set := range optionSets {
		t.Run(set.name, func(t *testing.T) {
			o := cdcl.Options{}
			set.set(&o)
			newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(o, s) }
			dplltest.Run(t, newEngine, dplltest.Config{Seed: uint64(i) * 10_000, Rounds: 15, Whole: 300})
		})
	}
}

// TestConformanceRandomOptions runs the tests for all engines under random options.
func TestConformanceRandomOptions(t *testing.T) {
	cdcl.PollDensely(t)
	newEngine := func(s dplltest.Setup) dplltest.Engine { return newSolver(cdcl.Options{}, s) }
	cfg := dplltest.Config{Seed: 1e6, Rounds: 200, Whole: 4000, Knobs: cdcltest.Knobs()}
	dplltest.Run(t, newEngine, cfg)
}

// TestConformanceOneShot runs the tests for all engines with OneShot if they record a
// proof: then the proof may have RAT steps and deletes more clauses. Without a proof
// OneShot is off, since these tests call Solve more than once.
func TestConformanceOneShot(t *testing.T) {
	cdcl.PollDensely(t)
	newEngine := func(s dplltest.Setup) dplltest.Engine {
		o := cdcl.Options{}
		o.OneShot, o.InprocessInterval, o.FactorGain = s.Proof != nil, 1, 1
		return newSolver(o, s)
	}
	cfg := dplltest.Config{Seed: 2e6, Rounds: 200, Whole: 4000, Knobs: cdcltest.Knobs(), Proves: dplltest.RATProofs}
	dplltest.Run(t, newEngine, cfg)
}
