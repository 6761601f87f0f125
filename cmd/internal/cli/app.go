// Package cli implements the command lines of the programs sator and sator-lab on
// top of urfave/cli: the order of arguments, help texts, errors and exit codes,
// files, proofs, signals, limits, and the status line.
//
//	var program = &cli.Program{Name: "tool", Commands: []func(*cli.Env) *cli.Command{lines}}
//
//	func main() { os.Exit(program.Run(cli.NewEnv(), os.Args[1:])) }
//
//	func lines(e *cli.Env) *cli.Command {
//		return &cli.Command{Name: "lines", Usage: "print the names of files", Action: cli.Action(func(c *cli.Context) error {
//			files := cli.Operands(c)
//			return e.Run(c, cli.RunOptions{Inputs: files}, func(r *cli.Run) error {
//				r.Out.Line(strings.Join(cli.ShownAll(files), ", "))
//				return r.Out.Err
//			})
//		})}
//	}
//
// A [Program] is a command line with commands; [Program.Run] executes it. A command
// parses its flags and calls [Env.Run], which checks and redirects its files, watches
// signals and limits, shows the status line, and calls the command with a [Run].
// Commands return errors; output.go has the rules for messages and exit codes.
//
// # Files
//
//   - app.go: programs and environments; run.go: the frame of a command;
//     urfave.go: types of urfave/cli under the names of this package.
//   - args.go: the syntax of command lines; suggest.go: suggestions; flags.go, dpll.go: flags of several
//     commands.
//   - walk.go, sections.go: commands, flags and their texts; help.go, completion.go, man.go,
//     version.go: the commands of all programs.
//   - open.go, create.go, names.go, descriptor*.go: input and output files; proof.go: proofs and
//     their checks; profile.go: profiles; json.go: documents.
//   - output.go: lines, errors and exit codes; escape.go: control characters; stdout.go: standard output, when it is
//     closed or full; progress.go: report lines and the status line; verbose.go: the beginning of -v.
//   - interrupt.go: signals and limits; memory*.go, cgroup_linux.go, runtime.go: memory.
//   - usage*.go, counters*.go: processor time, resident memory and hardware counters.
package cli

import (
	"context"
	"flag"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"sator/dimacs/file"
)

// A Program is a command line with commands.
type Program struct {
	Name, Usage, UsageText, Description string

	// Commands lists the commands in the order of the help text. The commands of
	// all programs follow them: help, version, completion and man.
	Commands []func(*Env) *cli.Command

	// Default is the command of a command line without the name of a command. If
	// it is empty, such a command line is an error.
	Default string

	// HelpExamples are the operands of the two examples in the help text of the
	// command help.
	HelpExamples [2]string

	// Synonyms maps command lines that the program does not have to those that do the same,
	// for suggestions: an unknown command ("core"), subcommand ("generate 3sat"), flag
	// ("solve --count") or value of a flag ("sudoku solve --format svg") to a command.
	Synonyms map[string]string
}

// An Env is the environment of a command: its standard streams, the terminal and
// the free memory. Tests pass environments of their own.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// terminalOut is the standard output of the process if Stdout is the file
	// of --output, and nil otherwise. The output file "-" of a command is
	// written to it.
	terminalOut io.Writer

	// stdout is the standard output of the process during [Program.Run]. Stdout is
	// the same stream unless --output redirects it.
	stdout *stream

	// inputs are the inputs of the run, and created the names of its outputs so far.
	inputs  []string
	created map[string]bool

	// program is the name of the program in messages.
	program string

	// arguments are the arguments of the program.
	arguments []string

	memory *Budget // of the run

	// Columns is the width of the terminal on standard error. It is 0 if standard
	// error is no terminal, or TERM is dumb; then there is no status line.
	Columns int

	// Width is the width of the terminal on standard output, or the variable COLUMNS if
	// that is set. It is 0 if standard output is no terminal. See PageWidth.
	Width int

	// Typing reports that standard input is a terminal.
	Typing bool

	// Early receives the signals that end a run, from the start of the process (see
	// package early). It may be nil.
	Early chan os.Signal

	// Disk writes the files. Tests pass one that fails; nil is that of the system.
	Disk *file.Disk

	// Free returns the free memory, and whether that is known. If Free is nil, only
	// --memory limits the memory.
	Free func() (free FreeMemory, known bool)
}

// NewEnv returns the environment of the process.
func NewEnv() *Env {
	e := &Env{Stdin: processInput(), Stdout: processOutput(), Stderr: &LockedWriter{W: os.Stderr}, Free: freeMemory}
	e.Typing = term.IsTerminal(int(os.Stdin.Fd()))
	if fd := int(os.Stdout.Fd()); term.IsTerminal(fd) {
		e.Width = defaultColumns
		if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
			e.Width = width
		} else if width, _, err := term.GetSize(fd); err == nil && width > 0 {
			e.Width = width
		}
	}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) && os.Getenv("TERM") != "dumb" {
		e.Columns = defaultColumns
		if width, _, err := term.GetSize(fd); err == nil && width > 0 {
			e.Columns = width
		}
	}
	return e
}

