package main

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
	codeInput    = 1
	codeUsage    = 2
	codeInternal = 3
	codeWrong    = 4
)

// An exitCode is what a command returns that did its work and ends with
// another code than 0. Nothing is printed for it.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// A usageError says what is wrong with the command line.
type usageError struct {
	msg  string
	hint string // a suggestion, may be empty
}

func (u *usageError) Error() string { return u.msg }

func usagef(format string, args ...any) *usageError {
	return &usageError{msg: fmt.Sprintf(format, args...)}
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
		code   exitCode
		marked *commandError
	)
	if err == nil || errors.As(err, &code) || errors.As(err, &marked) {
		return err
	}
	return &commandError{command, err}
}

// nameOf returns the name of a command with those above it, as in "generate php".
func nameOf(c *cli.Command) string { return strings.TrimPrefix(c.HelpName, "sator ") }

// action turns a function of a command into what the library calls.
func action(do func(*cli.Context) error) cli.ActionFunc {
	return func(c *cli.Context) error { return in(nameOf(c.Command), do(c)) }
}

// An internalError is an error of Sator itself.
type internalError struct {
	msg   string
	stack string // of a panic
}

func (i *internalError) Error() string { return i.msg }

// crash returns the error that a recovered panic is.
func crash(p any) error {
	return &internalError{fmt.Sprint("panic: ", p), string(debug.Stack())}
}

// fail reports the error with which a command ended on standard error and
// returns the exit code.
func (e *env) fail(err error) int {
	var (
		code  exitCode
		usage *usageError
		bug   *internalError
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &bug):
		fmt.Fprintln(e.stderr, message(err))
		fmt.Fprint(e.stderr, "sator: this is an error of Sator itself, not of its input; no answer is given\n", bug.stack)
		return codeInternal
	case errors.As(err, &usage):
		e.failUsage(err, usage)
		return codeUsage
	}
	fmt.Fprintln(e.stderr, message(err))
	return codeInput
}

// message begins an error with the program and the command it arose in.
func message(err error) string {
	var at *commandError
	if errors.As(err, &at) {
		return "sator " + err.Error()
	}
	return "sator: " + err.Error()
}

func (e *env) failUsage(err error, usage *usageError) {
	help := "sator help"
	var at *commandError
	if errors.As(err, &at) {
		help += " " + at.command
	}
	hint := fmt.Sprintf("See %q.", help)
	if usage.hint != "" {
		hint = usage.hint + " " + hint
	}
	fmt.Fprintf(e.stderr, "%s\n%s\n", message(err), hint)
}

// A lockedWriter lets goroutines write lines to one stream.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// A printer writes lines as the competitions want them. The first error that
// writing meets is kept, and everything after it is dropped.
type printer struct {
	w      *bufio.Writer
	before func() // called before a line is written, hides the status line
	err    error
}

func newPrinter(w io.Writer) *printer {
	return &printer{w: bufio.NewWriter(w), before: func() {}}
}

// comment writes "c" lines, one for each line of the text, and makes them seen
// at once.
func (p *printer) comment(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.write(func(w io.Writer) error {
		for line := range strings.Lines(text) {
			line = strings.TrimRight("c "+strings.TrimSuffix(line, "\n"), " ")
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
}

// answer writes the "s" line and, unless m is nil, the "v" lines.
func (p *printer) answer(s dimacs.Status, m dimacs.Model) {
	p.write(func(w io.Writer) error { return dimacs.WriteSolution(w, s, m) })
}

// line writes a line.
func (p *printer) line(text string) {
	p.write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, text)
		return err
	})
}

// gather writes bytes that are seen when something else is written.
func (p *printer) gather(b []byte) {
	if p.err != nil {
		return
	}
	p.before()
	_, p.err = p.w.Write(b)
}

// write calls f with the stream and flushes it.
func (p *printer) write(f func(io.Writer) error) {
	if p.err != nil {
		return
	}
	p.before()
	if p.err = f(p.w); p.err == nil {
		p.err = p.w.Flush()
	}
}
