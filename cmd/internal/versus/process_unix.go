//go:build unix

package versus

import (
	"os"
	"runtime"
	"syscall"
)

// killGroup kills all processes of the group that a process leads. It ignores the error for an
// empty group.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// maxResident returns the peak RSS counted by the system, in bytes.
func maxResident(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return peak // in bytes; elsewhere in units of 1024
	}
	return peak << 10
}
