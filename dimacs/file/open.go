package file

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
)

// A format is a kind of compression, known by how its files begin.
type format struct {
	name  string
	magic string
	open  func(io.Reader) (io.ReadCloser, error) // nil if we cannot read it
}

// formats lists what is recognized. Formats that are not read are listed too,
// so that there is an error that names them.
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

func openBzip2(r io.Reader) (io.ReadCloser, error) {
	return io.NopCloser(bzip2.NewReader(r)), nil
}

// A File is an open input. It reads as what was compressed. Its errors name
// the file: damaged and cut archives are told from errors of the system.
type File struct {
	*stream
	file *os.File // nil for what stays open: standard input, a caller's reader
}

// Open opens the named file, or standard input if the name is "-". What is
// compressed with gzip, bzip2, xz or zstd is decompressed as it is read;
// this is decided by the first bytes, not by the name. Archives may have
// several members, one after the other.
func Open(name string) (*File, error) {
	if name == "-" {
		s, err := newStream("standard input", os.Stdin)
		if err != nil {
			return nil, err
		}
		return &File{stream: s}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s, err := newStream(name, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{s, f}, nil
}

// Name returns the name that the file has in messages.
func (f *File) Name() string { return f.name }

// Compression returns the name of the compression, or "" if there is none.
func (f *File) Compression() string { return f.format }

// Drain reads the rest of an archive, to its end, and returns its error, or
// nil if the archive is sound. If Read has failed before, it returns that
// error at once.
//
// It is for a caller that finds nonsense in what it reads. A bzip2 archive has
// its checksums behind the data, as others have, so that damaged data come out
// before their error does; the error is then the better explanation. What is
// not compressed has no checksum: Drain reads nothing of it and returns nil,
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

// Decompress returns a reader of what r has compressed, or of r as it is. It
// has no name. Closing it does not close r. See [Open].
func Decompress(r io.Reader) (*File, error) {
	s, err := newStream("", r)
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
	plain  io.ReadCloser // what Read reads; nil after Close
	err    error         // the first one of plain, other than its end
}

// newStream returns a stream of what src holds. The name is for messages and
// may be empty.
func newStream(name string, src io.Reader) (*stream, error) {
	s := &stream{name: name, source: &source{r: src}}
	s.plain = io.NopCloser(s.source)
	head, err := s.source.peek()
	if err != nil {
		return nil, s.wrap(err)
	}
	if s.format = cut(head); s.format != "" {
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
		if s.plain, err = f.open(bufio.NewReaderSize(s.source, 64<<10)); err != nil {
			return nil, s.wrap(err)
		}
		break
	}
	return s, nil
}

// cut returns the format of which the input has only the beginning of the
// magic, or "". One byte is too little to tell. The head is the whole input if
// it is shorter than magicLen, as the prefix of a magic is.
func cut(head []byte) string {
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

// Read reads what was compressed. After an error it returns that error again.
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

// drain does what [File.Drain] says.
func (s *stream) drain() error {
	if s.plain != nil && s.format == "" {
		return s.err
	}
	_, err := io.Copy(io.Discard, s)
	return err
}

// Close releases what decompression needs. What is wrong with an archive is
// for Read to say.
func (s *stream) Close() error {
	if s.plain != nil {
		s.plain.Close()
		s.plain = nil
	}
	return nil
}

// wrap tells an error of the source, which is returned with its name, from one
// of decompression, which means that the archive is damaged or cut, or is more
// than we take.
func (s *stream) wrap(err error) error {
	if s.source.err != nil {
		var path *os.PathError
		if errors.As(s.source.err, &path) {
			return s.source.err // names the file already
		}
		return s.errorf("%w", s.source.err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return s.errorf("the %s archive is cut off: %w", s.format, io.ErrUnexpectedEOF)
	}
	switch {
	case errors.Is(err, errTrailing):
		return s.errorf("%w", err)
	case isWindow(err):
		return s.errorf("%w", errWindow)
	}
	return s.errorf("the %s archive is damaged: %w", s.format, err)
}

// errorf returns an error that begins with the name.
func (s *stream) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", s.name, err)
}

// A source reads the bytes that were peeked at, and then the rest. It
// remembers the error of the rest, other than its end.
type source struct {
	r    io.Reader
	head []byte
	err  error
}

// peek returns the first bytes, fewer than magicLen only if there are no more.
func (s *source) peek() ([]byte, error) {
	head := make([]byte, magicLen)
	n, err := io.ReadFull(s.r, head)
	s.head = head[:n]
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		s.err = err
	}
	return s.head, s.err
}

// Read reads the next bytes.
func (s *source) Read(p []byte) (int, error) {
	if len(s.head) > 0 {
		n := copy(p, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
