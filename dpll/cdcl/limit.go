package cdcl

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"sator/dimacs"
)

// Limits end a call of [Solver.Solve] with Unknown. Each limit counts from the start
// of the call; zero means no limit. All limits but Time are deterministic.
type Limits struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64
	Rounds       int64 // of simplification
	Time         time.Duration
}

// A LimitError is the reason of [Solver.Why] for a limit that a call has reached.
type LimitError struct {
	Limit string // the field of [Limits], in lower case
}

func (e *LimitError) Error() string { return "cdcl: the limit of " + e.Limit + " is reached" }

// ErrTerminated is the reason of [Solver.Why] for calls that the callback of
// [Solver.SetTerminate] has ended.
var ErrTerminated = errors.New("cdcl: ended by the callback of SetTerminate")

// A call is the state and the answer of a call of Solve or Simplify.
type call struct {
	stats *Stats

	ctx         context.Context
	limits      Limits
	base        Stats // statistics at the start of the call, for limits
	deadline    time.Time
	pollAt      int64 // ticks of the next poll of ctx and deadline
	stopped     bool
	assumptions []dimacs.Lit
	failed      []dimacs.Lit
	model       dimacs.Model
	state       state
	why         error // the reason of Unknown
}

// A state is the state of a solver between calls: without an answer, with one, or of no use
// since its clauses have exceeded the limits or a call has panicked.
type state uint8

const (
	steady state = iota
	satisfied
	refuted
	full
	broken
)

// limited reports whether a limit of this call is reached.
func (c *call) limited() bool { return c.limit() != "" }

// limit returns the name of a limit of this call that is reached, or "".
func (c *call) limit() string {
	over := func(limit, now, base int64) bool { return limit > 0 && now-base >= limit }
	switch l := &c.limits; {
	case over(l.Conflicts, c.stats.Conflicts, c.base.Conflicts):
		return "conflicts"
	case over(l.Decisions, c.stats.Decisions, c.base.Decisions):
		return "decisions"
	case over(l.Propagations, c.stats.Propagations, c.base.Propagations):
		return "propagations"
	case over(l.Rounds, c.stats.Rounds, c.base.Rounds):
		return "rounds"
	}
	return ""
}

func (c *call) timeIsUp() bool { return !c.deadline.IsZero() && !time.Now().Before(c.deadline) }

// reason returns the reason why the call ends without an answer, or nil if nothing stops it: a
// simplification may end with neither.
func (c *call) reason() error {
	switch name := c.limit(); {
	case name != "":
		return &LimitError{name}
	case !c.stopped:
		return nil
	case context.Cause(c.ctx) != nil:
		return context.Cause(c.ctx)
	case c.timeIsUp():
		return &LimitError{"time"}
	}
	return ErrTerminated
}

// Why returns the reason why the last call of Solve or Simplify returned Unknown: a [LimitError],
// [context.Cause] of its context, [ErrTerminated], or what [Solver.Err] returns. It returns nil
// after another answer, and if a simplification was completed without one.
func (s *Solver) Why() error { return cmp.Or(s.Err(), s.call.why) }

// requireIdle panics if the solver must not be called: no function has made it, a call is going
// on, or a call has panicked.
func (s *Solver) requireIdle() {
	switch {
	case s.sharing.s != s:
		panic("cdcl: a Solver that New or Clone has not made")
	case s.call.ctx != nil:
		panic("cdcl: called while solving")
	case s.call.state == broken:
		panic("cdcl: called after a call that panicked")
	}
}

// leave is deferred by calls with a context. If the context is still there, the call has panicked,
// and tables may be inconsistent.
func (c *call) leave() {
	if c.ctx != nil && c.state != full {
		c.state = broken
	}
	c.ctx = nil
}

func (c *call) require(st state, call string) {
	if c.state != st {
		panic("cdcl: " + call + " needs another answer of Solve")
	}
}

// assume stores the assumptions of a call, and discards the failed ones of the
// last.
func (c *call) assume(assumptions []dimacs.Lit) {
	c.assumptions = append(c.assumptions[:0], assumptions...)
	c.failed = c.failed[:0]
}

const noPoll = math.MaxInt64 // value of pollAt without polls

// poll checks the context and the deadline, and sets s.call.stopped when the call must stop.
func (s *Solver) poll(ticks int64) bool {
	s.call.pollAt = ticks + pollTicks
	if s.tracer != nil {
		s.call.pollAt = ticks
	}
	if s.call.ctx == nil {
		return false
	}
	if s.reports != nil && ticks+s.stats.PassTicks >= s.reports.nextSample {
		s.reports.sample(ticks)
	}
	if dimacs.Canceled(s.call.ctx) || s.hooks.terminate != nil && s.hooks.terminate() || s.call.timeIsUp() {
		s.call.stopped = true
	}
	return s.call.stopped
}

// pause reports whether propagation must end: the call must stop, or a tracer takes over.
func (s *Solver) pause(ticks int64) bool {
	return s.poll(ticks) || s.tracer != nil && s.tracer.visit()
}

// pausing reports whether a long loop must stop at this step. It polls at every
// 1024th step.
func (s *Solver) pausing(step int) bool {
	return step&(pauseSteps-1) == 0 && s.call.pollAt != noPoll && s.poll(s.stats.Ticks)
}
