package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectorPercent is the growth of the heap between garbage collections,
// relative to the live heap. Formulas and the tables of solvers have few
// pointers, so a collection is cheap even if they are large; the garbage
// consists of outgrown tables and of the tables of passes. With a formula of
// 600,000 variables and 2.5 million clauses the peak was 330 MB at 25, 360 MB at
// 50 and 410 MB at Go's default of 100, at the same speed of search. At 10, in
// 12,000 conflicts, a peak of 26 MB was 2 MB lower for 5 percent more CPU time, and
// those of three other formulas were the same.
const collectorPercent = 25

// SaveMemory prepares the process for a long run in little memory. It sets the
// pace of garbage collection, unless the environment sets it, and ends the sampling
// of allocations, for which the Go runtime walks the stack every 512 KB. A profile
// of the memory must start later.
//
// Most of the resident memory of a run with a small formula is the program itself: 10
// of 17 MB are code and tables that its initialization has read. Releasing these
// pages by madvise saved 2 MB, and splitting their mappings, so that a page fault maps
// 16 KB instead of 64, another 4 MB. But a run with two clauses took 23 and 38 percent
// more CPU time, in 1,372 and 1,640 page faults instead of 1,117.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent)
	}
	runtime.MemProfileRate = 0
}

// Memory returns how many bytes the Go runtime holds: heap, stacks and its own
// tables, without memory returned to the system.
func Memory() int64 {
	v := readMetrics("/memory/classes/total:bytes", "/memory/classes/heap/released:bytes")
	return v[0] - v[1]
}
