package engines

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// CDCLFlags returns the flags of the engine cdcl: a flag for each knob and each
// preset.
func CDCLFlags() []cli.Flag {
	var flags []cli.Flag
	for _, k := range cdcl.Knobs {
		flags = append(flags, KnobFlag(k, cli.CdclOptions))
	}
	for _, p := range cdcl.Presets {
		flags = append(flags, &cli.BoolFlag{Name: p.Name, Category: cli.CdclOptions, Usage: p.Help + "; short for " + p.String()})
	}
	return append(flags, &cli.BoolFlag{Name: NoSimplify, Category: cli.CdclOptions, Usage: "do not simplify the formula; short for --simplify 0"})
}

// NoSimplify is the flag that is short for --simplify 0.
const NoSimplify = "no-simplify"

// KnobFlag returns the flag of a knob.
func KnobFlag(k cdcl.Knob, category string) cli.Flag {
	return cli.Number(&cli.IntFlag{
		Name:        k.Name,
		Category:    category,
		Value:       k.Default,
		DefaultText: fmt.Sprintf("%d, %d to %d", k.Default, k.Min, k.Max),
		Usage:       "`N`: " + k.Help,
	})
}

// A CDCLSetup is the engine cdcl with its options.
type CDCLSetup struct{ Options cdcl.Options }

// ReadCDCL reads the flags of the engine cdcl.
func ReadCDCL(c *cli.Context) (*CDCLSetup, error) {
	o, err := CDCLOptionsOf(c)
	if err != nil {
		return nil, err
	}
	if c.Bool(NoSimplify) {
		if c.IsSet("simplify") && o.Simplify != 0 {
			return nil, cli.Exclusive(NoSimplify, fmt.Sprintf("simplify %d", o.Simplify))
		}
		o.Simplify = 0
	}
	return &CDCLSetup{o}, nil
}

// CDCLOptionsOf reads those flags of knobs and presets that the command has.
func CDCLOptionsOf(c *cli.Context) (cdcl.Options, error) {
	o := cdcl.DefaultOptions()
	o.Seed = c.Uint64("seed")
	if err := applyPresets(c, &o); err != nil {
		return o, err
	}
	given := cli.GivenFlags(c)
	for _, k := range cdcl.Knobs {
		if !slices.Contains(given, k.Name) {
			continue
		}
		n := c.Int(k.Name)
		if n < k.Min || n > k.Max {
			return o, cli.Invalid(k.Name, n, "%d to %d", k.Min, k.Max)
		}
		*k.Field(&o) = n
	}
	return o, o.Check()
}

// applyPresets applies the preset of the command line, if any. Explicit knobs
// override presets, so they are read later.
func applyPresets(c *cli.Context, o *cdcl.Options) error {
	given := ""
	for _, p := range cdcl.Presets {
		if !c.Bool(p.Name) {
			continue
		}
		if given != "" {
			return cli.Exclusive(given, p.Name)
		}
		given = p.Name
		p.Apply(o)
	}
	return nil
}

func (u *CDCLSetup) List() Properties {
	var ps Properties
	for _, k := range cdcl.Knobs {
		ps = append(ps, Property{strings.ReplaceAll(k.Name, "-", "_"), *k.Field(&u.Options)})
	}
	return ps
}

func (u *CDCLSetup) Footprint(vars, clauses, literals int) int64 {
	return cdcl.Footprint(vars, clauses, literals)
}

// Choose returns the setup itself.
func (u *CDCLSetup) Choose(*formula.Input) (Choice, error) { return Choice{"cdcl", "", u}, nil }

func (u *CDCLSetup) Start(w Hooks) Solver {
	o := u.Options
	o.Proof, o.OneShot, o.Memory = w.Proof, w.Once, w.Memory
	if w.Activity != nil {
		o.Activity = w.Activity("cdcl")
	}
	if w.Progress != nil {
		o.Progress = func(e cdcl.Event, s cdcl.Stats) { w.Progress(rune(e), &CDCLStatistics{s}) }
	}
	if w.Record != nil {
		w.Record.Attach(&o, w.First)
	}
	return cdclSolver{cdcl.New(o)}
}

// A cdclSolver is the engine cdcl as a [Solver].
type cdclSolver struct{ *cdcl.Solver }

func (s cdclSolver) Load(ctx context.Context, f *dimacs.Formula, vars, from, to int) bool {
	return Fill(ctx, s.Solver, f, vars, from, to)
}

func (s cdclSolver) Limit(conflicts int64)  { s.SetLimits(cdcl.Limits{Conflicts: conflicts}) }
func (s cdclSolver) Statistics() Statistics { return &CDCLStatistics{s.Stats()} }

// CDCLStatistics are the statistics of the engine cdcl.
type CDCLStatistics struct{ cdcl.Stats }

// List returns the counters and the share of ticks spent on simplification.
func (s *CDCLStatistics) List() Properties {
	share := float64(s.PassTicks) / float64(max(1, s.Ticks+s.PassTicks))
	return append(FieldsOf(&s.Stats), Property{"pass_share", share})
}

func (s *CDCLStatistics) Work() (conflicts, propagations int64) { return s.Conflicts, s.Propagations }

func (s *CDCLStatistics) Fields(after time.Duration) []string {
	return []string{
		fmt.Sprintf("%s (%.0f/s)", cli.Count(s.Conflicts, "conflict"), cli.PerSecond(s.Conflicts, after)),
		fmt.Sprintf("%d of %s", s.left(), cli.Count(s.Vars, "variable")),
		fmt.Sprintf("%d learned", s.Redundant),
		cli.Count(s.Restarts, "restart"),
	}
}

func (s *CDCLStatistics) Header() string {
	return `
     time   memory  conflicts      rate  restarts   learned   glue  trail       left
        s       MB              per s                                   %  variables`
}

func (s *CDCLStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %10d %9.0f %9d %9d %6.1f %6.0f %10d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Conflicts, cli.PerSecond(s.Conflicts, after), s.Restarts, s.Redundant, s.Glue, 100*s.Trail, s.left())
}

// left returns the number of variables in the search.
func (s *CDCLStatistics) left() int { return s.Vars - s.Fixed - s.Removed }
