package cli

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The library that records profiles ignores write errors, so that a full disk shows in the
// file alone.
func TestRecorded(t *testing.T) {
	write := func(name string, size int64) string {
		name = filepath.Join(t.TempDir(), name)
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		z.Write([]byte("samples"))
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if size >= 0 {
			if err := os.Truncate(name, size); err != nil {
				t.Fatal(err)
			}
		}
		return name
	}
	for _, c := range []struct {
		name  string
		whole bool
	}{
		{write("cpu.pprof", -1), true},
		{write("cpu.pprof", 0), false},
		{write("mem.pprof", 12), false},
		{write("mutex.pprof", 24), false},
		{write("trace.out", 24), true},
		{"/dev/full", false},
	} {
		f, err := os.OpenFile(c.name, os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) && c.name == "/dev/full" {
			continue // not on this system
		}
		if err != nil {
			t.Fatal(err)
		}
		before, _ := f.Stat()
		if err := recorded(f); (err == nil) != c.whole {
			t.Errorf("%s: recorded returns %v", c.name, err)
		}
		if after, err := f.Stat(); err != nil || after.Size() != before.Size() {
			t.Errorf("%s: size %d after recorded, want %d (%v)", c.name, after.Size(), before.Size(), err)
		}
		f.Close()
	}
}
