//go:build !linux

package cli

// freeMemory is not implemented for this system.
func freeMemory() (bytes int64, known bool) { return 0, false }
