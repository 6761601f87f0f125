//go:build !wasm

package early

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
