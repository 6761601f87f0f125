package dpll

import "time"

// Limits end a call with Unknown. Each counts from the start of that call; zero
// means no limit. All but Time are deterministic.
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

// fullFuel is how much work is done between two looks at the clock and the
// context: about as many visits of watches, clauses or variables, which take
// some milliseconds even if each of them is a cache miss.
const fullFuel = 50_000

// spend reports whether the call may go on after this much work.
func (s *Solver) spend(work int) bool {
	if s.fuel -= work; s.fuel < 0 {
		s.poll()
	}
	return !s.stopped
}

// poll looks whether the call has to stop, and remembers it.
func (s *Solver) poll() {
	s.fuel = fullFuel
	if s.ctx.Err() != nil || !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		s.stopped = true
	}
	if s.polls++; s.polls&(pollsPerReport-1) == 0 {
		s.report()
	}
}

// pollsPerReport is how many looks at the clock pass between two calls of
// Options.Progress.
const pollsPerReport = 16

// report calls the progress callback.
func (s *Solver) report() {
	if s.opts.Progress != nil {
		s.opts.Progress(s.Stats())
	}
}
