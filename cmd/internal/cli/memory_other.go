//go:build !linux

package cli

// freeMemory returns no limit. Only Linux has /proc and control groups, from which the free
// memory can be read.
func freeMemory() (free FreeMemory, known bool) { return FreeMemory{}, false }

// rlimitLeft returns no limit. It would have to subtract the mapped memory of the process,
// and only Linux has it in /proc.
func rlimitLeft() (left int64, limited bool) { return 0, false }

// resident returns 0. Only Linux has the resident memory in /proc.
func resident() int64 { return 0 }

// sharedMemory returns 0. Only Linux has the resident memory of files in /proc.
func sharedMemory() int64 { return 0 }

// anonymous returns 0. Only Linux has the resident memory in /proc.
func anonymous() int64 { return 0 }
