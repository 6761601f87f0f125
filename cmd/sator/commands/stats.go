package commands

import (
	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dimacs"
)

// options returns the options that affect the answer.
func (r *report) options() engines.Properties {
	o := r.o
	ps := engines.Properties{
		{Name: "engine", Value: o.engine.Name},
		{Name: "seed", Value: o.seed},
		{Name: "time", Value: r.Time.Seconds()},
		{Name: "conflicts", Value: o.conflicts},
		{Name: "memory", Value: r.Flags.Int64("memory")},
		{Name: "assume", Value: ints(o.assume)},
		{Name: "relaxed", Value: o.relaxed},
		{Name: "verify", Value: o.verify},
	}
	if o.HasProof {
		ps = append(ps, engines.Property{Name: "proof", Value: o.Proof}, engines.Property{Name: "proof_format", Value: o.ProofFormat.String()})
	}
	return append(ps, o.setup.List()...)
}

// statistics returns the values that --stats prints: the statistics of the engine,
// the times in seconds, and the memory at the end in MB.
func (got *result) statistics() engines.Properties {
	ps := got.engineStatistics()
	if got.stats != nil {
		conflicts, propagations := got.stats.Work()
		ps = append(ps, engines.Property{Name: "conflicts_per_second", Value: cli.PerSecond(conflicts, got.solve)},
			engines.Property{Name: "propagations_per_second", Value: cli.PerSecond(propagations, got.solve)})
	}
	t := got.times()
	return append(ps, engines.Property{Name: "read_seconds", Value: t.Read}, engines.Property{Name: "solve_seconds", Value: t.Solve},
		engines.Property{Name: "total_seconds", Value: t.Total}, engines.Property{Name: "memory_megabytes", Value: cli.Megabytes(cli.Memory())})
}

// engineStatistics returns the statistics of the engine, or nil if there was no search.
func (got *result) engineStatistics() engines.Properties {
	if got.stats == nil {
		return nil
	}
	return got.stats.List()
}

// times are the durations of the phases, in seconds. Solving includes adding the
// clauses and checking the answer.
type times struct {
	Read  float64 `json:"read"`
	Solve float64 `json:"solve"`
	Total float64 `json:"total"`
}

func (got *result) times() times {
	read := got.total
	if got.input != nil {
		read = got.input.Took
	}
	return times{read.Seconds(), got.solve.Seconds(), got.total.Seconds()}
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

func (r *report) document(got *result) *document {
	d := &document{
		Version:    cli.Version(),
		Status:     got.status.String(),
		Reason:     got.reason,
		Files:      r.o.files,
		Engine:     r.o.chosen.Name,
		Options:    r.options(),
		Times:      got.times(),
		Memory:     cli.Memory(),
		Statistics: got.engineStatistics(),
	}
	if got.input != nil {
		d.Variables, d.Clauses = got.input.Formula.Vars(), got.input.Formula.Len()
	}
	if got.model != nil && !r.o.noModel {
		d.Model = ints(got.input.Complete(got.model).Lits())
	}
	if got.status == dimacs.Unsatisfiable && len(r.o.assume) > 0 {
		d.Failed = ints(got.failed)
	}
	if r.o.verify {
		d.Verified = &got.verified
	}
	for i, s := range got.cubes {
		d.Cubes = append(d.Cubes, cubeDoc{i + 1, s.String()})
	}
	return d
}

func ints(ls []dimacs.Lit) []int {
	ns := make([]int, len(ls))
	for i, l := range ls {
		ns[i] = l.Int()
	}
	return ns
}
