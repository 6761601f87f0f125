package file

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"

	"sator/dimacs"
)

// Decompression of xz. If the input ends between two blocks, or in the header
// of a block, the library reports the end of the archive and no error, although
// the file is truncated. The library therefore reads from an xzSource, which
// returns io.EOF only where an archive can end.

// maxDict is the maximum size of the dictionary, the maximum distance of
// references in an xz archive: 1 GB. The strongest preset of the xz program
// needs 64 MB. The format allows 4 GB, and the library would allocate them at
// once.
const maxDict = 1 << 30

func openXz(r io.Reader, m dimacs.MemoryLimit) (io.ReadCloser, error) {
	src := &xzSource{r: bufio.NewReaderSize(r, 64<<10)}
	size := src.dict()
	if size > maxDict {
		return nil, fmt.Errorf("a dictionary of %d bytes is above the limit of %d", size, maxDict)
	}
	if !m.Allows(int64(size)) {
		return nil, &dimacs.MemoryError{Bytes: int64(size)}
	}
	x, err := xz.NewReader(src)
	return io.NopCloser(x), err
}

// An xzSource fills each buffer of the library completely. The library never
// requests more bytes than it needs, so that a request beyond the end of the
// input means that the archive is truncated.
type xzSource struct {
	r     *bufio.Reader
	last  []byte // the last footerLen bytes before the final zeros
	zeros int    // the number of final zeros, which may be padding
}

// footerLen is the length of the footer of an archive: the checksum of the
// following 6 bytes, these bytes, and "YZ".
const footerLen = 12

// Read reads len(p) bytes. The error is io.EOF if there are no bytes left and
// the bytes before are a complete archive.
func (s *xzSource) Read(p []byte) (int, error) {
	n, err := io.ReadFull(s.r, p)
	s.remember(p[:n])
	if err == io.EOF && !s.ended() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// remember updates last and zeros with the bytes b.
func (s *xzSource) remember(b []byte) {
	text := bytes.TrimRight(b, "\x00")
	if len(text) > 0 {
		for ; s.zeros > 0 && len(s.last) < 2*footerLen; s.zeros-- {
			s.last = append(s.last, 0)
		}
		s.last = append(s.last, text[max(0, len(text)-footerLen):]...)
		s.last = append(s.last[:0], s.last[max(0, len(s.last)-footerLen):]...)
		s.zeros = 0
	}
	s.zeros += len(b) - len(text)
}

// ended reports whether the bytes so far end with a footer.
func (s *xzSource) ended() bool {
	b := s.last
	return len(b) == footerLen && string(b[10:]) == "YZ" &&
		binary.LittleEndian.Uint32(b) == crc32.ChecksumIEEE(b[4:10])
}

// dict returns the size of the dictionary in the header of the first block, or
// 0 if it cannot be determined.
func (s *xzSource) dict() int64 {
	const streamHeader = 12
	b, _ := s.r.Peek(streamHeader + 64)
	if len(b) < streamHeader+2 {
		return 0
	}
	flags := b[streamHeader+1]
	b = b[streamHeader+2:]
	for _, present := range []byte{0x40, 0x80} { // flags of the optional block sizes
		if flags&present != 0 {
			_, n := binary.Uvarint(b)
			b = b[max(n, 0):]
		}
	}
	// Filter 0x21 is LZMA2, with one byte of properties. The size is two or three
	// (lowest bit) times a power of two (other bits).
	if len(b) < 3 || b[0] != 0x21 || b[1] != 1 {
		return 0
	}
	return int64(2|b[2]&1) << (min(b[2], 40)/2 + 11)
}
