package cli

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system call perf_event_open opens a counter of a thread. With inherit the counter also
// counts the threads that this thread starts later, and theirs. The Go runtime has several
// threads before main, so each of them gets a counter. A thread that starts in the
// meantime may have inherited a counter or not; then all counters are opened again.

// A counter is a hardware counter, with a file descriptor for each thread.
type counter struct {
	name string
	fds  []int
}

// An event is the type and the number of an event of perf_event_open.
type event struct {
	kind   uint32
	config uint64
}

// hardwareEvents are the events of the counters, in the order of counterNames.
var hardwareEvents = []event{
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CPU_CYCLES},
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_INSTRUCTIONS},
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_BRANCH_MISSES},
	{unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CACHE_MISSES},
}

// OpenCounters starts the hardware counters of the process.
func OpenCounters() *Counters { return openCounters(hardwareEvents) }

func openCounters(events []event) *Counters {
	c := &Counters{absent: map[string]string{}}
	for i, e := range events {
		one, err := openCounter(counterNames[i], e)
		if err != nil {
			c.absent[counterNames[i]] = err.Error()
			continue
		}
		c.absent[counterNames[i]] = ""
		c.open = append(c.open, one)
	}
	return c
}

// openCounter opens a counter for all threads.
func openCounter(name string, e event) (counter, error) {
	const attempts = 5
	for range attempts {
		before, err := threads()
		if err != nil {
			return counter{}, err
		}
		c := counter{name: name}
		if err := c.openFor(before, e); err != nil {
			c.close()
			return counter{}, err
		}
		if after, err := threads(); err == nil && slices.Equal(before, after) {
			return c, nil
		}
		c.close()
	}
	return counter{}, errors.New("the process starts threads all the time")
}

// openFor opens the counter for these threads. A thread that has ended is skipped.
func (c *counter) openFor(threads []int, e event) error {
	attr := unix.PerfEventAttr{
		Type:        e.kind,
		Config:      e.config,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	for _, tid := range threads {
		fd, err := unix.PerfEventOpen(&attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		switch {
		case errors.Is(err, unix.ESRCH):
		case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP):
			return fmt.Errorf("the processor or the virtual machine has no such counter (perf_event_open: %w)", err)
		case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
			return fmt.Errorf("the system or the container refuses it (perf_event_open: %w)", err)
		case err != nil:
			return fmt.Errorf("perf_event_open: %w", err)
		default:
			c.fds = append(c.fds, fd)
		}
	}
	return nil
}

// threads returns the threads of the process, sorted.
func threads() ([]int, error) {
	list, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, d := range list {
		if id, err := strconv.Atoi(d.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// read returns the sum over all threads. It reports false if the counter was never on the
// processor, or cannot be read.
func (c *counter) read() (sum int64, ok bool) {
	for _, fd := range c.fds {
		var b [24]byte // value, time enabled, time running
		if n, err := unix.Read(fd, b[:]); err != nil || n != len(b) {
			return 0, false
		}
		value, enabled, running := binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint64(b[8:]), binary.NativeEndian.Uint64(b[16:])
		if running == 0 {
			continue // the thread was idle, or never had the counter
		}
		ok = true
		if running < enabled {
			value = uint64(float64(value) * (float64(enabled) / float64(running)))
		}
		sum += int64(value)
	}
	return sum, ok
}

func (c *counter) close() {
	for _, fd := range c.fds {
		unix.Close(fd)
	}
	c.fds = nil
}
