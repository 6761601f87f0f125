//go:build !linux

package cdcl

import "unsafe"

// adviseHuge does nothing: the system chooses its page sizes itself, or has no huge
// pages; see hugepages_linux.go.
func adviseHuge(unsafe.Pointer, uintptr) {}

// adviseHuge does nothing: there are no reservations.
func (r *reservation) adviseHuge(written, size uint64) {}

// populate does nothing: there are no reservations.
func (r *reservation) populate() {}

// discard does nothing: there are no reservations.
func (r *reservation) discard(used, end uint64) {}
