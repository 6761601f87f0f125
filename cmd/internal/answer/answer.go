// Package answer is the common part of commands that decide a formula: solve and conquer of
// sator, and serve of sator-grid. It has their flags, the check of an answer before it is
// printed, and the printed answer, as lines or as a JSON document.
//
//	j := answer.NewJob(r, options)
//	j.Start(legend, j.CreateProof)
//	j.Do("read", j.Read)
//	j.Do("solve", search) // sets j.Evidence, j.Status and j.Model
//	j.DoAlways("check", j.Check)
//	return j.End()
//
// # Files
//
//   - answer.go: jobs, their results and checks.
//   - flags.go: flags and options.
//   - report.go: comments and the answer; document.go: --stats, --json and --record.
//   - cubes.go: the flags and the statistics of cube and conquer.
package answer

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// A Job is a run of a command that decides a formula, with its result.
type Job struct {
	*cli.Run
	Options  *Options
	Input    *formula.Input // nil if reading did not finish
	Proof    *cli.ProofFile // nil without --proof
	Evidence cli.Evidence

	Status   dimacs.Status
	Model    dimacs.Model       // if satisfiable, over the variables of the solver
	Failed   []dimacs.Lit       // failed assumptions, if unsatisfiable under assumptions
	Cubes    []dimacs.Status    // answers of the cubes of a script
	Stats    engines.Statistics // nil if there was no search
	Took     time.Duration      // time of the search, see Timed
	Assumed  []dimacs.Lit       // the assumptions of the answer
	answer   []byte             // in the format of the source, see translate
	verified bool               // the checker confirmed the refutation
	total    time.Duration
}

// NewJob returns a job with an unknown result.
func NewJob(r *cli.Run, o *Options) *Job { return &Job{Run: r, Options: o} }

// Start creates the outputs of a job, and prints its header with the legend of report lines,
// even if a signal or a limit stops the run before.
func (j *Job) Start(legend []string, create func() error) {
	j.DoAlways(cli.NoPhase, func(context.Context) error { return create() })
	j.DoAlways(cli.NoPhase, func(context.Context) error { j.header(legend); return nil })
}

// CreateProof creates the file of --proof.
func (j *Job) CreateProof() (err error) {
	j.Proof, err = j.Run.CreateProof(j.Options.ProofOptions)
	return err
}

// Read reads the formula.
func (j *Job) Read(ctx context.Context) error {
	r := formula.NewReader(j.Run)
	r.Unroll = j.Options.Unroll
	in, err := r.Formula(ctx, j.Options.Files...)
	if err != nil {
		return err
	}
	if j.Flags.Bool("names") || in.Names != nil {
		if j.Options.Assume, err = in.Literals("assume", j.Flags.StringSlice("assume")); err != nil {
			return err
		}
	}
	if err := j.checkFlags(in); err != nil {
		return err
	}
	j.Input, j.Assumed = in, j.Options.Assume
	j.printInput()
	return nil
}

// checkFlags returns an error for flags that the input has no use for.
func (j *Job) checkFlags(in *formula.Input) error {
	switch {
	case j.Flags.IsSet("bound") && in.Circuit == nil:
		return cli.Usagef("--bound is for circuits (AIGER), and the input is none")
	case in.Circuit != nil && len(j.Options.Assume) > 0:
		return cli.Usagef("--assume is for formulas, and the input is a circuit")
	}
	return in.CheckAssumptions(j.Options.Assume)
}

// Timed returns a function that calls search and stores its time in j.Took.
func (j *Job) Timed(search func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		begin := time.Now()
		defer func() { j.Took = time.Since(begin) }()
		return search(ctx)
	}
}

// Confirm checks the refutation of the formula under assumptions, unless
// --no-verify is given. It returns the cause of ctx if ctx ends first. [Job.Check] returns the error of a
// wrong refutation.
func (j *Job) Confirm(ctx context.Context, assumptions []dimacs.Lit) error {
	if !j.Evidence.Requested() {
		return nil
	}
	j.Progress.Checking()
	return j.Evidence.Confirm(ctx, j.Input.Formula, assumptions)
}

// Check is the phase after the search. It returns an internal error if the model falsifies a
// clause of the formula as read or an assumption, or if the checker rejected the derivation.
// It runs after a limit of time too, since it is short.
func (j *Job) Check(ctx context.Context) error {
	if err := j.Evidence.Err(); err != nil || j.Err() != nil {
		return err
	}
	j.verified = j.Evidence.Requested() && j.Evidence.Unchecked == "" && j.Status == dimacs.Unsatisfiable
	if j.Status != dimacs.Satisfiable {
		return nil
	}
	for _, l := range j.Assumed {
		if j.Model.Lit(l) != dimacs.True {
			return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy the assumption %v", l)}
		}
	}
	j.Model = append(dimacs.Model{}, j.Model[:min(len(j.Model), j.Input.Formula.Vars())]...) // not nil, even if empty
	_, err := cli.Await(ctx, func() (none struct{}, err error) {
		return none, cmp.Or(CheckModel(j.Model, j.Input.Formula), j.translate())
	})
	return err
}

// translate stores the answer in the format of the source, if the formula has one.
func (j *Job) translate() (err error) {
	if j.Input == nil || j.Input.Source == nil {
		return nil
	}
	var m dimacs.Model
	if j.Status == dimacs.Satisfiable {
		m = j.Input.Complete(j.Model)
	}
	if j.answer, err = j.Input.Source.Answer(nil, j.Status, m); err != nil {
		return &cli.InternalError{Msg: err.Error()}
	}
	return nil
}

// CheckModel returns an internal error if a model falsifies a clause of a formula.
func CheckModel(m dimacs.Model, f *dimacs.Formula) error {
	if i := m.Falsified(f); i >= 0 {
		return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy clause %d, %s", i+1, formula.ClauseText(f.Clause(i)))}
	}
	return nil
}

// End completes the outputs, prints the result and returns its exit code. A job that was
// stopped has no answer.
func (j *Job) End() error {
	if j.Err() != nil {
		j.Status, j.Model = dimacs.Unknown, nil
	}
	return j.Finish(func() error {
		j.total = time.Since(j.Begin)
		return Exit(j.Status, j.printResult())
	})
}

// Exit returns err, or else the exit code of a status. An unknown status is success.
func Exit(status dimacs.Status, err error) error {
	if err != nil || status == dimacs.Unknown {
		return err
	}
	return cli.ExitCode(status)
}
