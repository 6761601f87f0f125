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

// A Writer writes a temporary file, which Close renames to the requested name.
// A file of that name is therefore always complete: an old file stays until
// Close.
type Writer struct {
	name       string         // as the caller gave it
	target     string         // the file after symbolic links
	temp       string         // the temporary file; empty if the target is written directly
	file       *os.File       // nil for standard output and after Close
	buf        *bufio.Writer  // writes to file
	compressor io.WriteCloser // writes to buf; nil for plain data
	err        error          // the first error
	closed     bool
}

// Create returns a writer of the named file, compressed according to the ending
// of the name: .gz, .xz, .zst or .zstd, in upper or lower case. The ending .bz2
// is an error, and all others mean plain data. The name "-" means standard
// output.
//
// The writer writes to a temporary file beside the target. Close renames it to
// the target, with the permissions of the old file if there is one. Create
// follows symbolic links and keeps them. A target that is not a regular file,
// such as a pipe or a terminal, is written directly. If the program is killed,
// the temporary file stays, and the target is unchanged.
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
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return w.openTemp(0o666, false)
	case err != nil:
		return err
	}
	// This fails for a directory and for a file without write permission. The
	// renaming alone would replace such a file.
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

// follow returns the end of the chain of symbolic links from name. The result
// need not exist.
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

// openTemp creates the temporary file. If exact is set, the file gets exactly
// the permissions perm of the old file; otherwise perm is subject to the umask.
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

// Close completes the temporary file and renames it to the target. If Close or
// an earlier Write fails, the target is unchanged, and Close returns the error.
// Standard output is flushed and stays open. After Close or Abort, Close has no
// effect.
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
	w.file.Close()
	if w.temp != "" {
		os.Remove(w.temp)
	}
}

// named returns err with the name of the file before it, or nil if err is nil.
func (w *Writer) named(err error) error {
	if err == nil {
		return nil
	}
	// The name of the temporary file would mean nothing to the user.
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
