package study

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime returns the processor time that the calling thread has used. The
// workers are locked to their threads, so the difference of two calls is the time
// of a run, without that of other workers and of other programs. Work of the garbage
// collector in other threads is not counted.
func processorTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("study: no clock of the thread: " + err.Error())
	}
	return time.Duration(t.Nano())
}

// clockName names what processorTime measures, for reports.
const clockName = "processor time (CPU time) of the thread of the run"
