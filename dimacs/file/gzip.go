package file

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// The library takes whatever follows a member for a further one, so that it
// calls zeros, which tapes and some transfers pad files with, damage, and a few
// stray bytes a cut archive. A gzipReader therefore has the library read one
// member at a time, and looks itself at what is between them.

// errTrailing means that there is something behind an archive that is neither
// a member nor padding.
var errTrailing = errors.New("trailing bytes after the end of the archive")

// A gzipReader reads the members of a gzip archive, one after the other.
type gzipReader struct {
	src    *bufio.Reader // the library reads it to the end of a member exactly
	member *gzip.Reader
}

func openGzip(r io.Reader) (io.ReadCloser, error) {
	g := &gzipReader{src: bufio.NewReaderSize(r, 64<<10)}
	var err error
	if g.member, err = gzip.NewReader(g.src); err != nil {
		return nil, err
	}
	g.member.Multistream(false)
	return g, nil
}

// Read reads from the member, and goes on to the next one at its end.
func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.member.Read(p)
	if err == io.EOF {
		err = g.next()
	}
	return n, err
}

// next goes on to the next member. The error is io.EOF if there is none, and
// nothing else but zeros.
func (g *gzipReader) next() error {
	head, err := g.src.Peek(2)
	switch {
	case len(head) == 0:
		return err
	case head[0] == 0:
		return g.padding()
	case head[0] != 0x1f || len(head) == 2 && head[1] != 0x8b:
		return errTrailing
	case len(head) < 2:
		return noEOF(err)
	}
	if err := g.member.Reset(g.src); err != nil {
		return noEOF(err)
	}
	g.member.Multistream(false)
	return nil
}

// padding reads zeros up to the end of the input. A member cannot follow them:
// gzip does not read it either.
func (g *gzipReader) padding() error {
	for {
		b, err := g.src.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return errTrailing
		}
	}
}

// noEOF returns err, but for the end of the input, which comes too early here.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Close releases what decompression needs.
func (g *gzipReader) Close() error { return g.member.Close() }
