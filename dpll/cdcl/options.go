package cdcl

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// Options configure a [Solver]. Start from [DefaultOptions]; the zero Options
// are out of range.
//
// The integers are knobs: [Knobs] lists each with its default, its range and
// its meaning. Switches are knobs from 0 to 1.
type Options struct {
	Backbone             int
	BumpReason           int
	Cardinality          int
	Chrono               int
	ChronoReuse          int
	Congruence           int
	Decay                int
	EmaFast              int
	Eliminate            int
	EliminateBound       int
	EliminateDefinitions int
	EmaSlow              int
	ExchangeInterval     int
	Factor               int
	InprocessInterval    int
	Lucky                int
	Minimize             int
	MinimizeDepth        int
	ModeInterval         int
	Phase                int
	Probe                int
	RandomBursts         int
	RandomInterval       int
	ReduceFraction       int
	ReduceInterval       int
	ReluctantInterval    int
	ReluctantMax         int
	Rephase              int
	RephaseInterval      int
	Restart              int
	RestartInterval      int
	RestartMargin        int
	ReuseTrail           int
	SavePhases           int
	Shrink               int
	Simplify             int
	Stable               int
	Substitute           int
	Subsume              int
	Sweep                int
	Target               int
	Tier1                int
	Tier2                int
	Transitive           int
	Vivify               int
	Walk                 int
	XOR                  int

	// Seed starts the random generator. The same seed, options and sequence
	// of calls give the same run, on any machine.
	Seed uint64

	// OneShot says that Solve will be called once, without assumptions, and
	// nothing be added after it. The proof is then told that clauses are gone
	// which might be needed again otherwise, and may have RAT steps; and the solver
	// may make variables of its own, numbered behind those that it was given. A
	// solver that is asked again all the same may panic.
	OneShot bool

	// Proof, if not nil, receives every step of the derivation.
	Proof dimacs.Proof

	// Exchange, if not nil, connects the solver with others that work on the
	// same formula. They must be given the same clauses in the same order, or what
	// one of them has left of these, and their proofs, if any, be parts of one.
	Exchange Exchange

	// Learned, if not nil, is called with each learned clause before the
	// search goes on, unless that has a variable that the solver made. The slice
	// is scratch: copy it to keep it.
	Learned func(clause []dimacs.Lit)

	// Progress, if not nil, is called with a copy of the statistics at each
	// event worth a report line: restarts are not, reductions are.
	Progress func(Event, Stats)

	// Activity, if not nil, is called with the name of what the solver turns
	// to: "search-focused", "search-stable", "reduce", "collect" and the
	// names of the passes. Profilers label their samples with it.
	Activity func(name string)
}

// A Knob is a numeric option.
type Knob struct {
	Name     string // lower case, words joined by hyphens
	Default  int
	Min, Max int // inclusive
	Help     string
	Field    func(*Options) *int
}

