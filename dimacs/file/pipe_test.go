//go:build unix

package file

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHurry checks that a write to a pipe that nobody reads fails after the patience,
// whether it waits already or begins later.
func TestHurry(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	reader, err := os.OpenFile(name, os.O_RDWR, 0) // does not wait for a writer
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()

	w, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	w.Hurry(time.Minute)
	full := make(chan error, 1)
	go func() {
		_, err := w.Write(make([]byte, 4<<20)) // more than any pipe holds
		full <- err
	}()
	select {
	case err := <-full:
		t.Fatalf("a write to a full pipe returned %v at once", err)
	case <-time.After(20 * time.Millisecond):
	}
	w.Hurry(time.Millisecond)
	const want = "nobody reads the pipe"
	if err := <-full; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Fatalf("error %v of a write that waits, want %q", err, want)
	}

	later, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer later.Abort()
	later.Hurry(time.Millisecond)
	if _, err := later.Write(make([]byte, 4<<20)); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Fatalf("error %v of a write that began later, want %q", err, want)
	}
}

// TestHurryFile checks that Hurry has no effect on files.
func TestHurryFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	w, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w.Hurry(1)
	_, werr := w.Write(make([]byte, 1<<20))
	if err := errors.Join(werr, w.Close()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Size() != 1<<20 {
		t.Fatal(info, err)
	}
}
