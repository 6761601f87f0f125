package solve

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"sator/internal/pipeline"
)

// A Batch solves a stream of puzzles with several solvers and delivers the
// results in the order of the puzzles. P is the type of a puzzle with data of
// the caller, such as its position in a file; R is the type of a result.
//
// It uses a [pipeline.Map] whose workers have a [Solver] each. When ctx ends,
// results that are already known are still delivered.
type Batch[P, R any] struct {
	// Options configure all solvers.
	Options Options

	// Jobs, Next, Deliver and Idle are those of the [pipeline.Map].
	Jobs    int
	Next    func() (P, error)
	Deliver func(P, R) error
	Idle    func() error

	// Work returns the result for a puzzle. It should return what is known as
	// soon as ctx is done, as [Solver.Count] does.
	Work func(ctx context.Context, s *Solver, p P) R

	// Grace is the time that Run waits for calls of Work after ctx is done.
	Grace time.Duration

	// Detach, if not nil, reports whether Work may ignore the end of ctx for
	// longer than the grace period, as encoding a large grid does. Such a call
	// has a goroutine of its own, which Run abandons at the end of that period.
	Detach func(P) bool

	solvers []*Solver
}

// Run solves puzzles until Next returns [io.EOF]; then it returns nil. It returns
// any other error of Next, and the first error of Deliver. If ctx is done, calls
// of Work end with it, their results are delivered, and Run returns an error of
// Deliver or, at the end of the grace period, the cause of ctx. So Deliver should
// return the cause of ctx for a result that ctx cut short.
func (b *Batch[P, R]) Run(ctx context.Context) error {
	late, cancel := WithGrace(ctx, b.Grace)
	defer cancel()
	p := pipeline.Map[P, outcome[R]]{
		Jobs:      b.Jobs,
		Next:      b.Next,
		NewWorker: func() func(context.Context, P) outcome[R] { return b.worker(ctx) },
		Deliver: func(p P, o outcome[R]) error {
			if o.err != nil {
				return o.err
			}
			return b.Deliver(p, o.result)
		},
		Idle: b.Idle,
	}
	return p.Run(late)
}

// Effort returns the effort of all solvers. It must not be called while Run runs
// or after Run returned an error, since abandoned calls of Work may still run
// then.
func (b *Batch[P, R]) Effort() Effort {
	var total Effort
	for _, s := range b.solvers {
		total.add(s.Effort())
	}
	return total
}

// An outcome is the result of a call of Work, or the reason why it was
// abandoned.
type outcome[R any] struct {
	result R
	err    error
}

// worker returns a function that calls Work under ctx. The context that the
// function is called with ends at the end of the grace period.
func (b *Batch[P, R]) worker(ctx context.Context) func(context.Context, P) outcome[R] {
	s := New(b.Options)
	b.solvers = append(b.solvers, s)
	work, detach := b.Work, b.Detach // abandoned calls do not read b
	return func(late context.Context, p P) outcome[R] {
		if detach == nil || !detach(p) {
			return outcome[R]{result: work(ctx, s, p)}
		}
		return detached(late, func() R { return work(ctx, s, p) })
	}
}

// detached calls f on another goroutine. It returns the result of f, or the cause
// of ctx if that is done before.
func detached[R any](ctx context.Context, f func() R) outcome[R] {
	if ctx.Err() != nil {
		return outcome[R]{err: context.Cause(ctx)}
	}
	done := make(chan outcome[R], 1)
	crash := make(chan string, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				crash <- fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
		}()
		done <- outcome[R]{result: f()}
	}()
	select {
	case o := <-done:
		return o
	case text := <-crash:
		panic(text)
	case <-ctx.Done():
		return outcome[R]{err: context.Cause(ctx)}
	}
}

// WithGrace returns a context that ends when a grace period has passed after
// the end of ctx, with the same cause. Calling cancel releases its resources.
func WithGrace(ctx context.Context, period time.Duration) (late context.Context, cancel context.CancelFunc) {
	late, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(period, func() { end(context.Cause(ctx)) })
	})
	return late, func() {
		stop()
		end(nil)
	}
}
