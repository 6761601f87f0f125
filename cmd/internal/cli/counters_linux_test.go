package cli

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// spin uses the processor on several threads for about this time of each.
func spin(threads int, d time.Duration) {
	var group sync.WaitGroup
	for range threads {
		group.Go(func() {
			runtime.LockOSThread() // the thread ends with the goroutine
			for begin := threadTime(); threadTime()-begin < d; {
			}
		})
	}
	group.Wait()
}

// threadTime returns the processor time of the calling thread.
func threadTime() time.Duration {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}

// TestSoftwareCounter reads an event that needs no hardware: the processor time in
// nanoseconds. It must include the threads that start and end later.
func TestSoftwareCounter(t *testing.T) {
	c := openCounters([]event{{unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK}})
	defer c.Close()
	if why := c.Absent()["cycles"]; why != "" {
		t.Skipf("no software counters: %s", why)
	}
	before := ProcessorTime()
	first := time.Duration(c.Read()["cycles"])
	const spent = 20 * time.Millisecond
	spin(3, spent)
	counted, used := time.Duration(c.Read()["cycles"])-first, ProcessorTime()-before
	if counted < 3*spent*9/10 || counted > used*11/10+5*time.Millisecond {
		t.Errorf("3 threads used %v each and the process %v; counted %v", spent, used, counted)
	}
}

// TestCountersStateAbsence checks that each counter is there or has a reason, and that an
// absent counter has no value.
func TestCountersStateAbsence(t *testing.T) {
	impossible := []event{{1 << 20, 0}, {1 << 20, 0}, {1 << 20, 0}, {1 << 20, 0}}
	for _, events := range [][]event{hardwareEvents, impossible} {
		c := openCounters(events)
		spin(1, time.Millisecond)
		values := c.Read()
		for _, name := range counterNames {
			why, stated := c.Absent()[name]
			n, counts := values[name]
			if !stated || why != "" && counts || counts && n <= 0 {
				t.Errorf("%s: %d, %v, absent because of %q, %v", name, n, counts, why, stated)
			}
		}
		c.Close()
		if c.Read() != nil {
			t.Errorf("a closed counter counts")
		}
	}
}
