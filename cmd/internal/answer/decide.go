package answer

import (
	"context"
	"errors"
	"time"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// Decide reads the formula of the command line, calls search, and checks the answer.
//
// The function search sets the status, and the model or the reason, of the result. An
// error of search, or of the formula, ends the run without an answer, unless a limit or a
// signal ended ctx: then the status is unknown, with that reason.
func (v *Verifier) Decide(ctx context.Context, search func(context.Context) error) error {
	in, err := formula.NewReader(v.Run).Formula(ctx, v.Options.Files...)
	if why, is := cli.Stopped(ctx); is {
		v.Result.Reason = why
		return nil
	} else if err != nil {
		return err
	}
	v.Input, v.Result.Input = in, in
	v.PrintInput(in)
	if err := engines.CheckMemory(v.Run, in.Occurring(nil), in.Formula, v.Options.Setup); err != nil {
		v.Result.Reason = err.Error()
		return nil
	}
	begin := time.Now()
	err = search(ctx)
	if _, is := cli.Stopped(ctx); err != nil && !(is && errors.Is(err, context.Cause(ctx))) {
		return err
	}
	v.Result.Solve = time.Since(begin)
	if why, is := cli.Stopped(ctx); is && v.Result.Status == dimacs.Unknown {
		v.Result.Reason = why
	} else if ctx.Err() != nil && v.Result.Status == dimacs.Unknown {
		return context.Cause(ctx)
	}
	if v.Result.Status == dimacs.Satisfiable {
		v.Result.Model = in.Complete(v.Result.Model[:min(len(v.Result.Model), in.Formula.Vars())])
	}
	return v.CheckAnswer(in.Formula.Len(), nil)
}
