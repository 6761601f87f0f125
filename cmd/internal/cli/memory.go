package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"

	"sator/dimacs"
)

// Memory limits. A Go program cannot handle a failed allocation: the runtime ends the
// program with a stack dump, or the system kills it. So a run must stop before memory is
// exhausted. Each run has a limit on the memory that the process holds: the value of
// --memory, or less if the system provides less. The system provides the least of
// these, measured once, when a run first asks for much memory or after 25 ms, since
// to measure them takes a tenth of the time of a short run:
//
//   - the available memory of the system. Swap space does not count: a solver reads its
//     tables at random places, and with tables on disk it makes no progress;
//   - the limits of the control groups of the process (containers, systemd), minus the
//     memory that their other processes use;
//   - the limits of the process: the address space (ulimit -v) and the data (ulimit -d).
//
// A part of it is a reserve for small allocations.
//
// Three mechanisms keep the limit. They differ in when they act:
//
//   - Before a large allocation, engines, readers and checkers call Budget.Allows
//     (a dimacs.MemoryLimit). It counts the new memory before it exists. This is the
//     only defense against one large allocation.
//   - The garbage collector runs more often near the limit (debug.SetMemoryLimit). The limit
//     of the heap falls by the size of the tables outside the heap.
//   - A goroutine compares the memory with the limit many times a second. It ends runs
//     whose memory grows in small pieces: formulas, proofs, sets of models.
//
// The address space needs more care than memory. The Go runtime reserves about 790 MB of
// it before main, takes more in arenas of 64 MB, and returns none. A free piece of the
// heap is useful for a large table only if it is contiguous, and the runtime does not report that.
// Hence a large table must fit into address space that is not in use yet.

// A FreeMemory is the number of bytes that a process can take in addition to those that it
// holds, and the name of the resource that limits them.
type FreeMemory struct {
	Bytes  int64
	Source string
}

// The sources of a [FreeMemory].
const (
	SystemMemory = "free memory of the system"
	GroupMemory  = "control group"
	SpaceMemory  = "ulimit -v"
	DataMemory   = "ulimit -d"
)

// A Budget is the memory limit of a run. Several goroutines may use it.
type Budget struct {
	limit   int64  // bytes that the process may hold; 0 is no limit
	source  string // the limiting resource, "" for --memory
	measure func() // makes the limit that of the system if that is less; see Limit
	task    func() string
	cancel  context.CancelCauseFunc

	mu      sync.Mutex    // guards the fields below
	before  time.Time     // end of the last full collection
	took    time.Duration // its duration
	allowed int64         // bytes allowed since the time since
	since   time.Time
}

// newBudget returns a budget of limit bytes, or of the free memory if that is less or if
// limit is 0.
func newBudget(limit int64, e *Env) *Budget {
	b := &Budget{limit: limit}
	if e.Free == nil {
		return b
	}
	b.measure = sync.OnceFunc(func() {
		if free, known := e.Free(); known {
			if most := held() + free.Bytes - reserve(free.Bytes); limit == 0 || most < limit {
				b.limit, b.source = max(most, 1), free.Source
			}
		}
	})
	return b
}

// reserve returns the part of the free memory that a run leaves free.
func reserve(free int64) int64 { return max(free/20, min(free/4, 32<<20)) }

// Limit returns the limit in bytes, or 0 without a limit.
func (b *Budget) Limit() int64 {
	if b.measure != nil {
		b.measure()
	}
	return b.limit
}

// smallAllocation is the size up to which allocations are allowed at once. The watching
// goroutine sees their sum.
const smallAllocation = 1 << 20

