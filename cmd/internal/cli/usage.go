package cli

import "time"

// A Usage holds the resources that a process has used. Unknown values are 0.
type Usage struct {
	Processor    time.Duration // user and system time since the start of the process
	Resident     int64         // bytes of resident memory
	PeakResident int64         // largest value of Resident so far
}

// ProcessorTime returns the processor time that this process has used.
func ProcessorTime() time.Duration { return ReadUsage().Processor }

// Heap returns the bytes of live and not yet collected objects on the Go heap.
func Heap() int64 { return readMetrics("/memory/classes/heap/objects:bytes")[0] }
