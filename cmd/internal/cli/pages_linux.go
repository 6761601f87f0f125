package cli

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// The resident part of the program file. Of 11 MB, 10 were resident during a search that
// runs 1 MB of code and reads little else: a page fault maps 64 KB around the page, and the
// walks of the garbage collector over the stack read a few bytes in most tables of
// functions. Linux maps no page beyond the end of a mapping (vm_area_struct). So the
// mappings of the program are split into blocks, and pages that were mapped before are
// released: the kernel maps them again, from its cache, when they are read.
//
// With blocks of 8, 16 and 32 KB, the peak of a formula of two clauses is 8.4, 8.9 and
// 10 MB instead of 13, with a third more page faults, each of less than a microsecond.

// splitBlock is the number of bytes around a page fault that are mapped.
const splitBlock = 16 << 10

// madvDontDump is MADV_DONTDUMP. Core dumps do not contain the unchanged pages of files in
// any case; the advice only makes neighboring blocks different mappings.
const madvDontDump = 16

// program returns the mappings of the program file that the process does not change. It
// leaves out mappings with changed pages, whose content would be lost: relocated tables,
// and code with the breakpoints of a debugger.
var program = sync.OnceValue(func() []mapping {
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return nil
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return nil
	}
	return unchangedMappings(maps, file)
})

// splitProgram splits the mappings of the program file into blocks and releases their
// pages.
func splitProgram() {
	for _, m := range program() {
		for start := m.start; start < m.end; start += 2 * splitBlock {
			mapping{start, min(start+splitBlock, m.end)}.advise(madvDontDump)
		}
	}
	releaseProgram()
}

// releaseProgram releases the resident pages of the program file.
func releaseProgram() {
	for _, m := range program() {
		m.advise(syscall.MADV_DONTNEED)
	}
}

// A mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// advise calls madvise. An error means that the pages stay as they are.
func (m mapping) advise(advice uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, advice)
}

// unchangedMappings returns the read-only mappings of a file without changed pages,
// from the text of /proc/self/smaps.
func unchangedMappings(smaps []byte, file string) []mapping {
	var found []mapping
	var current mapping
	readOnly := false
	for line := range bytes.Lines(smaps) {
		fields := bytes.Fields(line)
		switch {
		case len(fields) == 3 && readOnly && string(fields[0]) == "Anonymous:" && string(fields[1]) == "0":
			found = append(found, current)
		case len(fields) >= 5 && !bytes.HasSuffix(fields[0], []byte(":")):
			current, readOnly = parseMapping(fields[0])
			readOnly = readOnly && len(fields) == 6 && string(fields[5]) == file && fields[1][1] == '-'
		}
	}
	return found
}

// parseMapping reads a range of addresses such as 400000-90b000.
func parseMapping(text []byte) (m mapping, valid bool) {
	from, to, _ := bytes.Cut(text, []byte("-"))
	start, errStart := strconv.ParseUint(string(from), 16, strconv.IntSize)
	end, errEnd := strconv.ParseUint(string(to), 16, strconv.IntSize)
	return mapping{uintptr(start), uintptr(end)}, errStart == nil && errEnd == nil && start < end
}
