package cli

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestFileMappings checks which mappings of a program are released: those of its file that
// cannot be written, and whose pages are all in the file.
func TestFileMappings(t *testing.T) {
	entry := func(line, anonymous string) string {
		return line + "\nSize: 8 kB\nRss: 8 kB\nAnonymous: " + anonymous + " kB\nVmFlags: rd mr mw me sd \n"
	}
	text := entry("00400000-00500000 r-xp 00000000 fe:00 77 /my bin/sator", "0") +
		entry("00500000-00600000 r--p 00100000 fe:00 77 /my bin/sator", "4") + // relocated
		entry("00600000-00700000 r--p 00200000 fe:00 77 /my bin/sator", "0") +
		entry("00700000-00800000 rw-p 00300000 fe:00 77 /my bin/sator", "0") +
		entry("c000000000-c000400000 r--p 00000000 00:00 0", "0") +
		entry("d000000000-d000400000 r--p 00000000 fe:00 78 /my bin/sator (deleted)", "0") +
		entry("xyz-d000400000 r--p 00000000 fe:00 77 /my bin/sator", "0") +
		"00900000-00a00000 r--p 00200000 fe:00 77 /my bin/sator\n"
	want := []mapping{{0x400000, 0x500000}, {0x600000, 0x700000}}
	if got := fileMappings([]byte(text), "/my bin/sator"); !reflect.DeepEqual(got, want) {
		t.Errorf("mappings %x, want %x", got, want)
	}
}

// TestReleaseProgram checks that the program continues after a release, and that its code
// is among what is released.
func TestReleaseProgram(t *testing.T) {
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	name, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Skip(err)
	}
	if !strings.Contains(string(text), name) {
		t.Skip("the mappings do not name the program")
	}
	if len(fileMappings(text, name)) == 0 {
		t.Errorf("no mapping of %s can be released", name)
	}
	for range 3 {
		releaseProgram()
	}
}