// Knobs is the only list of numeric options. To add one, add a field above and
// a line here; keep both sorted.
var Knobs = []Knob{
	{"backbone", 1, 0, 1, "find units among the binary clauses", func(o *Options) *int { return &o.Backbone }},
	{"bump-reason", 1, 0, 1, "in stable mode also bump the literals of reasons", func(o *Options) *int { return &o.BumpReason }},
	{"cardinality", 1, 0, 1, "cardinality detection and Hall (pigeonhole) refutation", func(o *Options) *int { return &o.Cardinality }},
	{"chrono", 100, 0, 1e9, "backtrack chronologically instead of jumping over more levels than this; 0 never", func(o *Options) *int { return &o.Chrono }},
	{"chrono-reuse", 0, 0, 1, "on chronological backtracking keep the levels of better variables", func(o *Options) *int { return &o.ChronoReuse }},
	{"congruence", 1, 0, 1, "find gates with the same inputs, whose outputs are equal", func(o *Options) *int { return &o.Congruence }},
	{"decay", 50, 1, 500, "loss of a VSIDS score per conflict, in thousandths", func(o *Options) *int { return &o.Decay }},
	{"eliminate", 1, 0, 1, "resolve variables away", func(o *Options) *int { return &o.Eliminate }},
	{"eliminate-bound", 0, 0, 1000, "by how many clauses a variable may make the formula longer when it goes", func(o *Options) *int { return &o.EliminateBound }},
	{"eliminate-definitions", 1, 0, 1, "look for definitions of variables that are no gates", func(o *Options) *int { return &o.EliminateDefinitions }},
	{"ema-fast", 33, 1, 1e6, "window of the fast average of glue, in conflicts", func(o *Options) *int { return &o.EmaFast }},
	{"ema-slow", 1e5, 1, 1e9, "window of the slow averages, in conflicts", func(o *Options) *int { return &o.EmaSlow }},
	{"exchange-interval", 200_000, 1, 1e9, "ticks between exchanges of clauses with other solvers", func(o *Options) *int { return &o.ExchangeInterval }},
	{"factor", 0, 0, 1, "replace products of literals and clauses by sums, with new variables", func(o *Options) *int { return &o.Factor }},
	{"inprocess-interval", 2000, 1, 1e9, "base interval of simplification, in conflicts", func(o *Options) *int { return &o.InprocessInterval }},
	{"lucky", 1, 0, 2, "guess at a model before the search: 1 once, 2 however small the formula and before each", func(o *Options) *int { return &o.Lucky }},
	{"minimize", 1, 0, 1, "remove implied literals from learned clauses", func(o *Options) *int { return &o.Minimize }},
	{"minimize-depth", 1000, 1, 1e6, "depth of recursion when minimizing", func(o *Options) *int { return &o.MinimizeDepth }},
	{"mode-interval", 1000, 1, 1e9, "conflicts of the first focused phase", func(o *Options) *int { return &o.ModeInterval }},
	{"phase", 1, 0, 1, "initial phase of a decision: 1 true, 0 false", func(o *Options) *int { return &o.Phase }},
	{"probe", 1, 0, 1, "look for literals whose propagation fails", func(o *Options) *int { return &o.Probe }},
	{"random-bursts", 1, 0, 1, "in focused mode decide at random for some conflicts now and then", func(o *Options) *int { return &o.RandomBursts }},
	{"random-interval", 500, 1, 1e9, "base interval of the bursts, in conflicts", func(o *Options) *int { return &o.RandomInterval }},
	{"reduce-fraction", 75, 1, 100, "share of the candidates that a reduction removes, in percent", func(o *Options) *int { return &o.ReduceFraction }},
	{"reduce-interval", 1000, 1, 1e9, "base interval of reductions, in conflicts", func(o *Options) *int { return &o.ReduceInterval }},
	{"reluctant-interval", 1024, 1, 1e9, "unit of the reluctant doubling sequence of stable restarts, in conflicts", func(o *Options) *int { return &o.ReluctantInterval }},
	{"reluctant-max", 1 << 20, 1, 1e9, "longest interval of the reluctant doubling sequence, in conflicts", func(o *Options) *int { return &o.ReluctantMax }},
	{"rephase", 1, 0, 1, "reset the saved phases from time to time", func(o *Options) *int { return &o.Rephase }},
	{"rephase-interval", 1000, 1, 1e9, "base interval of rephasing, in conflicts", func(o *Options) *int { return &o.RephaseInterval }},
	{"restart", 1, 0, 1, "restart at all", func(o *Options) *int { return &o.Restart }},
	{"restart-interval", 2, 1, 1e9, "least number of conflicts between focused restarts", func(o *Options) *int { return &o.RestartInterval }},
	{"restart-margin", 10, 0, 100, "how far the fast average of glue must exceed the slow one, in percent", func(o *Options) *int { return &o.RestartMargin }},
	{"reuse-trail", 1, 0, 1, "on restart keep the levels that would be decided again", func(o *Options) *int { return &o.ReuseTrail }},
	{"save-phases", 1, 0, 1, "decide a variable to have the value that it had last", func(o *Options) *int { return &o.SavePhases }},
	{"shrink", 3, 0, 3, "replace the literals of a level by one: 1 along binary reasons, 2 any, 3 any with minimization", func(o *Options) *int { return &o.Shrink }},
	{"simplify", 1, 0, 1, "simplify the formula between restarts at all", func(o *Options) *int { return &o.Simplify }},
	{"stable", 1, 0, 2, "0 focused mode alone, 1 both modes in turn, 2 stable mode alone", func(o *Options) *int { return &o.Stable }},
	{"substitute", 1, 0, 1, "replace equivalent literals by one of them", func(o *Options) *int { return &o.Substitute }},
	{"subsume", 1, 0, 1, "drop and strengthen clauses by others that are in them", func(o *Options) *int { return &o.Subsume }},
	{"sweep", 0, 0, 1, "look for units and equivalences in small parts of the formula", func(o *Options) *int { return &o.Sweep }},
	{"target", 1, 0, 2, "prefer the phases of the longest conflict-free trail: 0 never, 1 in stable mode, 2 always", func(o *Options) *int { return &o.Target }},
	{"tier1", 2, 1, 100, "glue up to which a learned clause is kept while it is used at all, to begin with", func(o *Options) *int { return &o.Tier1 }},
	{"tier2", 6, 1, 1000, "glue up to which a learned clause is kept while it was used lately, to begin with", func(o *Options) *int { return &o.Tier2 }},
	{"transitive", 1, 0, 1, "drop binary clauses that others imply", func(o *Options) *int { return &o.Transitive }},
	{"vivify", 1, 0, 1, "drop literals of clauses by propagation", func(o *Options) *int { return &o.Vivify }},
	{"walk", 1, 0, 1, "find phases by local search", func(o *Options) *int { return &o.Walk }},
	{"xor", 1, 0, 1, "Gaussian elimination of XOR constraints", func(o *Options) *int { return &o.XOR }},
}

