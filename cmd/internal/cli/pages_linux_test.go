package cli

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
)

// smapsSample has a mapping of code, a relocated table, data, a mapping of another file,
// and a heap.
const smapsSample = `00400000-0090b000 r-xp 00000000 fe:00 101                                /bin/sator
Rss:                4588 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me sd
0090b000-00e75000 r--p 0050b000 fe:00 101                                /bin/sator
Rss:                5032 kB
Anonymous:             4 kB
00e75000-00f0a000 rw-p 00a75000 fe:00 101                                /bin/sator
Anonymous:             0 kB
7f0000000000-7f0000001000 r--p 00000000 fe:00 102                        /lib/libc.so
Anonymous:             0 kB
7f0000002000-7f0000003000 rw-p 00000000 00:00 0
Anonymous:             0 kB
`

func TestUnchangedMappings(t *testing.T) {
	got := unchangedMappings([]byte(smapsSample), "/bin/sator")
	if len(got) != 1 || got[0] != (mapping{0x400000, 0x90b000}) {
		t.Errorf("got %x, want the mapping of the code alone", got)
	}
}

// TestSplitProgram runs code after its pages were released.
func TestSplitProgram(t *testing.T) {
	var size uintptr
	for _, m := range program() {
		size += m.end - m.start
	}
	if size == 0 {
		t.Skip("a debugger or the system has changed the pages of the program")
	}
	before := residentFile(t)
	splitProgram()
	if after := residentFile(t); after >= before {
		t.Errorf("%d kB of files are resident, before the release %d kB", after, before)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(maps, []byte(file+"\n")); n < int(size/splitBlock) {
		t.Errorf("%d mappings of %s, want one for each of its %d blocks", n, file, size/splitBlock)
	}
}

// residentFile returns the resident memory of files in units of 1024 bytes.
func residentFile(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, after, found := strings.Cut(string(text), "RssFile:")
	if !found {
		t.Skip("the kernel does not report RssFile")
	}
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
