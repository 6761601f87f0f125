package answer

import (
	"slices"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dimacs"
)

// options returns the options that affect the answer.
func (r *Report) options() engines.Properties {
	o := r.Options
	ps := engines.Properties{{Name: "engine", Value: o.Engine.Name}, {Name: "seed", Value: o.Seed}}
	return slices.Concat(ps, r.commonOptions(), o.Setup.List())
}

// commonOptions returns the options that are not of an engine, except its name and the seed.
func (r *Report) commonOptions() engines.Properties {
	o := r.Options
	ps := engines.Properties{
		{Name: "time", Value: r.Time.Seconds()},
		{Name: "conflicts", Value: o.Conflicts},
		{Name: "memory", Value: r.Flags.Int64("memory")},
		{Name: "assume", Value: Ints(o.Assume)},
		{Name: "relaxed", Value: o.Relaxed},
		{Name: "verify", Value: o.Verify},
	}
	if o.HasProof {
		ps = append(ps, engines.Property{Name: "proof", Value: o.Proof}, engines.Property{Name: "proof_format", Value: o.ProofFormat.String()})
	}
	return ps
}

// statistics returns the values that --stats prints: the statistics of the engine,
// the times in seconds, and the memory at the end in MB.
func (got *Result) statistics() engines.Properties {
	ps := got.engineStatistics()
	if got.Stats != nil {
		conflicts, propagations := got.Stats.Work()
		ps = append(ps, engines.Property{Name: "conflicts_per_second", Value: cli.PerSecond(conflicts, got.Solve)},
			engines.Property{Name: "propagations_per_second", Value: cli.PerSecond(propagations, got.Solve)})
	}
	t := got.times()
	return append(ps, engines.Property{Name: "read_seconds", Value: t.Read}, engines.Property{Name: "solve_seconds", Value: t.Solve},
		engines.Property{Name: "total_seconds", Value: t.Total}, engines.Property{Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())})
}

// engineStatistics returns the statistics of the engine, or nil if there was no search.
func (got *Result) engineStatistics() engines.Properties {
	if got.Stats == nil {
		return nil
	}
	return got.Stats.List()
}

// times are the durations of the phases, in seconds. Solving includes adding the
// clauses and checking the answer.
type times struct {
	Read  float64 `json:"read"`
	Solve float64 `json:"solve"`
	Total float64 `json:"total"`
}

func (got *Result) times() times {
	read := got.Total
	if got.Input != nil {
		read = got.Input.Took
	}
	return times{read.Seconds(), got.Solve.Seconds(), got.Total.Seconds()}
}

// A document is the output of --json; the help text of solve describes it.
type document struct {
	Version    string             `json:"version"`
	Status     string             `json:"status"`
	Reason     string             `json:"reason,omitempty"`
	Model      []int              `json:"model,omitzero"`
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

func (r *Report) document(got *Result) *document {
	d := &document{
		Version:    cli.Version(),
		Status:     got.Status.String(),
		Reason:     got.Reason,
		Files:      r.Options.Files,
		Engine:     r.Options.Chosen.Name,
		Options:    r.options(),
		Times:      got.times(),
		Memory:     cli.Memory(),
		Statistics: got.engineStatistics(),
	}
	if got.Input != nil {
		d.Variables, d.Clauses = got.Input.Formula.Vars(), got.Input.Formula.Len()
	}
	if got.Model != nil && !r.Options.NoModel {
		d.Model = Ints(got.Input.Complete(got.Model).Lits())
	}
	if got.Status == dimacs.Unsatisfiable && len(r.Options.Assume) > 0 {
		d.Failed = Ints(got.Failed)
	}
	if r.Options.Verify {
		d.Verified = &got.Verified
	}
	for i, s := range got.Cubes {
		d.Cubes = append(d.Cubes, cubeDoc{i + 1, s.String()})
	}
	return d
}

// Ints returns literals as DIMACS integers.
func Ints(ls []dimacs.Lit) []int {
	ns := make([]int, len(ls))
	for i, l := range ls {
		ns[i] = l.Int()
	}
	return ns
}
