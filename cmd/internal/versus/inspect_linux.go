package versus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// WallFactor is the default wall-clock limit as a multiple of the CPU time limit. It is large
// because the CPU time of a running process is monitored here: only a solver that sleeps reaches
// the wall-clock limit.
const WallFactor = 10

// attributes makes the process the leader of a new process group. The system kills the process when
// the thread that starts it dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pin restricts the calling thread, and the processes that it starts, to one core. The function
// returned restores the affinity. A negative core means no restriction.
func pin(core int) (unpin func(), err error) {
	if core < 0 {
		return func() {}, nil
	}
	var before, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("pinning: %w", err)
	}
	set.Set(core)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("pinning to core %d: %w", core, err)
	}
	return func() { unix.SchedSetaffinity(0, &before) }, nil
}

// ownPeak returns the peak RSS of this process, which Linux passes on to child processes.
func ownPeak() int64 {
	peak, _ := memoryOf(os.Getpid())
	return peak
}

// inspect samples a running process and its descendants: the CPU time of all, including descendants
// already waited for; the highest peak RSS of a single process; and the sum of the current RSS, in
// bytes. A process that has ended contributes 0.
func inspect(pid int) (cpu time.Duration, peak, resident int64) {
	cpu = timeOf(pid)
	peak, resident = memoryOf(pid)
	for _, child := range childrenOf(pid) {
		c, p, r := inspect(child)
		cpu, peak, resident = cpu+c, max(peak, p), resident+r
	}
	return cpu, peak, resident
}

// timeOf returns the sum of fields 14 to 17 of /proc/PID/stat: user and system time of a process
// and of the children that it waited for. The second field is a name in parentheses that may
// contain any character.
func timeOf(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 15 {
		return 0
	}
	sum := time.Duration(0)
	for _, f := range fields[11:15] {
		n, _ := strconv.ParseInt(f, 10, 64)
		sum += time.Duration(n) * tick
	}
	return sum
}

// memoryOf returns the peak and the current RSS from /proc/PID/status, which has them in units of
// 1024 bytes.
func memoryOf(pid int) (peak, resident int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if name != "VmHWM" && name != "VmRSS" {
			continue
		}
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if name == "VmHWM" {
			peak = n << 10
		} else {
			resident = n << 10
		}
	}
	return peak, resident
}

// childrenOf returns the running processes that threads of a process have started.
func childrenOf(pid int) []int {
	var children []int
	names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		for _, f := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(f); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
