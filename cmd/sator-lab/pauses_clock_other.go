//go:build !linux

package main

import "time"

// threadClock returns a clock of the elapsed time: this system is not asked for the
// processor time of a thread.
func threadClock() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}
