package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// A Writer is a file that is being made. It gets its name when it is closed,
// so that a file of that name is always whole: until then, the old one stays.
type Writer struct {
	name   string         // as the caller gave it
	target string         // where links lead
	temp   string         // what is written to; empty if this is the target itself
	file   *os.File       // nil for standard output and when closed
	buf    *bufio.Writer  // before file
	packer io.WriteCloser // before buf; nil if nothing is compressed
	err    error          // the first one
	closed bool
}

// Create returns a writer that makes the named file, compressed as the ending
// of the name says: .gz, .xz, and .zst or .zstd, in any letter case. Other
// endings mean plain text, but for .bz2, which is an error. If the name is "-" it writes to standard
// output.
//
// What is written goes to a temporary file beside the target, which takes its
// place on Close, with its permissions if it exists. A symbolic link is
// followed, and stays. A target that is no regular file, such as a pipe or a
// terminal, is written to directly. If the program is killed, the temporary
// file stays behind, and the target is as it was.
func Create(name string) (*Writer, error) {
	w := &Writer{name: name}
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
	if err := w.pack(); err != nil {
		w.Abort()
		return nil, w.named(err)
	}
	return w, nil
}

// open finds the target and opens what is written to.
func (w *Writer) open() error {
	target, err := follow(w.name)
	if err != nil {
		return err
	}
	w.target = target
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return w.openTemp(0o666, false)
	case err != nil:
		return err
	}
	// This fails for a directory and for what may not be written to, which the
	// renaming would replace all the same.
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		w.file = f
		return nil
	}
	if err := f.Close(); err != nil {
		return err
	}
	return w.openTemp(info.Mode().Perm(), true)
}

// follow returns where the symbolic links that begin at name end, which need
// not exist.
func follow(name string) (string, error) {
	for range 40 {
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

// openTemp makes the temporary file. Permissions of a file that is replaced
// are kept exactly; those of a new one are subject to the umask.
func (w *Writer) openTemp(perm os.FileMode, exact bool) error {
	dir, base := filepath.Split(w.target)
	for range 1000 {
		temp := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm|0o200)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		w.file, w.temp = f, temp
		if !exact {
			return nil
		}
		if err := f.Chmod(perm); err != nil {
			w.Abort()
			return err
		}
		return nil
	}
	return errors.New("no name for a temporary file is free")
}

// ending returns the ending of a name in lower case, since some systems give
// names in capitals.
func ending(name string) string { return strings.ToLower(filepath.Ext(name)) }

// pack sets up compression.
func (w *Writer) pack() (err error) {
	switch ending(w.name) {
	case ".gz":
		w.packer = gzip.NewWriter(w.buf)
	case ".xz":
		w.packer, err = xz.NewWriter(w.buf)
	case ".zst", ".zstd":
		w.packer, err = zstd.NewWriter(w.buf, zstd.WithEncoderConcurrency(1))
	}
	return err
}

// Name returns the name that the file was or will be given.
func (w *Writer) Name() string { return w.name }

// Write writes p. After an error nothing more is written, and Close returns
// the error.
func (w *Writer) Write(p []byte) (n int, err error) {
	if w.closed {
		return 0, w.named(os.ErrClosed)
	}
	if w.err != nil {
		return 0, w.err
	}
	if w.packer != nil {
		n, err = w.packer.Write(p)
	} else {
		n, err = w.buf.Write(p)
	}
	w.err = w.named(err)
	return n, w.err
}

// Flush writes out what is buffered, unless it is being compressed.
func (w *Writer) Flush() error {
	if !w.closed && w.err == nil && w.packer == nil {
		w.err = w.named(w.buf.Flush())
	}
	return w.err
}

// Close completes the file and gives it its name. If that, or a Write before,
// fails, there is no new file, and the error is returned. Standard output is
// flushed and stays open. After Close or Abort, Close does nothing.
func (w *Writer) Close() error {
	if w.closed {
		return nil
	}
	if w.packer != nil && w.err == nil {
		w.err = w.named(w.packer.Close())
	}
	if w.err == nil {
		w.err = w.named(w.buf.Flush())
	}
	if w.err != nil {
		w.Abort()
		return w.err
	}
	w.closed = true
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	if w.temp != "" {
		if err == nil {
			err = os.Rename(w.temp, w.target)
		}
		if err != nil {
			os.Remove(w.temp)
		}
	}
	w.err = w.named(err)
	return w.err
}

// Abort gives the file up: what was written is removed, and a file that had
// the name before is as it was. After Close it does nothing, so that it can be
// deferred.
func (w *Writer) Abort() {
	if w.closed {
		return
	}
	w.closed = true
	if w.file == nil {
		return
	}
	w.file.Close()
	if w.temp != "" {
		os.Remove(w.temp)
	}
}

// named returns err with the name of the file before it, and nil if it is nil.
func (w *Writer) named(err error) error {
	if err == nil {
		return nil
	}
	// The name of the temporary file would say nothing to the user.
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	name := w.name
	if name == "-" {
		name = "standard output"
	}
	return fmt.Errorf("%s: %w", name, err)
}
