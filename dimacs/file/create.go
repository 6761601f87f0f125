package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// A Writer writes a temporary file. Close synchronizes it with the disk and renames
// it to the requested name. A file of that name is therefore always complete: an
// old file stays until Close.
type Writer struct {
	disk       *Disk
	name       string         // as the caller gave it
	target     string         // the file after symbolic links
	temp       string         // the temporary file; empty if the target is written directly
	file       *Handle        // nil for standard output
	buf        *bufio.Writer  // writes to file
	compressor io.WriteCloser // writes to buf; nil for plain data
	err        error          // the first error
	closed     bool
}

// Create returns a writer of the named file on the disk of the operating system.
// See [Disk.Create].
func Create(name string) (*Writer, error) { return new(Disk).Create(name) }

// Create returns a writer of the named file, compressed according to the ending
// of the name: .gz, .xz, .zst or .zstd, in upper or lower case. The ending .bz2
// is an error, and all others mean plain data. The name "-" means standard
// output. The package documentation has the rules for files that exist.
func (d *Disk) Create(name string) (*Writer, error) {
	w := &Writer{disk: d, name: name}
	if name == "-" {
		w.buf = bufio.NewWriterSize(os.Stdout, 64<<10)
		return w, nil
	}
	if ending(name) == ".bz2" {
		return nil, fmt.Errorf("%s: bzip2 is read but not written; use .gz, .xz or .zst", name)
	}
	if err := w.open(); err != nil {
		return nil, w.named(err)
	}
	w.buf = bufio.NewWriterSize(w.file, 64<<10)
	if err := w.compress(); err != nil {
		w.Abort()
		return nil, w.named(err)
	}
	return w, nil
}

// open determines the target and opens the file to write to.
func (w *Writer) open() error {
	target, err := follow(w.name)
	if err != nil {
		return err
	}
	w.target = target
	if fd, is := Descriptor(target); is {
		return w.openDescriptor(fd)
	}
	old, err := os.Stat(target)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return w.openTemp(nil)
	case err != nil:
		return err
	}
	// This fails for a directory and for a file without write permission. The
	// renaming alone would replace such a file.
	f, err := w.disk.open(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if !old.Mode().IsRegular() {
		w.file = f
		return nil
	}
	if err := f.f.Close(); err != nil {
		return err
	}
	if err := w.openTemp(old); err != nil {
		return fmt.Errorf("cannot create a new file beside it: %w", cause(err))
	}
	return nil
}

// follow returns the end of the chain of symbolic links from name. The result
// need not exist. A name of a file descriptor is such an end, although Linux
// shows it as a link.
func follow(name string) (string, error) {
	for range 40 {
		if _, is := Descriptor(name); is {
			return name, nil
		}
		link, err := os.Readlink(name)
		if err != nil {
			return name, nil // not a link
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(name), link)
		}
		name = link
	}
	return "", errors.New("too many symbolic links")
}

// Descriptor returns the file descriptor that a name stands for, as /dev/stdin,
// /dev/fd/3 and /proc/self/fd/3 do.
func Descriptor(name string) (fd int, is bool) {
	name = filepath.Clean(name)
	if fd := slices.Index([]string{"/dev/stdin", "/dev/stdout", "/dev/stderr"}, name); fd >= 0 {
		return fd, true
	}
	dir, base := filepath.Split(name)
	if runtime.GOOS == "windows" || dir != "/dev/fd/" && dir != "/proc/self/fd/" {
		return 0, false
	}
	fd, err := strconv.Atoi(base)
	return fd, err == nil && fd >= 0
}

// openDescriptor opens a file descriptor for direct writing at its position. Its
// file was opened by another program, such as a shell.
func (w *Writer) openDescriptor(fd int) error {
	if err := w.disk.fail(OpCreate, w.target); err != nil {
		return err
	}
	f, err := duplicate(fd)
	if err != nil {
		return err
	}
	w.file = &Handle{f: f, disk: w.disk}
	return nil
}

