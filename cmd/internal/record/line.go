package record

// Version is the version of the format that this package writes. It reads versions from 1
// to Version.
const Version = 1

// A Line is one line of a recording: a *[Run], *[Formula], *[Sample], *[Event], *[Pass],
// *[Exchange] or *[End].
//
// Times are in seconds since the start of the run, memory is in bytes, and effort is in
// ticks, as in cdcl.Stats. A solver is an index of Run.Solvers.
type Line interface {
	// Type returns the value of the member "t".
	Type() string
}

// types lists the types of lines in the order of their first occurrence.
var types = []func() Line{
	func() Line { return new(Run) },
	func() Line { return new(Formula) },
	func() Line { return new(Sample) },
	func() Line { return new(Event) },
	func() Line { return new(Pass) },
	func() Line { return new(Exchange) },
	func() Line { return new(End) },
}

func (*Run) Type() string      { return "run" }
func (*Formula) Type() string  { return "formula" }
func (*Sample) Type() string   { return "sample" }
func (*Event) Type() string    { return "event" }
func (*Pass) Type() string     { return "pass" }
func (*Exchange) Type() string { return "exchange" }
func (*End) Type() string      { return "end" }

// A Run is the first line: what ran, and where.
type Run struct {
	Version     int               `json:"version"` // of the format
	Sator       string            `json:"sator"`   // version of the program
	Command     []string          `json:"command"` // arguments of the program, without its name
	Start       string            `json:"start"`   // time of the start, RFC 3339
	Machine     Machine           `json:"machine"`
	Files       []string          `json:"files"`                  // names of the inputs; "-" is standard input
	Engine      string            `json:"engine"`                 // name of the engine
	Why         string            `json:"why,omitempty"`          // reason of the choice of the engine
	Options     map[string]any    `json:"options"`                // options that differ from their defaults
	Seed        uint64            `json:"seed"`                   // of the random generator
	Solvers     []string          `json:"solvers"`                // name of each solver; empty for engines other than cdcl
	SampleTicks int64             `json:"sample_ticks,omitempty"` // least number of ticks between samples
	Counters    map[string]string `json:"counters"`               // by hardware counter: "" if it is recorded, or why it is absent
}

// A Machine describes the computer and the Go runtime.
type Machine struct {
	OS     string `json:"os"`               // as in GOOS
	Arch   string `json:"arch"`             // as in GOARCH
	CPU    string `json:"cpu,omitempty"`    // model of the processor
	CPUs   int    `json:"cpus"`             // logical processors available to the process
	Memory int64  `json:"memory,omitempty"` // limit of the memory of the process
	Go     string `json:"go"`               // version of Go
}

// A Formula describes the formula as read.
type Formula struct {
	Vars     int     `json:"vars"`           // of the header, or the largest one that occurs
	Clauses  int     `json:"clauses"`        // as read, with duplicates
	Literals int     `json:"literals"`       // in all clauses
	Sizes    [11]int `json:"sizes"`          // [n]: clauses of n literals; [10]: of 10 and more
	Horn     int     `json:"horn"`           // clauses with at most one positive literal
	Positive int     `json:"positive"`       // clauses of positive literals only
	Negative int     `json:"negative"`       // clauses of negative literals only
	Hash     string  `json:"hash,omitempty"` // SHA-256 of the number of variables and of the clauses in their order
}

// A Sample is the state of one solver. The counters are totals since the start.
// The learned clauses of the tiers and the learned binary clauses together are redundant.
type Sample struct {
	Solver int     `json:"s"`
	Time   float64 `json:"time"`
	CPU    float64 `json:"cpu"` // processor time of the whole process, all threads, since its start

	Conflicts    int64 `json:"conflicts"`
	Decisions    int64 `json:"decisions"`
	Propagations int64 `json:"propagations"` // literals assigned by unit propagation
	Ticks        int64 `json:"ticks"`        // of search
	PassTicks    int64 `json:"pass_ticks"`   // of simplification

	// What the solver does: "search-focused", "search-stable", the name of a pass, "walk",
	// "reduce", "collect"; empty at the beginning.
	Activity string `json:"activity"`
	Mode     string `json:"mode"` // "focused" or "stable"

	Focused Averages `json:"focused"` // of focused mode
	Stable  Averages `json:"stable"`  // of stable mode

	Trail int `json:"trail"` // assigned variables
	Level int `json:"level"` // decision level

	Learned int64 `json:"learned"` // learned clauses ever, units included
	Tier1   int   `json:"tier1"`   // current learned clauses of three and more literals in tier 1
	Tier2   int   `json:"tier2"`   // the same for tier 2
	Tier3   int   `json:"tier3"`   // the same for all others
	Used1   int64 `json:"used1"`   // uses in conflict analysis of tier 1 since the last sample
	Used2   int64 `json:"used2"`   // the same for tier 2
	Used3   int64 `json:"used3"`   // the same for all others

	Irredundant int `json:"irredundant"` // current clauses of the formula, without units
	Redundant   int `json:"redundant"`   // current learned clauses, without units
	Binary      int `json:"binary"`      // current binary clauses, irredundant or redundant
	Vars        int `json:"vars"`        // variables left: neither fixed nor removed
	Fixed       int `json:"fixed"`       // variables assigned at the root
	Removed     int `json:"removed"`     // variables eliminated or substituted

	Restarts int64 `json:"restarts"`
	Bursts   int64 `json:"bursts"` // bursts of random decisions
	Target   int   `json:"target"` // longest trail without a conflict since the last rephasing
	Best     int   `json:"best"`   // longest trail without a conflict since phases were reset to the best ones

	Arena    int64            `json:"arena"`              // bytes of the clauses
	Watches  int64            `json:"watches"`            // bytes of the watch lists
	Heap     int64            `json:"heap,omitempty"`     // Go heap of the process
	Resident int64            `json:"resident,omitempty"` // resident memory of the process
	HW       map[string]int64 `json:"hw,omitempty"`       // hardware counters of the process since the start
}