// A Preset is a set of knobs for a kind of formula.
type Preset struct {
	Name     string
	Help     string
	Settings []Setting
}

// A Setting is a value of a knob.
type Setting struct {
	Knob  string
	Value int
}

// Presets are for callers who know what the answer will be. The search is the same,
// and answers the other way too, later. On 26 formulas of many kinds that have models
// "sat" took 0.71 times the time of the defaults, on 30 that have none "unsat" took 0.89
// times as long, both in the geometric mean.
var Presets = []Preset{
	{"sat", "look for a model rather than for a refutation", []Setting{{"target", 2}, {"restart-interval", 50}}},
	{"unsat", "look for a refutation rather than for a model", []Setting{{"stable", 0}, {"walk", 0}}},
}

// Set gives the knob of this name a value. It panics if there is none.
func (o *Options) Set(name string, value int) {
	i := slices.IndexFunc(Knobs, func(k Knob) bool { return k.Name == name })
	if i < 0 {
		panic("cdcl: there is no knob " + name)
	}
	*Knobs[i].Field(o) = value
}

// Apply gives all knobs of the preset their values.
func (p *Preset) Apply(o *Options) {
	for _, x := range p.Settings {
		o.Set(x.Knob, x.Value)
	}
}

// String tells what the preset sets, as flags.
func (p *Preset) String() string {
	var b strings.Builder
	for i, x := range p.Settings {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "--%s %d", x.Knob, x.Value)
	}
	return b.String()
}

// DefaultOptions returns the options with every knob at its default.
func DefaultOptions() Options {
	var o Options
	for _, k := range Knobs {
		*k.Field(&o) = k.Default
	}
	return o
}

// Check returns an error if a knob is out of its range.
func (o *Options) Check() error {
	for _, k := range Knobs {
		if v := *k.Field(o); v < k.Min || v > k.Max {
			return fmt.Errorf("%s is %d, not between %d and %d", k.Name, v, k.Min, k.Max)
		}
	}
	return nil
}
