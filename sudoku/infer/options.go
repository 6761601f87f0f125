package infer

import "fmt"

// Schedule says at which nodes of a search the 2SAT rule is used.
type Schedule int

const (
	Lazy  Schedule = iota // nowhere, but if a puzzle turns out hard it begins again, with Every
	Never                 // nowhere
	Root                  // before the first branch
	Every                 // at every node
)

// ScheduleNames are the names of the values of Schedule, in their order.
var ScheduleNames = []string{"lazy", "never", "root", "every"}

func (w Schedule) String() string {
	if w < Lazy || w > Every {
		return fmt.Sprintf("Schedule(%d)", int(w))
	}
	return ScheduleNames[w]
}

// Options say what a solver infers. The zero value is the fastest.
type Options struct {
	Rule     Schedule // the 2SAT rule
	Trivalue bool     // its instances have the implications of trivalues too
	NoLocked bool     // locked candidates stay: singles alone, and the rule

	// DeadEnds is the number of dead ends that a puzzle may have: one with more is
	// given up, as if the context had ended. That depends on the puzzle alone. 0
	// is no limit.
	DeadEnds int64
}

// Stats count what a solver did, for all puzzles since it was made.
type Stats struct {
	Puzzles  int64
	NoBranch int64 // puzzles without a branch

	Nodes    int64 // what was inferred, once for each branch and each way back
	Branches int64 // candidates assumed, and excluded afterwards
	DeadEnds int64 // contradictions after a branch or on the way back

	Instances      int64 // of 2SAT
	Clauses        int64 // in these
	Forced         int64 // literals that were true in all their solutions
	Contradictions int64 // instances without a solution
}

// Add adds what another solver did.
func (s *Stats) Add(o Stats) {
	s.Puzzles += o.Puzzles
	s.NoBranch += o.NoBranch
	s.Nodes += o.Nodes
	s.Branches += o.Branches
	s.DeadEnds += o.DeadEnds
	s.Instances += o.Instances
	s.Clauses += o.Clauses
	s.Forced += o.Forced
	s.Contradictions += o.Contradictions
}
