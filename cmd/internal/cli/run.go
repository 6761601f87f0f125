package cli

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// A Run is one execution of a command: its environment, its contexts and
// limits, and its output.
type Run struct {
	*Env // standard output is the file of --output, for commands that redirect it

	Flags    *Context
	Command  string          // name of the command, for messages
	Ctx      context.Context // ends at a signal, a limit, or when an output is lost
	Signals  context.Context // ends at a signal, or when an output is lost
	Begin    time.Time
	Time     time.Duration // the limit --time; 0 for no limit
	Memory   *Budget       // the memory limit
	Out      *Printer      // printer of lines on standard output
	Reports  *Printer      // printer of report lines: Out, or with --json one of standard error
	Progress *Progress
	Profile  *Profiler // nil without --profile

	Format   string                  // see [FormatOf]
	JSON     bool                    // the format is JSON
	comments bool                    // lines of Comment are printed
	lose     context.CancelCauseFunc // ends Ctx and Signals, with the error of an output

	// The course of the run; see course.go.
	err     error                             // ended the run, or nil; a StoppedError for a limit or a signal
	outputs []Output                          // in the order of their creation
	Files   []*OutputFile                     // those outputs that a solver writes
	phases  []func(phase string) (end func()) // called when a phase begins
}

// RunOptions describe the files and the status line of a command.
type RunOptions struct {
	Inputs   []string // files that the command reads
	Outputs  []string // files that it creates; empty names are skipped
	Redirect bool     // --output is the file for standard output
	Answer   bool     // the file of --output receives an answer; it must not replace a formula
	Status   bool     // the command has a status line
	NoLimits bool     // --time and --memory are not limits of the command itself
}

// AnswerOptions returns the options of a command that prints an answer about its inputs.
func AnswerOptions(inputs []string, outputs ...string) RunOptions {
	return RunOptions{Inputs: inputs, Outputs: outputs, Redirect: true, Answer: true, Status: true}
}

// Run executes a command by calling do. It checks that no output replaces an input
// or another output, redirects standard output, watches signals and the limits
// --time and --memory, and shows the status line unless --quiet or --verbose is
// given. With --json, report lines are printed to standard error.
func (e *Env) Run(c *Context, o RunOptions, do func(*Run) error) error {
	r := &Run{Flags: c, Command: NameOf(c.Command), Begin: time.Now()}
	var memory int64
	var err error
	if r.Format, err = FormatOf(c); err != nil {
		return err
	}
	r.JSON = r.Format == "json"
	r.comments = !c.Bool("quiet") && (r.Format == "" || r.Format == "text")
	if c.Bool("quiet") && c.Bool("verbose") {
		return Exclusive("quiet", "verbose")
	}
	if r.Time, memory, err = limitsOf(c, o); err != nil {
		return err
	}
	r.Memory = new(Budget)
	if !o.NoLimits {
		r.Memory = newBudget(memory, e)
	}
	outputs := o.Outputs
	if o.Redirect {
		outputs = append(outputs[:len(outputs):len(outputs)], c.String("output"))
	}
	if err := e.checkOutputs(outputs, o.Inputs); err != nil {
		return err
	}
	if o.Answer {
		if err := keepFormula("answer", c.String("output")); err != nil {
			return err
		}
	}
	e.inputs, e.created = o.Inputs, map[string]bool{}

	lost, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	e.stdout.onFailure(cancel)
	r.lose = cancel
	var progress atomic.Pointer[Progress]
	signals, release := e.onSignal(lost, func(s os.Signal) {
		if p := progress.Load(); p != nil && s == os.Interrupt {
			p.Interrupted()
		}
	})
	defer release()
	signals, slack := onCPU(signals)
	defer slack()
	r.Signals = signals
	start := func(e *Env) error {
		r.Env = e
		return r.start(o.Status, &progress, do)
	}
	if o.Redirect {
		return e.redirected(signals, c.String("output"), start)
	}
	return start(e)
}

// start calls do with the contexts, the printer and the status line of the run. The
// Progress of the status line is stored for the handler of signals.
func (r *Run) start(status bool, progress *atomic.Pointer[Progress], do func(*Run) error) error {
	r.Env.memory = r.Memory
	ctx, stop := onTime(r.Signals, r.Time)
	defer stop()

	r.Out = NewPrinter(r.Stdout)
	r.Reports = r.Out
	if r.JSON {
		r.Reports = NewPrinter(r.Stderr)
	}
	r.Progress = NewProgress(r.Env, !status || r.Flags.Bool("quiet"), r.Flags.Bool("verbose"), r.Begin, r.Reports)
	defer r.Progress.Close()
	progress.Store(r.Progress)
	ctx, end := r.Memory.start(ctx, r.Progress.Task)
	defer end()
	r.Ctx = ctx
	r.Out.Before, r.Reports.Before = r.Progress.Hide, r.Progress.Hide
	defer r.abort()
	return r.Memory.Catch(do(r))
}

// RunAction returns the action of a command: parse reads the command line, options
// returns the options of the run, and do runs the command.
func RunAction[T any](e *Env, parse func(*Context) (T, error), options func(T) RunOptions, do func(*Run, T) error) func(*Context) error {
	return Action(func(c *Context) error {
		o, err := parse(c)
		if err != nil {
			return err
		}
		return e.Run(c, options(o), func(r *Run) error { return do(r, o) })
	})
}

// limitsOf returns the values of --time and --memory, in bytes.
func limitsOf(c *Context, o RunOptions) (after time.Duration, memory int64, err error) {
	if o.NoLimits {
		return 0, 0, nil
	}
	if after, err = Duration(c); err != nil {
		return 0, 0, err
	}
	memory, err = Positive(c, "memory", 1<<20)
	return after, memory, err
}

// Say prints a line to standard error, after the names of the program and the
// command.
func (r *Run) Say(format string, args ...any) {
	r.Progress.Hide()
	fmt.Fprintf(r.Stderr, "%s %s: %s\n", r.program, r.Command, Escape(fmt.Sprintf(format, args...)))
}

// Note prints a line as Say does, except with --quiet.
func (r *Run) Note(format string, args ...any) {
	if !r.Flags.Bool("quiet") {
		r.Say(format, args...)
	}
}

// Comment prints "c" lines, except with --quiet or in an output that is not text.
func (r *Run) Comment(format string, args ...any) {
	if r.comments {
		r.Out.Comment(format, args...)
	}
}

// Warn prints a warning to standard error.
func (r *Run) Warn(err error) { r.Say("warning: %v", err) }
