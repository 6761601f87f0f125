package file

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"

	"sator/dimacs"
)

// Decompression of gzip. The library reads any bytes after a member as a
// further member. Zeros after an archive, with which tapes and some transfers
// pad it, would therefore be reported as damage, and a few stray bytes as a
// truncated archive. A gzipReader lets the library read one member at a time,
// and handles the bytes after it by itself.

// errTrailing is the error for bytes after an archive that are neither a member
// nor padding.
var errTrailing = errors.New("trailing bytes after the end of the archive")

// A gzipReader reads the members of a gzip archive, one after the other.
type gzipReader struct {
	src    *bufio.Reader // the library reads exactly to the end of a member
	member *gzip.Reader
}

func openGzip(r io.Reader, _ dimacs.MemoryLimit) (io.ReadCloser, error) {
	g := &gzipReader{src: bufio.NewReaderSize(r, 64<<10)}
	var err error
	if g.member, err = gzip.NewReader(g.src); err != nil {
		return nil, err
	}
	g.member.Multistream(false)
	return g, nil
}

// Read reads from the current member, and continues with the next one at its
// end.
func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.member.Read(p)
	if err == io.EOF {
		err = g.next()
	}
	return n, err
}

// next begins the next member. The error is io.EOF if only zeros follow.
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

// padding reads zeros up to the end of the input. No member can follow them:
// the gzip program does not read it either.
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

// noEOF returns err, or io.ErrUnexpectedEOF if err is io.EOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Close releases the memory of the decompressor.
func (g *gzipReader) Close() error { return g.member.Close() }
