//go:build !satcheck

package cdcl

import "unsafe"

// checking enables the checks of invariants while the solver runs. Being a constant,
// it keeps the checks out of builds without the tag.
const checking = false

// leastReserved is the number of bytes from which a table is worth its own address space.
const leastReserved = 1 << 18

// pauseSteps is the number of steps of a long loop between polls, a power of two.
const pauseSteps = 1024

// pollTicks is the number of ticks between polls of the clock and the context: some
// milliseconds even if each tick misses the caches and the TLB, as in formulas of 10^7
// clauses: there a tick took 2.5 µs.
const pollTicks = 4_000

// An uncheckedSlice is a slice without its length, for hot loops: accesses check no
// bounds. It is valid while the slice is not reallocated, so that a loop makes it at
// its start and does not store it. With the build tag satcheck each index is checked.
type uncheckedSlice[T any] struct{ base unsafe.Pointer }

func unchecked[T any](a []T) uncheckedSlice[T] {
	return uncheckedSlice[T]{unsafe.Pointer(unsafe.SliceData(a))}
}

func (v uncheckedSlice[T]) at(i uint32) T {
	var t T
	return *(*T)(unsafe.Add(v.base, uintptr(i)*unsafe.Sizeof(t)))
}

func (v uncheckedSlice[T]) set(i uint32, x T) {
	*(*T)(unsafe.Add(v.base, uintptr(i)*unsafe.Sizeof(x))) = x
}

func (v uncheckedSlice[T]) ptr(i uint32) *T {
	var t T
	return (*T)(unsafe.Add(v.base, uintptr(i)*unsafe.Sizeof(t)))
}

// from returns the tail of the slice that begins at i.
func (v uncheckedSlice[T]) from(i uint32) uncheckedSlice[T] {
	var t T
	return uncheckedSlice[T]{unsafe.Add(v.base, uintptr(i)*unsafe.Sizeof(t))}
}
