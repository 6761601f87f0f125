package cli

import (
	"os"
	"runtime"
	"runtime/debug"
)

// collectorPercent is the growth of the heap between garbage collections,
// relative to the live heap. Formulas and the tables of solvers have few
// pointers, so a collection is cheap even if they are large; the garbage
// consists of outgrown tables and of the tables of passes. In 8,000 conflicts the
// peaks of four formulas were 31, 48, 60 and 85 MB at 25, and 26, 42, 56 and 81 MB
// at 10, at the same CPU time. At 5 they were no smaller.
const collectorPercent = 10

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
