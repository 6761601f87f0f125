package file

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOrder checks that a file is synchronized before it is renamed, and its
// directory after that.
func TestOrder(t *testing.T) {
	var got []Op
	d := &Disk{Fail: func(op Op, _ string) error { got = append(got, op); return nil }}
	name := filepath.Join(t.TempDir(), "f.gz")
	for _, want := range [][]Op{
		{OpCreate, OpWrite, OpSync, OpClose, OpRename, OpSyncDir},
		{OpCreate, OpCreate, OpWrite, OpSync, OpClose, OpRename, OpSyncDir}, // the old file is tested
	} {
		got = nil
		if err := d.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got operations %q, want %q", got, want)
		}
	}
	got = nil
	if err := d.WriteFile(os.DevNull, []byte(text)); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(got, OpSync) || slices.Contains(got, OpRename) {
		t.Errorf("a device: %q", got)
	}
}

// TestFaults lets each operation of each kind of file fail: Close returns the
// error, and the old file stays, unless only its directory was not synchronized.
func TestFaults(t *testing.T) {
	long := strings.Repeat(text, 20_000)
	for _, name := range []string{"f", "f.gz", "f.xz", "f.zst"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		writeFile(t, path, "old")
		for k, failed := 0, true; failed; k++ {
			failed = false
			count := 0
			disk := &Disk{Fail: func(op Op, _ string) error {
				if count++; count != k+1 {
					return nil
				}
				failed = true
				return fmt.Errorf("no %s", op)
			}}
			err := disk.WriteFile(path, []byte(long))
			switch got := content(t, path); {
			case !failed:
				if err != nil || got != long {
					t.Errorf("%s: without a fault: %v, %.20q", name, err, got)
				}
			case err == nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), ".tmp"):
				t.Errorf("%s: fault of operation %d: got error %v", name, k, err)
			case got != "old" && (got != long || !strings.HasSuffix(err.Error(), string(OpSyncDir))):
				t.Errorf("%s: %v: the file is %.20q", name, err, got)
			}
			wantEntries(t, dir, name)
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, "old")
		}
	}
}

// TestKill kills a program that writes: the old file stays, and beside it a temporary
// file with the name that the documentation gives.
func TestKill(t *testing.T) {
	if path := os.Getenv("FILE_TO_BE_KILLED"); path != "" {
		w, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, strings.Repeat(text, 100_000))
		w.Flush()
		fmt.Println("ready")
		time.Sleep(time.Hour)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "p.drat")
	writeFile(t, path, "old")
	killed := exec.Command(os.Args[0], "-test.run", "^TestKill$")
	killed.Env = append(os.Environ(), "FILE_TO_BE_KILLED="+path)
	out, err := killed.StdoutPipe()
	if err == nil {
		err = killed.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
		t.Error(err)
	}
	killed.Process.Kill()
	killed.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("files left: %v, %v", entries, err)
	}
	if target, is := TemporaryOf(entries[0].Name()); !is || target != "p.drat" {
		t.Errorf("%s is no name of a temporary file for p.drat", entries[0].Name())
	}
	if got := content(t, path); got != "old" {
		t.Errorf("got %.20q", got)
	}
}

// TestCannotSync checks that a file system that cannot synchronize is no error,
// and a disk error is.
func TestCannotSync(t *testing.T) {
	for _, op := range []Op{OpSync, OpSyncDir} {
		for _, x := range []struct {
			err error
			bad bool
		}{{syscall.EINVAL, false}, {syscall.ENOTSUP, false}, {syscall.ENOSYS, false}, {syscall.EIO, true}, {syscall.ENOSPC, true}} {
			d := &Disk{Fail: func(o Op, _ string) error {
				if o == op {
					return x.err
				}
				return nil
			}}
			if err := d.WriteFile(filepath.Join(t.TempDir(), "f"), nil); (err != nil) != x.bad || x.bad && !errors.Is(err, x.err) {
				t.Errorf("%s: %v: got %v", op, x.err, err)
			}
		}
	}
}

// TestUnreadableDirectory writes to a directory that cannot be opened for reading.
func TestUnreadableDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	if err := os.Mkdir(dir, 0o300); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	writeFile(t, filepath.Join(dir, "f"), text)
}

// TestReadOnlyDirectory checks that the message about a file that cannot be
// replaced names the reason.
func TestReadOnlyDirectory(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("root may write to any directory, and Windows knows no such directory")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	writeFile(t, path, "old")
	os.Chmod(dir, 0o500)
	defer os.Chmod(dir, 0o700)
	if _, err := Create(path); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), path+": cannot create a new file beside it: ") {
		t.Errorf("got %v", err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("got %q", got)
	}
}

// TestHardLinks checks that the other name of a replaced file keeps the old
// content.
func TestHardLinks(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "f"), filepath.Join(dir, "g")
	writeFile(t, path, "old")
	if err := os.Link(path, other); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	writeFile(t, path, "new")
	if a, b := content(t, path), content(t, other); a != "new" || b != "old" {
		t.Errorf("got %q and %q", a, b)
	}
}

