package answer

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// Commands that solve a formula by cube and conquer have the same flags: conquer of
// sator, on one machine, and serve of sator-grid, on many.

// CubeFlags returns the flags of cube and conquer, without those of the engine cdcl and of checks. The
// arguments are the help text of --run and the end of that of --jobs.
func CubeFlags(run, jobs string) []cli.Flag {
	return slices.Concat([]cli.Flag{
		cli.TimeFlag(),
		cli.MemoryFlag(),
		&cli.Int64Flag{Name: "budget", Category: cli.LimitFlags, Value: defaultBudget, Usage: "split a cube after `N` conflicts; 0: never"},
		&cli.StringFlag{Name: "run", Category: cli.OutputFlags, Usage: run},
	}, Flags(), []cli.Flag{
		formula.RelaxedFlag(),
		cli.JobsFlag(jobs),
		&cli.BoolFlag{Name: "no-sharing", Category: cli.EngineFlags, Usage: "do not share learned clauses"},
		cli.SeedFlag(cli.EngineFlags),
	})
}

// defaultBudget is the number of conflicts after which a cube is split. If a run starts
// with 300 cubes, the budget matters little: a van der Waerden, a Schur and a multiplier
// formula take 15.4, 24.4 and 6.7 s with this budget, 16.8, 22.7 and 5.6 s with five times
// the budget, and 18.4, 34.1 and 6.6 s with a tenth of it. Without initial cubes they take
// 22.7, 38.8 and 9.1 s, and 20.5, 35.7 and 8.6 s with a tenth (two solvers, two cores).
const defaultBudget = 20_000

// CubeOptions are the options of cube and conquer.
type CubeOptions struct {
	*Options
	Jobs   int    // number of solvers
	Budget int64  // conflicts after which a cube is split; 0 is no limit
	Dir    string // directory of the results
	Alone  bool   // no sharing of learned clauses
	Solver cdcl.Options
}

// CubeOptionsOf reads the flags of cube and conquer. The number of solvers is at least
// fewest. The setup of the options is [CubeOptions.NewSetup].
func CubeOptionsOf(c *cli.Context, fewest int) (*CubeOptions, error) {
	o := &CubeOptions{
		Options: OptionsOf(c),
		Jobs:    c.Int("jobs"),
		Budget:  c.Int64("budget"),
		Dir:     c.String("run"),
		Alone:   c.Bool("no-sharing"),
	}
	if !c.IsSet("jobs") {
		o.Jobs = min(runtime.GOMAXPROCS(0), portfolio.MaxThreads)
	}
	switch {
	case o.Jobs < fewest || o.Jobs > portfolio.MaxThreads:
		return nil, cli.Invalid("jobs", o.Jobs, "%d to %d", fewest, portfolio.MaxThreads)
	case o.Budget < 0:
		return nil, cli.Invalid("budget", o.Budget, "0 or more")
	}
	learning, err := engines.ReadCDCL(c)
	if err != nil {
		return nil, err
	}
	if o.Verify, err = cli.VerificationOf(c); err != nil {
		return nil, err
	}
	o.Solver, o.Choice.Setup = learning.Options, &cubeSetup{learning, o}
	return o, o.UseCDCL(c)
}

// A cubeSetup is the setup of the solvers.
type cubeSetup struct {
	*engines.CDCLSetup
	o *CubeOptions
}

func (u *cubeSetup) List() engines.Properties {
	return append(engines.Properties{
		{Name: "jobs", Value: u.o.Jobs},
		{Name: "budget", Value: u.o.Budget},
		{Name: "sharing", Value: !u.o.Alone},
		{Name: "run", Value: u.o.Dir},
	}, u.CDCLSetup.List()...)
}

func (u *cubeSetup) Footprint(vars, clauses, literals int) int64 {
	return portfolio.Footprint(u.o.Jobs, vars, clauses, literals)
}

// CubeProgress stores and shows the statistics of a run.
func (j *Job) CubeProgress(c portfolio.ConquerStats) {
	s := &cubeStatistics{c}
	j.Stats = s
	j.Progress.Event(resultEvent, s)
}

// resultEvent is the letter of a report line of a run.
const resultEvent = '.'

// CubeLegend returns the legend of the report lines of a run.
func CubeLegend() []string { return []string{string(resultEvent) + "   the result of a cube"} }

// cubeStatistics are the statistics of a run as the command line shows them.
type cubeStatistics struct{ portfolio.ConquerStats }

func (s *cubeStatistics) List() engines.Properties { return engines.FieldsOf(&s.ConquerStats) }

func (s *cubeStatistics) Work() (conflicts, propagations int64) { return s.Conflicts, 0 }

// remainingTime estimates the remaining time of a run.
func (s *cubeStatistics) remainingTime(after time.Duration) string {
	if s.Closing {
		return "closing"
	}
	return cli.Remaining(after, s.Done-s.Start, 1-s.Done)
}

func (s *cubeStatistics) Fields(after time.Duration) []string {
	return []string{
		fmt.Sprintf("%.2f%% done", 100*s.Done),
		s.remainingTime(after) + " left",
		fmt.Sprintf("%s refuted", cli.Count(s.Known+s.Refuted, "cube")),
		fmt.Sprintf("%d open", s.Open+s.Running),
		fmt.Sprintf("%d split", s.Splits),
		fmt.Sprintf("%s (%.0f/s)", cli.Count(s.Conflicts, "conflict"), cli.PerSecond(s.Conflicts, after)),
	}
}

func (s *cubeStatistics) Header() string {
	return strings.TrimRight(`
     time memory    done  refuted  spared   split    open conflicts      left
        s     MB       %`, " ")
}

func (s *cubeStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %6.0f %7.3f %8d %7d %7d %7d %9d %9s", after.Seconds(), cli.Megabytes(cli.Memory()),
		100*s.Done, s.Known+s.Refuted, s.Spared, s.Splits, s.Open+s.Running, s.Conflicts, s.remainingTime(after))
}