// defaultColumns is the width of a terminal that does not tell it.
const defaultColumns = 80

// PageWidth returns the width that lines on standard output should not exceed, 0 for any.
// Only a terminal has such a width, not the file of --output.
func (e *Env) PageWidth() int {
	if e.terminalOut != nil {
		return 0
	}
	return e.Width
}

// ProgramName returns the name of the program that runs.
func (e *Env) ProgramName() string { return e.program }

// A helpFlag is the flag --help of all commands. That of urfave/cli is one variable that
// each parsed command line writes to, so that two programs in one process, as in tests,
// would write to it at once.
type helpFlag struct{ *cli.BoolFlag }

func init() { cli.HelpFlag = helpFlag{cli.HelpFlag.(*cli.BoolFlag)} }

// Apply adds a copy of the flag to the set.
func (h helpFlag) Apply(set *flag.FlagSet) error {
	own := *h.BoolFlag
	return own.Apply(set)
}

// App returns the program as an application of urfave/cli.
func (p *Program) App(e *Env) *cli.App { return p.app(e, p.Commands) }

// needed returns the command that a command line begins with, or all commands. Making the others
// would take a sixth of the time of the start.
func (p *Program) needed(args []string) []func(*Env) *cli.Command {
	if names := CommandsOf(p.Name); len(names) == len(p.Commands) && len(args) > 0 && args[len(args)-1] != CompletionFlag {
		if i := slices.Index(names, args[0]); i >= 0 {
			return p.Commands[i : i+1]
		}
	}
	return p.Commands
}

func (p *Program) app(e *Env, commands []func(*Env) *cli.Command) *cli.App {
	app := &cli.App{
		Name:                      p.Name,
		Usage:                     p.Usage,
		UsageText:                 p.UsageText,
		Description:               p.Description,
		Version:                   Version(),
		HideVersion:               true, // its -v would be taken for --verbose
		HideHelpCommand:           true,
		UseShortOptionHandling:    true,
		DisableSliceFlagSeparator: true,
		Reader:                    e.Stdin,
		Writer:                    e.Stdout,
		ErrWriter:                 e.Stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // Run maps errors to exit codes
		OnUsageError:              usageErrorOf,
	}
	common := []func(*Env) *cli.Command{p.helpCommand, p.versionCommand, p.completionCommand, p.manCommand}
	for _, command := range slices.Concat(commands, common) {
		app.Commands = append(app.Commands, prepare(command(e)))
	}
	return app
}

// prepare sets the options of a command and its subcommands that are the same for
// all commands.
func prepare(c *cli.Command) *cli.Command {
	c.OnUsageError = usageErrorOf
	c.UseShortOptionHandling = true
	c.HideHelpCommand = true // "sator solve help" reads the file help
	withoutActions(c)
	for _, sub := range c.Subcommands {
		prepare(sub)
	}
	return c
}

// withoutActions hides the flags of a command from urfave/cli while that looks for actions of
// flags, which no flag here has: it would compare each name with all others, a tenth of the
// time of the start.
func withoutActions(c *cli.Command) {
	if flags, do := c.Flags, c.Action; do != nil {
		c.Before = func(*cli.Context) error { c.Flags = nil; return nil }
		c.Action = func(x *cli.Context) error { c.Flags = flags; return do(x) }
	}
}

// Arguments returns the arguments of the program, without its name. The slice is shared.
func (e *Env) Arguments() []string { return e.arguments }

// Run executes a command line, without the program's name, and returns the exit
// code. The comment at the top of output.go lists the exit codes.
func (p *Program) Run(process *Env, args []string) (code int) {
	own := *process
	e := &own
	e.program, e.stdout, e.arguments = p.Name, &stream{w: process.Stdout}, args
	e.Stdout, e.Stderr = escaper{e.stdout}, escaper{process.Stderr}
	defer func() {
		if cause := recover(); cause != nil {
			code = e.fail(crash(cause))
		}
	}()
	commands := p.needed(args)
	app := p.app(e, commands)
	if n := len(args); n > 0 && args[n-1] == CompletionFlag {
		return e.fail(writeCandidates(e.Stdout, app, p.Default, args[:n-1]))
	}
	args, err := p.Arrange(app, args, e.Typing)
	if err != nil {
		return e.fail(err)
	}
	if i := slices.IndexFunc(app.Commands, func(c *cli.Command) bool { return c.HasName(args[1]) }); i >= len(commands) {
		e.dropEarly() // help and the like watch no signals
	}
	return e.fail(app.RunContext(context.Background(), args))
}
