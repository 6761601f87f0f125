package file

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"

	"sator/dimacs"
)

// A format is a compression format, with the first bytes of its files.
type format struct {
	name  string
	magic string
	open  func(io.Reader, dimacs.MemoryLimit) (io.ReadCloser, error) // nil if the format is not supported
}

// formats lists the formats that are recognized. It includes unsupported
// formats, for an error with their name.
var formats = []format{
	{"gzip", "\x1f\x8b", openGzip},
	{"bzip2", "BZh", openBzip2},
	{"xz", "\xfd7zXZ\x00", openXz},
	{"zstd", "\x28\xb5\x2f\xfd", openZstd},
	{"compress", "\x1f\x9d", nil},
	{"lz4", "\x04\x22\x4d\x18", nil},
	{"lzip", "LZIP", nil},
	{"7z", "7z\xbc\xaf\x27\x1c", nil},
	{"zip", "PK\x03\x04", nil},
}

// magicLen is the length of the longest magic.
const magicLen = 6

func openBzip2(r io.Reader, _ dimacs.MemoryLimit) (io.ReadCloser, error) {
	return io.NopCloser(bzip2.NewReader(r)), nil
}

// A File is an open input. Read returns decompressed data. Its errors contain
// the name of the file, and distinguish damaged and truncated archives from
// errors of the system.
type File struct {
	*stream
	file *os.File // nil if Close must not close the source
}

// Open opens the named file, or standard input if the name is "-". Read
// decompresses gzip, bzip2, xz and zstd. The first bytes of the file, and not
// its name, determine the format. Archives may have several members, one after
// the other.
func Open(name string) (*File, error) { return OpenWithin(name, nil) }

