package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sator/dpll/cdcl"
)

// cdclFlags makes a flag of each numeric option of the engine.
func cdclFlags() []cli.Flag {
	var flags []cli.Flag
	for _, k := range cdcl.Knobs {
		flags = append(flags, &cli.IntFlag{
			Name:        k.Name,
			Category:    cdclOptions,
			Value:       k.Default,
			DefaultText: fmt.Sprintf("%d, %d to %d", k.Default, k.Min, k.Max),
			Usage:       "`N`: " + k.Help,
		})
	}
	return flags
}

// A cdclSetup is clause learning with its options.
type cdclSetup struct{ options cdcl.Options }

func readCDCL(c *cli.Context) (setup, error) {
	o := cdcl.DefaultOptions()
	o.Seed = c.Uint64("seed")
	for _, k := range cdcl.Knobs {
		*k.Field(&o) = c.Int(k.Name)
	}
	if err := o.Check(); err != nil {
		return nil, usagef("--%v", err)
	}
	return &cdclSetup{o}, nil
}

func (u *cdclSetup) list() properties {
	var ps properties
	for _, k := range cdcl.Knobs {
		ps = append(ps, property{strings.ReplaceAll(k.Name, "-", "_"), *k.Field(&u.options)})
	}
	return ps
}

func (u *cdclSetup) footprint(vars, clauses, literals int) int64 {
	return cdcl.Footprint(vars, clauses, literals)
}

func (u *cdclSetup) start(w wires) solver {
	o := u.options
	o.Proof, o.Activity = w.proof, w.activity
	if w.progress != nil {
		o.Progress = func(e cdcl.Event, s cdcl.Stats) { w.progress(rune(e), &cdclStatistics{s}) }
	}
	return cdclSolver{cdcl.New(o)}
}

// A cdclSolver is the engine as the program sees it.
type cdclSolver struct{ *cdcl.Solver }

func (s cdclSolver) limit(conflicts int64)  { s.SetLimits(cdcl.Limits{Conflicts: conflicts}) }
func (s cdclSolver) statistics() statistics { return &cdclStatistics{s.Stats()} }

type cdclStatistics struct{ cdcl.Stats }

func (s *cdclStatistics) list() properties { return fieldsOf(&s.Stats) }

func (s *cdclStatistics) work() (conflicts, propagations int64) { return s.Conflicts, s.Propagations }

func (s *cdclStatistics) fields(after time.Duration) []string {
	return []string{
		fmt.Sprintf("%d conflicts (%.0f/s)", s.Conflicts, perSecond(s.Conflicts, after)),
		fmt.Sprintf("%d of %d variables", s.Vars-s.Fixed, s.Vars),
		fmt.Sprintf("%d learned", s.Redundant),
		fmt.Sprintf("%d restarts", s.Restarts),
	}
}

func (s *cdclStatistics) header() string {
	return `
     time   memory  conflicts      rate  restarts   learned   glue  trail       left
        s       MB              per s                                   %  variables`
}

func (s *cdclStatistics) line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %10d %9.0f %9d %9d %6.1f %6.0f %10d", after.Seconds(), megabytes(memory()),
		s.Conflicts, perSecond(s.Conflicts, after), s.Restarts, s.Redundant, s.Glue, 100*s.Trail, s.Vars-s.Fixed)
}
