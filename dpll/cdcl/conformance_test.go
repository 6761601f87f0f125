package cdcl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/dplltest"
)

// optionSets are configurations that visit what the default ones see late or
// never on small formulas.
var optionSets = []struct {
	name string
	set  func(o *cdcl.Options)
}{
	{"default", func(*cdcl.Options) {}},
	{"focused", func(o *cdcl.Options) { o.Stable = 0 }},
	{"stable", func(o *cdcl.Options) { o.Stable = 2 }},
	{"both modes in quick turn", func(o *cdcl.Options) { o.ModeInterval = 1; o.ReluctantInterval = 1 }},
	{"chronological", func(o *cdcl.Options) { o.Chrono = 1 }},
	{"chronological with reuse", func(o *cdcl.Options) { o.Chrono = 1; o.ChronoReuse = 1; o.Stable = 2 }},
	{"reduce always", func(o *cdcl.Options) { o.ReduceInterval = 1; o.ReduceFraction = 100; o.Tier1 = 1; o.Tier2 = 1 }},
	{"reduce often", func(o *cdcl.Options) { o.ReduceInterval = 2; o.Chrono = 1 }},
	{"plain clauses", func(o *cdcl.Options) { o.Minimize = 0; o.Shrink = 0 }},
	{"shrink without minimizing", func(o *cdcl.Options) { o.Minimize = 0; o.Shrink = 2 }},
	{"shrink along binaries", func(o *cdcl.Options) { o.Shrink = 1; o.MinimizeDepth = 1 }},
	{"no restarts", func(o *cdcl.Options) { o.Restart = 0 }},
	{"restart always", func(o *cdcl.Options) { o.RestartInterval = 1; o.RestartMargin = 0; o.ReuseTrail = 0 }},
	{"target phases always", func(o *cdcl.Options) { o.Target = 2; o.RephaseInterval = 1 }},
	{"rephase always", func(o *cdcl.Options) { o.RephaseInterval = 1; o.Phase = 0 }},
}

// A subject is a solver with a recorder that checks its proof, if there is one,
// and the name of its options.
type subject struct {
	*cdcl.Solver
	options string
	proof   *dplltest.Recorder
}

// newSubject makes a solver; r chooses the seed and whether and how it proves
// its answers.
func newSubject(r *rand.Rand, o cdcl.Options) subject {
	s := subject{options: describe(o)}
	o.Seed = r.Uint64N(3)
	if kind := r.IntN(3); kind > 0 {
		s.proof = dplltest.NewRecorder(kind == 2)
		o.Proof = s.proof
		s.options += fmt.Sprintf(" (proof with hints: %v)", kind == 2)
	}
	s.Solver = cdcl.New(o)
	return s
}

// describe lists the knobs that are not at their defaults.
func describe(o cdcl.Options) string {
	var b strings.Builder
	for _, k := range cdcl.Knobs {
		if v := *k.Field(&o); v != k.Default {
			fmt.Fprintf(&b, " --%s=%d", k.Name, v)
		}
	}
	return strings.TrimSpace("cdcl" + b.String())
}

func (s subject) String() string { return s.options }

// Verify implements [dplltest.Verifier].
func (s subject) Verify(status dimacs.Status, failed []dimacs.Lit) error {
	if s.proof == nil {
		return nil
	}
	return s.proof.Verify(status, failed)
}

// knobs are the options as dplltest wants them.
func knobs() []dplltest.Knob {
	var ks []dplltest.Knob
	for _, k := range cdcl.Knobs {
		ks = append(ks, dplltest.Knob{Name: k.Name, Min: k.Min, Max: k.Max})
	}
	return ks
}

// apply gives knobs other values.
func apply(o *cdcl.Options, settings []dplltest.Setting) {
	for _, s := range settings {
		set(o, s.Name, s.Value)
	}
}

func set(o *cdcl.Options, name string, value int) {
	for _, k := range cdcl.Knobs {
		if k.Name == name {
			*k.Field(o) = value
			return
		}
	}
	panic(fmt.Sprintf("there is no knob %q", name))
}

// The engine gives right answers, with evidence, under each set of options.
func TestConformance(t *testing.T) {
	for i, set := range optionSets {
		t.Run(set.name, func(t *testing.T) {
			o := cdcl.DefaultOptions()
			set.set(&o)
			newEngine := func(r *rand.Rand) dplltest.Engine { return newSubject(r, o) }
			dplltest.Run(t, newEngine, dplltest.Config{Seed: uint64(i) * 10_000, Budget: time.Second})
		})
	}
}

// And so it does under random options.
func TestConformanceRandomOptions(t *testing.T) {
	ks := knobs()
	newEngine := func(r *rand.Rand) dplltest.Engine {
		o := cdcl.DefaultOptions()
		apply(&o, dplltest.RandomSettings(r, ks))
		return newSubject(r, o)
	}
	cfg := dplltest.Config{Seed: 1e6, Budget: 6 * time.Second, Rounds: 5000}
	if testing.Short() {
		cfg.Rounds = 300
	}
	dplltest.Run(t, newEngine, cfg)
}
