// Package signals knows the signals that end a run: SIGINT and SIGTERM, and on Unix also
// SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2 and SIGXCPU, which the soft limit of "ulimit
// -t" sends. It imports nothing but os, os/signal and syscall, so that package early can
// import it.
package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// Notify passes the signals that end a run to a channel. A signal that is ignored when the
// program starts, as SIGHUP under nohup, stays ignored; SIGINT and SIGTERM do not.
func Notify(c chan<- os.Signal) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	for _, s := range others {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
}
