//go:build !linux

package cdcl

import "unsafe"

// adviseHuge does nothing: the system chooses its page sizes itself, or has no huge
// pages; see hugepages_linux.go.
func adviseHuge(unsafe.Pointer, uintptr) {}
