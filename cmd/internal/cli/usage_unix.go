//go:build unix

package cli

import (
	"runtime"
	"syscall"
	"time"
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
