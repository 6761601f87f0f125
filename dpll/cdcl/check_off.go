//go:build !satcheck

package cdcl

import "unsafe"

// checking is whether the solver's invariants are checked while it runs. It is
// a constant, so that without the tag not even the linker sees the checks.
const checking = false

// A uncheckedSlice is a slice as the hot loops see it: base pointer alone, no bounds
// checked. It is made of a slice at the head of a loop and dies with it; while
// it lives the slice must not be moved. The build tag satcheck replaces it by
// one that checks each index.
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

// from is the view of the slice's tail that begins at i.
func (v uncheckedSlice[T]) from(i uint32) uncheckedSlice[T] {
	var t T
	return uncheckedSlice[T]{unsafe.Add(v.base, uintptr(i)*unsafe.Sizeof(t))}
}
