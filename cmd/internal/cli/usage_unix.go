//go:build unix

package cli

import (
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ReadUsage returns the resources that this process has used.
func ReadUsage() Usage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return Usage{}
	}
	unit := int64(1024)
	switch runtime.GOOS {
	case "darwin", "ios":
		unit = 1
	}
	return Usage{time.Duration(u.Utime.Nano() + u.Stime.Nano()), resident(), unit * int64(u.Maxrss)}
}

// cpuLimit returns the hard limit of "ulimit -t" on the CPU time of the process, or 0 without a limit.
func cpuLimit() time.Duration {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CPU, &limit); err != nil || uint64(limit.Max) > 1<<32 {
		return 0
	}
	return time.Duration(limit.Max) * time.Second
}
