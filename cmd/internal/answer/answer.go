// Package answer is the common part of commands that decide a formula: solve, conquer
// and simplify of sator, and serve of sator-grid. It has their flags, the check of an
// answer before it is printed, and the printed answer, as lines or as a JSON document.
//
//	r := &answer.Report{run, o}
//	ctx, file, err := r.StartProof(r.Ctx, o.ProofOptions)
//	...
//	r.Header(nil, legend)
//	v := &answer.Verifier{Report: r, Result: &answer.Result{Proof: file}}
//	err = v.Decide(ctx, search) // search sets v.Result.Status and v.Result.Model
//	...
//	return r.Finish(v.Result)
//
// # Files
//
//   - answer.go: results and their checks.
//   - decide.go: a run on one formula, from reading it to the checked answer.
//   - flags.go: flags and options.
//   - report.go: comments and the answer; document.go: --stats and --json; record.go:
//     --record.
//   - cubes.go: the flags and the statistics of cube and conquer.
package answer

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// A Result is an answer with its evidence and its times.
type Result struct {
	Status dimacs.Status
	Reason string          // why the status is unknown
	Model  dimacs.Model    // if satisfiable, over the variables of the solver
	Failed []dimacs.Lit    // failed assumptions, if unsatisfiable under assumptions
	Cubes  []dimacs.Status // answers of the cubes of a script

	Proof    *cli.ProofFile      // nil without --proof
	Trace    *engines.TraceFile  // nil without --trace
	Record   *engines.RecordFile // nil without --record
	Verified bool                // the checker confirmed the refutation

	Input *formula.Input     // nil if reading did not finish
	Stats engines.Statistics // nil if there was no search
	Solve time.Duration
	Total time.Duration
}

// A Verifier checks the result of a run on a formula.
type Verifier struct {
	cli.Evidence
	*Report
	Input  *formula.Input
	Result *Result
}

// CheckRefutation checks the refutation of the first clauses of the formula under
// assumptions. [Verifier.CheckAnswer] returns the error of a wrong refutation. The status
// becomes unknown if ctx ends first.
func (v *Verifier) CheckRefutation(ctx context.Context, clauses int, assumptions []dimacs.Lit) {
	if v.Verifying() {
		v.Progress.Checking()
	}
	if err := v.Refuted(ctx, v.Input.Formula, clauses, assumptions); err != nil {
		v.Result.Status = dimacs.Unknown
	}
}

// CheckAnswer returns an internal error if the model falsifies one of the first clauses
// of the formula as read or an assumption, or if the checker rejected the derivation. The
// status becomes unknown if a signal comes before the model is checked. The limit of time
// does not end the check, which is short.
func (v *Verifier) CheckAnswer(clauses int, assumptions []dimacs.Lit) error {
	if err := v.Verify(); err != nil {
		return err
	}
	v.Result.Verified = v.Verifying() && v.Result.Status == dimacs.Unsatisfiable
	if v.Result.Status != dimacs.Satisfiable {
		return nil
	}
	for _, l := range assumptions {
		if v.Result.Model.Lit(l) != dimacs.True {
			return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy the assumption %v", l)}
		}
	}
	model := v.Result.Model
	_, err := cli.Await(v.Signals, func() (none struct{}, err error) {
		return none, CheckClauses(model, v.Input.Formula, clauses)
	})
	if why, is := cli.Stopped(v.Signals); is && errors.Is(err, context.Cause(v.Signals)) {
		v.Result.Status, v.Result.Reason, v.Result.Model = dimacs.Unknown, why, nil
		return nil
	}
	return err
}

// CheckClauses returns an internal error if a model falsifies one of the first clauses of
// a formula.
func CheckClauses(m dimacs.Model, f *dimacs.Formula, clauses int) error {
	if i := m.Falsified(f); 0 <= i && i < clauses {
		return &cli.InternalError{Msg: fmt.Sprintf("the model does not satisfy clause %d, %s", i+1, formula.ClauseText(f.Clause(i)))}
	}
	return nil
}

// CatchTableLimit calls f. It returns the error with which an engine panics when it
// reaches the maximum size of its tables. If the memory limit refused a table, the run is
// ended and the error is the reason.
func CatchTableLimit(r *cli.Run, f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			panic(p)
		case *dimacs.MemoryError:
			err = r.Memory.Stop()
		case error:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}
