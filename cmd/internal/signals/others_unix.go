//go:build unix

package signals

import (
	"os"
	"syscall"
)

// others are the signals that end a run besides SIGINT and SIGTERM. By default the Go runtime
// ignores SIGALRM, SIGUSR1, SIGUSR2 and SIGXCPU.
var others = [...]os.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGALRM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGXCPU}
