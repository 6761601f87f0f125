package engines

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// learningFlags returns the flags of clause learning: the flags of the engine
// cdcl and of portfolios.
func learningFlags() []cli.Flag {
	return append(CDCLFlags(),
		&cli.IntFlag{Name: "threads", Category: cli.EngineFlags, Value: 1, Usage: "run up to `N` cdcl solvers that share clauses"},
		&cli.BoolFlag{Name: "deterministic", Category: cli.EngineFlags, Usage: "with --threads: share in lockstep; runs are the same on every machine"},
		&cli.BoolFlag{Name: "no-sharing", Category: cli.EngineFlags, Usage: "with --threads: do not share learned clauses"},
	)
}

// readLearning reads the flags of clause learning.
func readLearning(c *cli.Context) (Setup, error) {
	one, err := ReadCDCL(c)
	if err != nil {
		return nil, err
	}
	n, given := c.Int("threads"), cli.GivenFlags(c)
	switch {
	case n < 1 || n > portfolio.MaxThreads:
		return nil, cli.Invalid("threads", n, "1 to %d", portfolio.MaxThreads)
	case n > 1:
		u := &raceSetup{one, n, portfolio.Options{
			Threads:       n,
			Deterministic: c.Bool("deterministic"),
			Alone:         c.Bool("no-sharing"),
			IsSet:         func(knob string) bool { return slices.Contains(given, knob) },
		}}
		if !u.race.Deterministic {
			u.race.Threads = min(n, runtime.GOMAXPROCS(0))
		}
		return u, nil
	}
	for _, name := range []string{"deterministic", "no-sharing"} {
		if c.Bool(name) {
			return nil, cli.Useless(name, "threads")
		}
	}
	return one, nil
}

// A raceSetup is a portfolio of cdcl solvers. It has at most one solver per processor: further
// ones would take turns with the others, and make their caches miss. On two processors,
// races of four solvers took up to five times as long as one solver. A deterministic race has
// all, since it is the same on every machine.
type raceSetup struct {
	*CDCLSetup
	wanted int // number of solvers that the command line asks for
	race   portfolio.Options
}

// Choose chooses the portfolio, and gives the number of solvers as the reason.
func (u *raceSetup) Choose(*formula.Input) (Choice, error) {
	n := cli.Count(u.race.Threads, "thread")
	if u.race.Threads < u.wanted {
		n += fmt.Sprintf(" of %d, one per processor", u.wanted)
	}
	return Choice{"cdcl", n, u}, nil
}

func (u *raceSetup) List() Properties {
	return append(Properties{
		{"threads", u.wanted},
		{"deterministic", u.race.Deterministic},
		{"sharing", !u.race.Alone},
	}, u.CDCLSetup.List()...)
}

func (u *raceSetup) Footprint(vars, clauses, literals int) int64 {
	return portfolio.Footprint(u.race.Threads, vars, clauses, literals)
}

func (u *raceSetup) Start(w Hooks) Solver {
	o := u.race
	o.Solver = u.Options
	o.Solver.Proof, o.Solver.OneShot, o.Solver.Memory = w.Proof, w.Once, w.Memory
	s := &raceSolver{last: raceStatistics{threads: make([]cdcl.Stats, o.Threads), winner: -1}}
	if w.Progress != nil {
		o.Progress = func(i int, e cdcl.Event, st cdcl.Stats) {
			s.last.threads[i], s.last.reporter = st, i
			w.Progress(rune(e), s.last.clone())
		}
	}
	if w.Activity != nil {
		o.Activity = func(i int) func(string) { return w.Activity(fmt.Sprintf("cdcl, solver %d", i+1)) }
	}
	if w.Record != nil {
		recordRace(&o, w.Record, w.First)
	}
	s.Race = portfolio.NewRace(o)
	s.last.names = s.Names()
	return s
}

// recordRace records the solvers of a race, besides the callbacks of o. Their indices in r
// begin with first.
func recordRace(o *portfolio.Options, r *record.Recorder, first int) {
	progress, activity := o.Progress, o.Activity
	o.Observer = func(i int) cdcl.Observer { return r.Observer(first + i) }
	o.Progress = func(i int, e cdcl.Event, st cdcl.Stats) {
		r.Progress(first+i, e, st)
		if progress != nil {
			progress(i, e, st)
		}
	}
	o.Activity = func(i int) func(string) {
		next := func(string) {}
		if activity != nil {
			next = activity(i)
		}
		return func(name string) { r.Activity(first+i, name); next(name) }
	}
}

