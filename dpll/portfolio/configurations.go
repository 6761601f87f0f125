package portfolio

import "sator/dpll/cdcl"

// A configuration changes options of a solver so that it searches differently from the
// default.
type configuration struct {
	name string
	set  func(o *cdcl.Options)
}

// configurations lists the configurations of the solvers in a race in their order. The
// defaults are the options that are best alone on many kinds of formulas. So the other
// configurations should be good where the defaults are bad, and no worse than necessary
// elsewhere: a solver that learns nothing useful only takes space in the cache.
//
// The order is by the benefit of each configuration, on 66 files of public collections
// and of families by seed that take the default up to half a minute. Each solver ran
// alone, and for each file the best time of the first configurations counts. The sums
// of these times, in seconds:
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
//
// The benefit of clause sharing was measured separately, with two solvers in lockstep
// against one solver, on four refutations of some seconds (random 3-SAT with 200
// variables, primes of 28 and 30 bits, a miter of multipliers of 7 bits). With "stable"
// as the second configuration, each solver took 0.47 to 0.63 times the ticks of one
// solver; with the default in the other initial phase 0.57 to 0.71, with "focused" 0.59
// to 0.80, and with a "stable" that shares no clauses 0.73 to 0.76. Two satisfiable
// factorings took half or six times the ticks, by luck.
var configurations = []configuration{
	// The best options alone.
	{"default", func(*cdcl.Options) {}},
	// For models: stable mode finds models, and a different initial phase finds other
	// models.
	{"stable", func(o *cdcl.Options) { o.Stable, o.Phase = 2, 0 }},
	// For refutations: no time in stable mode.
	{"focused", func(o *cdcl.Options) { o.Stable = 0 }},
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

// configure derives the options of solver i of a race from common options. A knob that
// the caller has set, according to isSet, does not change. After the end of the table
// the configurations repeat with different seeds, so that random decisions and local
// search differ.
func configure(i int, common cdcl.Options, isSet func(knob string) bool) (name string, o cdcl.Options) {
	c := configurations[i%len(configurations)]
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
