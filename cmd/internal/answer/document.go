package answer

import (
	"slices"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/record"
	"sator/dimacs"
)

// options returns the options that affect the answer.
func (j *Job) options() engines.Properties {
	o := j.Options
	ps := engines.Properties{{Name: "engine", Value: o.Engine.Name}, {Name: "seed", Value: o.Seed}}
	return slices.Concat(ps, j.commonOptions(), o.Choice.Setup.List())
}

// commonOptions returns the options of all engines, without the engine and the seed.
func (j *Job) commonOptions() engines.Properties {
	o := j.Options
	ps := engines.Properties{
		{Name: "time", Value: j.Time.Seconds()},
		{Name: "conflicts", Value: o.Conflicts},
		{Name: "memory", Value: j.Flags.Int64("memory")},
		{Name: "assume", Value: dimacs.Ints(o.Assume)},
		{Name: "relaxed", Value: o.Relaxed},
		{Name: "verify", Value: o.Verify == cli.VerifyAlways},
		{Name: "no_verify", Value: o.Verify == cli.VerifyNever},
	}
	if o.HasProof {
		ps = append(ps, engines.Property{Name: "proof", Value: o.Proof}, engines.Property{Name: "proof_format", Value: o.ProofFormat.String()})
	}
	return ps
}

// statistics returns the values that --stats prints: the statistics of the engine,
// the times in seconds, and the memory at the end in MB.
func (j *Job) statistics() engines.Properties {
	ps := j.engineStatistics()
	if j.Stats != nil {
		conflicts, propagations := j.Stats.Work()
		ps = append(ps, engines.Property{Name: "conflicts_per_second", Value: cli.PerSecond(conflicts, j.Took)},
			engines.Property{Name: "propagations_per_second", Value: cli.PerSecond(propagations, j.Took)})
	}
	t := j.times()
	return append(ps, engines.Property{Name: "read_seconds", Value: t.Read}, engines.Property{Name: "solve_seconds", Value: t.Solve}, engines.Property{Name: "check_seconds", Value: t.Check},
		engines.Property{Name: "total_seconds", Value: t.Total}, engines.Property{Name: "cpu_seconds", Value: cli.ProcessorTime().Seconds()}, engines.Property{Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())})
}

// engineStatistics returns the statistics of the engine, or nil if there was no search.
func (j *Job) engineStatistics() engines.Properties {
	if j.Stats == nil {
		return nil
	}
	return j.Stats.List()
}

// times are the durations of the phases, in seconds. Solving includes adding the
// clauses and checking the answer.
type times struct {
	Read  float64 `json:"read"`
	Solve float64 `json:"solve"`
	Check float64 `json:"check"` // of the refutation, beside the search or within it
	Total float64 `json:"total"`
}

func (j *Job) times() times {
	read := j.total
	if j.Input != nil {
		read = j.Input.Took
	}
	return times{read.Seconds(), j.Took.Seconds(), j.Evidence.Spent().Seconds(), j.total.Seconds()}
}

// A document is the output of --json; the help text of solve describes it.
type document struct {
	Version    string             `json:"version"`
	Status     string             `json:"status"`
	Reason     string             `json:"reason,omitempty"`
	Model      []int              `json:"model,omitzero"`
	Answer     []string           `json:"answer,omitempty"`
	Failed     []int              `json:"failed_assumptions,omitzero"`
	Cubes      []cubeDoc          `json:"cubes,omitzero"`
	Verified   *bool              `json:"verified,omitempty"`
	Files      []string           `json:"files"`
	Engine     string             `json:"engine"`
	Variables  int                `json:"variables"`
	Clauses    int                `json:"clauses"`
	Options    engines.Properties `json:"options"`
	Times      times              `json:"times"`
	Memory     int64              `json:"memory"`
	Statistics engines.Properties `json:"statistics"`
}

type cubeDoc struct {
	Number int    `json:"number"`
	Status string `json:"status"`
}

func (j *Job) document() *document {
	d := &document{
		Version:    cli.Version(),
		Status:     j.Status.String(),
		Files:      j.Options.Files,
		Engine:     j.Options.Choice.Engine,
		Options:    j.options(),
		Times:      j.times(),
		Memory:     cli.Memory(),
		Statistics: j.engineStatistics(),
	}
	if j.Status == dimacs.Unknown {
		d.Reason = j.Why()
	}
	if j.Input != nil {
		d.Variables, d.Clauses = j.Input.Formula.Vars(), j.Input.Formula.Len()
	}
	if j.Status == dimacs.Satisfiable && !j.Options.NoModel {
		d.Model = dimacs.Ints(j.Input.Complete(j.Model).Lits())
	}
	if j.Input != nil && j.Input.Source != nil && !j.Options.NoModel && (len(j.answer) > 0 || j.translate() == nil) {
		d.Answer = strings.Split(strings.TrimSuffix(string(j.answer), "\n"), "\n")
	}
	if j.Status == dimacs.Unsatisfiable && len(j.Options.Assume) > 0 {
		d.Failed = dimacs.Ints(j.Failed)
	}
	if j.Status == dimacs.Unsatisfiable {
		d.Verified = &j.verified
	}
	for i, s := range j.Cubes {
		d.Cubes = append(d.Cubes, cubeDoc{i + 1, s.String()})
	}
	return d
}

// CreateRecord creates the file of a recording. Its first and last lines describe the job.
func (j *Job) CreateRecord(name string) (*engines.RecordFile, error) {
	f, err := engines.CreateRecord(j.Run, name)
	if err != nil {
		return nil, err
	}
	f.Last = func() (engines.RecordedRun, record.End, engines.Statistics) {
		l := record.End{Status: j.Status.String()}
		if j.Status == dimacs.Unknown {
			l.Reason = j.Why()
		}
		if p := j.Proof; p != nil {
			l.Proof = &record.ProofSize{Bytes: p.Bytes, Format: p.Format}
		}
		return j.RecordedRun(), l, j.Stats
	}
	return f, nil
}

// RecordedRun returns what the first line of a recording says about the run.
func (j *Job) RecordedRun() engines.RecordedRun {
	o := j.Options
	return engines.RecordedRun{Files: o.Files, Choice: o.Choice, Seed: o.Seed, Others: j.commonOptions()}
}
