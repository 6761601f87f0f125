package cdcl

// Stats count what a solver did since it was made, and describe its state.
// Search is deterministic: with the same input, options and seed every field
// is the same on any machine; a proof changes Bytes alone.
type Stats struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64 // literals assigned by unit propagation
	Ticks        int64 // cache lines touched by propagation, the solver's clock

	Restarts       int64
	ReusedTrails   int64 // restarts that kept levels
	Chronological  int64 // conflicts after which it backtracked chronologically
	ModeSwitches   int64
	Rephases       int64
	Bursts         int64 // of random decisions
	Reductions     int64
	Collections    int64 // compactions of the arena
	Learned        int64 // clauses learned, units included
	LearnedLits    int64 // literals in them as learned
	MinimizedLits  int64 // literals that minimization removed from them before
	ShrunkenLits   int64 // literals that shrinking removed
	ReducedClauses int64 // learned clauses that reductions removed

	Lucky         int64 // models that were guessed before the search
	Walks         int64 // local searches
	WalkFlips     int64 // changes of a value in them
	WalksImproved int64 // those that broke fewer clauses than their start
	WalkBroken    int   // the least number of clauses that the last one broke

	Imported       int64 // clauses of other solvers taken in
	ImportedInVain int64 // of these, of no use: true, or with retired variables
	ImportedUnits  int64 // that made a variable fixed
	ImportedUsed   int64 // that took part in a conflict, of those of three and more literals

	Rounds    int64 // of simplification
	PassTicks int64 // spent there, not counted in Ticks
	Restored  int64 // retired variables that came back

	BackboneUnits     int64 // found among binary clauses
	CongruenceAnds    int64 // conjunctions that congruence closure found
	CongruenceIfs     int64 // if-then-elses
	CongruenceMajs    int64 // majorities
	CongruenceMerged  int64 // equal literals
	CongruenceReduced int64 // gates that became smaller ones
	CongruenceShort   int64 // binary clauses that it learned to find gates
	CongruenceUnits   int64 // found by the way
	CongruenceXors    int64 // exclusive ors that it found
	Definitions       int64 // found by solving, used or not
	DuplicateBinaries int64 // dropped
	Eliminated        int64 // variables resolved away
	EliminateRounds   int64
	Factored          int64 // variables introduced for products
	FactoredAway      int64 // clauses by which they made the formula shorter
	FailedLits        int64 // found by probing
	Gates             int64 // eliminated variables that were outputs of gates
	Matchings         int64 // of clauses to at-most-one constraints
	Pigeonholes       int64 // of these, impossible ones, which refute the formula
	Probes            int64 // literals probed
	Resolvents        int64 // added by elimination
	Strengthened      int64 // clauses of the formula that lost a literal by another one
	Subsumed          int64 // clauses of the formula that another one was part of
	SubsumeRounds     int64
	Substituted       int64 // variables replaced by equivalent literals
	SweepEnvironments int64 // small parts of the formula that were swept
	SweepEquivalences int64 // found there
	SweepSolved       int64 // questions asked about them
	SweepUnits        int64 // found there
	Transitive        int64 // binary clauses dropped that follow from others
	TransitiveUnits   int64 // found by the way
	VivifyDecisions   int64 // that vivification took
	VivifyImplied     int64 // clauses that it dropped because others imply them
	VivifyKept        int64 // decisions that it did not have to take again
	VivifyLits        int64 // literals that it took out of clauses
	VivifyShortened   int64 // clauses that it took them out of
	XORs              int64 // XOR constraints found among the clauses
	XOREquivalences   int64 // equivalences that they imply
	XORSums           int64 // additions of two constraints
	XORUnits          int64 // unit clauses that they imply
	VivifySubsumed    int64 // clauses that it dropped because others are part of them
	VivifyTried       int64 // clauses that it tried
	VivifyUnits       int64 // clauses that it left one literal of

	Vars        int // variables in the solver
	Fixed       int // of these, assigned at the root
	Removed     int // and out of the search: eliminated or replaced by others
	Irredundant int // clauses of the formula as it stands, without units
	Redundant   int // learned clauses as they stand, without units
	Binary      int // of both, those with two literals
	Tier1       int // glue limits in force
	Tier2       int

	Glue  float64 // averages of learned clauses in this mode: glue
	Size  float64 // literals
	Trail float64 // share of variables assigned at conflicts, 0 to 1
	Level float64 // decision level at conflicts

	Stable bool  // the mode
	Bytes  int64 // of the solver's tables, as allocated
}

// An Event says why progress is reported.
type Event byte

// The letters of the events, as the field's solvers print them.
const (
	Start         Event = '*'
	StableBegin   Event = '['
	StableEnd     Event = ']'
	FocusedBegin  Event = '{'
	FocusedEnd    Event = '}'
	Reduce        Event = '-'
	Collect       Event = 'C' // all clauses were swept
	RephaseBest   Event = 'B'
	RephaseFlip   Event = 'F'
	RephaseInvert Event = 'I'
	RephaseOrig   Event = 'O'
	RephaseWalk   Event = 'W'
	RootUnit      Event = 'i' // a unit was learned
	Backbone      Event = 'b' // and the other passes over binary clauses
	Cardinality   Event = 'm'
	Congruence    Event = 'c'
	Eliminate     Event = 'e' // and subsumption
	Factor        Event = 'f'
	Probe         Event = 'p'
	Substitute    Event = 'd'
	Sweep         Event = 's'
	Transitive    Event = 't'
	Vivify        Event = 'v'
	XOR           Event = 'x'
	Satisfied     Event = '1'
	Refuted       Event = '0'
	Stopped       Event = '?'
)
