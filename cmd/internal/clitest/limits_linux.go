package clitest

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"testing"

	"golang.org/x/sys/unix"

	"sator/internal/effort"
)

// Writers on files that the operating system does not let them write: a limit on
// the size of files (RLIMIT_FSIZE), a full file system, and a named pipe without a
// reader. In contrast to the operations of TestFaults, these are real.

// TestFileSizes runs rows with a limit on the size of files: 0, half of each output,
// and a byte less than each.
func (w *Writers) TestFileSizes(t *testing.T) {
	effort.Sequential(t)
	if !inChild(t, nil) {
		return // the limit would hold for the log of the test too
	}
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
		t.Skipf("no limit on the size of files: %v", err)
	}
	w.eachRow(t, func(t *testing.T, row Writer, old, good map[string]string) {
		sizes := []int{0}
		for _, text := range good {
			sizes = append(sizes, len(text)/2, max(len(text)-1, 0))
		}
		slices.Sort(sizes)
		for _, size := range slices.Compact(sizes) {
			restore(t, old)
			limit := before
			limit.Cur = uint64(size)
			if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
				t.Fatal(err)
			}
			r := w.runReally(t, row.Line)
			if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &before); err != nil {
				t.Fatal(err)
			}
			x := &trial{t: t, row: row, old: old, new: good}
			x.checkReal(r, fmt.Sprintf("files of at most %d bytes", size), syscall.EFBIG)
		}
	})
}

// childVariable is set in a process that a test starts for a part of itself.
const childVariable = "SATOR_CHILD"

// inChild runs the same test in a process with some attributes, and returns true
// there. In the first process it returns false after that, with the result of the
// test.
func inChild(t *testing.T, how *syscall.SysProcAttr) bool {
	t.Helper()
	if os.Getenv(childVariable) != "" {
		return true
	}
	child := exec.Command(os.Args[0], "-test.v", "-test.run", "^"+t.Name()+"$")
	child.Env, child.SysProcAttr = append(os.Environ(), childVariable+"=1"), how
	out, err := child.CombinedOutput()
	text := regexp.MustCompile(`(?m)^( *--- PASS| *=== ).*\n`).ReplaceAllString(string(out), "")
	var failed *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &failed):
		t.Skipf("cannot start a process of this kind: %v", err)
	case err != nil:
		t.Errorf("%v\n%s", err, text)
	case strings.Contains(text, "--- SKIP"):
		t.Skip(text)
	}
	return false
}

// TestFullDisk runs rows on a file system without free blocks, and with few. It is a
// tmpfs that the test, called again under the same name in a namespace of its own,
// may mount without being root.
func (w *Writers) TestFullDisk(t *testing.T) {
	effort.Sequential(t)
	if InNamespace(t) {
		w.fillDisk(t)
	}
}

// InNamespace runs the same test in a process with a mount namespace of its own, where it
// may mount file systems without being root, and returns true there. In the first process
// it returns false after that, with the result of the test. If the system does not allow
// such namespaces, it skips the test.
func InNamespace(t *testing.T) bool {
	t.Helper()
	return inChild(t, &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	})
}

// fillDisk runs the rows on a tmpfs with few free blocks.
func (w *Writers) fillDisk(t *testing.T) {
	const block = 4096
	inputs, disk := "", t.TempDir()
	mount := func(source, target, kind string, flags uintptr, data string) {
		t.Helper()
		if err := unix.Mount(source, target, kind, flags, data); err != nil {
			t.Skipf("mounting is not allowed here: %v", err)
		}
	}
	mount("tmpfs", disk, "tmpfs", 0, "size=16m")
	w.enter = func(t *testing.T) { // the working directory is the disk, with the inputs elsewhere
		t.Helper()
		inputs = filepath.Join(t.TempDir(), "in")
		if err := errors.Join(os.Rename("in", inputs), os.Mkdir(filepath.Join(disk, "in"), 0o777)); err != nil {
			t.Fatal(err)
		}
		mount(inputs, filepath.Join(disk, "in"), "", unix.MS_BIND, "")
		t.Chdir(disk)
	}
	w.eachRow(t, func(t *testing.T, row Writer, old, good map[string]string) {
		for _, free := range []int{0, 1, 2, 5} {
			restore(t, old)
			var info unix.Statfs_t
			if err := unix.Statfs(disk, &info); err != nil {
				t.Fatal(err)
			}
			size := (int(info.Blocks-info.Bfree)*int(info.Bsize)/block + free) * block
			if size == 0 {
				continue // would mean no limit
			}
			mount("", disk, "", unix.MS_REMOUNT, fmt.Sprintf("size=%d", size))
			r := w.runReally(t, row.Line)
			mount("", disk, "", unix.MS_REMOUNT, "size=16m")
			x := &trial{t: t, row: row, old: old, new: good}
			x.checkReal(r, fmt.Sprintf("%d free blocks", free), syscall.ENOSPC)
		}
	})
	if err := errors.Join(os.Chdir("/"), unix.Unmount(filepath.Join(disk, "in"), 0), unix.Unmount(disk, unix.MNT_DETACH)); err != nil {
		t.Error(err)
	}
}

