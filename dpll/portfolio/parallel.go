package portfolio

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// parallel calls f for 0 to n-1 concurrently, each in a goroutine of its own, and waits
// for all calls. If a call panics, parallel panics too, after it has called stop to end
// the other calls.
func parallel(n int, stop context.CancelFunc, f func(i int)) {
	var group sync.WaitGroup
	panics := make([]any, n)
	for i := range n {
		group.Go(func() {
			defer func() { panics[i] = recovered(recover()) }()
			defer stopIfPanicking(stop)
			f(i)
		})
	}
	group.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// recovered returns the value for the panic of the waiting goroutine. An error of an
// engine stays an error. Other values become a text with the stack, since the stack
// would be lost otherwise.
func recovered(p any) any {
	switch p.(type) {
	case nil:
		return nil
	case interface{ RuntimeError() }:
	case error:
		return p
	}
	return fmt.Sprintf("%v\n\n%s", p, debug.Stack())
}

// stopIfPanicking calls stop if the goroutine panics, and panics again.
func stopIfPanicking(stop context.CancelFunc) {
	if p := recover(); p != nil {
		stop()
		panic(p)
	}
}
