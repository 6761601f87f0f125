package file

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"
)

// The library takes the end of the input between two blocks, or in the header
// of one, for the end of the archive, so that a cut file could read as a
// shorter one. What it reads goes through an xzSource, which lets the input
// end only where an archive can.

// maxDict is how much of what came before an xz archive may refer to, 1 GB.
// The strongest preset of the xz program needs 64 MB; the format could ask for
// 4 GB, which the library allocates at once.
const maxDict = 1 << 30

func openXz(r io.Reader) (io.ReadCloser, error) {
	src := &xzSource{r: bufio.NewReaderSize(r, 64<<10)}
	if size := src.dict(); size > maxDict {
		return nil, fmt.Errorf("a dictionary of %d bytes is above the limit of %d", size, maxDict)
	}
	x, err := xz.NewReader(src)
	return io.NopCloser(x), err
}

// An xzSource serves each request in full, as the library makes none beyond
// what it needs: a request that the input cannot serve means that it is cut.
type xzSource struct {
	r     *bufio.Reader
	last  []byte // the last footerLen bytes that were read, but for
	zeros int    // that many zeros behind them, which may be padding
}

// footerLen is the length of what ends an archive: a checksum, of the 6 bytes
// that follow it, and "YZ".
const footerLen = 12

// Read reads len(p) bytes. The error is io.EOF if there are none, and what was
// read before is a whole archive.
func (s *xzSource) Read(p []byte) (int, error) {
	n, err := io.ReadFull(s.r, p)
	s.remember(p[:n])
	if err == io.EOF && !s.ended() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// remember keeps the end of what was read.
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

// ended reports whether what was read ends with a footer.
func (s *xzSource) ended() bool {
	b := s.last
	return len(b) == footerLen && string(b[10:]) == "YZ" &&
		binary.LittleEndian.Uint32(b) == crc32.ChecksumIEEE(b[4:10])
}

// dict returns the size of the dictionary that the first block asks for, as
// far as the input says.
func (s *xzSource) dict() int64 {
	const streamHeader = 12
	b, _ := s.r.Peek(streamHeader + 64)
	if len(b) < streamHeader+2 {
		return 0
	}
	flags := b[streamHeader+1]
	b = b[streamHeader+2:]
	for _, present := range []byte{0x40, 0x80} { // of the sizes of the block
		if flags&present != 0 {
			_, n := binary.Uvarint(b)
			b = b[max(n, 0):]
		}
	}
	// Filter 0x21 is LZMA2, with one byte of properties: the exponent of the
	// size, and whether it is two or three times a power of two.
	if len(b) < 3 || b[0] != 0x21 || b[1] != 1 {
		return 0
	}
	return int64(2|b[2]&1) << (min(b[2], 40)/2 + 11)
}
