package cli

import (
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"
)

// Resident pages of the program file. The search, and each stage of the start, needs a small
// part of the 12 MB of code and constants, but a page fault maps the 16 pages around it: 9.5 of
// the 13 MB of a run with two clauses were pages of the program. Two measures keep them few:
//
//   - ReleaseProgram removes them from the page table. The file cache keeps them, and those in
//     use return by page faults that read nothing from the disk, about 100 for each release. It
//     runs after each stage of the start: when packages are initialized, when the command line is
//     parsed, and when the formula is read; and after every 500 ms of processor time.
//   - A page fault maps no page outside its mapping. So after 25 ms of processor time a run splits
//     the mapping of its constants into windows of two pages (splitProgram), by advice on huge
//     pages that differs between neighbors and has no other effect on pages of files. This takes 1
//     ms, and the kernel needs 0.15 MB for 780 mappings. Types, and tables of functions for the
//     garbage collector, are read at random; code is denser.
//
// While the first release came after 75 ms, and without windows, the pages of the start and the
// first tables of the search were the peak of runs of seconds. The peak fell from 13.3 to 10.0 MB
// with two clauses, from 15.0 to 11.4 on a pigeonhole problem of 15 ms (hole9), and in runs of
// about 1 s from 17.2 to 12.3 (factor_bits34), 17.2 to 12.0 (speck_rounds5), 18.8 to 13.7
// (bar_size_2015) and 30.5 to 27.9 (manol-pipe-f6b). Six formulas took 1.007 of the processor time,
// 1.002 by medians (8 pairs each).
//
// Two clauses take 1 ms more for 250 page faults. When the start was split, too, they took 9.2 MB,
// but another 2 ms. Windows for the code, too, took another 2 ms for the same peaks, and those of
// four pages instead of two had peaks 1.4 MB higher. On three formulas with releases after 125,
// 250, 500 and 1,000 ms the mean peak was 23.5, 24.1, 24.2 and 24.1 MB, and the processor time 1.02,
// 1.005, 1 and 0.999 (5 runs each). Counted by the clock, a busy machine released the pages more
// often, for 2 to 4 percent more processor time.

// ReleaseProgram removes the resident pages of the program file from the page table.
func ReleaseProgram() {
	for _, m := range programMappings() {
		m.advise(syscall.MADV_DONTNEED) // the pages equal those of the file, so nothing is lost
	}
}

// splitProgram lets each page fault in the constants of the program map at most the two pages of
// a window.
var splitProgram = sync.OnceFunc(func() {
	window := uintptr(2 * os.Getpagesize())
	for _, m := range programMappings() {
		for at := m.from; at < m.to && !m.code; at += 2 * window {
			mapping{from: at, to: min(at+window, m.to)}.advise(syscall.MADV_NOHUGEPAGE)
		}
	}
})

// programMappings returns the mappings of the program file, as they were when it was called
// first. It skips mappings with pages that are not in the file, such as relocated addresses.
// Only a debugger changes them later.
var programMappings = sync.OnceValue(func() []mapping {
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil
	}
	pages, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	defer pages.Close()
	return slices.DeleteFunc(fileMappings(maps, name), func(m mapping) bool { return !m.unchanged(pages) })
})

// A mapping is a part of the address space.
type mapping struct {
	from, to uintptr
	code     bool // its pages are executable
}

// advise gives the system advice about the mapping.
func (m mapping) advise(advice uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.from, m.to-m.from, advice)
}

// unchanged reports whether all pages of the mapping that are in memory are pages of a file, by
// the file /proc/*/pagemap.
func (m mapping) unchanged(pagemap io.ReaderAt) bool {
	const (
		entry   = 8       // bytes about a page
		ofFile  = 1 << 61 // the page belongs to a file
		swapped = 1 << 62
		present = 1 << 63
	)
	page := uintptr(os.Getpagesize())
	entries := make([]byte, (m.to-m.from)/page*entry)
	if _, err := pagemap.ReadAt(entries, int64(m.from/page*entry)); err != nil {
		return false
	}
	for e := range slices.Chunk(entries, entry) {
		if bits := binary.NativeEndian.Uint64(e); bits&swapped != 0 || bits&(present|ofFile) == present {
			return false
		}
	}
	return true
}

// fileMappings returns the mappings of the file with this name that cannot be written, in the
// text of a file /proc/*/maps.
func fileMappings(maps []byte, name string) []mapping {
	var found []mapping
	for line := range strings.Lines(string(maps)) {
		if m, ok := parseMapping(strings.Fields(line), name); ok {
			found = append(found, m)
		}
	}
	return found
}

// parseMapping returns the mapping in its line of maps: addresses,
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
	return mapping{uintptr(from), uintptr(to), strings.Contains(fields[1], "x")}, err == nil && from < to
}
