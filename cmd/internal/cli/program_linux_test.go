package cli

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestFileMappings checks which mappings of a program are found: those of its file that cannot
// be written.
func TestFileMappings(t *testing.T) {
	text := `00400000-00500000 r-xp 00000000 fe:00 77 /my bin/sator
00600000-00700000 r--p 00200000 fe:00 77                 /my bin/sator
00700000-00800000 rw-p 00300000 fe:00 77 /my bin/sator
c000000000-c000400000 r--p 00000000 00:00 0
d000000000-d000400000 r--p 00000000 fe:00 78 /my bin/sator (deleted)
xyz-d000400000 r--p 00000000 fe:00 77 /my bin/sator
`
	want := []mapping{{0x400000, 0x500000, true}, {0x600000, 0x700000, false}}
	if got := fileMappings([]byte(text), "/my bin/sator"); !reflect.DeepEqual(got, want) {
		t.Errorf("mappings %v, want %v", got, want)
	}
}

// TestUnchanged checks that a mapping with pages that are not in the file, such as relocated
// addresses, is not released.
func TestUnchanged(t *testing.T) {
	const missing, ofFile, anonymous, swapped = 0, 1<<63 | 1<<61, 1 << 63, 1 << 62
	page := uintptr(os.Getpagesize())
	for _, tt := range []struct {
		pages []uint64
		want  bool
	}{
		{[]uint64{ofFile, missing, ofFile}, true},
		{[]uint64{ofFile, anonymous, ofFile}, false},
		{[]uint64{ofFile, missing, swapped}, false},
		{[]uint64{ofFile, missing}, false}, // an incomplete file
	} {
		pagemap := make([]byte, 8) // of the page before the mapping
		for _, p := range tt.pages {
			pagemap = binary.NativeEndian.AppendUint64(pagemap, p)
		}
		m := mapping{from: page, to: 4 * page}
		if got := m.unchanged(bytes.NewReader(pagemap)); got != tt.want {
			t.Errorf("%x: %v, want %v", tt.pages, got, tt.want)
		}
	}
}

// TestReleaseProgram checks that a release removes the program from the resident memory, that
// the program continues, and that the mappings of its constants are split.
func TestReleaseProgram(t *testing.T) {
	if len(programMappings()) == 0 {
		t.Skip("the mappings do not name the program, or it has relocated addresses")
	}
	for range 3 {
		before := sharedMemory()
		ReleaseProgram()
		if after := sharedMemory(); after > before/2+1<<20 {
			t.Errorf("%d of %d bytes of files are resident after a release", after, before)
		}
		_ = fmt.Sprint(strings.Fields(strings.Repeat("a b ", 100))) // other code
	}
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("no advice about huge pages")
	}
	splitProgram()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	window := uintptr(2 * os.Getpagesize())
	for _, m := range fileMappings(maps, name) {
		if m.to-m.from > window && !m.code {
			t.Errorf("the mapping %v is not split", m)
		}
	}
}
