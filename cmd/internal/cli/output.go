package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"sator/dimacs"
)

// The rules for what is printed:
//
//   - solve, check, enumerate, count and twosat write lines that begin with "c",
//     "s" or "v" to standard output, and nothing else; with --json, one document,
//     or of enumerate one a line, and nothing else. twosat --graph writes a
//     drawing alone.
//     With --output these go to a file, and standard output is free for a proof
//     or the like.
//   - Errors, warnings and the status line go to standard error.
//   - An error is one line, "sator COMMAND: what is wrong", and for a bad
//     command line a second one that says where to read more.
//   - The exit code is 10 for satisfiable, 20 for unsatisfiable and 0 for any
//     other success, unknown included; 1 for an input that cannot be read or an
//     output that cannot be written, 2 for a bad command line, 3 for an error
//     of Sator itself, 4 for a solution or a proof that check finds wrong. A
//     check that does not come to its end is no success: "s UNKNOWN" ends
//     solve with 0 and check with 1.
//   - An answer is printed when all that goes with it is on the disk: a proof, a
//     core. If that fails there is no answer.
//   - The status line is shown on a terminal alone and is gone before anything
//     else is printed.

// The exit codes that are not the value of a dimacs.Status.
const (
	CodeInput    = 1
	CodeUsage    = 2
	CodeInternal = 3
	CodeWrong    = 4
)

// An ExitCode is what a command returns that did its work and ends with
// another code than 0. Nothing is printed for it.
type ExitCode int

func (c ExitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// A UsageError says what is wrong with the command line.
type UsageError struct {
	Msg  string
	Hint string // a suggestion, may be empty
}

func (u *UsageError) Error() string { return u.Msg }

// A movedError says that a command is one of another program.
type movedError struct{ msg string }

func (m *movedError) Error() string { return m.msg }

// Invalid returns the error of a value that a flag cannot have.
func Invalid(flag string, value any, want string, args ...any) *UsageError {
	return Usagef("invalid value %q for --%s: want %s", fmt.Sprint(value), flag, fmt.Sprintf(want, args...))
}

// InvalidName returns the error of a value that is not one of the names.
func InvalidName(flag, value string, names []string) *UsageError {
	return Invalid(flag, value, "%s", OneOf(names))
}

// OneOf lists names as in "a, b or c".
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Exclusive returns the error of two flags that exclude each other.
func Exclusive(a, b string) *UsageError { return Usagef("--%s and --%s exclude each other", a, b) }

// Useless returns the error of a flag that has a meaning with another flag alone.
func Useless(flag, without string) *UsageError {
	return Usagef("--%s has no effect without --%s", flag, without)
}

// NoOperands returns an error if there are operands.
func NoOperands(c *Context) error {
	if c.NArg() > 0 {
		return Usagef("unexpected operand %q", c.Args().First())
	}
	return nil
}

// Usagef returns the error of a command line.
func Usagef(format string, args ...any) *UsageError {
	return &UsageError{Msg: fmt.Sprintf(format, args...)}
}

// The "errors" of a command line that asks for the version, or for help.
var (
	errVersion = errors.New("version asked for")
	errHelp    = errors.New("help asked for")
)

// A commandError tells in which command an error arose.
type commandError struct {
	command string
	err     error
}

func (c *commandError) Error() string { return c.command + ": " + c.err.Error() }
func (c *commandError) Unwrap() error { return c.err }

// in marks an error as one of the command of that name. Exit codes and nil stay
// as they are.
func in(command string, err error) error {
	var (
		code   ExitCode
		marked *commandError
	)
	if err == nil || errors.As(err, &code) || errors.As(err, &marked) {
		return err
	}
	return &commandError{command, err}
}

// NameOf returns the name of a command with those above it, as in "generate php".
func NameOf(c *cli.Command) string {
	_, name, _ := strings.Cut(c.HelpName, " ")
	return name
}

// Action turns a function of a command into what the library calls.
func Action(do func(*cli.Context) error) cli.ActionFunc {
	return func(c *cli.Context) error { return in(NameOf(c.Command), do(c)) }
}

// An InternalError is an error of Sator itself.
type InternalError struct {
	Msg   string
	stack string // of a panic
}

func (i *InternalError) Error() string { return i.Msg }

// crash returns the error that a recovered panic is.
func crash(p any) error {
	return &InternalError{fmt.Sprint("panic: ", p), string(debug.Stack())}
}

// fail reports the error with which a command ended on standard error and
// returns the exit code.
func (e *Env) fail(err error) int {
	var (
		code  ExitCode
		usage *UsageError
		moved *movedError
		bug   *InternalError
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &bug):
		fmt.Fprintln(e.Stderr, e.message(err))
		fmt.Fprint(e.Stderr, e.program+": this is an error of Sator itself, not of its input; no answer is given\n"+bug.stack)
		return CodeInternal
	case errors.As(err, &moved):
		fmt.Fprintln(e.Stderr, e.message(err))
		return CodeUsage
	case errors.As(err, &usage):
		e.failUsage(err, usage)
		return CodeUsage
	}
	fmt.Fprintln(e.Stderr, e.message(err))
	return CodeInput
}

// message begins the text of an error with the program and the command it arose in.
func (e *Env) message(err error) string {
	var at *commandError
	if errors.As(err, &at) {
		return e.program + " " + err.Error()
	}
	return e.program + ": " + err.Error()
}

func (e *Env) failUsage(err error, usage *UsageError) {
	help := e.program + " help"
	var at *commandError
	if errors.As(err, &at) {
		help += " " + at.command
	}
	hint := fmt.Sprintf("See %q.", help)
	if usage.Hint != "" {
		hint = usage.Hint + " " + hint
	}
	fmt.Fprintf(e.Stderr, "%s\n%s\n", e.message(err), hint)
}

// A LockedWriter lets goroutines write lines to one stream.
type LockedWriter struct {
	mu sync.Mutex
	W  io.Writer
}

func (l *LockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.W.Write(p)
}

// A Printer writes lines as the competitions want them. The first error that
// writing meets is kept, and everything after it is dropped.
type Printer struct {
	W      *bufio.Writer
	Before func() // called before a line is written, hides the status line
	Err    error
}

func NewPrinter(w io.Writer) *Printer {
	return &Printer{W: bufio.NewWriter(w), Before: func() {}}
}

// Comment writes "c" lines, one for each line of the text, and makes them seen
// at once.
func (p *Printer) Comment(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.Write(func(w io.Writer) error {
		for line := range strings.Lines(text) {
			line = strings.TrimRight("c "+strings.TrimSuffix(line, "\n"), " ")
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
}

// Answer writes the "s" line and, unless m is nil, the "v" lines.
func (p *Printer) Answer(s dimacs.Status, m dimacs.Model) {
	p.Write(func(w io.Writer) error { return dimacs.WriteSolution(w, s, m) })
}

// Line writes a line.
func (p *Printer) Line(text string) {
	p.Write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

// Gather writes bytes that are seen when something else is written.
func (p *Printer) Gather(b []byte) {
	if p.Err != nil {
		return
	}
	p.Before()
	_, p.Err = p.W.Write(b)
}

// Write calls f with the stream and flushes it.
func (p *Printer) Write(f func(io.Writer) error) {
	if p.Err != nil {
		return
	}
	p.Before()
	if p.Err = f(p.W); p.Err == nil {
		p.Err = p.W.Flush()
	}
}
