package commands

import (
	"context"
	"fmt"
	"time"

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
		formula.NamesFlag(),
		cli.SeedFlag(cli.EngineFlags),
	}
}

// analysisOptions is the common part of the command lines.
type analysisOptions struct {
	files     []string
	conflicts int64
	seed      uint64

	verify bool
}

func analysisOptionsOf(c *cli.Context) (o *analysisOptions, err error) {
	o = &analysisOptions{
		files:  cli.Operands(c),
		seed:   c.Uint64("seed"),
		verify: c.Bool("verify"),
	}
	if c.Bool("names") && cli.AsJSON(c) {
		return nil, cli.Exclusive("names", "json")
	}
	o.conflicts, err = cli.Positive(c, "conflicts", 1)
	return o, err
}

// An analysisRun is a run of one of the commands.
type analysisRun struct {
	*cli.Run
	o         *analysisOptions
	verifying bool // the result is being verified, or was
	verified  bool
}

// cdclOptions returns the options of the solver.
func (x *analysisRun) cdclOptions() cdcl.Options {
	o := cdcl.Options{}
	o.Seed, o.Memory = x.o.seed, x.Memory.Allows
	return o
}

// check verifies a result, with --verify. A wrong result is an internal error.
func (x *analysisRun) check(ctx context.Context, verify func() error) error {
	if !x.o.verify {
		return nil
	}
	x.Progress.Doing("verifying")
	x.verifying = true
	if err := verify(); err != nil && ctx.Err() == nil {
		return &cli.InternalError{Msg: fmt.Sprintf("the result is wrong: %v", err)}
	} else if err != nil {
		return context.Cause(ctx)
	}
	x.verified = true
	return nil
}

// uncertain reports whether a result was not verified, although --verify is given.
func (x *analysisRun) uncertain() bool { return x.o.verify && !x.verified }

// seconds returns the time since the start.
func (x *analysisRun) seconds() float64 { return time.Since(x.Begin).Seconds() }

// why returns the reason of an incomplete result.
func (x *analysisRun) why() string {
	switch why := x.Why(); {
	case why != "" && x.verifying && !x.verified:
		return why + ", while the result was verified"
	case why == "" && x.o.conflicts > 0:
		return fmt.Sprintf("limit of %s", cli.Count(x.o.conflicts, "conflict"))
	default:
		return why
	}
}
