package cdcl

import (
	"math"
	"syscall"
)

// rlimitData is the number of RLIMIT_DATA.
const rlimitData = 2

// mapSpace maps this many bytes of new memory. The system provides a page when it is first
// written. mapSpace returns nil if that fails, or if the process has a limit of its address
// space, which others need more.
func mapSpace(bytes uint64) []byte {
	if bytes > math.MaxInt || limited(syscall.RLIMIT_AS) || limited(rlimitData) {
		return nil
	}
	const flags = syscall.MAP_ANON | syscall.MAP_PRIVATE | syscall.MAP_NORESERVE
	memory, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, flags)
	if err != nil {
		return nil
	}
	return memory
}

// limited reports whether the process has a limit of this resource.
func limited(resource int) bool {
	var limit syscall.Rlimit
	return syscall.Getrlimit(resource, &limit) != nil || limit.Cur < 1<<62
}

// unmapSpace returns memory of mapSpace to the system.
func unmapSpace(memory []byte) {
	if err := syscall.Munmap(memory); err != nil {
		panic("cdcl: " + err.Error())
	}
}
