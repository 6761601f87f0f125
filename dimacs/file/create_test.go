package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// writeFile writes text to a file with Create.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	w.Abort()
}

// content returns the content of a file, read with Open.
func content(t *testing.T, path string) string {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// wantEntries checks the names of all files in a directory.
func wantEntries(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the directory has %q, want %q", got, names)
	}
}

func TestCreate(t *testing.T) {
	for ending, format := range map[string]string{".cnf": "", ".cnf.gz": "gzip", ".cnf.xz": "xz", ".cnf.zst": "zstd",
		".cnf.zstd": "zstd", ".CNF": "", ".cnf.GZ": "gzip", ".CNF.Xz": "xz", ".cnf.ZST": "zstd", ".cnf.zStd": "zstd"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "f"+ending)
		for _, s := range []string{strings.Repeat(text, 10000), text, ""} { // each replaces the one before
			writeFile(t, path, s)
			if got := content(t, path); got != s {
				t.Errorf("%s: got %d bytes, want %d", ending, len(got), len(s))
			}
			wantEntries(t, dir, "f"+ending)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Compression() != format {
			t.Errorf("%s: got compression %q, want %q", ending, f.Compression(), format)
		}
		f.Close()
	}
}

func TestCreateErrors(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "f.bz2"):     "bzip2 is read but not written; use .gz, .xz or .zst",
		filepath.Join(dir, "f.BZ2"):     "bzip2 is read but not written; use .gz, .xz or .zst",
		filepath.Join(dir, "none", "f"): "",
		dir:                             "",
	} {
		w, err := Create(path)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), ".tmp") ||
			!strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, %v", path, w, err)
		}
	}
	wantEntries(t, dir)
}

// TestAbort checks that before Close and after Abort there is only the old
// file.
func TestAbort(t *testing.T) {
	for _, name := range []string{"f", "f.gz", "f.xz", "f.zst"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		writeFile(t, path, "old")
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, strings.Repeat("new", 100_000))
		if got := content(t, path); got != "old" {
			t.Errorf("%s: got %.20q before Close", name, got)
		}
		w.Abort()
		w.Abort()
		if err := w.Close(); err != nil {
			t.Errorf("%s: Close after Abort: %v", name, err)
		}
		if _, err := w.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: Write after Abort: %v", name, err)
		}
		if got := content(t, path); got != "old" {
			t.Errorf("%s: got %.20q after Abort", name, got)
		}
		wantEntries(t, dir, name)
	}
}

// TestWriteError checks that Close returns an error of the system with the name
// of the file, and leaves no file.
func TestWriteError(t *testing.T) {
	for _, name := range []string{"f", "f.gz", "f.xz", "f.zst"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w.file.Close() // so that every write fails
		io.WriteString(w, "text")
		err = w.Close()
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: got %v", name, err)
		}
		wantEntries(t, dir)
	}
}

// TestFlushError checks that Close returns the error of the last write, although
// closing the file succeeds, and leaves the old file.
func TestFlushError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	w.buf.Reset(failingWriter{full})
	io.WriteString(w, "text")
	if err := w.Close(); !errors.Is(err, full) {
		t.Errorf("got error %v, want %v", err, full)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("got %q, want the old file", got)
	}
	wantEntries(t, dir, "f")
}

// A failingWriter returns an error for every write.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	link := func(to, from string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "sub", "target"), "old")
	link("second", "first")
	link(filepath.Join("sub", "target"), "second")
	link(filepath.Join("sub", "new"), "dangling")
	link("loop", "loop")

	writeFile(t, filepath.Join(dir, "first"), "text")
	if got := content(t, filepath.Join(dir, "sub", "target")); got != "text" {
		t.Errorf("the target has %q", got)
	}
	writeFile(t, filepath.Join(dir, "dangling"), "fresh")
	if got := content(t, filepath.Join(dir, "sub", "new")); got != "fresh" {
		t.Errorf("the target has %q", got)
	}
	for _, name := range []string{"first", "second", "dangling"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	if _, err := Create(filepath.Join(dir, "loop")); err == nil || !strings.Contains(err.Error(), "too many symbolic links") {
		t.Errorf("loop: got %v", err)
	}
	wantEntries(t, filepath.Join(dir, "sub"), "new", "target")
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no Unix permissions")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, perm := range []os.FileMode{0o600, 0o640, 0o666, 0o755} {
		write(t, path, nil)
		if err := os.Chmod(path, perm); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, "text")
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != perm {
			t.Errorf("got permissions %o, want %o", info.Mode().Perm(), perm)
		}
	}
	// A new file has the permissions of any file of this program.
	write(t, filepath.Join(dir, "usual"), nil)
	writeFile(t, filepath.Join(dir, "new"), "text")
	usual, err := os.Stat(filepath.Join(dir, "usual"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "new")); err != nil || info.Mode() != usual.Mode() {
		t.Errorf("got %v, want %v", info.Mode(), usual.Mode())
	}
	if os.Getuid() == 0 {
		return // root may write to any file
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a file without write permission: got %v", err)
	}
}

// TestDevice checks that a file that is not regular is written to, and not
// replaced.
func TestDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	writeFile(t, os.DevNull, text)
	w, err := Create(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	w.Abort()
	if after, err := os.Stat(os.DevNull); err != nil || after.Mode() != before.Mode() {
		t.Fatalf("the device was replaced: %v", err)
	}
}

func TestStandardOutput(t *testing.T) {
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer func(f *os.File) { os.Stdout = f }(os.Stdout)
	os.Stdout = out
	w, err := Create("-")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "one ")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, "two")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(out, " three"); err != nil {
		t.Errorf("standard output was closed: %v", err)
	}
	out.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != "one two three" {
		t.Errorf("got %q, %v", got, err)
	}
	if w.Name() != "-" {
		t.Errorf("got name %q", w.Name())
	}
}
