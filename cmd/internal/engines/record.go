package engines

import (
	"context"
	"reflect"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/classic"
	"sator/dpll/portfolio"
	"sator/internal/record"
)

// A RecordFile is the file of --record. A nil RecordFile records nothing.
//
// The first line has the names of the solvers, so it is written when the engine is known,
// or at the end if the run is stopped before.
type RecordFile struct {
	*cli.OutputFile
	recorder *record.Recorder
	counters *cli.Counters
	run      *record.Run // the first line, nil after it was written
}

// StartRecord creates the file of a recording. For an empty name it returns nil.
func StartRecord(r *cli.Run, parent context.Context, name string) (context.Context, *RecordFile, error) {
	ctx, out, err := r.StartOutput(parent, "recording", name)
	if out == nil || err != nil {
		return parent, nil, err
	}
	f := &RecordFile{OutputFile: out, counters: cli.OpenCounters()}
	f.recorder = record.NewRecorder(out, record.Meter{Now: func() time.Duration { return time.Since(r.Begin) }, Read: f.usage})
	f.run = &record.Run{
		Sator:    cli.Version(),
		Command:  r.Arguments(),
		Start:    r.Begin.Format(time.RFC3339Nano),
		Machine:  record.ThisMachine(),
		Counters: f.counters.Absent(),
	}
	f.run.Machine.Memory = r.Memory.Limit()
	return ctx, f, nil
}

func (f *RecordFile) usage() record.Usage {
	u := cli.ReadUsage()
	return record.Usage{CPU: u.Processor, Heap: cli.Heap(), Resident: u.Resident, PeakResident: u.PeakResident, Counters: f.counters.Read()}
}

// A RecordedRun is what the first line says about a run.
type RecordedRun struct {
	Files  []string
	Engine string
	Why    string // reason of the choice of the engine
	Seed   uint64
	Setup  Setup
	Others Properties // options that are not of the engine; those that are zero are left out
}

// Phase begins an activity of the command.
func (f *RecordFile) Phase(name string) {
	if f != nil {
		f.recorder.Phase(name)
	}
}

// Begin writes the first line.
func (f *RecordFile) Begin(d RecordedRun) {
	if f == nil || f.run == nil {
		return
	}
	l := f.run
	f.run = nil
	l.Files, l.Engine, l.Why, l.Seed, l.Solvers = d.Files, d.Engine, d.Why, d.Seed, solverNames(d.Setup)
	l.Options = map[string]any{}
	for _, p := range changed(d.Setup) {
		l.Options[p.Name] = p.Value
	}
	for _, p := range d.Others {
		if v := reflect.ValueOf(p.Value); v.IsValid() && !v.IsZero() && !(v.Kind() == reflect.Slice && v.Len() == 0) {
			l.Options[p.Name] = p.Value
		}
	}
	f.recorder.Run(l)
}

// Formula writes the description of the formula, which takes linear time. If ctx ends
// before, it writes nothing.
func (f *RecordFile) Formula(ctx context.Context, formula *dimacs.Formula) {
	if f == nil {
		return
	}
	l, err := cli.Await(ctx, func() (*record.Formula, error) {
		l := record.Describe(formula)
		l.Hash = portfolio.Checksum(formula)
		return l, nil
	})
	if err == nil {
		f.recorder.Formula(l)
	}
}

// Hook sets the recorder of hooks.
func (f *RecordFile) Hook(w *Hooks) {
	if f != nil {
		w.Record = f.recorder
	}
}

// End writes the last line and completes the file, as OutputFile.Close does. The run d is
// for the first line, if Begin was not called. The statistics may be nil.
func (f *RecordFile) End(d RecordedRun, l record.End, st Statistics) error {
	if f == nil {
		return nil
	}
	f.Begin(d)
	l.Stats = []map[string]any{}
	if st != nil {
		l.Stats, l.Winner = recordedStatistics(st)
	}
	f.recorder.End(&l)
	f.counters.Close()
	return f.OutputFile.Close()
}

func (f *RecordFile) Abort() {
	if f != nil {
		f.counters.Close()
		f.OutputFile.Abort()
	}
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
		defaults = &CDCLSetup{cdcl.DefaultOptions()}
	case *raceSetup:
		defaults = &raceSetup{CDCLSetup: &CDCLSetup{cdcl.DefaultOptions()}}
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
