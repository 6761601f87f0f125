package cli

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// Resident pages of the program file. After the start about 10 MB of code and constants
// are resident, because a page fault maps 16 pages at once. The search needs a small part
// of them. A run that lasts removes these pages from its page table: the file cache keeps
// them, and those in use return by page faults that read nothing from the disk. The first
// removal comes after 75 ms, so that short runs are as fast as before, and each later one 250 ms
// after the one before. A removal costs about 150 page faults. It must not read smaps each time:
// that takes 3 ms in a process of 30 MB, and 15 ms in one of 1 GB. When each pause was four times
// as long as the one before, the code of passes stayed resident: the peak of a clique problem
// (kclique_n110_k11) was 30.0 instead of 27.7 MB.
//
// The peak of 10 s of search fell from 21.9 to 15.5 MB on a formula whose tables take 9 MB.
// In 40 pairs on four formulas (0.01 to 0.7 s; idle machine) the processor time was 1.007
// +- 0.010 of that without removals, and the peaks 41.4 against 45.9, 15.9 against 17.9,
// 16.1 against 18.4 and 14.1 against 14.2 MB. Tried at the start of the run, without waiting:
// see SaveMemory.

// releaseProgram removes the resident pages of the program file from the page table.
func releaseProgram() {
	for _, m := range programMappings() {
		// The pages equal those of the file, so nothing is lost.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.from, m.to-m.from, syscall.MADV_DONTNEED)
	}
}

// programMappings returns the mappings of the program file. It skips mappings with pages that
// are not in the file, such as relocated addresses. Only a debugger changes them later.
var programMappings = sync.OnceValue(func() []mapping {
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return nil
	}
	return fileMappings(text, name)
})

// A mapping is a part of the address space.
type mapping struct{ from, to uintptr }

// fileMappings returns the mappings of the file with this name in the text of a file
// /proc/*/smaps. They cannot be written, and have only pages of the file. Mappings without
// complete information are left out.
func fileMappings(smaps []byte, name string) []mapping {
	var found []mapping
	var m mapping
	candidate := false
	for line := range bytes.Lines(smaps) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 3 && fields[0] == "Anonymous:":
			if candidate && fields[1] == "0" {
				found = append(found, m)
			}
			candidate = false
		case len(fields) >= 5 && !strings.HasSuffix(fields[0], ":"):
			m, candidate = parseMapping(fields, name)
		}
	}
	return found
}

// parseMapping returns the mapping in the first line of its entry in smaps: addresses,
// permissions, offset, device, inode and name. It reports whether the mapping is of the
// file with this name and cannot be written.
func parseMapping(fields []string, name string) (m mapping, ok bool) {
	if len(fields) < 6 || strings.Join(fields[5:], " ") != name || strings.Contains(fields[1], "w") {
		return mapping{}, false
	}
	low, high, _ := strings.Cut(fields[0], "-")
	from, err := strconv.ParseUint(low, 16, 8*int(unsafe.Sizeof(m.from)))
	if err != nil {
		return mapping{}, false
	}
	to, err := strconv.ParseUint(high, 16, 8*int(unsafe.Sizeof(m.to)))
	return mapping{uintptr(from), uintptr(to)}, err == nil && from < to
}
