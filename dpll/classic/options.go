package classic

import (
	"fmt"

	"sator/dimacs"
)

// Options configure a [Solver]. Start from [DefaultOptions]; the zero Options are
// invalid, as they have no heuristic.
type Options struct {
	// Heuristic is the name or an alias of one of [Heuristics].
	Heuristic string

	// Pure selects the nodes at which pure literals are assigned.
	Pure Pure

	// MomK is the k of the heuristic mom: the weight of the sum of the
	// occurrences of both literals of a variable against their product.
	MomK int

	// Seed seeds the random generator of the heuristics random and lph. The same
	// seed, options and sequence of calls give the same run on any machine.
	Seed uint64

	// Proof, if not nil, receives the proof, without hints and RAT steps.
	Proof dimacs.Proof

	// Trace, if not nil, is called with each step of the search.
	Trace func(Event)

	// Progress, if not nil, is called with the statistics at the start and the
	// end of each call, and regularly in between.
	Progress func(Stats)
}

// Pure selects the nodes of the search tree at which pure literals are assigned.
type Pure int

const (
	PureOff   Pure = iota // at no node
	PureRoot              // at the root
	PureEvery             // at every node
)

// pureNames lists the names of the modes in the order of the constants.
var pureNames = [...]string{"off", "root", "every"}

// PureNames returns the names of the modes that [ParsePure] accepts.
func PureNames() []string { return append([]string(nil), pureNames[:]...) }

// ParsePure returns the mode with the name off, root or every.
func ParsePure(name string) (Pure, error) {
	for p, n := range pureNames {
		if n == name {
			return Pure(p), nil
		}
	}
	return PureOff, fmt.Errorf("invalid mode of pure literals %q: want off, root or every", name)
}

// String returns the name of the mode.
func (p Pure) String() string {
	if p < 0 || int(p) >= len(pureNames) {
		return fmt.Sprintf("Pure(%d)", int(p))
	}
	return pureNames[p]
}

// maxMomK is the greatest MomK. It keeps the score of mom within 64 bits for any
// formula that fits a Solver.
const maxMomK = 30

// DefaultOptions returns the options of the original procedure, pure literals at
// every node, with the heuristic that was best on random 3-SAT.
func DefaultOptions() Options {
	return Options{Heuristic: "mom", Pure: PureEvery, MomK: 1}
}

// Check returns an error if an option is invalid.
func (o *Options) Check() error {
	if _, ok := FindHeuristic(o.Heuristic); !ok {
		return fmt.Errorf("unknown heuristic %q", o.Heuristic)
	}
	if o.Pure < PureOff || o.Pure > PureEvery {
		return fmt.Errorf("invalid mode of pure literals %d: want 0 to %d", int(o.Pure), PureEvery)
	}
	if o.MomK < 0 || o.MomK > maxMomK {
		return fmt.Errorf("invalid k of mom %d: want 0 to %d", o.MomK, maxMomK)
	}
	return nil
}
