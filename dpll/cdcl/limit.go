package cdcl

import "time"

// Limits end a call of [Solver.Solve] with Unknown. Each limit counts from the start
// of the call; zero means no limit. All limits but Time are deterministic.
type Limits struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64
	Rounds       int64 // of simplification
	Time         time.Duration
}
