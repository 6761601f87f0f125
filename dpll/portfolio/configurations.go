package portfolio

import "sator/dpll/cdcl"

// A configuration changes options of a solver so that it searches differently from the
// default.
type configuration struct {
	name string
	set  func(o *cdcl.Options)
}

// alone is the configuration of the only solver of a race: the options that are best alone
// on many kinds of formulas.
var alone = configuration{"default", func(*cdcl.Options) {}}

// configurations lists the configurations of the solvers in a race of several in their
// order. The default alternates between focused and stable mode. Two solvers each take one
// of the modes and send the other what they learn, so each mode has a core of its own. The
// other configurations should be good where these are bad, and no worse than necessary
// elsewhere: a solver that learns nothing useful only takes space in the cache.
//
// Tried: "default" with "stable", with "focused" or with the other initial phase (less than
// the pair of modes).
//
// The order of the others is by their benefit: each ran alone on many files, and for each
// file the best time of the configurations before it counts. Alone, each other configuration
// is worse than the default.
var configurations = []configuration{
	// For refutations: no time in stable mode.
	{"focused", func(o *cdcl.Options) { o.Stable = cdcl.FocusedMode }},
	// For models: stable mode finds models, and a different initial phase finds other
	// models.
	{"stable", func(o *cdcl.Options) { o.Stable, o.Phase = cdcl.StableMode, cdcl.PhaseFalse }},
	// Both modes in turn.
	alone,
	// Target phases (of the longest trail) in focused mode too.
	{"targeted", func(o *cdcl.Options) { o.Target, o.Phase = cdcl.TargetAlways, cdcl.PhaseFalse }},
	// Short phases of both modes, for formulas that need a little of each.
	{"alternating", func(o *cdcl.Options) { o.ModeInterval, o.RephaseInterval = 200, 200 }},
	// No elimination, since it sometimes eliminates the very variables that a short
	// refutation needs. In a race with OneShot, no elimination after the first round.
	{"unreduced", func(o *cdcl.Options) { o.NoEliminate, o.NoSubstitute = true, true }},
	// Learned clauses are kept longer, because some refutations need old clauses.
	{"retentive", func(o *cdcl.Options) { o.ReduceFraction, o.Tier2 = 50, 10 }},
	// Fewer variables at the cost of longer clauses, the opposite of "unreduced".
	{"reduced", func(o *cdcl.Options) { o.EliminateBound, o.Phase = 16, cdcl.PhaseFalse }},
}

// configure derives the options of solver i of a race of n solvers from common options. A
// knob that the caller has set, according to isSet, does not change. After the end of the
// table the configurations repeat with different seeds, so that random decisions and local
// search differ.
func configure(i, n int, common cdcl.Options, isSet func(knob string) bool) (name string, o cdcl.Options) {
	c := alone
	if n > 1 {
		c = configurations[i%len(configurations)]
	}
	o = common
	c.set(&o)
	for _, k := range cdcl.Knobs {
		if isSet != nil && isSet(k.Name) {
			o.Set(k.Name, k.Get(&common))
		}
	}
	o.Seed = common.Seed + uint64(i)
	return c.name, o
}
