//go:build !wasm

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyHangup passes SIGHUP to a channel unless it is ignored.
func notifyHangup(c chan<- os.Signal) {
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
}

// notifyBrokenPipe passes SIGPIPE to a channel.
func notifyBrokenPipe(c chan<- os.Signal) { signal.Notify(c, syscall.SIGPIPE) }
