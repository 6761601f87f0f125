package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"sator/cmd/internal/signals"
)

// Signals, the limits of time and CPU time and the memory limit end a command in the same way:
// its context is canceled, with a [StoppedError] as the cause.

// A StoppedError is the cause of a context that was ended by a limit or a signal.
type StoppedError struct{ Why string }

func (s *StoppedError) Error() string { return s.Why }

// onSignal returns a context that the signals of package signals cancel, also if the
// signal came before the call and the environment received it early. A second signal does
// what it does by default, in case the command does not react to the first: SIGTERM ends the
// process, SIGQUIT prints all stacks. Until the context is done, a write to a pipe
// without a reader returns an error; otherwise SIGPIPE would kill the process and
// leave incomplete files.
//
// It calls received with the signal before it cancels the context.
func (e *Env) onSignal(parent context.Context, received func(os.Signal)) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	came := e.Early
	if came == nil {
		came = make(chan os.Signal, 1)
	}
	signals.Notify(came)
	broken := make(chan os.Signal, 1) // never read: Notify alone makes writes return errors
	notifyBrokenPipe(broken)
	go func() {
		select {
		case s := <-came:
			signal.Stop(came)
			received(s)
			cancel(&StoppedError{fmt.Sprint("signal: ", s)})
		case <-ctx.Done():
			signal.Stop(came)
		}
	}()
	return ctx, func() {
		signal.Stop(broken)
		cancel(nil)
	}
}

// dropEarly lets signals end the process, for a command that does not watch them.
func (e *Env) dropEarly() {
	if e.Early != nil {
		signal.Stop(e.Early)
	}
}

// onTime returns a context that is canceled after a time; 0 means no limit. A limit of 1
// ns, the shortest, is met at once, whatever the resolution of the clock: a deadline
// that is not in the future does not wait for a timer.
func onTime(ctx context.Context, after time.Duration) (context.Context, func()) {
	if after <= 0 {
		return context.WithCancel(ctx)
	}
	deadline := time.Now().Add(after - time.Nanosecond)
	return context.WithDeadlineCause(ctx, deadline, &StoppedError{fmt.Sprint("time limit of ", after)})
}

// onCPU returns a context that is canceled before the process has used as much CPU time as
// the hard limit of "ulimit -t" allows, where the system kills it without a signal before.
// The time that is left to end the run is a second for each processor, or a quarter of a
// small limit. A soft limit that is lower sends SIGXCPU.
func onCPU(ctx context.Context) (context.Context, func()) {
	limit := cpuLimit()
	if limit == 0 {
		return ctx, func() {}
	}
	processors := time.Duration(runtime.GOMAXPROCS(0))
	ctx, cancel := context.WithCancelCause(ctx)
	end := limit - min(limit/4, processors*time.Second)
	go func() {
		for left := end - ProcessorTime(); left > 0; left = end - ProcessorTime() {
			select {
			case <-time.After(max(left/processors, 10*time.Millisecond)):
			case <-ctx.Done():
				return
			}
		}
		cancel(&StoppedError{fmt.Sprintf("limit of %v of CPU time (ulimit -t)", limit)})
	}()
	return ctx, func() { cancel(nil) }
}

// Await calls f in a new goroutine and returns its results, or the cause of ctx
// as soon as ctx is done. In that case f keeps running; it may be blocked in a
// read from a pipe, which only the end of the process ends. If ctx is already
// done, Await does not call f. A panic in f is returned as an error.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.err = crash(p)
			}
			done <- r
		}()
		r.value, r.err = f()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// A stoppableWriter returns the cause of its context once the context is done.
type stoppableWriter struct {
	ctx context.Context
	w   io.Writer
}

func (s stoppableWriter) Write(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.w.Write(p)
}
