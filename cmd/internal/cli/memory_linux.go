package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// freeMemory returns how many bytes the process can take without taking memory from
// another process, swap space not included.
func freeMemory() (least FreeMemory, known bool) {
	consider := func(bytes int64, source string, is bool) {
		if is && (!known || bytes < least.Bytes) {
			least, known = FreeMemory{bytes, source}, true
		}
	}
	bytes, is := systemMemory("/")
	consider(bytes, SystemMemory, is)
	bytes, is = groupMemory("/")
	consider(bytes, GroupMemory, is)
	bytes, is = addressSpace()
	consider(heapIn(bytes), SpaceMemory, is)
	bytes, is = dataSpace()
	consider(heapIn(bytes), DataMemory, is)
	return least, known
}

// heapIn returns how many bytes the Go heap can grow in this many bytes of address space:
// it takes whole arenas, and one of them stays free.
func heapIn(space int64) int64 { return max(0, space/arena-1)*arena + mapped() - runtimeMemory() }

// systemMemory returns MemAvailable of proc/meminfo in the folder root, which is in units
// of 1024 bytes.
func systemMemory(root string) (bytes_ int64, known bool) {
	text, err := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	if err != nil {
		return 0, false
	}
	return numberAfter(text, "MemAvailable:", 1024)
}

// numberAfter returns the number that follows a name at the start of a line, times unit.
func numberAfter(text []byte, name string, unit int64) (n int64, found bool) {
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte(name))
		if !ok || len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		if fields := bytes.Fields(rest); len(fields) > 0 {
			n, err := strconv.ParseInt(string(fields[0]), 10, 64)
			return n * unit, err == nil
		}
	}
	return 0, false
}

// rlimitLeft returns how much address space the limits of the process leave.
func rlimitLeft() (left int64, limited bool) {
	left, limited = addressSpace()
	if data, is := dataSpace(); is && (!limited || data < left) {
		left, limited = data, true
	}
	return left, limited
}

// rlimitData is the number of RLIMIT_DATA.
const rlimitData = 2

// addressSpace returns RLIMIT_AS minus the mapped memory of the process, the first number
// of /proc/self/statm.
func addressSpace() (left int64, limited bool) { return underLimit(syscall.RLIMIT_AS, 0) }

// dataSpace returns RLIMIT_DATA minus the private writable memory of the process, the
// sixth number of /proc/self/statm.
func dataSpace() (left int64, limited bool) { return underLimit(rlimitData, 5) }

// underLimit returns a limit of the process minus a number of /proc/self/statm.
func underLimit(resource, field int) (left int64, limited bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(resource, &limit); err != nil || limit.Cur > 1<<62 {
		return 0, false
	}
	return max(0, int64(limit.Cur)-statm(field)), true
}

// statm returns a number of /proc/self/statm in bytes.
func statm(field int) int64 { return allStatm()[field] }

// allStatm returns the numbers of /proc/self/statm in bytes, or zeros. The watching goroutine
// calls it many times a second, so it makes three system calls, where os.ReadFile makes nine.
func allStatm() (numbers [7]int64) {
	fd, err := syscall.Open("/proc/self/statm", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return numbers
	}
	defer syscall.Close(fd)
	var text [256]byte // seven numbers of at most 20 digits
	n, err := syscall.Read(fd, text[:])
	if err != nil {
		return numbers
	}
	for i, field := range bytes.Fields(text[:n]) {
		if pages, err := strconv.ParseInt(string(field), 10, 64); err == nil && i < len(numbers) {
			numbers[i] = pages * int64(os.Getpagesize())
		}
	}
	return numbers
}

// resident returns the resident memory of the process.
func resident() int64 { return statm(1) }

// sharedMemory returns the resident memory of files, such as the program.
func sharedMemory() int64 { return statm(2) }

// anonymous returns the resident memory that belongs to no file.
func anonymous() int64 {
	numbers := allStatm()
	return numbers[1] - numbers[2]
}
