package engines

import (
	"context"
	"fmt"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
	"sator/dpll/classic"
)

// A DPLLSetup is the engine dpll with its options.
type DPLLSetup struct {
	options classic.Options
}

func readDPLL(c *cli.Context) (Setup, error) {
	o, err := cli.ClassicOptionsOf(c)
	if err != nil {
		return nil, err
	}
	return &DPLLSetup{o}, nil
}

func (u *DPLLSetup) List() Properties {
	return Properties{{"heuristic", u.options.Heuristic}, {"mom_k", u.options.MomK}, {"pure", u.options.Pure.String()}}
}

func (u *DPLLSetup) Footprint(vars, clauses, literals int) int64 {
	return classic.Footprint(vars, clauses, literals)
}

// Choose returns the setup itself.
func (u *DPLLSetup) Choose(*formula.Input) (Choice, error) { return Choice{"dpll", "", u}, nil }

func (u *DPLLSetup) Start(w Hooks) Solver {
	s := &dpllSolver{hooks: w}
	o := u.options
	o.Proof = w.Proof
	if w.Progress != nil {
		o.Progress = s.note
	}
	s.Solver = classic.New(o)
	return s
}

// A dpllSolver is the engine dpll as a [Solver].
type dpllSolver struct {
	*classic.Solver
	hooks    Hooks
	reported time.Time // time of the last report line
}

func (s *dpllSolver) Load(ctx context.Context, f *dimacs.Formula, vars, from, to int) bool {
	return Fill(ctx, s.Solver, f, vars, from, to)
}

func (s *dpllSolver) Limit(conflicts int64)  { s.SetLimits(classic.Limits{Conflicts: conflicts}) }
func (s *dpllSolver) Statistics() Statistics { return &DPLLStatistics{s.Stats()} }

// Solve calls the engine and reports the beginning and the end, since the engine
// reports all events alike.
func (s *dpllSolver) Solve(ctx context.Context, assumptions ...dimacs.Lit) dimacs.Status {
	s.reported = time.Now()
	return s.hooks.around("dpll", s, func() dimacs.Status { return s.Solver.Solve(ctx, assumptions...) })
}

// reportInterval is the time between two report lines. This search has no events to report.
const reportInterval = time.Second

// note is the progress hook of the engine. It updates the status line, and prints
// a report line after each reportInterval.
func (s *dpllSolver) note(st classic.Stats) {
	if time.Since(s.reported) >= reportInterval {
		s.reported = time.Now()
		s.hooks.event('.', s)
		return
	}
	s.hooks.Progress(cli.NoLine, &DPLLStatistics{st})
}

// DPLLStatistics are the statistics of the engine dpll.
type DPLLStatistics struct{ classic.Stats }

func (s *DPLLStatistics) List() Properties { return FieldsOf(&s.Stats) }

func (s *DPLLStatistics) Work() (conflicts, propagations int64) { return s.Conflicts, s.Propagations }

func (s *DPLLStatistics) Fields(after time.Duration) []string {
	return []string{
		fmt.Sprintf("%s (%.0f/s)", cli.Count(s.Nodes, "node"), cli.PerSecond(s.Nodes, after)),
		cli.Count(s.Conflicts, "conflict"),
		fmt.Sprintf("depth %d", s.Depth),
	}
}

func (s *DPLLStatistics) Header() string {
	return `
     time memory     nodes     rate conflicts  depth  propagations       pure
        s     MB              per s`
}

func (s *DPLLStatistics) Line(after time.Duration) string {
	return fmt.Sprintf("%7.2f %6.0f %9d %8.0f %9d %6d %13d %10d", after.Seconds(), cli.Megabytes(cli.Memory()),
		s.Nodes, cli.PerSecond(s.Nodes, after), s.Conflicts, s.Depth, s.Propagations, s.Pure)
}
