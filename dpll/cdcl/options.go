package cdcl

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// Options configure a [Solver]. Start from [DefaultOptions]; the zero Options are out
// of range.
//
// The integers are knobs. [Knobs] lists each with its default, its range and its
// meaning. Switches are knobs from 0 to 1.
type Options struct {
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
	EliminateRaise       int
	EmaSlow              int
	ExchangeInterval     int
	Factor               int
	FactorGain           int
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
	StableShare          int
	Strengthen           int
	Substitute           int
	Subsume              int
	Sweep                int
	Symmetry             int
	SymmetryConflicts    int
	Target               int
	Tier1                int
	Tier2                int
	Transitive           int
	Vivify               int
	Walk                 int
	XOR                  int

	// Seed is the seed of the random generator. The same seed, options and sequence of
	// calls give the same run on any machine.
	Seed uint64

	// OneShot promises that Solve is called once, without assumptions, and that no
	// clause is added after it. The solver may then introduce extension variables,
	// numbered behind the caller's. It logs the deletion of clauses on the
	// reconstruction stack, and the proof may have RAT steps. A later call may panic.
	OneShot bool

	// Proof, if not nil, receives every step of the derivation.
	Proof dimacs.Proof

	// Verify checks each answer of Solve: a model by the clauses as they were given and the assumptions, a
	// refutation and its failed assumptions by a checker that shares no code with the solver. It
	// needs memory for a copy of the clauses and for the checker, and some time. If an answer is wrong, or the
	// checker gets no memory, Solve returns Unknown from then on, and [Solver.Err] returns
	// the reason. Exchange must be nil.
	Verify bool

	// Memory, if not nil, is asked before large allocations; see [dimacs.MemoryLimit]. A
	// simplification whose tables it refuses is skipped. If it refuses a table that the
	// search needs, Add, Grow, Reserve, Solve and Simplify panic with a
	// [*dimacs.MemoryError], and the solver must not be used again.
	Memory dimacs.MemoryLimit

	// Exchange, if not nil, connects the solver with others that work on the same
	// formula. They must be given the same clauses in the same order, or the simplified
	// formula of one of them. Their proofs, if any, must be parts of one shared proof.
	Exchange Exchange

	// Learned, if not nil, is called with each learned clause that has no extension
	// variable. The slice is scratch memory: copy it to keep it.
	Learned func(clause []dimacs.Lit)

	// Progress, if not nil, is called with a copy of the statistics at each Event.
	Progress func(Event, Stats)

	// Observer, if not nil, receives samples of the solver's state and a report of each
	// pass; see [Observer]. SampleTicks is the least number of ticks between two samples;
	// 0 stands for [DefaultSampleTicks].
	Observer    Observer
	SampleTicks int64

	// Activity, if not nil, is called with the name of each activity that begins, which
	// is one of [Activities], and with "" when Solve or Simplify returns, both by the
	// goroutine of the call. Profilers label their samples with it.
	Activity func(name string)
}

// Values of [Options].Lucky: formulas for which lucky phases are tried.
const (
	LuckyOff = iota
	LuckyLarge
	LuckyAlways
)

// Values of [Options].Shrink: the reasons along which learned clauses are shrunk.
const (
	ShrinkOff = iota
	ShrinkBinary
	ShrinkAll
	ShrinkMinimizing // all, and literals of lower levels that the clause implies
)

// Values of [Options].Stable: the modes of search.
const (
	FocusedMode = iota
	BothModes
	StableMode
)

// Values of [Options].Target: the modes with target phases.
const (
	TargetOff = iota
	TargetStable
	TargetAlways
)

// A Knob is a numeric option.
type Knob struct {
	Name     string // lower case, words joined by hyphens
	Default  int
	Min, Max int // inclusive
	Help     string
	Field    func(*Options) *int
}

