package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/replay"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
)

func replayCommand(e *cli.Env) *cli.Command {
	return &cli.Command{
		Name:        "replay",
		Category:    "Test",
		Usage:       "replay incremental solving and check the answers",
		UsageText:   "sator-lab replay [flags] FILE...\nsator-lab replay [flags] --workload NAME",
		Description: fmt.Sprintf(replayText, workloadTable()),
		Flags: []cli.Flag{
			cli.Choices(&cli.StringFlag{Name: "engine", Category: cli.ParamFlags, Value: "cdcl", Usage: "replay on engine `NAME`: cdcl or dpll"}, func() []cli.Choice { return cli.Names("cdcl", "dpll") }),
			cli.Choices(&cli.StringFlag{Name: "workload", Category: cli.ParamFlags, Usage: "generate the trace `NAME` instead of reading files"}, func() []cli.Choice {
				return cli.Of(replay.Workloads, func(w replay.Workload) cli.Choice { return cli.Choice{Name: w.Name, Help: w.Help} })
			}),
			&cli.IntFlag{Name: "calls", Category: cli.ParamFlags, Value: 100, Usage: "number `N` of calls of Solve in a generated trace"},
			cli.SeedFlag(cli.ParamFlags),
			cli.TimeFlag(),
			&cli.BoolFlag{Name: "check-failed", Category: cli.OutputFlags, Usage: "solve again with the failed assumptions alone (slow)"},
			&cli.BoolFlag{Name: "print", Category: cli.OutputFlags, Usage: "print the trace, and replay nothing"},
			cli.QuietFlag(),
			cli.OutputFlag(),
		},
		Action: cli.RunAction(e, replayOptionsOf, func(o *replayOptions) cli.RunOptions {
			return cli.RunOptions{Inputs: o.files, Redirect: true, Status: true}
		}, replayTraces),
	}
}

const replayText = `Replays traces: the calls that a program made of an incremental SAT solver. The
text of a trace has a line for each call:

  n                 a new solver
  a 1 -2 0          add a clause
  s 1 -3 0          solve under assumptions; the model or the failed assumptions
                    are read after it

A line that begins with # is a comment. Files may be compressed. For each trace,
a line is printed with the number of calls of Solve, of satisfiable and of
unsatisfiable ones, and the CPU time of all calls without reading and checking.
Models are evaluated on all clauses and assumptions, and failed literals must be
assumptions. With --check-failed a new solver refutes the clauses with the
failed assumptions alone.

The workloads of --workload are

%s
Exit codes: 0 success; 1 a file that cannot be read or written, or a limit, 2
bad command line, 3 an error of Sator itself, 4 a wrong answer.

Examples:
  sator-lab replay bmc.trace.xz resolver.trace
  sator-lab replay --workload selectors --calls 500
  sator-lab replay --workload fresh --print -o fresh.trace`

func workloadTable() string {
	var b strings.Builder
	for _, w := range replay.Workloads {
		fmt.Fprintf(&b, "  %-12s %s\n", w.Name, w.Help)
	}
	return b.String()
}

// replayOptions are the flags and operands of replay.
type replayOptions struct {
	files       []string
	start       func() replay.Solver
	workload    *replay.Workload
	calls       int
	seed        uint64
	checkFailed bool
	print       bool
}

func replayOptionsOf(c *cli.Context) (*replayOptions, error) {
	o := &replayOptions{
		files:       c.Args().Slice(),
		calls:       c.Int("calls"),
		seed:        c.Uint64("seed"),
		checkFailed: c.Bool("check-failed"),
		print:       c.Bool("print"),
	}
	switch name := c.String("engine"); name {
	case "cdcl":
		o.start = func() replay.Solver { return cdcl.New(cdcl.Options{}) }
	case "dpll":
		o.start = func() replay.Solver { return classic.New(classic.DefaultOptions()) }
	default:
		return nil, cli.InvalidName("engine", name, []string{"cdcl", "dpll"})
	}
	if o.calls < 1 {
		return nil, cli.Invalid("calls", o.calls, "a positive number")
	}
	name := c.String("workload")
	switch {
	case name != "" && len(o.files) > 0:
		return nil, cli.Usagef("--workload reads no file: unexpected operand %s", cli.Shown(o.files[0]))
	case name == "" && len(o.files) == 0:
		return nil, &cli.UsageError{Msg: "no trace to replay", Hint: "Write FILE or --workload NAME."}
	case name == "" && c.IsSet("calls"):
		return nil, cli.Useless("calls", "workload")
	case name == "" && c.IsSet("seed"):
		return nil, cli.Useless("seed", "workload")
	case name == "":
		return o, nil
	}
	var names []string
	for i, w := range replay.Workloads {
		if names = append(names, w.Name); w.Name == name {
			o.workload = &replay.Workloads[i]
		}
	}
	if o.workload == nil {
		return nil, cli.InvalidName("workload", name, names)
	}
	return o, nil
}

// replayTraces runs the command.
func replayTraces(r *cli.Run, o *replayOptions) error {
	if o.workload != nil {
		return o.replay(r, o.workload.Name, o.workload.Make(o.seed, o.calls))
	}
	for _, name := range o.files {
		t, err := readTrace(r, name)
		if err == nil {
			err = o.replay(r, cli.Shown(name), t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTrace reads the trace of a file.
func readTrace(r *cli.Run, name string) (*replay.Trace, error) {
	src, err := r.Open(r.Ctx, name)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	t, err := replay.Read(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.Shown(name), err)
	}
	return t, nil
}

// replay replays a trace and prints its line.
func (o *replayOptions) replay(r *cli.Run, name string, t *replay.Trace) error {
	if o.print {
		return t.Write(r.Stdout)
	}
	calls := 0
	checking := time.Duration(0)
	begin := cli.ProcessorTime()
	n, err := t.Replay(r.Ctx, o.start, func(a replay.Answer) error {
		before := cli.ProcessorTime()
		defer func() { checking += cli.ProcessorTime() - before }()
		calls++
		r.Progress.Doing(fmt.Sprintf("%s: call %d", name, calls))
		return o.check(r.Ctx, a)
	})
	switch spent := cli.ProcessorTime() - begin - checking; {
	case errors.Is(err, context.Canceled) || r.Ctx.Err() != nil:
		return fmt.Errorf("%s: stopped in call %d", name, calls+1)
	case err != nil:
		r.Progress.Close()
		r.Say("%s: %v", name, err)
		return cli.ExitCode(cli.CodeWrong)
	default:
		r.Progress.Hide()
		_, err = fmt.Fprintf(r.Stdout, "%s: %s, %d satisfiable, %d unsatisfiable, %.2f s\n", name, cli.Count(n.Calls, "call"), n.Satisfiable, n.Unsatisfiable, spent.Seconds())
		return err
	}
}

// check checks an answer.
func (o *replayOptions) check(ctx context.Context, a replay.Answer) error {
	if err := a.Check(); err != nil || !o.checkFailed {
		return err
	}
	return a.CheckFailed(ctx, cdcl.New(cdcl.Options{}))
}
