package cdcl

import (
	"fmt"
	"slices"
	"strings"

	"sator/dimacs"
)

// Options configure a [Solver]. The zero Options are the defaults, and are good for most
// formulas.
//
// In the fields that [Knobs] lists, false and 0 stand for the default, and a negative number
// for 0 where 0 is in the range. Knobs has the default and the range of each, for flags and
// files that set them by name.
type Options struct {
	// Phase is the value that a decision assigns to a variable that had no value yet:
	// PhaseTrue, the default, or PhaseFalse, for models with few true variables.
	Phase int
	// NoSavePhases turns off phase saving: decisions do not repeat the last value of a variable.
	NoSavePhases bool
	// Target selects the modes of search with target phases, the values of the longest trail
	// without a conflict: TargetStable, the default, TargetOff or TargetAlways.
	Target int
	// NoRephase turns off rephasing, which resets the saved phases from time to time.
	NoRephase bool
	// RephaseInterval is the base interval of rephasing, in conflicts; 1,000 by default.
	RephaseInterval int
	// NoWalk turns off local search (ProbSAT) for phases.
	NoWalk bool
	// Lucky selects the formulas for which lucky phases are tried before the search:
	// LuckyLarge, the default, LuckyOff or LuckyAlways.
	Lucky int
	// Decay is the decay of VSIDS scores per conflict, in thousandths; 50 by default.
	Decay int
	// NoBumpReason turns off reason side bumping, which bumps the literals of reasons, too.
	NoBumpReason bool
	// NoRandomBursts turns off the bursts of random decisions in focused mode.
	NoRandomBursts bool
	// RandomInterval is the base interval of random bursts, in conflicts; 500 by default.
	RandomInterval int

	// Stable selects the modes of search: BothModes in turns, the default, FocusedMode or
	// StableMode.
	Stable int
	// ModeInterval is the length of the first focused phase, in conflicts; 1,000 by default.
	ModeInterval int
	// StableShare is the length of a stable phase in percent of the ticks of the focused
	// phase before it; 100 by default.
	StableShare int
	// NoRestart turns off restarts.
	NoRestart bool
	// RestartInterval is the least number of conflicts between restarts in focused mode; 2 by
	// default.
	RestartInterval int
	// RestartMargin is how far the fast moving average of glue must exceed the slow one for a
	// restart in focused mode, in percent; 10 by default.
	RestartMargin int
	// NoReuseTrail turns off trail reuse: a restart unassigns all decisions.
	NoReuseTrail bool
	// ReluctantInterval is the unit of the reluctant doubling (Luby) sequence of restarts in
	// stable mode, in conflicts; 1,024 by default.
	ReluctantInterval int
	// ReluctantMax is the longest interval of reluctant doubling, in conflicts; 2^20 by default.
	ReluctantMax int
	// EmaFast is the window of the fast exponential moving average (EMA) of glue, in conflicts;
	// 33 by default.
	EmaFast int
	// EmaSlow is the window of the slow EMAs of glue, size, trail and level, in conflicts;
	// 100,000 by default.
	EmaSlow int

	// Chrono is the number of levels above which a longer jump becomes chronological
	// backtracking; 100 by default, and negative for never.
	Chrono int
	// ChronoReuse makes chronological backtracking keep levels of variables with higher scores.
	ChronoReuse bool
	// NoMinimize turns off the minimization of learned clauses.
	NoMinimize bool
	// MinimizeDepth limits the recursion of minimization, in reasons; 1,000 by default.
	MinimizeDepth int
	// Shrink selects the reasons of all-UIP shrinking: ShrinkMinimizing, the default,
	// ShrinkAll, ShrinkBinary or ShrinkOff.
	Shrink int
	// NoStrengthen turns off the strengthening of reasons in conflict analysis.
	NoStrengthen bool

	// ReduceInterval is the interval of clause database reductions, in conflicts, which grows;
	// 1,000 by default.
	ReduceInterval int
	// ReduceFraction is the share of the candidates that a reduction deletes, in percent; 75
	// by default.
	ReduceFraction int
	// Tier1 is the first limit of glue of learned clauses that stay while they are used at
	// all; 2 by default.
	Tier1 int
	// Tier2 is the first limit of glue of learned clauses that stay while they were used
	// lately; 6 by default.
	Tier2 int

	// NoSimplify turns off inprocessing: the formula is not simplified between restarts.
	NoSimplify bool
	// InprocessInterval is the base interval of inprocessing, in conflicts; 2,000 by default.
	InprocessInterval int
	// NoEliminate turns off bounded variable elimination (BVE).
	NoEliminate bool
	// EliminateBound is the number of clauses that the elimination of a variable may add; 0 by
	// default.
	EliminateBound int
	// EliminateRaise is the number of conflicts after which that bound rises, up to 16; 50,000
	// by default, and negative for never.
	EliminateRaise int
	// NoEliminateDefinitions turns off semantic definition extraction in BVE.
	NoEliminateDefinitions bool
	// NoSubsume turns off subsumption and self-subsuming resolution.
	NoSubsume bool
	// NoSubstitute turns off equivalent literal substitution.
	NoSubstitute bool
	// NoCongruence turns off congruence closure, which merges gates with equal inputs.
	NoCongruence bool
	// NoSweep turns off SAT sweeping, which finds equal gates of circuits by simulation and proof,
	// and variables that the clauses around them make equal.
	NoSweep bool
	// NoLookAhead turns off long walks and look-ahead, which decide uniform random formulas, in
	// calls without assumptions and without limits of conflicts, decisions and propagations.
	NoLookAhead bool
	// NoProbe turns off failed literal probing.
	NoProbe bool
	// NoVivify turns off vivification, which shortens clauses by propagation.
	NoVivify bool
	// NoTransitive turns off the transitive reduction of the binary implication graph.
	NoTransitive bool
	// NoFactor turns off bounded variable addition (BVA).
	NoFactor bool
	// FactorGain is the number of clauses that a variable of BVA must save; 25 by default.
	FactorGain int
	// NoCardinality turns off cardinality detection and Hall (pigeonhole) refutation.
	NoCardinality bool
	// NoXOR turns off the detection of XOR constraints and Gaussian elimination.
	NoXOR bool
	// NoSymmetry turns off symmetry detection and breaking.
	NoSymmetry bool
	// SymmetryConflicts is the number of conflicts before symmetry breaking, unless a round of
	// inprocessing comes first; 300 by default.
	SymmetryConflicts int

	// ExchangeInterval is the number of ticks between two exchanges of clauses with other
	// solvers; 200,000 by default.
	ExchangeInterval int

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

	// Trace, if not nil, is called with each step of the search. The knobs must be those of the
	// preset "plain", and Proof must have hints.
	Trace func(Step)

	// Activity, if not nil, is called with the name of each activity that begins, which
	// is one of [Activities], and with "" when Solve or Simplify returns, both by the
	// goroutine of the call. Profilers label their samples with it.
	Activity func(name string)
}