// openTemp creates the temporary file, with the permissions and the owner of the
// old file. If old is nil, the permissions are the usual ones.
func (w *Writer) openTemp(old os.FileInfo) error {
	dir, base := filepath.Split(w.target)
	perm := os.FileMode(0o666) // less the umask
	if old != nil {
		perm = 0o600
	}
	for range 1000 {
		temp := filepath.Join(dir, temporary(base))
		f, err := w.disk.open(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		w.file, w.temp = f, temp
		if old == nil {
			return nil
		}
		if err := likeOld(f.f, old); err != nil {
			w.Abort()
			return err
		}
		return nil
	}
	return errors.New("no name for a temporary file is free")
}

// likeOld gives a new file the owner, the group and the permissions of the file
// that it is going to replace. Only root may change the owner. If the group
// cannot be kept, the new group gets the permissions of others.
func likeOld(f *os.File, old os.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	perm := old.Mode().Perm()
	uid, gid, ok := owner(old)
	if u, g, _ := owner(info); ok && (u != uid || g != gid) && f.Chown(uid, gid) != nil && g != gid && f.Chown(-1, gid) != nil {
		perm = perm&^0o070 | perm&0o007<<3
	}
	if perm == info.Mode().Perm() {
		return nil // some file systems have one mode for all files and refuse others
	}
	return f.Chmod(perm)
}

// temporaryBase is the maximum length of the part of a temporary file's name that
// comes from its target, so that a long name does not become too long.
const temporaryBase = 100

// temporary returns a random name for the temporary file of a target.
func temporary(base string) string {
	return fmt.Sprintf(".%s.%08x.tmp", base[:min(len(base), temporaryBase)], rand.Uint32())
}

// temporaryName matches the names of temporary files.
var temporaryName = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{8}\.tmp$`)

// TemporaryOf reports whether a file name, without directory, is that of a
// temporary file, such as a killed program leaves. It returns the name of the
// target, but at most its first 100 bytes.
func TemporaryOf(name string) (target string, is bool) {
	match := temporaryName.FindStringSubmatch(name)
	if match == nil {
		return "", false
	}
	return match[1], true
}

// ending returns the ending of a name in lower case, since some systems use
// upper case.
func ending(name string) string { return strings.ToLower(filepath.Ext(name)) }

// compress sets up compression.
func (w *Writer) compress() (err error) {
	switch ending(w.name) {
	case ".gz":
		w.compressor = gzip.NewWriter(w.buf)
	case ".xz":
		w.compressor, err = xz.NewWriter(w.buf)
	case ".zst", ".zstd":
		w.compressor, err = zstd.NewWriter(w.buf, zstd.WithEncoderConcurrency(1))
	}
	return err
}

// Name returns the name that was passed to Create.
func (w *Writer) Name() string { return w.name }

// Write writes p. After an error nothing more is written, and Close returns the
// error.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.closed {
		return 0, w.named(os.ErrClosed)
	}
	if w.err != nil {
		return 0, w.err
	}
	if w.compressor != nil {
		n, err = w.compressor.Write(p)
	} else {
		n, err = w.buf.Write(p)
	}
	w.err = w.named(err)
	return n, w.err
}

// Flush flushes the buffer of plain data. It has no effect on compressed data.
func (w *Writer) Flush() error {
	if !w.closed && w.err == nil && w.compressor == nil {
		w.err = w.named(w.buf.Flush())
	}
	return w.err
}

// Close completes the temporary file, synchronizes it with the disk, renames it
// to the target, and synchronizes the directory. If Close or an earlier Write
// fails, Close returns the error, and the target is unchanged; if only the last
// synchronization fails, it is new and complete. Standard output is flushed and
// stays open. After Close or Abort, Close has no effect.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	if w.compressor != nil && w.err == nil {
		w.err = w.named(w.compressor.Close())
	}
	if w.err == nil {
		w.err = w.named(w.buf.Flush())
	}
	if w.err == nil && w.temp != "" {
		w.err = w.named(w.file.Sync())
	}
	if w.err != nil {
		w.Abort()
		return w.err
	}
	w.closed = true
	if w.file != nil {
		w.err = w.named(w.finish())
	}
	return w.err
}

// Hurry limits how long a write to a pipe, begun or to come, waits for the reader. A
// write that waits longer fails. Other files have no such limit. Hurry may be called
// while another goroutine writes.
func (w *Writer) Hurry(patience time.Duration) {
	if w.file != nil {
		w.file.hurry(patience)
	}
}

// finish closes the file and renames it.
func (w *Writer) finish() error {
	err := w.file.Close()
	if w.temp == "" {
		return err
	}
	if err == nil {
		err = w.disk.rename(w.temp, w.target)
	}
	if err != nil {
		os.Remove(w.temp)
		return err
	}
	return w.disk.syncDir(filepath.Dir(w.target))
}

// Abort removes the temporary file; an old file stays. It has no effect after
// Close, so that a caller can defer it.
func (w *Writer) Abort() {
	if w.closed {
		return
	}
	w.closed = true
	if w.file == nil {
		return
	}
	w.file.f.Close()
	if w.temp != "" {
		os.Remove(w.temp)
	}
}

// named returns err with the name of the file before it, or nil if err is nil.
func (w *Writer) named(err error) error {
	if err == nil {
		return nil
	}
	name := w.name
	if name == "-" {
		name = "standard output"
	}
	return fmt.Errorf("%s: %w", name, cause(err))
}

// cause returns an error of the operating system without the name of the file:
// that of the temporary file would mean nothing to the user.
func cause(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("nobody reads the pipe")
	}
	if path, is := err.(*os.PathError); is {
		return path.Err
	}
	if link, is := err.(*os.LinkError); is {
		return link.Err
	}
	return err
}
