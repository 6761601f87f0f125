package cli

import (
	"os"
	"runtime/debug"
)

// collectorPercent is the growth of the heap between garbage collections,
// relative to the live heap. Formulas and the tables of solvers have few
// pointers, so a collection is cheap even if they are large; the garbage
// consists of outgrown tables. With a formula of 600,000 variables and 2.5
// million clauses the peak was 330 MB at 25, 360 MB at 50 and 410 MB at Go's
// default of 100, at the same speed of search.
const collectorPercent = 25

// SetCollector sets the pace of garbage collection, unless the environment sets
// it.
func SetCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent)
	}
}

// Memory returns how many bytes the Go runtime holds: heap, stacks and its own
// tables, without memory returned to the system.
func Memory() int64 {
	v := readMetrics("/memory/classes/total:bytes", "/memory/classes/heap/released:bytes")
	return v[0] - v[1]
}