// TestPipes runs rows with named pipes as outputs. The readers close the pipes as soon
// as there is something to read.
func (w *Writers) TestPipes(t *testing.T) {
	effort.Sequential(t)
	w.eachRow(t, func(t *testing.T, row Writer, _, good map[string]string) {
		restore(t, nil)
		var readers []*pipeReader
		most := 0
		for name, text := range good {
			if row.Resume || strings.Contains(name, "/") {
				return
			}
			readers = append(readers, newPipeReader(t, name))
			most = max(most, len(text))
		}
		r := w.runReally(t, row.Line)
		for _, p := range readers {
			p.end(t)
		}
		if r.code == row.Code && most <= pipeSize {
			return // the pipe took all before it was closed
		}
		x := &trial{t: t, row: row, old: r.files, new: good}
		x.checkReal(r, "a pipe without a reader", syscall.EPIPE)
	})
}

// pipeSize is the number of bytes that the pipe of a pipeReader can hold.
const pipeSize = 4096

// A pipeReader is the reader of a named pipe.
type pipeReader struct {
	name string
	done chan struct{}
}

// newPipeReader creates a named pipe and opens it for reading.
func newPipeReader(t *testing.T, name string) *pipeReader {
	t.Helper()
	if err := unix.Mkfifo(name, 0o666); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, pipeSize); err != nil {
		t.Fatal(err)
	}
	p := &pipeReader{name, make(chan struct{})}
	go func() {
		for {
			if _, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1); err != unix.EINTR {
				break
			}
		}
		unix.Close(fd)
		close(p.done)
	}()
	return p
}

// end waits until the reader has closed the pipe. It wakes the reader if the command
// has not written to the pipe.
func (p *pipeReader) end(t *testing.T) {
	t.Helper()
	if f, err := os.OpenFile(p.name, os.O_WRONLY|unix.O_NONBLOCK, 0); err == nil {
		f.Write([]byte{0})
		defer f.Close()
	}
	<-p.done
	if info, err := os.Lstat(p.name); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("%s is no pipe any more", p.name)
	}
}

// fewRows is about the number of rows that run if not all run.
const fewRows = 5

// eachRow calls f for the rows with files, with old files and with the files of a good
// run.
func (w *Writers) eachRow(t *testing.T, f func(t *testing.T, row Writer, old, good map[string]string)) {
	t.Helper()
	w.inDirectory(t)
	if w.enter != nil {
		w.enter(t)
	}
	step := 1
	if !w.Whole {
		step = max(1, len(w.Rows)/fewRows)
	}
	for i := 0; i < len(w.Rows); i += step {
		if w.Whole && w.Parts > 1 && (w.Part+i)%w.Parts != 0 {
			continue
		}
		row := w.Rows[i]
		t.Run(nameOf(row), func(t *testing.T) {
			restore(t, nil)
			good := w.run(t, row.Line, "", math.MaxInt)
			if good.code != row.Code {
				t.Fatalf("exit code %d, want %d\n%s", good.code, row.Code, good.message)
			}
			if len(good.files) > 0 {
				f(t, row, w.oldFiles(row, good.files), good.files)
			}
		})
	}
}

// checkReal checks the result of a run under a limit of the system: success with
// complete files, or the error want.
func (x *trial) checkReal(r *outcome, what string, want error) {
	x.t.Helper()
	if r.code == x.row.Code {
		for name, whole := range x.new {
			if !complete(name, r.files[name], whole) {
				x.t.Errorf("%s: exit code %d, but %s has %d bytes instead of %d", what, r.code, name, len(r.files[name]), len(whole))
			}
		}
		return
	}
	x.checkFailure(r, what, want)
}
