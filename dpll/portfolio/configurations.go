package portfolio

import "sator/dpll/cdcl"

// A configuration is a way to search that finds other things than the default.
type configuration struct {
	name string
	set  func(o *cdcl.Options)
}

// configurations lists what the solvers of a race do, the first ones first. The
// defaults are what is best alone on many kinds of formulas, so that what differs
// from them is to be good at what they are bad at, and no worse than need be
// elsewhere: a solver that learns nothing useful only takes room in the cache.
//
// The order is by what each was worth alone, on 66 files of public collections and of
// families by seed that take the default up to half a minute: those of the first
// lines, each with as much time as it takes, and the best of them for each file. In
// all that is, in seconds,
//
//	default                    246
//	  and stable               183   the others instead of it 194 (targeted) to 215
//	    and focused            157   166 (targeted) to 170
//	      and targeted         150   151 (reduced) to 154
//	        and alternating    144   146 (unreduced) to 148
//	          and unreduced    140   142 (both)
//	            and retentive  139   139
//	              and reduced  138
//
// Alone all others are worse than the default, which solves all: they solve 63 to 66 of
// the files in 30 s each, and take 1.1 times (retentive) to 1.9 times (focused) its
// time, if one that is not solved counts as 60 s.
//
// What they are worth to one another by what they share is another thing. Two in step,
// against one alone, on four refutations of some seconds (random 3-SAT with 200
// variables, primes of 28 and 30 bits, a miter of multipliers of 7 bits): with "stable"
// as the second each took 0.47 to 0.63 times the ticks, with the default in the other
// initial phase 0.57 to 0.71, with "focused" 0.59 to 0.80; and 0.73 to 0.76 if "stable"
// shares nothing. Two satisfiable factorings took half or six times the ticks, as luck
// would have it.
var configurations = []configuration{
	// What is measured to be best alone.
	{"default", func(*cdcl.Options) {}},
	// Models: stable mode finds them, and other initial phases find other ones.
	{"stable", func(o *cdcl.Options) { o.Stable, o.Phase = 2, 0 }},
	// Refutations: no time goes into stable mode.
	{"focused", func(o *cdcl.Options) { o.Stable = 0 }},
	// The longest trail leads the search in focused mode too.
	{"targeted", func(o *cdcl.Options) { o.Target, o.Phase = 2, 0 }},
	// Short phases of both modes, for formulas that need something of either.
	{"alternating", func(o *cdcl.Options) { o.ModeInterval, o.RephaseInterval = 200, 200 }},
	// No elimination, which sometimes takes the very variables away that a short
	// refutation needs; in a race that is asked once, none after the first round.
	{"unreduced", func(o *cdcl.Options) { o.Eliminate, o.Substitute = 0, 0 }},
	// Learned clauses are kept longer: some refutations need old ones.
	{"retentive", func(o *cdcl.Options) { o.ReduceFraction, o.Tier2 = 50, 10 }},
	// Long clauses for fewer variables, the opposite of "unreduced".
	{"reduced", func(o *cdcl.Options) { o.EliminateBound, o.Phase = 16, 0 }},
}

// configure returns the options of solver i of a race, by those that are given for
// all. A knob that the caller has set stays as it is. Beyond the end of the table it
// begins again, with other seeds, by which random decisions and walks differ.
func configure(i int, all cdcl.Options, isSet func(knob string) bool) (name string, o cdcl.Options) {
	c := configurations[i%len(configurations)]
	o = all
	c.set(&o)
	for _, k := range cdcl.Knobs {
		if isSet != nil && isSet(k.Name) {
			*k.Field(&o) = *k.Field(&all)
		}
	}
	o.Seed = all.Seed + uint64(i)
	return c.name, o
}
