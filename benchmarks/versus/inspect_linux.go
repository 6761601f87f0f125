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

// WallFactor is how many times the limit of CPU time a run may take by the clock, if nothing else is
// said: that limit is watched, so that only a solver that waits for something meets this one.
const WallFactor = 10

// attributes makes a process the head of a group, which dies with the thread that starts it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pin lets the calling thread run on one core alone, which what it starts inherits, and returns a
// function that undoes this. A negative core is any.
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

// ownPeak returns the peak of this process's memory, which the system counts for those that it
// starts.
func ownPeak() int64 {
	peak, _ := memoryOf(os.Getpid())
	return peak
}

// inspect looks at a process and all beneath it that still run: the time of all, with that of those
// that were waited for; the highest peak of memory of one; and the memory of all at this moment, in
// bytes. What has ended meanwhile counts as nothing.
func inspect(pid int) (cpu time.Duration, peak, resident int64) {
	cpu = timeOf(pid)
	peak, resident = memoryOf(pid)
	for _, child := range childrenOf(pid) {
		c, p, r := inspect(child)
		cpu, peak, resident = cpu+c, max(peak, p), resident+r
	}
	return cpu, peak, resident
}

// The unit of times in /proc, which is the same on all processors that Go runs on.
const tick = time.Second / 100

// timeOf adds the fields 14 to 17 of /proc/PID/stat, which count user and system time of a process
// and of its children. The second field is a name in parentheses, which may contain anything.
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

// memoryOf reads the peak and the present size of the resident set from /proc/PID/status, in units
// of 1024 bytes there.
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

// childrenOf lists the processes that the threads of a process have started and that still run.
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