// OpenWithin is Open within a memory limit. If the limit refuses the memory that an
// archive needs, the error is a [*dimacs.MemoryError].
func OpenWithin(name string, m dimacs.MemoryLimit) (*File, error) {
	if name == "-" {
		s, err := newStream("standard input", os.Stdin, m)
		if err != nil {
			return nil, err
		}
		return &File{stream: s}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s, err := newStream(name, f, m)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{s, f}, nil
}

// Name returns the name of the file in messages.
func (f *File) Name() string { return f.name }

// Compression returns the name of the compression format, or "" for plain data.
func (f *File) Compression() string { return f.format }

// Drain reads the rest of an archive and returns its error, or nil if the
// archive is sound. If Read has failed before, it returns that error at once.
//
// Drain is for a caller that finds a syntax error in the data. Checksums of
// bzip2 and other formats follow the data, so that Read may return damaged data
// before it returns the error. The error from Drain then explains the syntax
// error. Plain data has no checksum: Drain does not read it, and returns nil
// unless Read has failed. The time is that of decompressing the rest, and the
// memory is constant.
func (f *File) Drain() error { return f.drain() }

// Close closes the file. Standard input stays open.
func (f *File) Close() error {
	f.stream.Close()
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Decompress returns a reader of the decompressed data of r, which may be
// plain. The File has no name, and closing it does not close r. See [Open].
func Decompress(r io.Reader) (*File, error) { return DecompressWithin(r, nil) }

// DecompressWithin is Decompress within a memory limit. See [OpenWithin].
func DecompressWithin(r io.Reader, m dimacs.MemoryLimit) (*File, error) {
	s, err := newStream("", r, m)
	if err != nil {
		return nil, err
	}
	return &File{stream: s}, nil
}

// A stream decompresses a source.
type stream struct {
	name   string
	format string
	source *source
	plain  io.ReadCloser // the decompressed data; nil after Close
	err    error         // the first error of plain, except io.EOF
}

// newStream returns a stream of the decompressed data of src. The name is for
// messages and may be empty.
func newStream(name string, src io.Reader, m dimacs.MemoryLimit) (*stream, error) {
	s := &stream{name: name, source: &source{r: src}}
	s.plain = io.NopCloser(s.source)
	head, err := s.source.peek()
	if err != nil {
		return nil, s.wrap(err)
	}
	if s.format = truncatedMagic(head); s.format != "" {
		return nil, s.wrap(io.ErrUnexpectedEOF)
	}
	for _, f := range formats {
		if !bytes.HasPrefix(head, []byte(f.magic)) {
			continue
		}
		s.format = f.name
		if f.open == nil {
			return nil, s.errorf("%s archives are not supported", f.name)
		}
		if s.plain, err = f.open(bufio.NewReaderSize(s.source, 64<<10), m); err != nil {
			return nil, s.wrap(err)
		}
		break
	}
	return s, nil
}

// truncatedMagic returns the format whose magic begins with the whole input, or
// "". One byte is not enough to recognize a format. head is the whole input if
// it is shorter than magicLen, as every proper prefix of a magic is.
func truncatedMagic(head []byte) string {
	if len(head) < 2 {
		return ""
	}
	for _, f := range formats {
		if len(head) < len(f.magic) && f.magic[:len(head)] == string(head) {
			return f.name
		}
	}
	return ""
}

// Read reads decompressed data. After an error it returns that error again.
func (s *stream) Read(p []byte) (int, error) {
	if s.plain == nil {
		return 0, s.errorf("%w", os.ErrClosed)
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.plain.Read(p)
	if err != nil && err != io.EOF {
		s.err = s.wrap(err)
		err = s.err
	}
	return n, err
}

// drain implements [File.Drain].
func (s *stream) drain() error {
	if s.plain != nil && s.format == "" {
		return s.err
	}
	_, err := io.Copy(io.Discard, s)
	return err
}

// Close releases the memory of the decompressor. It does not report errors in
// the archive.
func (s *stream) Close() error {
	if s.plain != nil {
		s.plain.Close()
		s.plain = nil
	}
	return nil
}

// wrap returns the error with the name of the file and its cause: an error of
// the source, or of decompression, which means that the archive is damaged,
// truncated or above a limit.
func (s *stream) wrap(err error) error {
	if s.source.err != nil {
		var path *os.PathError
		if errors.As(s.source.err, &path) {
			return s.source.err // contains the name
		}
		return s.errorf("%w", s.source.err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return s.errorf("the %s archive is cut off: %w", s.format, io.ErrUnexpectedEOF)
	}
	var refused *dimacs.MemoryError
	switch {
	case errors.Is(err, errTrailing), errors.As(err, &refused):
		return s.errorf("%w", err)
	case isWindow(err):
		return s.errorf("%w", errWindow)
	}
	return s.errorf("the %s archive is damaged: %w", s.format, err)
}

// errorf returns an error with the name of the file, if it has one.
func (s *stream) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// A source reads the peeked bytes and then the rest. It keeps the error of the
// underlying reader, except io.EOF. Many reads without bytes and without an error are
// io.ErrNoProgress.
type source struct {
	r     io.Reader
	head  []byte
	err   error
	empty int // calls of Read without bytes and without an error, one after the other
}

// emptyReads is the number of calls of Read without bytes and without an error after
// which a source is taken to be broken, as in package bufio. Functions of package io
// that read up to the end would call such a source forever.
const emptyReads = 100

// peek returns the first magicLen bytes, or the whole input if that is shorter.
func (s *source) peek() ([]byte, error) {
	head := make([]byte, magicLen)
	n, err := io.ReadFull(s, head)
	s.head = head[:n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return s.head, err
}

// Read reads the next bytes.
func (s *source) Read(p []byte) (int, error) {
	if len(s.head) > 0 {
		n := copy(p, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	if s.err != nil {
		return 0, s.err // io.ReadFull drops an error that comes with the last bytes
	}
	n, err := s.r.Read(p)
	if s.empty++; n > 0 || err != nil || len(p) == 0 {
		s.empty = 0
	}
	if s.empty == emptyReads {
		err = io.ErrNoProgress
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
