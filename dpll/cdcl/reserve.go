package cdcl

import (
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"sator/dimacs"
)

// Tables that grow in place. The arena and the pool of watches grow all the time. On the Go
// heap a table grows by a copy: the old and the new table exist together until the next
// garbage collection. The new one needs spare capacity, so that copies are rare, and that is
// resident memory, too, if it was in use before, because the Go runtime then clears all of
// it.
//
// A table of 256 KB or more therefore moves to address space outside the Go heap, which is
// reserved for the largest size of the table (as Kissat does for its arena). The operating
// system provides a page when it is first written. So the table never moves again, and its
// resident memory is what it contains. The address space is returned when the table is
// replaced, and when the garbage collector finds that the solver is unreachable. Slices of
// a table must not be used after that. The second copy of clauses during a collection has
// a reservation of its own, so that its memory is returned at the end of the collection.
//
// The garbage collector does not see this memory: it is not part of the heap from whose
// growth it decides when to run. So the number of reservations is limited, and a program
// that drops many solvers has most of their tables on the heap.
//
// A process with a limit of its address space or data (ulimit -v, ulimit -d) cannot
// reserve that much. There, on other systems than Linux and on processors of 32 bits, the
// tables stay on the heap.

// The large tables of passes and walks have reservations, too, which are returned when the
// pass or the walk ends, and the memory of deleted clauses at the end of the arena is
// returned when a round begins.
//
// Passes that are packages of their own get such tables from the host
// (inprocess.GrowingTable). In the heap, outgrown copies of a table would stay resident for
// the next passes.
//
// Tried: a limit of the Go runtime (debug.SetMemoryLimit) close above the goal of the garbage
// collector (no gain).

// largeTable is the number of bytes from which a table gets huge pages for all of its
// capacity. Of the up to 2 MB in a huge page that are not used yet, a smaller table would
// waste too much.
const largeTable = 32 << 20

// mostReservations is the largest number of reservations in a process.
const mostReservations = 64

// reservations is the number of reservations. It affects only where tables are.
var reservations atomic.Int64

// A reservation is address space outside the Go heap.
type reservation struct {
	memory  []byte
	cleanup runtime.Cleanup
	huge    uint64 // end of the part with huge pages
}

// reserveSpace reserves this many bytes. It returns nil if the system does not provide
// them, or if there are too many reservations.
func reserveSpace(bytes uint64) *reservation {
	if reservations.Add(1) > mostReservations {
		reservations.Add(-1)
		return nil
	}
	memory := mapSpace(bytes)
	if memory == nil {
		reservations.Add(-1)
		return nil
	}
	r := &reservation{memory: memory}
	r.cleanup = runtime.AddCleanup(r, returnSpace, memory)
	return r
}

// returnSpace returns the address space of a reservation to the system.
func returnSpace(memory []byte) {
	unmapSpace(memory)
	reservations.Add(-1)
}

// release returns the address space. The reservation may be nil.
func (r *reservation) release() {
	if r != nil {
		r.cleanup.Stop()
		returnSpace(r.memory)
	}
}

// A word is an element of a table.
type word interface {
	~uint32 | ~uint64 | clauseState | level | reached
}

// sizeOf returns the size of an element in bytes.
func sizeOf[T word]() uint64 {
	var t T
	return uint64(unsafe.Sizeof(t))
}

// tableOf returns the reserved memory as an empty table with this capacity.
func tableOf[T word](r *reservation, capacity int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(r.memory))), capacity)[:0]
}

// grown returns a with capacity for need elements and some more.
func grown[T word](m dimacs.MemoryLimit, r **reservation, a []T, need int) []T {
	return enlarged(m, r, a, need, grownCapacity(need))
}

// enlarged returns a with capacity for need elements, or up to the desired number. The table
// is at the beginning of the reservation, unless that is nil: then the table is on the
// heap, and may move to a new reservation.
func enlarged[T word](m dimacs.MemoryLimit, r **reservation, a []T, need, desired int) []T {
	size := sizeOf[T]()
	if *r == nil && uint64(need)*size >= leastReserved {
		if *r = reserveSpace(maxWords * size); *r != nil {
			b := tableOf[T](*r, extendCapacity[T](m, *r, 0, need, desired))
			return append(b, a...)
		}
	}
	if *r == nil {
		return withCapacity(a, m.Capacity(need, desired, uintptr(size)))
	}
	return tableOf[T](*r, extendCapacity[T](m, *r, cap(a), need, desired))[:len(a)]
}

// extendCapacity returns a capacity for need elements in reserved memory, of which the
// first old elements were usable before, and advises huge pages for it. The capacity is at
// most an eighth larger, so that the memory limit is asked often, but not for each clause.
func extendCapacity[T word](m dimacs.MemoryLimit, r *reservation, old, need, desired int) int {
	size := sizeOf[T]()
	capacity := int(min(uint64(desired), uint64(need)+uint64(need)/8, uint64(len(r.memory))/size))
	if !m.Allows(int64(capacity-old) * int64(size)) {
		capacity = min(need+need/16, capacity)
		m.Require(int64(capacity-old) * int64(size))
	}
	end := uint64(capacity) * size
	if end < largeTable {
		end = uint64(need) * size
	}
	r.adviseHuge(uint64(old)*size, end)
	return capacity
}

// newTable returns an empty table with this capacity, in a reservation of its own if it
// is large. The memory limit has allowed it.
func newTable[T word](capacity int) ([]T, *reservation) {
	bytes := uint64(capacity) * sizeOf[T]()
	if bytes >= leastReserved {
		if r := reserveSpace(bytes); r != nil {
			if bytes >= largeTable {
				r.adviseHuge(0, bytes)
			}
			return tableOf[T](r, capacity), r
		}
	}
	return make([]T, 0, capacity), nil
}

// populatedTable is newTable for a table of which all will be written. It provides the pages of
// all but the largest at once: those take too long, and their huge pages need few page faults.
func populatedTable[T word](capacity int) ([]T, *reservation) {
	a, r := newTable[T](capacity)
	if r != nil && len(r.memory) < largeTable {
		r.populate()
	}
	return a, r
}

// copied returns a copy of a table for another solver.
func copied[T word](a []T) ([]T, *reservation) {
	if uint64(len(a))*sizeOf[T]() < leastReserved {
		return slices.Clone(a), nil
	}
	var r *reservation
	b := grown[T](nil, &r, nil, len(a))
	return append(b, a...), r
}

// lengthen returns a with n elements, the new ones zero. The first growth allocates
// n elements, or 16. Later ones double small slices and add a quarter to large ones, also to
// an empty slice such as the trail at the root, so that growing by one element takes
// constant time on average.
func lengthen[T any](a []T, n int) []T {
	const (
		least = 16   // elements
		small = 2048 // a slice is doubled up to twice of this
	)
	if n <= cap(a) {
		return a[:n]
	}
	capacity := max(n, least)
	if cap(a) > 0 {
		capacity = max(capacity+capacity/4, 2*min(n, small))
	}
	return withCapacity(a, capacity)[:n]
}

// withCapacity returns a copy of a with this capacity.
func withCapacity[T any](a []T, capacity int) []T {
	b := make([]T, len(a), capacity)
	var t T
	adviseHuge(unsafe.Pointer(unsafe.SliceData(b)), uintptr(capacity)*unsafe.Sizeof(t))
	copy(b, a)
	return b
}

// grownCapacity returns the capacity of the arena or the pool for so many elements.
// During a move there are two copies. The operating system provides memory only for
// pages that were written, so that a large capacity is cheaper than frequent moves.
func grownCapacity(need int) int { return need + need/2 + min(need, 1024) }
