package inprocess

import "unsafe"

// Tables of passes. A pass of a large formula needs tables of megabytes, and only until it ends.
// On the Go heap a table that grows leaves its outgrown copies behind, and all tables of a pass
// stay until the next garbage collection, together with those of the next passes. The memory
// that the heap took for them is then resident for longer still. So the host may provide
// memory outside the heap, where a table grows in place, and which is returned when the pass
// ends. The elements of such a table must not have pointers, since the garbage collector does
// not read it. The table must not be used after the end of the pass.

// A Memory provides memory outside the Go heap.
type Memory interface {
	// Space returns most bytes of address space with the value 0, for a table of about this
	// many expected bytes, until the pass ends. The system provides a page when it is first
	// written. Space returns nil if the table should be on the heap.
	Space(expected, most uint64) []byte
}

// mostBytes is the size up to which a table grows in place. A larger table would move to the heap.
const mostBytes = 1 << 34

// Table returns a table of n zero elements that does not grow.
func Table[T any](m Memory, n int) []T {
	var t T
	bytes := uint64(n) * uint64(unsafe.Sizeof(t))
	if space := m.Space(bytes, bytes); space != nil {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(space))), n)
	}
	return make([]T, n)
}

// GrowingTable returns an empty table. If the formula is large, the table grows in place by
// appending. Tables of gates, groups and candidates have up to as many elements as the formula has
// clauses.
func GrowingTable[T any](h Host) []T {
	var t T
	z := h.Size()
	expected := 4*uint64(z.Words) + 8*uint64(z.Binary)
	if space := h.Space(expected, mostBytes); space != nil {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(space))), mostBytes/uint64(unsafe.Sizeof(t)))[:0]
	}
	return nil
}
