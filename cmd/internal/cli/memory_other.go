//go:build !linux

package cli

// freeMemory is not implemented for this system.
func freeMemory() (free FreeMemory, known bool) { return FreeMemory{}, false }

// rlimitLeft is not implemented for this system.
func rlimitLeft() (left int64, limited bool) { return 0, false }

// sharedMemory is not implemented for this system.
func sharedMemory() int64 { return 0 }