// Values of [Options].Phase.
const (
	PhaseFalse = -1
	PhaseTrue  = 1
)

// Values of [Options].Lucky: formulas for which lucky phases are tried.
const (
	LuckyOff    = -1
	LuckyLarge  = 1
	LuckyAlways = 2
)

// Values of [Options].Shrink: the reasons along which learned clauses are shrunk.
const (
	ShrinkOff        = -1
	ShrinkBinary     = 1
	ShrinkAll        = 2
	ShrinkMinimizing = 3 // all, and literals of lower levels that the clause implies
)

// Values of [Options].Stable: the modes of search.
const (
	FocusedMode = -1
	BothModes   = 1
	StableMode  = 2
)

// Values of [Options].Target: the modes with target phases.
const (
	TargetOff    = -1
	TargetStable = 1
	TargetAlways = 2
)

// A Knob is an option with a name and a number, as flags and files have them. Switches are
// knobs from 0 to 1.
type Knob struct {
	Name     string // lower case, words joined by hyphens
	Default  int
	Min, Max int // inclusive
	Help     string
	field    func(*Options) any // a *int, or a *bool that is true if the switch is not at its default
}

// Get returns the value of the knob in o.
func (k *Knob) Get(o *Options) int {
	switch p := k.field(o).(type) {
	case *bool:
		if *p {
			return 1 - k.Default
		}
	case *int:
		if *p != 0 {
			return max(*p, 0)
		}
	}
	return k.Default
}

