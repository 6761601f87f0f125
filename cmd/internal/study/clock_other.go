//go:build !linux

package study

import "time"

var started = time.Now()

// processorTime returns the time since the start of the program: only the version
// for Linux reads the processor time of a thread.
func processorTime() time.Duration { return time.Since(started) }

// clockName names what processorTime measures, for reports.
const clockName = "wall-clock time"
