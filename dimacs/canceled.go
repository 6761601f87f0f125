package dimacs

import (
	"context"
	"runtime"
)

// Canceled reports whether ctx is done. Loops that run for long poll it. In WebAssembly all
// goroutines share one thread, and a loop is not preempted, so that no timer and no other
// goroutine could end ctx; there Canceled lets other goroutines run first. Elsewhere it is
// a call of ctx.Err.
func Canceled(ctx context.Context) bool {
	if runtime.GOARCH == "wasm" {
		runtime.Gosched()
	}
	return ctx.Err() != nil
}
