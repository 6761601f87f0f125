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
// Two solvers ran on two idle cores, by the clock, on ten refutations (mostly arithmetic
// circuits) and ten satisfiable formulas that take one solver 1 to 40 s. The pair of modes
// took 0.75 of the time of "default" with "stable" on the refutations (geometric mean, 0.48
// to 1.2), and 0.81 on the satisfiable formulas (0.33 to 2.57), with other limits of glue
// (pool.go). With the same limits, on six of the refutations, the pair of modes took 0.78 of
// the time, "default" with the other initial phase 0.99, and "default" with "focused" 0.96.
// On 35 formulas with a limit of 100 s, with 200 s for an unsolved one, one solver took
// 25.7 s on average, "default" with "stable" 25.0 s and the pair of modes 21.4 s; the
// refutations above 3 s took 0.73 and 0.66 of one solver's time. Since exchanges wait for
// restarts (exchange.go of package cdcl), the pair of modes takes 10.6 s on these formulas, by
// the clock, and one solver 19.2 s of processor time: 20 refutations above 1 s took 0.62 of the
// time, and 10 satisfiable formulas 0.38.
//
// The order of the others is by their benefit alone, on 66 files of public collections and
// of families by seed that take the default up to half a minute. Each solver ran alone, and
// for each file the best time of the first configurations counts. The sums of these times,
// in seconds:
//
//	default                    246
//	  and stable               183   other second configurations 194 (targeted) to 215
//	    and focused            157   166 (targeted) to 170
//	      and targeted         150   151 (reduced) to 154
//	        and alternating    144   146 (unreduced) to 148
//	          and unreduced    140   142 (both)
//	            and retentive  139   139
//	              and reduced  138
//
// Alone, each other configuration is worse than the default. The default solves all
// files. The others solve 63 to 66 files in 30 s each, and take 1.1 times (retentive)
// to 1.9 times (focused) the time of the default, if an unsolved file counts as 60 s.
var configurations = []configuration{
	// For refutations: no time in stable mode.
	{"focused", func(o *cdcl.Options) { o.Stable = 0 }},
	// For models: stable mode finds models, and a different initial phase finds other
	// models.
	{"stable", func(o *cdcl.Options) { o.Stable, o.Phase = 2, 0 }},
	// Both modes in turn.
	alone,
	// Target phases (of the longest trail) in focused mode too.
	{"targeted", func(o *cdcl.Options) { o.Target, o.Phase = 2, 0 }},
	// Short phases of both modes, for formulas that need a little of each.
	{"alternating", func(o *cdcl.Options) { o.ModeInterval, o.RephaseInterval = 200, 200 }},
	// No elimination, since it sometimes eliminates the very variables that a short
	// refutation needs. In a race with OneShot, no elimination after the first round.
	{"unreduced", func(o *cdcl.Options) { o.Eliminate, o.Substitute = 0, 0 }},
	// Learned clauses are kept longer, because some refutations need old clauses.
	{"retentive", func(o *cdcl.Options) { o.ReduceFraction, o.Tier2 = 50, 10 }},
	// Fewer variables at the cost of longer clauses, the opposite of "unreduced".
	{"reduced", func(o *cdcl.Options) { o.EliminateBound, o.Phase = 16, 0 }},
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
			*k.Field(&o) = *k.Field(&common)
		}
	}
	o.Seed = common.Seed + uint64(i)
	return c.name, o
}
