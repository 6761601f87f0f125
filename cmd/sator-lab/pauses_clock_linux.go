package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadClock returns a clock of the processor time that the calling thread has used.
// Any thread may read the clock: its number consists of the complement of the thread's
// number and of bits for the kind of the clock (clock_getcpuclockid in the C library).
func threadClock() func() time.Duration {
	clock := int32(^unix.Gettid()<<3 | 6)
	return func() time.Duration {
		var t unix.Timespec
		if err := unix.ClockGettime(clock, &t); err != nil {
			return 0
		}
		return time.Duration(t.Nano())
	}
}
