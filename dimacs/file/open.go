package file

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A format is a kind of compression, known by how its files begin.
type format struct {
	name  string
	magic string
	open  func(io.Reader) (io.ReadCloser, error) // nil if we cannot read it
}

// formats lists what is recognised. Formats that are not read are listed too,
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

// maxWindow is how much of what came before a zstd frame may refer to, 128
// MB. It is what the zstd program accepts without being asked for more, and
// keeps a few hostile bytes from taking gigabytes.
const maxWindow = 128 << 20

func openGzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

func openBzip2(r io.Reader) (io.ReadCloser, error) {
	return io.NopCloser(bzip2.NewReader(r)), nil
}

func openZstd(r io.Reader) (io.ReadCloser, error) {
	// With a concurrency of 1 blocks are decoded where Read is called.
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// A File is an open input. It reads as what was compressed. Its errors name
// the file: damaged and cut archives are told from errors of the system.
type File struct {
	*stream
	file *os.File // nil for standard input, which stays open
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

// Close closes the file. Standard input stays open.
func (f *File) Close() error {
	f.stream.Close()
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Decompress returns a reader of what r has compressed, or of r as it is.
// Closing it does not close r. See [Open].
func Decompress(r io.Reader) (io.ReadCloser, error) { return newStream("", r) }

// A stream decompresses a source.
type stream struct {
	name   string
	format string
	source *source
	plain  io.ReadCloser // what Read reads; nil after Close
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

// Read reads what was compressed.
func (s *stream) Read(p []byte) (int, error) {
	if s.plain == nil {
		return 0, s.errorf("%w", os.ErrClosed)
	}
	n, err := s.plain.Read(p)
	if err != nil && err != io.EOF {
		err = s.wrap(err)
	}
	return n, err
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
// of decompression, which means that the archive is damaged or cut.
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
