package dimacs_test

import (
	"context"
	"testing"

	"sator/dimacs"
)

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if dimacs.Canceled(ctx) {
		t.Error("a context is canceled before its function is called")
	}
	cancel()
	if !dimacs.Canceled(ctx) {
		t.Error("a canceled context is not done")
	}
}
