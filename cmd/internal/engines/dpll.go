package engines

import (
	"context"
	"fmt"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dpll"
)

// dpllFlags are the options of the classic engine.
func dpllFlags() []cli.Flag {
	return append(cli.ClassicFlags(),
		&cli.StringFlag{Name: "trace", Category: cli.DpllOptions, Usage: "write the steps of the search to `FILE` as JSON lines, compressed if it ends with .gz, .xz or .zst"})
}

// A DPLLSetup is the classic engine with its options.
type DPLLSetup struct {
	options dpll.Options
	trace   string // the file, empty for none
}

func readDPLL(c *cli.Context) (Setup, error) {
	o, err := cli.ClassicOptionsOf(c)
	if err != nil {
		return nil, err
	}
	return &DPLLSetup{o, c.String("trace")}, nil
}

func (u *DPLLSetup) List() Properties {
	ps := Properties{{"heuristic", u.options.Heuristic}, {"mom_k", u.options.MomK}, {"pure", u.options.Pure.String()}}
	if u.trace != "" {
		ps = append(ps, Property{"trace", u.trace})
	}
	return ps
}

func (u *DPLLSetup) Footprint(vars, clauses, literals int) int64 {
	return dpll.Footprint(vars, clauses, literals)
}

func (u *DPLLSetup) Start(w Hooks) Solver {
	s := &dpllSolver{wires: w}
	o := u.options
	o.Proof = w.Proof
	if w.Trace != nil {
		o.Trace = dpll.NewJSONTracer(w.Trace).Event
	}
	if w.Progress != nil {
		o.Progress = s.note
	}
	s.Solver = dpll.New(o)
	return s
}

// A dpllSolver is the engine as the program sees it.
type dpllSolver struct {
	*dpll.Solver
	wires Hooks
	said  time.Time // when a report line was due
}

func (s *dpllSolver) Limit(conflicts int64)  { s.SetLimits(dpll.Limits{Conflicts: conflicts}) }
func (s *dpllSolver) Statistics() Statistics { return &DPLLStatistics{s.Stats()} }

// Solve reports the beginning and the end, which the engine does not tell apart
// from what is between.
func (s *dpllSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.said = time.Now()
	return s.wires.around(s, func() dimacs.Status { return s.Solver.Solve(ctx, assumptions...) })
}

// reportInterval is how often a report line is due in the middle of a search
// that has no events worth one.
const reportInterval = time.Second

// note is what the engine calls, for the status line, and now and then for a
// report line.
func (s *dpllSolver) note(st dpll.Stats) {
	if time.Since(s.said) >= reportInterval {
		s.said = time.Now()
		s.wires.event('.', s)
		return
	}
	s.wires.Progress(cli.NoLine, &DPLLStatistics{st})
}

type DPLLStatistics struct{ dpll.Stats }

func (s *DPLLStatistics) List() Properties { return FieldsOf(&s.Stats) }

func (s *DPLLStatistics) Work() (conflicts, propagations int64) { return s.Conflicts, s.Propagations }

func (s *DPLLStatistics) Fields(after time.Duration) []string {
	return []string{
		fmt.Sprintf("%d nodes (%.0f/s)", s.Nodes, cli.PerSecond(s.Nodes, after)),
		fmt.Sprintf("%d conflicts", s.Conflicts),
		fmt.Sprintf("depth %d", s.Depth),
	}
}

func (s *DPLLStatistics) Header() string {
	return `
     time   memory      nodes      rate  conflicts  backtracks   depth propagations         pure
        s       MB              per s`
}

func (s *DPLLStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %8.0f %10d %9.0f %10d %11d %7d %12d %12d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Nodes, cli.PerSecond(s.Nodes, after), s.Conflicts, s.Backtracks, s.Depth, s.Propagations, s.Pure)
}