func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can change the owner of a file")
	}
	path := filepath.Join(t.TempDir(), "f")
	writeFile(t, path, "old")
	if err := os.Chown(path, 12345, 54321); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, "new")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if uid, gid, _ := owner(info); uid != 12345 || gid != 54321 || info.Mode().Perm() != 0o640 {
		t.Errorf("got owner %d, group %d, permissions %o", uid, gid, info.Mode().Perm())
	}
}

// TestDescriptor writes to names of file descriptors: a pipe, and a file at the
// position where others stopped.
func TestDescriptor(t *testing.T) {
	dir := "/dev/fd"
	if _, err := os.Stat(dir); err != nil || runtime.GOOS == "windows" {
		t.Skip("no names of file descriptors here")
	}
	temp := t.TempDir()
	f, err := os.Create(filepath.Join(temp, "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	link := filepath.Join(temp, "link")
	if err := os.Symlink(fmt.Sprint(dir, "/", f.Fd()), link); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{fmt.Sprint(dir, "/", f.Fd()), link} {
		fmt.Fprintf(f, "before %d, ", i)
		writeFile(t, name, "within, ")
		fmt.Fprint(f, "after. ")
	}
	if got, want := content(t, f.Name()), "before 0, within, after. before 1, within, after. "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	wantEntries(t, temp, "f", "link")
	writeFile(t, fmt.Sprint(dir, "/", w.Fd()), text)
	w.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != text {
		t.Errorf("pipe: got %q, %v", got, err)
	}
	for _, name := range []string{dir + "/987654", "/proc/self/fd/987654"} {
		if _, err := Create(name); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s is not open: got %v", name, err)
		}
	}
}

// TestTemporaryNames checks that the names of temporary files are recognized, and
// that a long name of a target does not make a name that is too long.
func TestTemporaryNames(t *testing.T) {
	for _, base := range []string{"p.drat", ".hidden", "a b", strings.Repeat("é", 100) + "123456789012345678901234567890123456789012345678901.gz"} {
		name := temporary(base)
		target, is := TemporaryOf(name)
		if !is || !strings.HasPrefix(base, target) || len(base) <= 100 && target != base {
			t.Errorf("%s: %s, %q, %v", base, name, target, is)
		}
		path := filepath.Join(t.TempDir(), base)
		writeFile(t, path, text)
		if got := content(t, path); got != text {
			t.Errorf("%s: got %q", base, got)
		}
	}
	for _, name := range []string{"p.drat", ".tmp", ".p.tmp", "p.0a1b2c3d.tmp", "..0a1b2c3d.tmp", ".p.0a1b2c3.tmp", ".p.0a1b2c3d.tmp~"} {
		if target, is := TemporaryOf(name); is {
			t.Errorf("%s was taken for a temporary file of %s", name, target)
		}
	}
}

func TestMkdirAll(t *testing.T) {
	root := t.TempDir()
	var synced []string
	d := &Disk{Fail: func(op Op, name string) error {
		if op == OpSyncDir {
			synced = append(synced, name)
		}
		return nil
	}}
	dir := filepath.Join(root, "a", "b")
	for range 2 {
		if err := d.MkdirAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{root, filepath.Join(root, "a")}; !slices.Equal(synced, want) {
		t.Errorf("synchronized are %q, want %q", synced, want)
	}
	file := filepath.Join(root, "f")
	writeFile(t, file, "")
	for _, name := range []string{file, filepath.Join(file, "sub")} {
		if err := d.MkdirAll(name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	bad := errors.New("bad")
	d.Fail = func(op Op, _ string) error {
		if op == OpMkdir {
			return bad
		}
		return nil
	}
	if err := d.MkdirAll(filepath.Join(root, "c")); !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
}

// TestGrowingFile lets each operation of a file that grows fail.
func TestGrowingFile(t *testing.T) {
	bad := errors.New("bad")
	for _, op := range []Op{OpCreate, OpWrite, OpTruncate, OpSync, OpSyncDir, OpClose, ""} {
		d := &Disk{Fail: func(o Op, _ string) error {
			if o == op {
				return bad
			}
			return nil
		}}
		name := filepath.Join(t.TempDir(), "f")
		err := func() error {
			h, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
			if err != nil {
				return err
			}
			_, first := h.Write([]byte("abcd"))
			_, second := h.WriteAt([]byte("efgh"), 4)
			return errors.Join(first, second, h.Truncate(6), h.Sync(), h.Close())
		}()
		if op == "" && err != nil || op != "" && !errors.Is(err, bad) {
			t.Errorf("fault %q: got %v", op, err)
		}
		want := map[Op]string{"": "abcdef", OpWrite: "ab\x00\x00ef", OpTruncate: "abcdefgh", OpSync: "abcdef", OpClose: "abcdef"}
		if got, _ := os.ReadFile(name); string(got) != want[op] {
			t.Errorf("fault %q: the file is %q, want %q", op, got, want[op])
		}
	}
}

// BenchmarkSmallFile measures the cost of synchronizing: a small file with it and
// without it.
func BenchmarkSmallFile(b *testing.B) {
	for name, d := range map[string]*Disk{
		"synchronized": {},
		"not": {Fail: func(op Op, _ string) error {
			if op == OpSync || op == OpSyncDir {
				return syscall.EINVAL
			}
			return nil
		}},
	} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "f")
			for b.Loop() {
				if err := d.WriteFile(path, []byte(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
