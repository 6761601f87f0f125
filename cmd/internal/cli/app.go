// Package cli holds what commands share: running a command line, arguments, flags,
// help, completion, files, signals and limits, progress, exit codes.
package cli

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"
)

// A Program is a command line with commands.
type Program struct {
	Name, Usage, UsageText, Description string

	// Commands lists the commands in the order of the help text. The commands of
	// all programs follow them: help, version, completion and man.
	Commands []func(*Env) *cli.Command

	// Default is the command of a command line that names no command; if it is
	// empty, such a command line is an error.
	Default string

	// Explained are the operands of two examples for the command help.
	Explained [2]string

	// Moved has for each command of another program what is printed for it.
	Moved map[string]string
}

// An Env is the surroundings of a command, so that tests can give it others.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// made is standard output as the name of a file that a command makes, where
	// stdout was sent to another place; nil if it was not.
	made io.Writer

	// program is the name of the program, for messages.
	program string

	// Columns is the width of the terminal that standard error is, and 0 if
	// it is none: then there is no status line.
	Columns int

	// Typing says that standard input is a terminal.
	Typing bool

	// Free returns how many bytes of memory the system can give, and whether
	// it tells. If it is nil, nobody asks.
	Free func() (bytes int64, known bool)
}

// NewEnv returns the surroundings of the process.
func NewEnv() *Env {
	e := &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: &LockedWriter{W: os.Stderr}, Free: freeMemory}
	e.Typing = term.IsTerminal(int(os.Stdin.Fd()))
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		e.Columns = 80
		if width, _, err := term.GetSize(fd); err == nil && width > 0 {
			e.Columns = width
		}
	}
	return e
}

// App returns the command line as urfave/cli sees it.
func (p *Program) App(e *Env) *cli.App {
	app := &cli.App{
		Name:                      p.Name,
		Usage:                     p.Usage,
		UsageText:                 p.UsageText,
		Description:               p.Description,
		Version:                   Version(),
		HideVersion:               true, // -V is ours, since -v is verbose
		HideHelpCommand:           true,
		UseShortOptionHandling:    true,
		DisableSliceFlagSeparator: true,
		Reader:                    e.Stdin,
		Writer:                    e.Stdout,
		ErrWriter:                 e.Stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run maps errors to codes
		OnUsageError:              usageErrorOf,
	}
	common := []func(*Env) *cli.Command{p.helpCommand, p.versionCommand, p.completionCommand, p.manCommand}
	for _, command := range slices.Concat(p.Commands, common) {
		app.Commands = append(app.Commands, prepare(command(e)))
	}
	return app
}

// prepare gives a command and its subcommands what all have in common.
func prepare(c *cli.Command) *cli.Command {
	c.OnUsageError = usageErrorOf
	c.UseShortOptionHandling = true
	c.HideHelpCommand = true // or "sator solve help" would not read a file
	for _, sub := range c.Subcommands {
		prepare(sub)
	}
	return c
}

// Run executes a command line, without the program's name, and returns the
// exit code: 10 and 20 are answers, 0 is any other success, 1 a bad input, 2 a
// bad command line, 3 an error of Sator itself and 4 wrong evidence.
func (p *Program) Run(e *Env, args []string) (code int) {
	e.program = p.Name
	defer func() {
		if cause := recover(); cause != nil {
			code = e.fail(crash(cause))
		}
	}()
	app := p.App(e)
	if n := len(args); n > 0 && args[n-1] == CompletionFlag {
		return e.fail(writeCandidates(e.Stdout, app, p.Default, args[:n-1]))
	}
	args, err := p.Arrange(app, args)
	if err != nil {
		return e.fail(err)
	}
	return e.fail(app.RunContext(context.Background(), args))
}