// Knobs lists all numeric options. To add one, add a field above and a line here, and
// keep both sorted. Flags, help texts, range checks and random tests follow. The report in
// benchmarks/results/passes compares each switch with its default.
var Knobs = []Knob{
	{"bump-reason", 1, 0, 1, "reason side bumping: also bump the literals of reasons", func(o *Options) *int { return &o.BumpReason }},
	{"cardinality", 1, 0, 1, "cardinality detection and Hall (pigeonhole) refutation", func(o *Options) *int { return &o.Cardinality }},
	{"chrono", 100, 0, 1e9, "backtrack chronologically instead of longer jumps; 0 never", func(o *Options) *int { return &o.Chrono }},
	{"chrono-reuse", 0, 0, 1, "reuse levels of better variables; on chronological backtracking", func(o *Options) *int { return &o.ChronoReuse }},
	{"congruence", 1, 0, 1, "congruence closure: merge gates with equal inputs", func(o *Options) *int { return &o.Congruence }},
	{"decay", 50, 1, 500, "decay of VSIDS scores per conflict, in thousandths", func(o *Options) *int { return &o.Decay }},
	{"eliminate", 1, 0, 1, "bounded variable elimination (BVE)", func(o *Options) *int { return &o.Eliminate }},
	{"eliminate-bound", 0, 0, 1000, "BVE: clauses that eliminating a variable may add", func(o *Options) *int { return &o.EliminateBound }},
	{"eliminate-definitions", 1, 0, 1, "BVE: semantic definition extraction", func(o *Options) *int { return &o.EliminateDefinitions }},
	{"eliminate-raise", 50_000, 0, 1e9, "BVE: conflicts after which the bound rises, up to 16; 0 never", func(o *Options) *int { return &o.EliminateRaise }},
	{"ema-fast", 33, 1, 1e6, "window of the fast exponential moving average (EMA) of glue, in conflicts", func(o *Options) *int { return &o.EmaFast }},
	{"ema-slow", 1e5, 1, 1e9, "window of the slow EMAs, in conflicts; of glue, size, trail and level", func(o *Options) *int { return &o.EmaSlow }},
	{"exchange-interval", 200_000, 1, 1e9, "clause sharing: ticks between exchanges", func(o *Options) *int { return &o.ExchangeInterval }},
	{"factor", 1, 0, 1, "bounded variable addition (BVA)", func(o *Options) *int { return &o.Factor }},
	{"factor-gain", 25, 1, 1e6, "BVA: clauses that a new variable must save", func(o *Options) *int { return &o.FactorGain }},
	{"inprocess-interval", 2000, 1, 1e9, "base interval of inprocessing, in conflicts", func(o *Options) *int { return &o.InprocessInterval }},
	{"lucky", LuckyLarge, LuckyOff, LuckyAlways, "lucky phases before the search; 1 for large formulas, 2 always", func(o *Options) *int { return &o.Lucky }},
	{"minimize", 1, 0, 1, "learned clause minimization", func(o *Options) *int { return &o.Minimize }},
	{"minimize-depth", 1000, 1, 1e6, "minimization: recursion depth", func(o *Options) *int { return &o.MinimizeDepth }},
	{"mode-interval", 1000, 1, 1e9, "mode switching: conflicts of the first focused phase", func(o *Options) *int { return &o.ModeInterval }},
	{"phase", 1, 0, 1, "initial phase: 1 true, 0 false", func(o *Options) *int { return &o.Phase }},
	{"probe", 1, 0, 1, "failed literal probing", func(o *Options) *int { return &o.Probe }},
	{"random-bursts", 1, 0, 1, "bursts of random decisions in focused mode", func(o *Options) *int { return &o.RandomBursts }},
	{"random-interval", 500, 1, 1e9, "base interval of random bursts, in conflicts", func(o *Options) *int { return &o.RandomInterval }},
	{"reduce-fraction", 75, 1, 100, "percentage of candidates that a reduction deletes", func(o *Options) *int { return &o.ReduceFraction }},
	{"reduce-interval", 1000, 1, 1e9, "interval of clause database reductions; in conflicts, at first", func(o *Options) *int { return &o.ReduceInterval }},
	{"reluctant-interval", 1024, 1, 1e9, "stable restarts: unit of the reluctant doubling (Luby) sequence, in conflicts", func(o *Options) *int { return &o.ReluctantInterval }},
	{"reluctant-max", 1 << 20, 1, 1e9, "stable restarts: longest interval, in conflicts; of reluctant doubling", func(o *Options) *int { return &o.ReluctantMax }},
	{"rephase", 1, 0, 1, "rephasing: reset the saved phases from time to time", func(o *Options) *int { return &o.Rephase }},
	{"rephase-interval", 1000, 1, 1e9, "base interval of rephasing, in conflicts", func(o *Options) *int { return &o.RephaseInterval }},
	{"restart", 1, 0, 1, "restarts", func(o *Options) *int { return &o.Restart }},
	{"restart-interval", 2, 1, 1e9, "least number of conflicts between focused restarts", func(o *Options) *int { return &o.RestartInterval }},
	{"restart-margin", 10, 0, 100, "focused restarts: margin of the glue EMAs, in percent; of the fast one over the slow one", func(o *Options) *int { return &o.RestartMargin }},
	{"reuse-trail", 1, 0, 1, "trail reuse on restarts", func(o *Options) *int { return &o.ReuseTrail }},
	{"save-phases", 1, 0, 1, "phase saving: assign the last value of a variable", func(o *Options) *int { return &o.SavePhases }},
	{"shrink", ShrinkMinimizing, ShrinkOff, ShrinkMinimizing, "all-UIP shrinking; 0 off, 1 by binary reasons, 2 by all reasons, 3 and with minimization", func(o *Options) *int { return &o.Shrink }},
	{"simplify", 1, 0, 1, "inprocessing: simplify the formula between restarts", func(o *Options) *int { return &o.Simplify }},
	{"stable", BothModes, FocusedMode, StableMode, "search modes; 0 focused only, 1 focused and stable in turns, 2 stable only", func(o *Options) *int { return &o.Stable }},
	{"stable-share", 100, 1, 1000, "mode switching: ticks of a stable phase, in percent; of those of the focused phase before it", func(o *Options) *int { return &o.StableShare }},
	{"strengthen", 1, 0, 1, "strengthen reasons on the fly in conflict analysis", func(o *Options) *int { return &o.Strengthen }},
	{"substitute", 1, 0, 1, "equivalent literal substitution (SCC)", func(o *Options) *int { return &o.Substitute }},
	{"subsume", 1, 0, 1, "subsumption and self-subsuming resolution", func(o *Options) *int { return &o.Subsume }},
	{"sweep", 1, 0, 1, "SAT sweeping: equal gates of circuits, by simulation and proof", func(o *Options) *int { return &o.Sweep }},
	{"symmetry", 1, 0, 1, "symmetry detection and breaking", func(o *Options) *int { return &o.Symmetry }},
	{"symmetry-conflicts", 300, 0, 1e9, "symmetry breaking: conflicts before it, unless a round comes first", func(o *Options) *int { return &o.SymmetryConflicts }},
	{"target", TargetStable, TargetOff, TargetAlways, "target phases: 0 off, 1 in stable mode, 2 always", func(o *Options) *int { return &o.Target }},
	{"tier1", 2, 1, 100, "initial glue limit of tier 1; learned clauses kept while used at all", func(o *Options) *int { return &o.Tier1 }},
	{"tier2", 6, 1, 1000, "initial glue limit of tier 2; learned clauses kept while used lately", func(o *Options) *int { return &o.Tier2 }},
	{"transitive", 1, 0, 1, "transitive reduction of the binary implication graph", func(o *Options) *int { return &o.Transitive }},
	{"vivify", 1, 0, 1, "vivification: shorten clauses by propagation", func(o *Options) *int { return &o.Vivify }},
	{"walk", 1, 0, 1, "local search (ProbSAT) for phases", func(o *Options) *int { return &o.Walk }},
	{"xor", 1, 0, 1, "XOR constraints: detection and Gaussian elimination", func(o *Options) *int { return &o.XOR }},
}

