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

// TestCheckAnswerStopped checks models before and after a signal: a wrong model is an
// internal error, and a model that a signal leaves unchecked is no answer.
func TestCheckAnswerStopped(t *testing.T) {
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
		v := &answer.Verifier{
			Report: &answer.Report{Run: &cli.Run{Signals: tt.signals}},
			Input:  &formula.Input{Formula: f},
			Result: &answer.Result{Status: dimacs.Satisfiable, Model: tt.model},
		}
		err := v.CheckAnswer(1, nil)
		if internal := (*cli.InternalError)(nil); errors.As(err, &internal) != tt.wrong || err == nil == tt.wrong {
			t.Errorf("model %v: error %v", tt.model, err)
		}
		if v.Result.Status != tt.status || (v.Result.Model == nil) != (tt.status == dimacs.Unknown) {
			t.Errorf("status %v with model %v, want %v", v.Result.Status, v.Result.Model, tt.status)
		}
	}
}
