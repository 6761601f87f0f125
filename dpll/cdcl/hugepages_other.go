//go:build !linux

package cdcl

import "unsafe"

// adviseHuge does nothing: this system decides on huge pages by itself, or has
// none; see hugepages_linux.go.
func adviseHuge(unsafe.Pointer, uintptr) {}
