package engines

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// CDCLFlags returns the flags of the engine cdcl, for its knobs and its presets.
func CDCLFlags() []cli.Flag {
	flags := KnobFlags(cdcl.Knobs, cli.CdclOptions)
	for _, p := range cdcl.Presets {
		flags = append(flags, &cli.BoolFlag{Name: p.Name, Category: cli.CdclOptions, Usage: p.Help + "; sets " + p.String()})
	}
	return append(flags, &cli.BoolFlag{Name: NoSimplify, Category: cli.CdclOptions, Usage: "do not simplify the formula; short for --set simplify=0"})
}

// NoSimplify is the flag that is short for --set simplify=0.
const NoSimplify = "no-simplify"

// KnobFlags returns the flags of knobs: a flag for each that turns a simplification on, and
// --set for the others.
func KnobFlags(knobs []cdcl.Knob, category string) []cli.Flag {
	var flags []cli.Flag
	set := &cli.SettingsFlag{StringSliceFlag: &cli.StringSliceFlag{Name: "set", Category: category, Usage: "set a knob, as `NAME=N`; may be repeated"}}
	for _, k := range knobs {
		if !turnsPassOn(k.Name) {
			set.Settings = append(set.Settings, cli.Setting{Name: k.Name, Default: k.Default, Min: k.Min, Max: k.Max, Help: k.Help})
			continue
		}
		flags = append(flags, &cli.IntFlag{
			Name:        k.Name,
			Category:    category,
			Value:       k.Default,
			DefaultText: fmt.Sprintf("%d, %d to %d", k.Default, k.Min, k.Max),
			Usage:       "`N`: " + k.Help,
		})
	}
	return append(flags, set)
}

var passKnobs = sync.OnceValue(cdcl.PassKnobs)

// turnsPassOn reports whether the knob of this name turns a simplification on. The other knobs
// of simplifications begin with such a name and a hyphen.
func turnsPassOn(name string) bool {
	return !strings.Contains(name, "-") && slices.ContainsFunc(passKnobs(), func(k cdcl.Knob) bool { return k.Name == name })
}

// KnobArgument returns the argument of a command line that sets a knob.
func KnobArgument(name string, value int) string {
	if turnsPassOn(name) {
		return fmt.Sprintf("--%s=%d", name, value)
	}
	return fmt.Sprintf("--set=%s=%d", name, value)
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
		if !o.NoSimplify && slices.Contains(cli.GivenFlags(c), "simplify") {
			return nil, cli.Exclusive(NoSimplify, "set simplify=1")
		}
		o.NoSimplify = true
	}
	return &CDCLSetup{o}, nil
}

// CDCLOptionsOf reads the flags of knobs and presets, as far as the command has them.
func CDCLOptionsOf(c *cli.Context) (cdcl.Options, error) {
	o := cdcl.Options{}
	o.Seed = c.Uint64("seed")
	if err := applyPresets(c, &o); err != nil {
		return o, err
	}
	given, set := cli.GivenFlags(c), cli.SettingsOf(c, "set")
	for _, k := range cdcl.Knobs {
		n, isSet := set[k.Name]
		switch {
		case isSet:
		case !slices.Contains(given, k.Name):
			continue
		default:
			if n = c.Int(k.Name); n < k.Min || n > k.Max {
				return o, cli.Invalid(k.Name, n, "%d to %d", k.Min, k.Max)
			}
		}
		if err := k.Set(&o, n); err != nil {
			return o, err
		}
	}
	return o, nil
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
		ps = append(ps, Property{strings.ReplaceAll(k.Name, "-", "_"), k.Get(&u.Options)})
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
     time memory conflicts     rate restarts  learned   glue trail       left
        s     MB              per s                              %  variables`
}

func (s *CDCLStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %6.0f %9d %8.0f %8d %8d %6.1f %5.0f %10d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Conflicts, cli.PerSecond(s.Conflicts, after), s.Restarts, s.Redundant, s.Glue, 100*s.Trail, s.left())
}

// left returns the number of variables in the search.
func (s *CDCLStatistics) left() int { return s.Vars - s.Fixed - s.Removed }
