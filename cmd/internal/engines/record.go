package engines

import (
	"context"
	"reflect"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/dpll/portfolio"
)

// A RecordFile is the file of --record.
//
// The first line has the names of the solvers, so it is written when the engine is known,
// or at the end if the run is stopped before.
type RecordFile struct {
	*cli.OutputFile
	*record.Recorder
	counters *cli.Counters
	run      *record.Run // the first line, nil after it was written

	// Last returns the contents of the last line, and of the first one if it was not written. The
	// statistics may be nil. Close calls it.
	Last func() (RecordedRun, record.End, Statistics)
}

// CreateRecord creates the file of a recording. It records the phases of the run.
func CreateRecord(r *cli.Run, name string) (*RecordFile, error) {
	out, err := r.CreateOutput("recording", name)
	if err != nil {
		return nil, err
	}
	f := &RecordFile{OutputFile: out, counters: cli.OpenCounters()}
	f.Recorder = record.NewRecorder(out, record.Meter{Now: func() time.Duration { return time.Since(r.Begin) }, Read: f.usage})
	f.run = &record.Run{
		Sator:    cli.Version(),
		Command:  r.Arguments(),
		Start:    r.Begin.Format(time.RFC3339Nano),
		Machine:  record.ThisMachine(),
		Counters: f.counters.Absent(),
	}
	f.run.Machine.Memory = r.Memory.Limit()
	r.Keep(f)
	r.OnPhase(func(name string) func() {
		f.Phase(name)
		return func() { f.Phase("") }
	})
	return f, nil
}

func (f *RecordFile) usage() record.Usage {
	u := cli.ReadUsage()
	return record.Usage{CPU: u.Processor, Heap: cli.Heap(), Resident: u.Resident, PeakResident: u.PeakResident, Counters: f.counters.Read()}
}

// A RecordedRun is the description of a run in the first line.
type RecordedRun struct {
	Files  []string
	Choice Choice
	Seed   uint64
	Others Properties // options that are not of the engine, without zero values
}

// Start writes the first line.
func (f *RecordFile) Start(d RecordedRun) {
	l := f.run
	if l == nil {
		return
	}
	f.run = nil
	l.Files, l.Engine, l.Why, l.Seed, l.Solvers = d.Files, d.Choice.Engine, d.Choice.Why, d.Seed, solverNames(d.Choice.Setup)
	l.Options = map[string]any{}
	for _, p := range changed(d.Choice.Setup) {
		l.Options[p.Name] = p.Value
	}
	for _, p := range d.Others {
		if v := reflect.ValueOf(p.Value); v.IsValid() && !v.IsZero() && !(v.Kind() == reflect.Slice && v.Len() == 0) {
			l.Options[p.Name] = p.Value
		}
	}
	f.Run(l)
}

// Describe writes the description of the formula, in linear time. If ctx ends before, it
// writes nothing.
func (f *RecordFile) Describe(ctx context.Context, formula *dimacs.Formula) {
	l, err := cli.Await(ctx, func() (*record.Formula, error) {
		l := record.Describe(formula)
		l.Hash = portfolio.Checksum(formula)
		return l, nil
	})
	if err == nil {
		f.Formula(l)
	}
}

// Close writes the last line and completes the file, as OutputFile.Close does.
func (f *RecordFile) Close() error {
	d, l, st := f.Last()
	f.Start(d)
	l.Stats = []map[string]any{}
	if st != nil {
		l.Stats, l.Winner = recordedStatistics(st)
	}
	f.End(&l)
	f.counters.Close()
	return f.OutputFile.Close()
}

func (f *RecordFile) Abort() {
	f.counters.Close()
	f.OutputFile.Abort()
}

// solverNames returns the names of the cdcl solvers of a setup.
func solverNames(u Setup) []string {
	switch u := u.(type) {
	case *CDCLSetup:
		return []string{"default"}
	case *raceSetup:
		o := u.race
		o.Solver = u.Options
		return o.Names()
	case *splitSetup:
		return u.names()
	}
	return []string{}
}

// changed returns the options of a setup that differ from their defaults.
func changed(u Setup) (ps Properties) {
	var defaults Setup
	switch v := u.(type) {
	case *CDCLSetup:
		defaults = &CDCLSetup{cdcl.Options{}}
	case *raceSetup:
		defaults = &raceSetup{CDCLSetup: &CDCLSetup{cdcl.Options{}}}
	case *splitSetup:
		return changed(v.inner)
	case *DPLLSetup:
		defaults = &DPLLSetup{options: classic.DefaultOptions()}
	case *autoSetup:
		return changed(v.Setup)
	case nil:
		return nil
	default:
		return u.List()
	}
	initial := map[string]any{}
	for _, p := range defaults.List() {
		initial[p.Name] = p.Value
	}
	for _, p := range u.List() {
		if d, known := initial[p.Name]; !known || d != p.Value {
			ps = append(ps, p)
		}
	}
	return ps
}

// recordedStatistics returns the statistics of each solver, and the solver with the answer of
// a race.
func recordedStatistics(st Statistics) (all []map[string]any, winner *int) {
	switch s := st.(type) {
	case *CDCLStatistics:
		return []map[string]any{record.Stats(&s.Stats)}, nil
	case *raceStatistics:
		for i := range s.threads {
			all = append(all, record.Stats(&s.threads[i]))
		}
		if s.winner >= 0 {
			winner = &s.winner
		}
		return all, winner
	case *splitStatistics:
		return s.recorded(), nil
	}
	m := map[string]any{}
	for _, p := range st.List() {
		m[p.Name] = number(p.Value)
	}
	return []map[string]any{m}, nil
}
