package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// collectorPercent is the growth of the heap between garbage collections,
// relative to the live heap. Formulas and the tables of solvers have few
// pointers, so a collection is cheap even if they are large; the garbage
// consists of outgrown tables and of the tables of passes. With a formula of
// 600,000 variables and 2.5 million clauses the peak was 330 MB at 25, 360 MB at
// 50 and 410 MB at Go's default of 100, at the same speed of search. At 10, in
// 12,000 conflicts, a peak of 26 MB was 2 MB lower for 5 percent more CPU time, and
// those of three other formulas were the same.
//
// The garbage that a percentage permits grows with the heap, but the price of a collection
// hardly does where few pointers are in it. So SaveMoreMemory lowers the percentage in steps
// when more than 32 MB are live. The peak of sator solve fell from 1,747 to 1,418 MB on 9.6
// million clauses of a bounded model checking problem in 2,000 conflicts, and from 1,888
// to 1,658 MB on 16 million clauses of a coloring in 500, for 3 and 4 percent more
// processor time (one pair each, on a busy machine). From 32 MB on instead of 96 MB, the
// mean peak fell from 77.4 to 73.6 MB on a clique problem (5,000 conflicts) and from 93.8 to
// 80.1 MB on a synthesis problem (10,000), and rose from 41.2 to 41.6 MB on a pipelined
// processor (20,000), at 0.995, 1.028 and 0.994 of the processor time: 1.006 +- 0.011 in
// all (8 pairs each, on an idle machine).
//
// Since large tables of solvers are outside the heap, a live heap below 16 MB gets a higher
// percentage: with 25 the collections were so frequent that a run on a pipelined processor
// took 1.07 of the processor time (0.79 s), and with 33 it took 1.01, at the same mean peak of
// 33 MB (6 runs each, on a busy machine). With 40 a cryptographic problem of 0.2 s took 1.03
// instead of 1.12 (9 runs each). Below 2 MB, and at the start, it is Go's default: a formula
// of two clauses is solved without a collection, in 0.92 of the processor time.
const collectorPercent = 25

// collectorSteps are the percentages by the least size of the live heap, the largest first.
var collectorSteps = []struct {
	live    int64
	percent int
}{{256 << 20, 5}, {32 << 20, 12}, {16 << 20, collectorPercent}, {8 << 20, 33}, {2 << 20, 40}, {0, 100}}

// percentFor returns the growth of the heap between collections, in percent, for a live
// heap of this size.
func percentFor(live int64) int {
	for _, s := range collectorSteps {
		if live >= s.live {
			return s.percent
		}
	}
	return collectorPercent
}

// pacing is the percentage that is set, or 0 if it stays as it is.
var pacing atomic.Int64

// SaveMoreMemory is [SaveMemory] for a command whose large tables have no pointers: it
// lowers the pace of garbage collection as the heap grows. With many pointers a collection
// is too expensive for that.
func SaveMoreMemory() {
	pacing.Store(0)
	if os.Getenv("GOGC") == "" {
		pacing.Store(int64(percentFor(0)))
		debug.SetGCPercent(percentFor(0))
	}
	endSampling()
}

// paceCollector sets the pace of garbage collection for the present live heap.
func paceCollector() {
	old := pacing.Load()
	if old == 0 {
		return
	}
	if p := percentFor(readMetrics("/gc/heap/live:bytes")[0]); int64(p) != old && pacing.CompareAndSwap(old, int64(p)) {
		debug.SetGCPercent(p)
	}
}

// A trimmer collects garbage and returns the free memory of the heap to the system, time and
// again. Tables of passes are garbage after some ten milliseconds. Without a trimmer they stay
// until the heap has grown by a percentage of them, and the Go runtime then returns their
// memory slowly. The peak of a cache coherence problem (cacheco_n10_k45) fell from 73 to 64 MB,
// with 48 times in 17 s, which took 0.05 s (2 pairs on one processor). Ten other formulas, in
// 40,000 conflicts, took 0.99 of the processor time.
type trimmer struct {
	at   time.Time     // end of the last time
	took time.Duration // its processor time
	held int64         // memory of the Go runtime after it
	wait time.Duration // until the next time, unless that memory grows
}

const (
	trimInterval = 250 * time.Millisecond // least time between two times
	trimSlowest  = 16 * trimInterval      // time between two times while nothing is freed
	trimShare    = 100                    // a trimmer takes at most one part in so many of the time
)

// trim collects garbage and returns free memory if that is due. It does so only while the pace
// of garbage collection may change.
func (t *trimmer) trim() {
	since, held := time.Since(t.at), runtimeMemory()
	if pacing.Load() == 0 || since < max(trimInterval, trimShare*t.took) || since < t.wait && !worthTrimming(held, t.held) {
		return
	}
	before := collectorTime()
	debug.FreeOSMemory()
	t.at, t.took, t.held = time.Now(), collectorTime()-before, runtimeMemory()
	if t.wait = min(2*t.wait, trimSlowest); worthTrimming(held, t.held) {
		t.wait = trimInterval
	}
}

// worthTrimming reports whether the memory before is clearly more than after.
func worthTrimming(before, after int64) bool { return before > after+max(after/8, 1<<20) }

// collectorTime returns the processor time of all garbage collections, without that of idle
// processors.
func collectorTime() time.Duration {
	samples := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}}
	metrics.Read(samples)
	return time.Duration((samples[0].Value.Float64() - samples[1].Value.Float64()) * float64(time.Second))
}

// SaveMemory prepares the process for a long run in little memory. It sets the
// pace of garbage collection, unless the environment sets it, and ends the sampling
// of allocations, for which the Go runtime walks the stack every 512 KB. A profile
// of the memory must start later.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectorPercent)
	}
	pacing.Store(0)
	endSampling()
}

// endSampling ends the sampling of allocations. It does so once in a process, since other
// runs in the process may read the rate at the same time.
var endSampling = sync.OnceFunc(func() { runtime.MemProfileRate = 0 })

// Memory returns how many bytes of memory the process holds without the pages of files:
// the memory of the Go runtime (heap, stacks and its own tables, without memory returned to the
// system) or, if that is more, the resident memory. Large tables of solvers are outside
// the heap, and resident as far as they are written (dpll/cdcl). Only Linux has such tables.
func Memory() int64 { return max(runtimeMemory(), anonymous()) }

// runtimeMemory returns how many bytes of memory the Go runtime holds.
func runtimeMemory() int64 {
	v := readMetrics("/memory/classes/total:bytes", "/memory/classes/heap/released:bytes")
	return v[0] - v[1]
}
