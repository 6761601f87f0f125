package cdcl

// Stats are the statistics of a solver: counters since New, and its current state. With
// the same input, options and seed every field is the same on any machine. A proof
// changes Bytes alone.
type Stats struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64 // literals assigned by unit propagation
	Ticks        int64 // cache lines touched by propagation, the solver's clock

	Restarts       int64
	ReusedTrails   int64 // restarts that kept levels
	Chronological  int64 // conflicts with chronological backtracking
	ModeSwitches   int64
	Rephases       int64
	Bursts         int64 // bursts of random decisions
	Reductions     int64
	Collections    int64 // garbage collections of the arena
	Learned        int64 // learned clauses, units included
	LearnedLits    int64 // literals in learned clauses, after minimization
	MinimizedLits  int64 // literals that minimization removed from learned clauses
	ShrunkenLits   int64 // literals that shrinking removed from learned clauses
	ReducedClauses int64 // learned clauses that reductions deleted

	LookAheads    int64 // nodes of look-ahead on random formulas
	Lucky         int64 // models found by lucky phases
	Walks         int64 // local searches
	WalkFlips     int64 // flips in local searches
	WalksImproved int64 // local searches that found fewer falsified clauses than at their start
	WalkStart     int   // number of falsified clauses at the start of the last local search
	WalkBroken    int   // smallest number of falsified clauses in the last local search

	Exported        int64 // clauses offered to other solvers
	Imported        int64 // clauses imported from other solvers
	ImportsRejected int64 // imported clauses rejected as satisfied, known or with removed variables
	ImportedUnits   int64 // imported clauses that fixed a variable
	ImportedUsed    int64 // imported clauses of three and more literals that took part in a conflict

	Rounds    int64 // rounds of simplification
	PassTicks int64 // ticks of simplification, not counted in Ticks
	Restored  int64 // removed variables that were restored

	CongruenceAnds    int64 // AND gates found by congruence closure
	CongruenceIfs     int64 // if-then-else gates
	CongruenceMajs    int64 // majority gates
	CongruenceMerged  int64 // merged literals
	CongruenceReduced int64 // gates replaced by smaller ones
	CongruenceShort   int64 // binary clauses learned to find gates
	CongruenceUnits   int64 // units found by congruence closure
	CongruenceXors    int64 // XOR gates
	Definitions       int64 // semantic definitions found, used or not
	DuplicateBinaries int64 // duplicate binary clauses deleted
	Eliminated        int64 // variables eliminated by BVE
	EliminateRounds   int64 // rounds of BVE
	Factored          int64 // extension variables introduced by BVA
	FactoredAway      int64 // clauses saved by BVA
	FailedLits        int64 // failed literals found by probing
	Gates             int64 // eliminated variables that were gate outputs
	Matchings         int64 // cardinality: matchings of clauses to at-most-one constraints
	Pigeonholes       int64 // matchings that refuted the formula
	Probes            int64 // literals probed
	ReasonsShortened  int64 // clauses that conflict analysis strengthened
	Resolvents        int64 // clauses added by BVE
	Strengthened      int64 // irredundant clauses strengthened by subsumption resolution
	Subsumed          int64 // irredundant clauses subsumed
	SubsumeRounds     int64 // rounds of subsumption
	Substituted       int64 // variables substituted by equivalent literals
	Symmetries        int64 // binary clauses that break symmetries
	SweepEquivalences int64 // equivalences found by sweeping
	SweepGates        int64 // gates recognized by sweeping
	SweepSolved       int64 // kitten calls of sweeping
	SweepUnits        int64 // units found by sweeping
	Transitive        int64 // transitive binary clauses deleted
	TransitiveUnits   int64 // units found by transitive reduction
	VivifyDecisions   int64 // decisions taken by vivification
	VivifyImplied     int64 // clauses that vivification deleted as implied by others
	VivifyKept        int64 // decisions that vivification reused
	VivifyLits        int64 // literals that vivification removed
	VivifyShortened   int64 // clauses that vivification shortened
	XORs              int64 // XOR constraints found among the clauses
	XOREquivalences   int64 // equivalences implied by XOR constraints
	XORSums           int64 // additions of two XOR constraints
	XORUnits          int64 // units implied by XOR constraints
	VivifySubsumed    int64 // clauses that vivification deleted as subsumed
	VivifyTried       int64 // clauses that vivification tried
	VivifyUnits       int64 // clauses that vivification shortened to a unit

	Vars        int // variables of the solver
	Fixed       int // variables assigned at the root
	Removed     int // variables eliminated or substituted
	Irredundant int // current clauses of the formula, without units
	Redundant   int // current learned clauses, without units
	Binary      int // current binary clauses, irredundant or redundant
	Tier1       int // current glue limit of tier 1
	Tier2       int // current glue limit of tier 2

	Glue  float64 // average glue of learned clauses in this mode
	Size  float64 // average number of literals of learned clauses in this mode
	Trail float64 // average share of assigned variables at conflicts, 0 to 1
	Level float64 // average decision level at conflicts

	Stable bool  // stable mode
	Bytes  int64 // memory of the solver's tables
}

// An Event is the reason of a progress report.
type Event byte

// The letters of the events follow CaDiCaL and Kissat.
const (
	Start         Event = '*'
	StableBegin   Event = '['
	StableEnd     Event = ']'
	FocusedBegin  Event = '{'
	FocusedEnd    Event = '}'
	Reduce        Event = '-'
	Collect       Event = 'C' // full garbage collection
	RephaseBest   Event = 'B'
	RephaseFlip   Event = 'F'
	RephaseInvert Event = 'I'
	RephaseOrig   Event = 'O'
	RephaseWalk   Event = 'W'
	RootUnit      Event = 'i' // learned unit
	Cardinality   Event = 'm'
	Congruence    Event = 'c'
	Eliminate     Event = 'e' // BVE and subsumption
	Factor        Event = 'f'
	Probe         Event = 'p'
	Substitute    Event = 'd'
	Sweep         Event = 's'
	Symmetry      Event = 'y'
	Transitive    Event = 't'
	Vivify        Event = 'v'
	XOR           Event = 'x'
	Satisfied     Event = '1'
	Refuted       Event = '0'
	Stopped       Event = '?'
)

// Stats returns the current statistics.
func (s *Solver) Stats() Stats {
	st := s.stats
	a := &s.schedule.avg[s.decisions.mode()]
	st.Stable = s.decisions.stable
	st.Glue, st.Size, st.Trail, st.Level = a.glueSlow.value, a.size.value, a.trail.value, a.level.value
	st.Tier1, st.Tier2 = s.schedule.tier[s.decisions.mode()].one, s.schedule.tier[s.decisions.mode()].two
	st.Fixed, st.Removed = s.trail.roots, s.removal.removed
	st.Bytes = s.bytes()
	return st
}

// bytesPerVar is the memory of the tables for a variable: values, lists, place in the
// assignment, marks and flags, queue, heap, trail and phases.
const bytesPerVar = 2*1 + 2*12 + 16 + 2 + 12 + (4 + 4 + 8) + 4 + 4*1

// bytes returns the memory of the tables. The arena and the watches count with their
// length.
func (s *Solver) bytes() int64 {
	return bytesPerVar*int64(len(s.trail.vars)) + 4*int64(len(s.clauses.arena)) + 8*int64(len(s.clauses.pool)) + s.removal.stack.bytes()
}

// report calls the Progress callback.
func (s *Solver) report(e Event) {
	if s.opts.Progress != nil {
		s.opts.Progress(e, s.Stats())
	}
}
