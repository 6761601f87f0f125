//go:build !linux

package cli

// freeMemory knows nothing on this system.
func freeMemory() (bytes int64, known bool) { return 0, false }
