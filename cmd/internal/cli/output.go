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

// The rules for output:
//
//   - solve, check, enumerate, count and twosat print lines that begin with "c",
//     "s" or "v" to standard output, and nothing else. With --json they print one
//     document, enumerate one a line. twosat --format prints a drawing. --output
//     redirects all of this to a file, so that standard output is free for a proof.
//   - Errors, warnings and the status line are printed to standard error.
//   - An error is one line, "sator COMMAND: MESSAGE". Errors of the command
//     line have a second line, which refers to the help text.
//   - backbone prints "b" lines, too, and maxsat "o" lines.
//   - The exit code is 10 for satisfiable, 20 for unsatisfiable, 30 for an optimum of
//     maxsat, and 0 for any other success, including unknown; 1 for an input that cannot be read or an output
//     that cannot be written, 2 for a bad command line, 3 for an error of Sator
//     itself, 4 for a wrong model or proof, 141 if nobody reads standard output any
//     more. An unfinished check is no success: "s UNKNOWN" ends solve with 0 and
//     check with 1.
//   - An answer is printed after the files that belong to it, a proof or a core, are
//     complete. If a file cannot be written there is no answer.
//   - The status line is shown on terminals only, and removed before anything else
//     is printed.

// The exit codes that are not values of dimacs.Status.
const (
	CodeInput    = 1
	CodeUsage    = 2
	CodeInternal = 3
	CodeWrong    = 4
)

// An ExitCode is the error of a command that succeeded with an exit code other
// than 0. No message is printed for it.
type ExitCode int

func (c ExitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// A UsageError is an error in the command line.
type UsageError struct {
	Msg  string
	Hint string // a suggestion, may be empty

	// subject is the unknown flag, as in "--core", or the flag and its unknown value, as in
	// "--format svg"; see [Program.instead]. It may be empty.
	subject string
}

func (u *UsageError) Error() string { return u.Msg }

// A movedError is the error of a command that belongs to another program.
type movedError struct{ msg string }

func (m *movedError) Error() string { return m.msg }

// Invalid returns the error of an invalid value of a flag.
func Invalid(flag string, value any, want string, args ...any) *UsageError {
	return Usagef("invalid value %q for --%s: want %s", fmt.Sprint(value), flag, fmt.Sprintf(want, args...))
}

// InvalidName returns the error of a value that must be one of some names.
func InvalidName(flag, value string, names []string) *UsageError {
	err := Invalid(flag, value, "%s", OneOf(names))
	err.subject = fmt.Sprintf("--%s %s", flag, value)
	return err
}

// OneOf returns names as in "a, b or c".
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Exclusive returns the error of two mutually exclusive flags.
func Exclusive(a, b string) *UsageError { return Usagef("--%s and --%s are mutually exclusive", a, b) }

// Useless returns the error of a flag that has no effect without another flag.
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

// Usagef returns a usage error.
func Usagef(format string, args ...any) *UsageError {
	return &UsageError{Msg: fmt.Sprintf(format, args...)}
}

// errVersion, errHelp and errHelpAll are returned for command lines that contain -V, -h
// or --help=all.
var (
	errVersion = errors.New("the flag -V")
	errHelp    = errors.New("the flag -h")
	errHelpAll = errors.New("the flag --help=all")
)

// A commandError is an error with the name of the command that returned it.
type commandError struct {
	command string
	err     error
}

func (c *commandError) Error() string { return c.command + ": " + c.err.Error() }
func (c *commandError) Unwrap() error { return c.err }

// in adds the name of a command to an error. It returns exit codes and nil
// unchanged.
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

// NameOf returns the full name of a command without the program, as in "generate
// php".
func NameOf(c *cli.Command) string {
	_, name, _ := strings.Cut(c.HelpName, " ")
	return name
}

// Action returns do as an action of urfave/cli. Its errors have the name of the
// command.
func Action(do func(*cli.Context) error) cli.ActionFunc {
	return func(c *cli.Context) error { return in(NameOf(c.Command), do(c)) }
}

// An InternalError is an error of Sator itself.
type InternalError struct {
	Msg   string
	stack string // stack trace of a panic; may be empty
}

func (i *InternalError) Error() string { return i.Msg }

// crash returns the error of a recovered panic.
func crash(p any) error {
	return &InternalError{fmt.Sprint("panic: ", p), string(debug.Stack())}
}

// fail prints an error to standard error and returns the exit code.
//
// An error of writing to standard output replaces any other error that is not an
// internal one: the answer, or the consequence of the failed write, is lost.
func (e *Env) fail(err error) int {
	var (
		code  ExitCode
		usage *UsageError
		moved *movedError
		bug   *InternalError
	)
	lost := e.stdout.failure()
	if lost != nil && !errors.Is(err, lost) && !errors.As(err, &bug) {
		err = lost
	}
	switch {
	case lost != nil && bug == nil && isBrokenPipe(lost):
		return codePipe
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

// message returns the text of an error after the names of the program and the
// command.
func (e *Env) message(err error) string {
	var at *commandError
	if errors.As(err, &at) {
		return e.program + " " + Escape(err.Error())
	}
	return e.program + ": " + Escape(err.Error())
}

func (e *Env) failUsage(err error, usage *UsageError) {
	help := e.program + " help"
	var at *commandError
	if errors.As(err, &at) && at.command != "help" {
		help += " " + at.command
	}
	hint := fmt.Sprintf("See %q.", help)
	if usage.Hint != "" {
		hint = Escape(usage.Hint) + " " + hint
	}
	fmt.Fprintf(e.Stderr, "%s\n%s\n", e.message(err), hint)
}

// A LockedWriter is a writer for several goroutines.
type LockedWriter struct {
	mu sync.Mutex
	W  io.Writer
}

func (l *LockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.W.Write(p)
}

// A Printer prints lines in the format of the SAT competitions. After the first
// error of writing it prints nothing.
type Printer struct {
	W      *bufio.Writer
	Before func() // called before each write, to hide the status line
	Err    error
}

// NewPrinter returns a Printer that writes to w.
func NewPrinter(w io.Writer) *Printer {
	return &Printer{W: bufio.NewWriter(w), Before: func() {}}
}

// Comment prints each line of a text as a "c" line, and flushes.
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

// Answer prints the "s" line and, unless m is nil, the "v" lines.
func (p *Printer) Answer(s dimacs.Status, m dimacs.Model) {
	p.Write(func(w io.Writer) error { return dimacs.WriteSolution(w, s, m) })
}

// AppendWords appends words in lines that begin with v.
func AppendWords(b []byte, words []string) []byte {
	const width = 78
	start := len(b)
	b = append(b, 'v')
	for _, word := range words {
		if len(b)-start+1+len(word) > width {
			b = append(b, "\nv"...)
			start = len(b) - 1
		}
		b = append(append(b, ' '), word...)
	}
	return append(b, '\n')
}

// Line prints a line.
func (p *Printer) Line(text string) {
	p.Write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

// Gather prints bytes without flushing.
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
