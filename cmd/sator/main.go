// Sator decides whether formulas of propositional logic have models. It reads
// DIMACS files and answers as the SAT competitions ask: "s SATISFIABLE" with a
// model that has been checked, "s UNSATISFIABLE", or "s UNKNOWN".
//
// The command is thin: each file holds one subcommand, which parses its flags,
// calls a package of the module and prints. output.go has the rules for what is
// printed where and for exit codes; args.go those for reading command lines.
// "sator help" lists the commands.
package main

// What is inlined goes by a profile of the program as it solves, default.pgo.
//
//go:generate sh pgo.sh

import (
	"context"
	"io"
	"os"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"
)

func main() {
	os.Exit(run(newEnv(), os.Args[1:]))
}

// An env is the surroundings of a command, so that tests can give it others.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	// made is standard output as the name of a file that a command makes, where
	// stdout was sent to another place; nil if it was not.
	made io.Writer

	// columns is the width of the terminal that standard error is, and 0 if
	// it is none: then there is no status line.
	columns int

	// typing says that standard input is a terminal.
	typing bool

	// free returns how many bytes of memory the system can give, and whether
	// it tells. If it is nil, nobody asks.
	free func() (bytes int64, known bool)
}

// newEnv returns the surroundings of the process.
func newEnv() *env {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: &lockedWriter{w: os.Stderr}, free: freeMemory}
	e.typing = term.IsTerminal(int(os.Stdin.Fd()))
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		e.columns = 80
		if width, _, err := term.GetSize(fd); err == nil && width > 0 {
			e.columns = width
		}
	}
	return e
}

// commands lists the subcommands in the order of the help text. To add one,
// add its file and a line here.
var commands = []func(*env) *cli.Command{
	solveCommand,
	enumerateCommand,
	countCommand,
	checkCommand,
	traceCommand,
	animateCommand,
	simplifyCommand,
	cubeCommand,
	conquerCommand,
	extendCommand,
	twosatCommand,
	infoCommand,
	convertCommand,
	generateCommand,
	sudokuCommand,
	benchCommand,
	studyCommand,
	fuzzCommand,
	helpCommand,
	versionCommand,
	completionCommand,
	manCommand,
}

// newApp returns the command line as urfave/cli sees it.
func newApp(e *env) *cli.App {
	app := &cli.App{
		Name:                      "sator",
		Usage:                     "decide whether a formula has a model",
		UsageText:                 "sator COMMAND [flags] [FILE]...\nsator [flags] FILE...          short for sator solve",
		Description:               appDescription,
		Version:                   version(),
		HideVersion:               true, // -V is ours, since -v is verbose
		HideHelpCommand:           true,
		DisableSliceFlagSeparator: true,
		Reader:                    e.stdin,
		Writer:                    e.stdout,
		ErrWriter:                 e.stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run maps errors to codes
		OnUsageError:              usageErrorOf,
	}
	for _, command := range commands {
		app.Commands = append(app.Commands, prepare(command(e)))
	}
	return app
}

// prepare gives a command and its subcommands what all have in common.
func prepare(c *cli.Command) *cli.Command {
	c.OnUsageError = usageErrorOf
	c.HideHelpCommand = true // or "sator solve help" would not read a file
	for _, sub := range c.Subcommands {
		prepare(sub)
	}
	return c
}

// run executes a command line, without the program's name, and returns the
// exit code: 10 and 20 are answers, 0 is any other success, 1 a bad input, 2 a
// bad command line, 3 an error of Sator itself and 4 wrong evidence.
func run(e *env, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = e.fail(crash(p))
		}
	}()
	app := newApp(e)
	if n := len(args); n > 0 && args[n-1] == completionFlag {
		return e.fail(writeCandidates(e.stdout, app, args[:n-1]))
	}
	args, err := arrange(app, args)
	if err != nil {
		return e.fail(err)
	}
	return e.fail(app.RunContext(context.Background(), args))
}
