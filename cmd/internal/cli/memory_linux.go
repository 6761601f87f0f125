package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// freeMemory returns how many bytes the system can provide, swap space included,
// without taking memory from another process. A limit on the address space
// (ulimit -v) can lower the figure.
func freeMemory() (bytes int64, known bool) {
	bytes, known = systemMemory()
	if left, limited := addressSpace(); limited && (!known || left < bytes) {
		bytes, known = left, true
	}
	return bytes, known
}

// systemMemory returns MemAvailable plus SwapFree of /proc/meminfo, which is in
// units of 1024 bytes.
func systemMemory() (sum int64, known bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var (
			name string
			size int64
		)
		if n, _ := fmt.Sscan(lines.Text(), &name, &size); n < 2 {
			continue
		}
		switch name {
		case "MemAvailable:":
			sum, known = sum+size<<10, true
		case "SwapFree:":
			sum += size << 10
		}
	}
	return sum, known
}

// addressSpace returns RLIMIT_AS minus the mapped memory of the process, which is
// the first number of /proc/self/statm, in pages.
func addressSpace() (left int64, limited bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur > 1<<62 {
		return 0, false
	}
	var pages int64
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		fmt.Sscan(string(text), &pages)
	}
	return max(0, int64(limit.Cur)-pages*int64(os.Getpagesize())), true
}