// Averages are exponential moving averages (EMA) over the conflicts of one mode, and its
// limits of the tiers.
type Averages struct {
	Glue     float64 `json:"glue"`      // of learned clauses, slow average
	GlueFast float64 `json:"glue_fast"` // of learned clauses, fast average
	Size     float64 `json:"size"`      // literals of learned clauses
	Trail    float64 `json:"trail"`     // assigned share of the variables at conflicts, 0 to 1
	Level    float64 `json:"level"`     // decision level at conflicts
	Tier1    int     `json:"tier1"`     // largest glue of tier 1
	Tier2    int     `json:"tier2"`     // largest glue of tier 2
}

// The kinds of an [Event].
const (
	Start   = "start"   // a call of Solve begins
	Mode    = "mode"    // a phase of another mode begins
	Reduce  = "reduce"  // reduction of learned clauses
	Collect = "collect" // full garbage collection
	Rephase = "rephase" // the saved phases were reset
	Answer  = "answer"  // a call of Solve ends; a file of cubes has a call for each cube
)

// An Event is something that a solver did.
type Event struct {
	Solver    int     `json:"s"`
	Time      float64 `json:"time"`
	Conflicts int64   `json:"conflicts"`
	Ticks     int64   `json:"ticks"`
	Kind      string  `json:"kind"` // Start, Mode, Reduce, ...

	Mode    string      `json:"mode,omitempty"`    // for Mode: the mode that begins, "focused" or "stable"
	Reduce  *Reduction  `json:"reduce,omitempty"`  // for Reduce
	Rephase *PhaseReset `json:"rephase,omitempty"` // for Rephase
	Status  string      `json:"status,omitempty"`  // for Answer: "SATISFIABLE", "UNSATISFIABLE" or "UNKNOWN"
}

// A Reduction counts learned clauses.
type Reduction struct {
	Deleted int64 `json:"deleted"` // by this reduction
	Kept    int   `json:"kept"`    // all current learned clauses, binary ones included
}

// A PhaseReset describes a rephasing.
type PhaseReset struct {
	Kind string `json:"kind"`           // "best", "flip", "invert", "original" or "walk"
	Walk *Walk  `json:"walk,omitempty"` // for "walk": the local search, unless it was skipped
}

// A Walk describes a local search, unless it was skipped or made no flip.
type Walk struct {
	Flips  int64 `json:"flips"`  // of a variable
	Before int   `json:"before"` // falsified clauses at the start
	After  int   `json:"after"`  // smallest number of falsified clauses
}

// A Pass is one run of a simplification. Passes run in rounds between restarts; lucky
// phases, cardinality detection under assumptions and symmetry breaking also outside of them.
type Pass struct {
	Solver    int              `json:"s"`
	Time      float64          `json:"time"` // at the end
	Conflicts int64            `json:"conflicts"`
	Name      string           `json:"name"`    // passes that alternate are joined by "+"
	Round     int64            `json:"round"`   // number of the round of simplification, from 1; 0 outside of rounds
	Seconds   float64          `json:"seconds"` // duration, without a garbage collection that precedes the work
	Ticks     int64            `json:"ticks"`   // spent
	Budget    int64            `json:"budget"`  // ticks that it may spend
	Before    Size             `json:"before"`
	After     Size             `json:"after"`
	Did       map[string]int64 `json:"did"` // increments of counters, by their names in End.Stats; without zeros
}

// A Size is the size of a solver's formula.
type Size struct {
	Vars        int    `json:"vars"`               // neither fixed nor removed
	Irredundant int    `json:"irredundant"`        // clauses of the formula, without units
	Redundant   int    `json:"redundant"`          // learned clauses, without units
	Binary      int    `json:"binary"`             // irredundant or redundant
	Literals    *int64 `json:"literals,omitempty"` // in irredundant clauses; absent if counting would take too long
}

// An Exchange counts the clauses that a solver of a race has shared since its last exchange.
type Exchange struct {
	Solver    int     `json:"s"`
	Time      float64 `json:"time"`
	Conflicts int64   `json:"conflicts"`
	Exported  int64   `json:"exported"` // given to the other solvers
	Imported  int64   `json:"imported"` // taken from the other solvers
	Rejected  int64   `json:"rejected"` // imported, but satisfied, known or with removed variables
	Units     int64   `json:"units"`    // imported and fixed a variable
	Used      int64   `json:"used"`     // imported at any time, and took part in a conflict for the first time
}

// An End is the last line.
type End struct {
	Status string  `json:"status"`           // "SATISFIABLE", "UNSATISFIABLE" or "UNKNOWN"
	Reason string  `json:"reason,omitempty"` // why the status is UNKNOWN
	Time   float64 `json:"time"`
	CPU    float64 `json:"cpu"`

	Winner *int               `json:"winner,omitempty"` // in a race: the solver with the answer
	Stats  []map[string]any   `json:"stats"`            // of each solver: final statistics
	Phases map[string]float64 `json:"phases"`           // seconds by activity, summed over the solvers

	PeakResident int64            `json:"peak_resident,omitempty"` // largest resident memory of the process
	HW           map[string]int64 `json:"hw,omitempty"`            // hardware counters of the process
	Proof        *ProofSize       `json:"proof,omitempty"`
}

// A ProofSize is the size of a proof that the run wrote.
type ProofSize struct {
	Bytes  int64  `json:"bytes"`  // before compression
	Format string `json:"format"` // "DRAT", "binary DRAT", "LRAT" or "binary LRAT"
}