// A Preset is a set of knob values for a kind of formula.
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

// Presets are for callers who expect one of the answers. The solver stays complete, and the
// other answer takes longer.
var Presets = []Preset{
	{"sat", "prefer finding models (satisfiable formulas)", []Setting{{"target", TargetAlways}, {"restart-interval", 50}}},
	{"unsat", "prefer finding refutations (unsatisfiable formulas)", []Setting{{"stable", FocusedMode}, {"walk", 0}}},
}

// Set sets the knob of this name. It panics if there is no such knob.
func (o *Options) Set(name string, value int) {
	i := slices.IndexFunc(Knobs, func(k Knob) bool { return k.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("cdcl: unknown knob %q", name))
	}
	*Knobs[i].Field(o) = value
}

// Apply sets all knobs of the preset.
func (p *Preset) Apply(o *Options) {
	for _, x := range p.Settings {
		o.Set(x.Knob, x.Value)
	}
}

// String returns the settings of the preset, as in "stable=0, walk=0".
func (p *Preset) String() string {
	var all []string
	for _, x := range p.Settings {
		all = append(all, fmt.Sprintf("%s=%d", x.Knob, x.Value))
	}
	return strings.Join(all, ", ")
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

// enter reports the activity that begins to the Activity callback, or "" for the end of
// a call.
func (o *Options) enter(activity string) {
	if o.Activity != nil {
		o.Activity(activity)
	}
}
