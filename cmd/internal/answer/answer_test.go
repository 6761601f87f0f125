package answer_test

import (
	"context"
	"errors"
	"testing"

	"sator/cmd/internal/answer"
	"sator/cmd/internal/cli"
	"sator/cmd/internal/formula"
	"sator/dimacs"
)

// TestCheckStopped checks models before and after a signal: a wrong model is an
// internal error, and a model that a signal leaves unchecked is no answer.
func TestCheckStopped(t *testing.T) {
	f := dimacs.NewFormula(1)
	f.AddInts(1)
	signaled, cancel := context.WithCancelCause(t.Context())
	cancel(&cli.StoppedError{Why: "signal: interrupt"})
	for _, tt := range []struct {
		signals context.Context
		model   dimacs.Model
		status  dimacs.Status
		wrong   bool
	}{
		{t.Context(), dimacs.Model{dimacs.True}, dimacs.Satisfiable, false},
		{t.Context(), dimacs.Model{dimacs.False}, dimacs.Satisfiable, true},
		{signaled, dimacs.Model{dimacs.True}, dimacs.Unknown, false},
	} {
		run := &cli.Run{Env: new(cli.Env), Ctx: tt.signals, Signals: tt.signals, Progress: new(cli.Progress)}
		j := answer.NewJob(run, new(answer.Options))
		j.Input, j.Status, j.Model = &formula.Input{Formula: f}, dimacs.Satisfiable, tt.model
		j.DoAlways("check", j.Check)
		if internal := (*cli.InternalError)(nil); errors.As(j.Err(), &internal) != tt.wrong {
			t.Errorf("model %v: error %v", tt.model, j.Err())
		}
		if stopped := tt.status == dimacs.Unknown; (j.Why() != "") != stopped {
			t.Errorf("model %v: stopped by %q, want a stop: %v", tt.model, j.Why(), stopped)
		}
	}
}
