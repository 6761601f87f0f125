package cdcl

import "time"

// Limits end a call of [Solver.Solve] with Unknown. Each counts from the start
// of that call; zero means no limit. All but Time are deterministic.
type Limits struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64
	Rounds       int64 // of simplification
	Time         time.Duration
}
