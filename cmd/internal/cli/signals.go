//go:build !wasm

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyBrokenPipe passes SIGPIPE to a channel.
func notifyBrokenPipe(c chan<- os.Signal) { signal.Notify(c, syscall.SIGPIPE) }
