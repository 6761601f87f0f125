package file

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
)

// A Disk performs the operations that change the file system. A nil Disk and the
// zero value pass them to the operating system. Tests set Fail, so that each
// operation of a program can fail.
type Disk struct {
	// Fail, if not nil, is called before each operation. If it returns an error,
	// the operation fails with that error: a write writes half of its data, a
	// close closes the file, and all others do nothing.
	Fail func(op Op, name string) error
}

// An Op is an operation that can fail.
type Op string

// The operations. Removing a file is not among them: only temporary files are
// removed, and nothing depends on the success.
const (
	OpCreate   Op = "create" // open for writing
	OpWrite    Op = "write"
	OpTruncate Op = "truncate"
	OpSync     Op = "sync"
	OpClose    Op = "close"
	OpRename   Op = "rename"
	OpSyncDir  Op = "sync of the directory"
	OpMkdir    Op = "make directory"
)

// Ops lists the operations.
var Ops = []Op{OpCreate, OpWrite, OpTruncate, OpSync, OpClose, OpRename, OpSyncDir, OpMkdir}

// fail returns the error that an operation must return, or nil.
func (d *Disk) fail(op Op, name string) error {
	if d == nil || d.Fail == nil {
		return nil
	}
	if err := d.Fail(op, name); err != nil {
		return &os.PathError{Op: string(op), Path: name, Err: err}
	}
	return nil
}

// OpenFile is os.OpenFile for files that grow, such as logs. Such a file is never
// replaced; Sync keeps the data so far. If flag contains os.O_CREATE, the
// directory is synchronized, so that Sync keeps a new file too.
func (d *Disk) OpenFile(name string, flag int, perm os.FileMode) (*Handle, error) {
	h, err := d.open(name, flag, perm)
	if err != nil || flag&os.O_CREATE == 0 {
		return h, err
	}
	if err := d.syncDir(filepath.Dir(name)); err != nil {
		h.f.Close()
		return nil, err
	}
	return h, nil
}

// open opens a file.
func (d *Disk) open(name string, flag int, perm os.FileMode) (*Handle, error) {
	if err := d.fail(OpCreate, name); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &Handle{f: f, disk: d}, nil
}

// WriteFile writes a whole file with Create.
func (d *Disk) WriteFile(name string, content []byte) error {
	w, err := d.Create(name)
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.Close()
}

// MkdirAll creates a directory and its parents, if they do not exist. It
// synchronizes the parent of each directory that it creates.
func (d *Disk) MkdirAll(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &os.PathError{Op: string(OpMkdir), Path: dir, Err: syscall.ENOTDIR}
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := d.MkdirAll(parent); err != nil {
		return err
	}
	if err := d.fail(OpMkdir, dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return d.syncDir(parent)
}

// rename renames a file.
func (d *Disk) rename(from, to string) error {
	if err := d.fail(OpRename, to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// syncDir synchronizes a directory, so that the names in it survive a power cut.
// It does nothing on Windows, and in a directory without read permission, because
// there it is not possible.
func (d *Disk) syncDir(dir string) error {
	if err := d.fail(OpSyncDir, dir); err != nil {
		return synchronized(err)
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if errors.Is(err, os.ErrPermission) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	return synchronized(f.Sync())
}

// synchronized returns the error of a synchronization. It returns nil if the file
// system cannot synchronize: then there is nothing to wait for.
func synchronized(err error) error {
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// A Handle is an open file with some methods of os.File.
type Handle struct {
	f        *os.File
	disk     *Disk
	patience atomic.Int64 // how long a write waits for the reader of a pipe, as a time.Duration; 0 means for ever
}

func (h *Handle) Name() string                             { return h.f.Name() }
func (h *Handle) Fd() uintptr                              { return h.f.Fd() }
func (h *Handle) Stat() (os.FileInfo, error)               { return h.f.Stat() }
func (h *Handle) Read(p []byte) (int, error)               { return h.f.Read(p) }
func (h *Handle) ReadAt(p []byte, at int64) (int, error)   { return h.f.ReadAt(p, at) }
func (h *Handle) Seek(at int64, whence int) (int64, error) { return h.f.Seek(at, whence) }

func (h *Handle) Write(p []byte) (int, error) {
	h.extend()
	return h.write(p, h.f.Write)
}

func (h *Handle) WriteAt(p []byte, at int64) (int, error) {
	return h.write(p, io.NewOffsetWriter(h.f, at).Write)
}

// hurry sets the patience of all writes, also of one that waits already.
func (h *Handle) hurry(patience time.Duration) {
	h.patience.Store(int64(patience))
	h.extend()
}

// extend begins the time of a write, if there is a limit. Only pipes have one: the
// error of other files has no meaning.
func (h *Handle) extend() {
	if patience := h.patience.Load(); patience != 0 {
		h.f.SetWriteDeadline(time.Now().Add(time.Duration(patience)))
	}
}

// write writes p by a method of the file, or half of p if it must fail.
func (h *Handle) write(p []byte, method func([]byte) (int, error)) (int, error) {
	failure := h.disk.fail(OpWrite, h.Name())
	if failure == nil {
		return method(p)
	}
	n, _ := method(p[:len(p)/2])
	return n, failure
}

func (h *Handle) Truncate(size int64) error {
	if err := h.disk.fail(OpTruncate, h.Name()); err != nil {
		return err
	}
	return h.f.Truncate(size)
}

// Sync waits until the content is on the disk. It returns nil if the file system
// cannot do that.
func (h *Handle) Sync() error {
	if err := h.disk.fail(OpSync, h.Name()); err != nil {
		return synchronized(err)
	}
	return synchronized(h.f.Sync())
}

func (h *Handle) Close() error {
	if err := h.disk.fail(OpClose, h.Name()); err != nil {
		h.f.Close()
		return err
	}
	return h.f.Close()
}
