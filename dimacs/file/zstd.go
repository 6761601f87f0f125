package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"sator/dimacs"
)

// maxWindow is the maximum window size, the maximum distance of references in a
// zstd frame: 128 MB. This is the default limit of the zstd program. It prevents
// a few hostile bytes from allocating gigabytes.
const (
	maxWindowLog = 27
	maxWindow    = 1 << maxWindowLog
)

// errWindow is the error for a larger window. The archive may be sound.
var errWindow = fmt.Errorf("the zstd archive needs a window of more than %d MB; recompress it with --long=%d or less",
	maxWindow>>20, maxWindowLog)

func openZstd(r io.Reader, m dimacs.MemoryLimit) (io.ReadCloser, error) {
	src := bufio.NewReaderSize(r, 64<<10)
	size := window(src)
	if size > maxWindow {
		return nil, errWindow
	}
	if need := 2 * int64(size); !m.Allows(need) { // the window slides within a buffer
		return nil, &dimacs.MemoryError{Bytes: need}
	}
	// With a concurrency of 1 the library decodes blocks in the goroutine that
	// calls Read.
	z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// window returns the window size of the first frame, or 0 if its header cannot
// be read. The library has the same error for a large window and for a damaged
// block that is larger than its window; this function distinguishes them.
func window(src *bufio.Reader) uint64 {
	b, _ := src.Peek(zstd.HeaderMaxSize)
	var h zstd.Header
	if h.Decode(b) != nil {
		return 0
	}
	if h.SingleSegment { // the content is the window
		return max(h.WindowSize, h.FrameContentSize)
	}
	return h.WindowSize
}

// isWindow reports whether err is the error for a large window: errWindow for
// the first frame, or the error of the library for a later frame of a single
// segment.
func isWindow(err error) bool {
	return errors.Is(err, errWindow) || errors.Is(err, zstd.ErrDecoderSizeExceeded)
}
