package classic

import (
	"time"

	"sator/dimacs"
)

// Limits end a call with Unknown. Each counts from the start of the call; zero
// means no limit. All limits except Time are deterministic.
type Limits struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64
	Time         time.Duration
}

// limited reports whether a limit of this call is reached.
func (s *Solver) limited() bool {
	over := func(limit, now, base int64) bool { return limit > 0 && now-base >= limit }
	l := &s.limits
	return over(l.Conflicts, s.stats.Conflicts, s.base.Conflicts) ||
		over(l.Decisions, s.stats.Decisions, s.base.Decisions) ||
		over(l.Propagations, s.stats.Propagations, s.base.Propagations)
}

// pollInterval is the work between two checks of the clock and the context. A unit
// of work is about one visit of a watch, a clause or a variable, so that the
// interval takes some milliseconds even if each visit is a cache miss.
const pollInterval = 50_000

// spend counts work, and polls when the interval is over. It reports whether the
// call may continue.
func (s *Solver) spend(work int) bool {
	if s.workLeft -= work; s.workLeft < 0 {
		s.poll()
	}
	return !s.stopped
}

// poll sets s.stopped if the context is done or the time limit is reached.
func (s *Solver) poll() {
	s.workLeft = pollInterval
	if dimacs.Canceled(s.ctx) || !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		s.stopped = true
	}
	if s.polls++; s.polls&(pollsPerReport-1) == 0 {
		s.report()
	}
}

// pollsPerReport is the number of polls between two calls of Options.Progress.
const pollsPerReport = 16

// report calls the progress callback.
func (s *Solver) report() {
	if s.opts.Progress != nil {
		s.opts.Progress(s.Stats())
	}
}