// Allows reports whether the process may allocate this many more bytes. It collects
// garbage before it refuses. It is a [dimacs.MemoryLimit].
func (b *Budget) Allows(bytes int64) bool {
	if b == nil || bytes <= smallAllocation || b.Limit() == 0 {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.fitsAfterGC(bytes) {
		return false
	}
	if b.pending() == 0 {
		b.allowed, b.since = 0, time.Now()
	}
	b.allowed += bytes
	return true
}

// HasRoom reports whether Allows would allow this many more bytes in several parts. The
// parts are asked for later.
func (b *Budget) HasRoom(bytes int64) bool {
	if b == nil || bytes <= smallAllocation || b.Limit() == 0 {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fitsAfterGC(bytes)
}

// fitsAfterGC reports whether this many bytes fit, if necessary after garbage is freed.
func (b *Budget) fitsAfterGC(bytes int64) bool {
	if b.fits(bytes + b.pending()) {
		return true
	}
	b.collect()
	if b.pending() > 0 {
		time.Sleep(time.Until(b.since.Add(allocationTime)))
	}
	return b.fits(bytes)
}

// allocationTime is the time that the owner of an allowed allocation needs to make it.
const allocationTime = 5 * time.Millisecond

// pending returns the bytes that were allowed a moment ago. Their owners may not have
// allocated them yet, and other threads must not be given the same bytes.
func (b *Budget) pending() int64 {
	if time.Since(b.since) < allocationTime {
		return b.allowed
	}
	return 0
}

// fits reports whether the limit and the address space allow this many more bytes.
func (b *Budget) fits(bytes int64) bool {
	if held()+bytes > b.Limit() {
		return false
	}
	left, limited := spaceLeft()
	return !limited || bytes+arena <= left || bytes <= arena/4 && 8*bytes+arena/2 <= idle()
}

// collect frees garbage and returns it to the system, unless it did so just before: near
// the limit a run would otherwise spend more than half of its time in collections.
func (b *Budget) collect() {
	if time.Since(b.before) < b.took {
		return
	}
	begin := time.Now()
	debug.FreeOSMemory()
	b.before = time.Now()
	b.took = b.before.Sub(begin)
}

// arena is the number of bytes by which the Go runtime extends its heap. It extends the
// heap for tables of less than that, too.
const arena = 64 << 20

// exceeded reports whether the process holds more than the limit, or has no address space
// left for another arena, although garbage was freed.
func (b *Budget) exceeded() bool {
	if b.within() {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	debug.FreeOSMemory()
	return !b.within()
}

// within reports whether the process holds at most the limit, and its heap can grow.
func (b *Budget) within() bool {
	left, limited := spaceLeft()
	return held() <= b.Limit() && (!limited || left >= arena || idle() >= arena/4)
}

// Stop ends the run and returns the reason, a [StoppedError].
func (b *Budget) Stop() error {
	err := &StoppedError{b.Reason()}
	if b.cancel != nil {
		b.cancel(err)
	}
	return err
}

// Catch returns err, unless that is a [dimacs.MemoryError]: then it ends the run and returns
// the reason.
func (b *Budget) Catch(err error) error {
	if refused := (*dimacs.MemoryError)(nil); errors.As(err, &refused) {
		return b.Stop()
	}
	return err
}

// Reason returns the text for a run that the limit ended.
func (b *Budget) Reason() string {
	source, during := "", "in the search"
	if b.source != "" {
		source = fmt.Sprintf(" (%s)", b.source)
	}
	if b.task != nil && b.task() != "" {
		during = "while " + b.task()
	}
	return fmt.Sprintf("memory limit of %d MB%s reached %s", b.Limit()>>20, source, during)
}

// start returns a context that is canceled when the process exceeds the limit. The function
// task returns the present task, or "" in the search.
func (b *Budget) start(ctx context.Context, task func() string) (context.Context, func()) {
	b.task = task
	ctx, b.cancel = context.WithCancelCause(ctx)
	if b.limit == 0 && b.measure == nil {
		return ctx, func() { b.cancel(nil) }
	}
	before := debug.SetMemoryLimit(-1)
	go b.watch(ctx)
	return ctx, func() { b.cancel(nil); debug.SetMemoryLimit(before) }
}

// heapLimit returns the memory that the Go runtime may hold: the limit without the pages of
// files and the tables outside the heap, at most the size that the address space permits.
func (b *Budget) heapLimit() int64 {
	outside := sharedMemory() + max(0, anonymous()-runtimeMemory())
	return max(1, min(b.Limit()-outside, addressLimit()))
}

// limitHeap sets the limit of the garbage collector again, unless it changes by less than
// 2 percent.
func (b *Budget) limitHeap() {
	now, old := b.heapLimit(), debug.SetMemoryLimit(-1)
	if max(now-old, old-now) > now/50 {
		debug.SetMemoryLimit(now)
	}
}

// addressLimit returns the size to which the Go heap can grow in the address space.
func addressLimit() int64 {
	left, limited := spaceLeft()
	if !limited {
		return math.MaxInt64
	}
	return mapped() + max(0, left/arena-1)*arena
}

// MemoryInterval is the time between two checks of the memory limit. A run that allocates
// 2 GB a second in small pieces exceeds the limit by up to 50 MB.
const MemoryInterval = 25 * time.Millisecond

// watch ends the run when the process exceeds the limit, sets the limit of the garbage
// collector, paces it, and trims the heap.
func (b *Budget) watch(ctx context.Context) {
	ticker := time.NewTicker(MemoryInterval)
	defer ticker.Stop()
	trimmed := trimmer{at: time.Now(), wait: trimInterval}
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if b.Limit() == 0 {
			return
		}
		if b.exceeded() {
			b.Stop()
			return
		}
		paceCollector()
		trimmed.trim()
		b.limitHeap()
	}
}

// held returns how many bytes of memory the process holds, with the resident part of the
// program file.
func held() int64 { return Memory() + sharedMemory() }

// mapped returns the bytes that the Go runtime has mapped, also the bytes that it has returned to the system.
func mapped() int64 { return readMetrics("/memory/classes/total:bytes")[0] }

// idle returns the bytes of the heap that are free, in pieces of any size.
func idle() int64 {
	v := readMetrics("/memory/classes/heap/free:bytes", "/memory/classes/heap/released:bytes")
	return v[0] + v[1]
}

// readMetrics returns values of the package runtime/metrics.
func readMetrics(names ...string) []int64 {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	values := make([]int64, len(names))
	for i, s := range samples {
		values[i] = int64(s.Value.Uint64())
	}
	return values
}

// addresses32 is the size of the address space of a process on 32-bit systems.
const addresses32 = 3 << 30

// spaceLeft returns how many bytes of address space the process can still map, and whether
// there is a limit.
func spaceLeft() (bytes int64, limited bool) {
	bytes, limited = rlimitLeft()
	if strconv.IntSize == 32 {
		left := max(0, addresses32-mapped())
		if !limited || left < bytes {
			bytes, limited = left, true
		}
	}
	return bytes, limited
}
