package dpll

import (
	"fmt"

	"sator/dimacs"
)

// Options configure a [Solver]. Start from [DefaultOptions]; the zero Options
// name no heuristic.
type Options struct {
	// Heuristic is the name or an alias of one of [Heuristics].
	Heuristic string

	// Pure says where pure literals are looked for.
	Pure Pure

	// MomK is the k of the heuristic mom: how much the sum of the occurrences
	// of the two literals of a variable counts against their product.
	MomK int

	// Seed starts the random generator of the heuristics that draw. The same
	// seed, options and sequence of calls give the same run, on any machine.
	Seed uint64

	// Proof, if not nil, receives every step of the derivation: no hints, and
	// no RAT steps.
	Proof dimacs.Proof

	// Trace, if not nil, is called with each step of the search.
	Trace func(Event)

	// Progress, if not nil, is called with a copy of the statistics at the
	// beginning and the end of each call and now and then between.
	Progress func(Stats)
}

// Pure says at which nodes of the search tree pure literals are assigned.
type Pure int

// Nowhere, at the root of the tree alone, or at every node.
const (
	PureOff Pure = iota
	PureRoot
	PureEvery
)

// pureNames has the names of the modes by their numbers.
var pureNames = [...]string{"off", "root", "every"}

// PureNames returns the names of the modes, which [ParsePure] knows.
func PureNames() []string { return append([]string(nil), pureNames[:]...) }

// ParsePure returns the mode of a name: off, root or every.
func ParsePure(name string) (Pure, error) {
	for p, n := range pureNames {
		if n == name {
			return Pure(p), nil
		}
	}
	return PureOff, fmt.Errorf("pure literals are off, root or every, not %q", name)
}

// String returns the name of the mode.
func (p Pure) String() string {
	if p < 0 || int(p) >= len(pureNames) {
		return fmt.Sprintf("Pure(%d)", int(p))
	}
	return pureNames[p]
}

// maxMomK keeps the score of mom within 64 bits for any formula that fits a
// Solver.
const maxMomK = 30

// DefaultOptions returns the rules of the time with the heuristic that was best
// on random 3-SAT.
func DefaultOptions() Options {
	return Options{Heuristic: "mom", Pure: PureEvery, MomK: 1}
}

// Check returns an error if an option has no meaning.
func (o *Options) Check() error {
	if _, ok := FindHeuristic(o.Heuristic); !ok {
		return fmt.Errorf("there is no heuristic %q", o.Heuristic)
	}
	if o.Pure < PureOff || o.Pure > PureEvery {
		return fmt.Errorf("there is no mode %d of pure literals", int(o.Pure))
	}
	if o.MomK < 0 || o.MomK > maxMomK {
		return fmt.Errorf("the k of mom is %d, not between 0 and %d", o.MomK, maxMomK)
	}
	return nil
}