// A raceSolver is a portfolio as a [Solver].
type raceSolver struct {
	*portfolio.Race
	last raceStatistics // collected from the progress hooks
}

func (s *raceSolver) Limit(conflicts int64) { s.SetLimits(cdcl.Limits{Conflicts: conflicts}) }

func (s *raceSolver) Load(ctx context.Context, f *dimacs.Formula, vars, from, to int) bool {
	if from == 0 {
		s.Grow(vars)
		s.Reserve(f.Len(), f.Size())
	}
	return from == to || s.Race.Load(ctx, f, from, to)
}

func (s *raceSolver) Statistics() Statistics {
	return &raceStatistics{threads: s.Stats(), names: s.Names(), winner: s.Winner(), stopping: s.Stopping()}
}

// raceStatistics are the statistics of the solvers of a portfolio.
type raceStatistics struct {
	threads  []cdcl.Stats
	names    []string // names of the configurations
	winner   int      // index of the solver with the answer, or -1
	reporter int      // index of the solver that reported last

	stopping time.Duration // time to stop the other solvers after the answer
}

func (s raceStatistics) clone() *raceStatistics {
	s.threads = slices.Clone(s.threads)
	return &s
}

// sum returns the sums of the counters. Fields that describe a state are copied from the
// solver with the answer, or from the first solver.
func (s *raceStatistics) sum() cdcl.Stats {
	all := s.threads[max(s.winner, 0)]
	to := reflect.ValueOf(&all).Elem()
	for i := range s.threads {
		if i == max(s.winner, 0) {
			continue
		}
		from := reflect.ValueOf(&s.threads[i]).Elem()
		for k := range to.NumField() {
			if to.Field(k).Kind() == reflect.Int64 {
				to.Field(k).SetInt(to.Field(k).Int() + from.Field(k).Int())
			}
		}
	}
	return all
}

// List returns the sums and, for each solver, the counters that differ.
func (s *raceStatistics) List() Properties {
	winner := "none"
	if s.winner >= 0 {
		winner = fmt.Sprintf("%d, %s", s.winner+1, s.names[s.winner])
	}
	ps := Properties{{"threads", len(s.threads)}, {"winner", winner}, {"stopping_seconds", s.stopping.Seconds()}}
	sum := s.sum()
	ps = append(ps, (&CDCLStatistics{sum}).List()...)
	for i := range s.threads {
		t := &s.threads[i]
		ps = append(ps, Property{fmt.Sprintf("thread_%d", i+1), s.names[i]})
		for _, p := range []Property{
			{"conflicts", t.Conflicts},
			{"propagations", t.Propagations},
			{"ticks", t.Ticks},
			{"restarts", t.Restarts},
			{"learned", t.Learned},
			{"imported", t.Imported},
			{"imports_rejected", t.ImportsRejected},
			{"imported_used", t.ImportedUsed},
			{"fixed", t.Fixed},
			{"removed", t.Removed},
			{"bytes", t.Bytes},
		} {
			ps = append(ps, Property{fmt.Sprintf("thread_%d_%s", i+1, p.Name), p.Value})
		}
	}
	return ps
}

func (s *raceStatistics) Work() (conflicts, propagations int64) {
	for i := range s.threads {
		conflicts += s.threads[i].Conflicts
		propagations += s.threads[i].Propagations
	}
	return conflicts, propagations
}

func (s *raceStatistics) Fields(after time.Duration) []string {
	sum := s.sum()
	return append([]string{cli.Count(len(s.threads), "thread")}, (&CDCLStatistics{sum}).Fields(after)...)
}

// raceHeader is the header of the engine cdcl with one more column.
var raceHeader = func() string {
	names, units, _ := strings.Cut(strings.TrimPrefix((&CDCLStatistics{}).Header(), "\n"), "\n")
	return names + "  thread\n" + units
}()

func (s *raceStatistics) Header() string { return "\n" + raceHeader }

// Line returns the line of the solver that reported last.
func (s *raceStatistics) Line(after time.Duration) string {
	return (&CDCLStatistics{s.threads[s.reporter]}).Line(after) + fmt.Sprintf(" %7d", s.reporter+1)
}
