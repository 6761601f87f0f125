package commands

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dpll/cdcl"
)

// The common part of backbone, mus and maxsat: packages above the engine whose partial
// results are answers too.

// analysisFlags returns the flags of these commands.
func analysisFlags(verify string) []cli.Flag {
	return []cli.Flag{
		cli.TimeFlag(),
		cli.MemoryFlag(),
		&cli.Int64Flag{Name: "conflicts", Category: cli.LimitFlags, Usage: "stop after `N` conflicts of all calls of the solver"},
		cli.QuietFlag(),
		cli.TextOrJSON(""), cli.JSONFlag(),
		cli.OutputFlag(),
		&cli.BoolFlag{Name: "verify", Category: cli.ProofFlags, Usage: verify},
		formula.RelaxedFlag(),
		cli.SeedFlag(cli.EngineFlags),
	}
}

// analysisOptions is the common part of the command lines.
type analysisOptions struct {
	files     []string
	conflicts int64
	seed      uint64

	quiet, json, verify bool
}

func analysisOptionsOf(c *cli.Context) (o *analysisOptions, err error) {
	o = &analysisOptions{
		files:  cli.Operands(c),
		seed:   c.Uint64("seed"),
		quiet:  c.Bool("quiet"),
		json:   cli.AsJSON(c),
		verify: c.Bool("verify"),
	}
	o.conflicts, err = cli.Positive(c, "conflicts", 1)
	return o, err
}

// An analysisRun is a run of one of the commands.
type analysisRun struct {
	*cli.Run
	o        *analysisOptions
	reason   string // why the result is incomplete
	verified bool
}

// comment prints "c" lines, except with --quiet or --json.
func (x *analysisRun) comment(format string, args ...any) {
	if !x.o.quiet && !x.o.json {
		x.Out.Comment(format, args...)
	}
}

// cdclOptions returns the options of the solver.
func (x *analysisRun) cdclOptions() cdcl.Options {
	o := cdcl.DefaultOptions()
	o.Seed, o.Memory = x.o.seed, x.Memory.Allows
	return o
}

// stopped sets the reason if a limit or a signal ended the run, and reports whether that
// is so for this error.
func (x *analysisRun) stopped(err error) bool {
	why, is := cli.Stopped(x.Ctx)
	if !is || err != nil && !errors.Is(err, context.Cause(x.Ctx)) {
		return false
	}
	x.reason = why
	return true
}

// search calls the algorithm. An error that is not a limit ends the run.
func (x *analysisRun) search(find func()) error {
	err := answer.CatchTableLimit(x.Run, find)
	switch {
	case x.stopped(err):
		return nil
	case err != nil:
		return err
	case x.Ctx.Err() != nil:
		return context.Cause(x.Ctx)
	}
	return nil
}

// check calls the verification of a result, with --verify. It reports false if a limit
// ended it, so that there is no answer. A wrong result is an internal error.
func (x *analysisRun) check(verify func() error) (bool, error) {
	if !x.o.verify || x.Ctx.Err() != nil {
		return !x.o.verify, nil
	}
	x.Progress.Doing("verifying")
	var fault error
	err := answer.CatchTableLimit(x.Run, func() { fault = verify() })
	switch {
	case err == nil && fault == nil:
		x.verified = true
		return true, nil
	case x.Ctx.Err() != nil:
		if !x.stopped(nil) {
			return false, context.Cause(x.Ctx)
		}
		x.reason += ", while the result was verified"
		return false, nil
	case err != nil:
		return false, err
	}
	return false, &cli.InternalError{Msg: fmt.Sprintf("the result is wrong: %v", fault)}
}

// seconds returns the time since the start.
func (x *analysisRun) seconds() float64 { return time.Since(x.Begin).Seconds() }

// why returns the reason of an incomplete result.
func (x *analysisRun) why() string {
	if x.reason == "" && x.o.conflicts > 0 {
		return fmt.Sprintf("limit of %s", cli.Count(x.o.conflicts, "conflict"))
	}
	return x.reason
}
