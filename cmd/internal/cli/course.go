package cli

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"sator/dimacs"
)

// The course of a run. A command is a sequence of phases, such as to read, to search and to
// check, and then it prints:
//
//	r.Do("read", x.read)
//	r.Do("solve", x.solve)
//	r.DoAlways("check", x.check)
//	return r.Finish(x.print)
//
// After the first error no further phase begins. A limit or a signal is an error too, a
// [StoppedError], but such a run may have a partial result, which [Run.Finish] prints.
// Commands without partial results return [Run.Err].

// An Output is an output file that becomes complete when the run finishes.
type Output interface {
	Close() error // completes the file
	Abort()       // removes the incomplete file; no effect after Close
}

// NoPhase is passed to [Run.Do] in place of the name of a phase: for a search that begins its
// phases itself by [Run.Phase], and for steps too short for a profile.
const NoPhase = ""

// Do runs a phase, unless the run has ended. The context of the phase is r.Ctx.
//
// A run is stopped, which is no failure, if the phase returns the cause of a context that a
// signal or a limit ended, or another [StoppedError]; if the memory limit refuses an
// allocation; or if an engine panics because its tables are full. A phase that returns nil
// is complete, even if the context has ended in the meantime.
func (r *Run) Do(phase string, do func(context.Context) error) {
	if r.err == nil {
		r.err = context.Cause(r.Ctx)
	}
	if r.err == nil {
		r.err = r.runPhase(r.Ctx, phase, do)
	}
}

// DoAlways runs a phase as Do does, but also after a limit or a signal. The context of the
// phase is r.Signals.
func (r *Run) DoAlways(phase string, do func(context.Context) error) {
	if r.failed() {
		return
	}
	err := r.runPhase(r.Signals, phase, do)
	if failed := err != nil && !isStop(err); failed || r.err == nil { // the first stop is kept
		r.err = err
	}
}

// runPhase calls do in a phase, and returns panics of engines and a lost output as errors.
func (r *Run) runPhase(ctx context.Context, phase string, do func(context.Context) error) (err error) {
	defer r.Phase(phase)()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			panic(p)
		case *dimacs.MemoryError:
			err = r.Memory.Stop()
		case error:
			err = &StoppedError{p.Error()}
		default:
			panic(p)
		}
	}()
	err = r.Memory.Catch(do(ctx))
	if cause := context.Cause(ctx); err == nil && !isStop(cause) {
		return cause // an output is lost
	}
	return err
}

// Phase begins a phase in the profile and the recording, and returns the function that ends
// it. It does nothing for NoPhase.
func (r *Run) Phase(name string) (end func()) {
	if len(r.phases) == 0 {
		return func() {}
	}
	var ends []func()
	for _, begin := range r.phases {
		if name != NoPhase {
			ends = append(ends, begin(name))
		}
	}
	return func() {
		for _, end := range slices.Backward(ends) {
			end()
		}
	}
}

// OnPhase adds a function that is called when a phase begins, and that returns the function
// to call when the phase ends.
func (r *Run) OnPhase(begin func(phase string) (end func())) { r.phases = append(r.phases, begin) }

// Keep adds an output to those that the run completes or removes at its end.
func (r *Run) Keep(o Output) { r.outputs = append(r.outputs, o) }

// Finish ends a run: it completes the outputs and calls print. If the run has failed or an
// output is lost, Finish returns the error instead, and no output gets its name.
func (r *Run) Finish(print func() error) error {
	if lost := context.Cause(r.Ctx); r.err == nil && !isStop(lost) {
		r.err = lost
	}
	if r.failed() {
		return r.err
	}
	for _, o := range r.outputs {
		if err := o.Close(); err != nil {
			return err
		}
	}
	r.Progress.Close()
	return print()
}

// abort removes the outputs that are not complete.
func (r *Run) abort() {
	for _, o := range slices.Backward(r.outputs) {
		o.Abort()
	}
}

// Err returns the error that ended the run: nil, a [StoppedError], or the failure.
func (r *Run) Err() error { return r.err }

// failed reports whether an error other than a limit or a signal ended the run.
func (r *Run) failed() bool { return r.err != nil && !isStop(r.err) }

// Why returns the limit or the signal that stopped the run or ended r.Ctx, or "".
func (r *Run) Why() string {
	for _, err := range []error{r.err, context.Cause(r.Ctx)} {
		if stop := (*StoppedError)(nil); errors.As(err, &stop) {
			return stop.Why
		}
	}
	return ""
}

// isStop reports whether an error is a limit or a signal.
func isStop(err error) bool { return errors.As(err, new(*StoppedError)) }