func (k *Knob) check(value int) error {
	if value < k.Min || value > k.Max {
		return fmt.Errorf("%s is %d, not between %d and %d", k.Name, value, k.Min, k.Max)
	}
	return nil
}

// Set sets the value of the knob in o, or returns an error if it is out of range.
func (k *Knob) Set(o *Options, value int) error {
	if err := k.check(value); err != nil {
		return err
	}
	switch p := k.field(o).(type) {
	case *bool:
		*p = value != k.Default
	case *int:
		if *p = value; value == 0 && k.Default != 0 {
			*p = -1
		}
	}
	return nil
}

// Knobs lists all knobs. To add one, add a field above and a line here, sorted by name. Flags,
// help texts, range checks and random tests follow.
var Knobs = []Knob{
	{"bump-reason", 1, 0, 1, "reason side bumping: also bump the literals of reasons", func(o *Options) any { return &o.NoBumpReason }},
	{"cardinality", 1, 0, 1, "cardinality detection and Hall (pigeonhole) refutation", func(o *Options) any { return &o.NoCardinality }},
	{"chrono", 100, 0, 1e9, "backtrack chronologically instead of longer jumps; 0 never", func(o *Options) any { return &o.Chrono }},
	{"chrono-reuse", 0, 0, 1, "reuse levels of better variables; on chronological backtracking", func(o *Options) any { return &o.ChronoReuse }},
	{"congruence", 1, 0, 1, "congruence closure: merge gates with equal inputs", func(o *Options) any { return &o.NoCongruence }},
	{"decay", 50, 1, 500, "decay of VSIDS scores per conflict, in thousandths", func(o *Options) any { return &o.Decay }},
	{"eliminate", 1, 0, 1, "bounded variable elimination (BVE)", func(o *Options) any { return &o.NoEliminate }},
	{"eliminate-bound", 0, 0, 1000, "BVE: clauses that eliminating a variable may add", func(o *Options) any { return &o.EliminateBound }},
	{"eliminate-definitions", 1, 0, 1, "BVE: semantic definition extraction", func(o *Options) any { return &o.NoEliminateDefinitions }},
	{"eliminate-raise", 50_000, 0, 1e9, "BVE: conflicts after which the bound rises, up to 16; 0 never", func(o *Options) any { return &o.EliminateRaise }},
	{"ema-fast", 33, 1, 1e6, "window of the fast exponential moving average (EMA) of glue, in conflicts", func(o *Options) any { return &o.EmaFast }},
	{"ema-slow", 1e5, 1, 1e9, "window of the slow EMAs, in conflicts; of glue, size, trail and level", func(o *Options) any { return &o.EmaSlow }},
	{"exchange-interval", 200_000, 1, 1e9, "clause sharing: ticks between exchanges", func(o *Options) any { return &o.ExchangeInterval }},
	{"factor", 1, 0, 1, "bounded variable addition (BVA)", func(o *Options) any { return &o.NoFactor }},
	{"factor-gain", 25, 1, 1e6, "BVA: clauses that a new variable must save", func(o *Options) any { return &o.FactorGain }},
	{"inprocess-interval", 2000, 1, 1e9, "base interval of inprocessing, in conflicts", func(o *Options) any { return &o.InprocessInterval }},
	{"look-ahead", 1, 0, 1, "look-ahead and long walks on uniform random formulas", func(o *Options) any { return &o.NoLookAhead }},
	{"lucky", LuckyLarge, 0, LuckyAlways, "lucky phases before the search; 1 for large formulas, 2 always", func(o *Options) any { return &o.Lucky }},
	{"minimize", 1, 0, 1, "learned clause minimization", func(o *Options) any { return &o.NoMinimize }},
	{"minimize-depth", 1000, 1, 1e6, "minimization: recursion depth", func(o *Options) any { return &o.MinimizeDepth }},
	{"mode-interval", 1000, 1, 1e9, "mode switching: conflicts of the first focused phase", func(o *Options) any { return &o.ModeInterval }},
	{"phase", PhaseTrue, 0, PhaseTrue, "initial phase: 1 true, 0 false", func(o *Options) any { return &o.Phase }},
	{"probe", 1, 0, 1, "failed literal probing", func(o *Options) any { return &o.NoProbe }},
	{"random-bursts", 1, 0, 1, "bursts of random decisions in focused mode", func(o *Options) any { return &o.NoRandomBursts }},
	{"random-interval", 500, 1, 1e9, "base interval of random bursts, in conflicts", func(o *Options) any { return &o.RandomInterval }},
	{"reduce-fraction", 75, 1, 100, "percentage of candidates that a reduction deletes", func(o *Options) any { return &o.ReduceFraction }},
	{"reduce-interval", 1000, 1, 1e9, "interval of clause database reductions; in conflicts, at first", func(o *Options) any { return &o.ReduceInterval }},
	{"reluctant-interval", 1024, 1, 1e9, "stable restarts: unit of the reluctant doubling (Luby) sequence, in conflicts", func(o *Options) any { return &o.ReluctantInterval }},
	{"reluctant-max", 1 << 20, 1, 1e9, "stable restarts: longest interval, in conflicts; of reluctant doubling", func(o *Options) any { return &o.ReluctantMax }},
	{"rephase", 1, 0, 1, "rephasing: reset the saved phases from time to time", func(o *Options) any { return &o.NoRephase }},
	{"rephase-interval", 1000, 1, 1e9, "base interval of rephasing, in conflicts", func(o *Options) any { return &o.RephaseInterval }},
	{"restart", 1, 0, 1, "restarts", func(o *Options) any { return &o.NoRestart }},
	{"restart-interval", 2, 1, 1e9, "least number of conflicts between focused restarts", func(o *Options) any { return &o.RestartInterval }},
	{"restart-margin", 10, 0, 100, "focused restarts: margin of the glue EMAs, in percent; of the fast one over the slow one", func(o *Options) any { return &o.RestartMargin }},
	{"reuse-trail", 1, 0, 1, "trail reuse on restarts", func(o *Options) any { return &o.NoReuseTrail }},
	{"save-phases", 1, 0, 1, "phase saving: assign the last value of a variable", func(o *Options) any { return &o.NoSavePhases }},
	{"shrink", ShrinkMinimizing, 0, ShrinkMinimizing, "all-UIP shrinking; 0 off, 1 by binary reasons, 2 by all reasons, 3 and with minimization", func(o *Options) any { return &o.Shrink }},
	{"simplify", 1, 0, 1, "inprocessing: simplify the formula between restarts", func(o *Options) any { return &o.NoSimplify }},
	{"stable", BothModes, 0, StableMode, "search modes; 0 focused only, 1 focused and stable in turns, 2 stable only", func(o *Options) any { return &o.Stable }},
	{"stable-share", 100, 1, 1000, "mode switching: ticks of a stable phase, in percent; of those of the focused phase before it", func(o *Options) any { return &o.StableShare }},
	{"strengthen", 1, 0, 1, "strengthen reasons on the fly in conflict analysis", func(o *Options) any { return &o.NoStrengthen }},
	{"substitute", 1, 0, 1, "equivalent literal substitution (SCC)", func(o *Options) any { return &o.NoSubstitute }},
	{"subsume", 1, 0, 1, "subsumption and self-subsuming resolution", func(o *Options) any { return &o.NoSubsume }},
	{"sweep", 1, 0, 1, "SAT sweeping: equal gates of circuits, variables equal by nearby clauses", func(o *Options) any { return &o.NoSweep }},
	{"symmetry", 1, 0, 1, "symmetry detection and breaking", func(o *Options) any { return &o.NoSymmetry }},
	{"symmetry-conflicts", 300, 0, 1e9, "symmetry breaking: conflicts before it, unless a round comes first", func(o *Options) any { return &o.SymmetryConflicts }},
	{"target", TargetStable, 0, TargetAlways, "target phases: 0 off, 1 in stable mode, 2 always", func(o *Options) any { return &o.Target }},
	{"tier1", 2, 1, 100, "initial glue limit of tier 1; learned clauses kept while used at all", func(o *Options) any { return &o.Tier1 }},
	{"tier2", 6, 1, 1000, "initial glue limit of tier 2; learned clauses kept while used lately", func(o *Options) any { return &o.Tier2 }},
	{"transitive", 1, 0, 1, "transitive reduction of the binary implication graph", func(o *Options) any { return &o.NoTransitive }},
	{"vivify", 1, 0, 1, "vivification: shorten clauses by propagation", func(o *Options) any { return &o.NoVivify }},
	{"walk", 1, 0, 1, "local search (ProbSAT) for phases", func(o *Options) any { return &o.NoWalk }},
	{"xor", 1, 0, 1, "XOR constraints: detection and Gaussian elimination", func(o *Options) any { return &o.NoXOR }},
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

// Presets are for callers who expect one of the answers, and for teaching. The solver stays
// complete: with sat and unsat the other answer takes longer, with plain both.
var Presets = []Preset{
	{"sat", "prefer finding models (satisfiable formulas)", []Setting{{"target", TargetAlways}, {"restart-interval", 50}}},
	{"unsat", "prefer finding refutations (unsatisfiable formulas)", []Setting{{"stable", 0}, {"walk", 0}}},
	{"plain", "CDCL as in textbooks, without inprocessing", []Setting{
		{"simplify", 0}, {"symmetry", 0}, {"sweep", 0}, {"cardinality", 0}, {"look-ahead", 0}, {"lucky", 0}, {"walk", 0},
		{"stable", 0}, {"random-bursts", 0}, {"rephase", 0}, {"bump-reason", 0}, {"chrono", 0}, {"shrink", 0}, {"strengthen", 0},
	}},
}

// Set sets the knob of this name. It panics if there is no such knob, or if the value is out of
// its range.
func (o *Options) Set(name string, value int) {
	if err := knobOf(name).Set(o, value); err != nil {
		panic("cdcl: " + err.Error())
	}
}

// Get returns the value of the knob of this name. It panics if there is no such knob.
func (o *Options) Get(name string) int { return knobOf(name).Get(o) }

func knobOf(name string) *Knob {
	i := slices.IndexFunc(Knobs, func(k Knob) bool { return k.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("cdcl: unknown knob %q", name))
	}
	return &Knobs[i]
}

// FindPreset returns the preset of a name, and whether there is one.
func FindPreset(name string) (p Preset, found bool) {
	i := slices.IndexFunc(Presets, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, false
	}
	return Presets[i], true
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

// Check returns an error if a knob is out of its range.
func (o *Options) Check() error {
	for _, k := range Knobs {
		if err := k.check(k.Get(o)); err != nil {
			return err
		}
	}
	return nil
}

// resolve sets each number that is 0 to its default.
func (o *Options) resolve() {
	for _, k := range Knobs {
		if p, ok := k.field(o).(*int); ok && *p == 0 {
			*p = k.Default
		}
	}
}

// enter reports the activity that begins to the Activity callback, or "" for the end of
// a call.
func (o *Options) enter(activity string) {
	if o.Activity != nil {
		o.Activity(activity)
	}
}
