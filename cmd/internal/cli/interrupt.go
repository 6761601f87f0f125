package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

// Signals, the time limit and the memory limit all end a command in one way:
// its context is done, and the context's cause says why.

// An StoppedError is the cause of a context that a limit or a signal ended.
type StoppedError struct{ Why string }

func (s *StoppedError) Error() string { return s.Why }

// Stopped returns why ctx is done if a limit or a signal ended it, and whether
// that is the case.
func Stopped(ctx context.Context) (why string, is bool) {
	var s *StoppedError
	if errors.As(context.Cause(ctx), &s) {
		return s.Why, true
	}
	return "", false
}

// OnSignal returns a context that SIGINT, SIGTERM and SIGHUP end. A second signal
// ends the process, in case the first does not get through. While the context
// lasts, a pipe whose reader has gone fails writes to it and does not kill the
// process, so that no half of a file stays behind.
func OnSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	broken := make(chan os.Signal, 1) // of no interest but for what Notify does
	signal.Notify(broken, syscall.SIGPIPE)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&StoppedError{fmt.Sprint("signal: ", s)})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		signal.Stop(broken)
		cancel(nil)
	}
}

// OnLimits returns a context that ends after a time and when the process
// holds more than so many bytes of memory. Zero is no limit. After a nanosecond,
// the shortest time, it is done at once, however coarse the clock is and
// whenever timers get to run: a deadline that is not in the future waits for none.
func OnLimits(ctx context.Context, after time.Duration, bytes int64) (context.Context, func()) {
	end := func() {}
	if after > 0 {
		deadline := time.Now().Add(after - time.Nanosecond)
		ctx, end = context.WithDeadlineCause(ctx, deadline, &StoppedError{fmt.Sprint("time limit of ", after)})
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if bytes <= 0 {
		return ctx, func() { cancel(nil); end() }
	}
	before := debug.SetMemoryLimit(bytes)
	go func() {
		if exceeds(ctx, bytes) {
			cancel(&StoppedError{MemoryReason(bytes)})
		}
	}()
	return ctx, func() { cancel(nil); end(); debug.SetMemoryLimit(before) }
}

// MemoryReason says that a limit on memory was met.
func MemoryReason(limit int64) string { return fmt.Sprintf("memory limit of %d MB", limit>>20) }

// The memory is looked at this often. A solver that allocates 2 GB a second
// passes its limit by 100 MB before it is seen.
const MemoryInterval = 50 * time.Millisecond

// exceeds waits until the process holds more than limit bytes and returns
// true, or false when ctx is done. What a collection frees does not count:
// under debug.SetMemoryLimit the collector works harder as the limit comes
// near, but a table that grows can pass it for a moment.
func exceeds(ctx context.Context, limit int64) bool {
	ticker := time.NewTicker(MemoryInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ticker.C:
		}
		if Memory() <= limit {
			continue
		}
		if runtime.GC(); Memory() > limit {
			return true
		}
	}
}

// Await calls f on a goroutine of its own and returns what it returns, or the
// cause of ctx as soon as that is done. Then f is left to itself: it may be
// stuck in reading from a pipe, and only the end of the process frees it. If ctx
// is done from the start, f is not called. A panic in f becomes an error.
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

// A stoppableWriter fails once its context is done.
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
