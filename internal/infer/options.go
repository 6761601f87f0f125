package infer

import "fmt"

// A Schedule selects the nodes of the search at which the 2SAT rule is applied.
type Schedule int

const (
	Auto  Schedule = iota // at no node; a puzzle with many dead ends is restarted with the rule at every node
	Never                 // at no node
	Root                  // before the first branch
	Every                 // at every node
)

// ScheduleNames are the names of the schedules, in the order of their values.
var ScheduleNames = []string{"auto", "never", "root", "every"}

func (w Schedule) String() string {
	if w < Auto || w > Every {
		return fmt.Sprintf("Schedule(%d)", int(w))
	}
	return ScheduleNames[w]
}

// Options select the inference rules of a solver. The zero value is the
// fastest.
type Options struct {
	Rule     Schedule // when the 2SAT rule is applied
	Trivalue bool     // include the implications of cells with three candidates in the 2SAT instances
	NoLocked bool     // do not eliminate locked candidates

	// DeadEnds limits the number of dead ends per puzzle. At the limit the
	// solver returns as if the context had ended. Unlike a time limit, it is
	// deterministic. 0 means no limit.
	DeadEnds int64
}

// Stats count the work of a solver for all puzzles since it was made.
type Stats struct {
	Puzzles  int64
	NoBranch int64 // puzzles solved without a branch

	Nodes    int64 // rounds of inference: one at the root, one after each branch and one after each backtrack
	Branches int64 // candidates assumed, and excluded when the search backtracks
	DeadEnds int64 // contradictions after a branch or after backtracking

	Instances      int64 // 2-SAT instances
	Clauses        int64 // clauses in these instances
	Forced         int64 // literals forced by these instances
	Contradictions int64 // unsatisfiable instances
}

// Add adds the statistics of another solver.
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
