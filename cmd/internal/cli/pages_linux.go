package cli

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// The initialization of packages, flags and help texts touches most of the program file:
// 10 MB of code, types and tables of functions are then resident, of which a search needs a
// part. The kernel reads a page that was released again from its cache at the next access.
// Peaks of solve on small formulas fall by 2 MB. The collector's walks over the stack bring
// most tables of functions back, since a page fault maps 64 KB around the page.

// releaseProgram releases the resident pages of the program file. It skips mappings with
// pages that the process has changed, because their content would be lost: relocated
// tables, and breakpoints of debuggers.
func releaseProgram() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range unchangedMappings(maps, program) {
		// An error means that the pages stay.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// A mapping is a range of addresses.
type mapping struct{ start, end uintptr }

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
