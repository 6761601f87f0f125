package file

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is how much of what came before a zstd frame may refer to, 128
// MB. It is what the zstd program accepts without being asked for more, and
// keeps a few hostile bytes from taking gigabytes.
const (
	maxWindowLog = 27
	maxWindow    = 1 << maxWindowLog
)

// errWindow means that an archive may be sound, but asks for a larger window.
var errWindow = fmt.Errorf("the zstd archive needs a window of more than %d MB; recompress it with --long=%d or less",
	maxWindow>>20, maxWindowLog)

func openZstd(r io.Reader) (io.ReadCloser, error) {
	src := bufio.NewReaderSize(r, 64<<10)
	if window(src) > maxWindow {
		return nil, errWindow
	}
	// With a concurrency of 1 blocks are decoded where Read is called.
	z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// window returns the window that the first frame asks for, or 0 if its header
// cannot be read. The library has one error for a large window and for a
// damaged block that is larger than its window; this tells them apart.
func window(src *bufio.Reader) uint64 {
	b, _ := src.Peek(zstd.HeaderMaxSize)
	var h zstd.Header
	if h.Decode(b) != nil {
		return 0
	}
	if h.SingleSegment { // the window is the whole content
		return max(h.WindowSize, h.FrameContentSize)
	}
	return h.WindowSize
}

// isWindow reports whether the error is that of a large window: ours of the
// first frame, or the library's of a later one of a single segment.
func isWindow(err error) bool {
	return errors.Is(err, errWindow) || errors.Is(err, zstd.ErrDecoderSizeExceeded)
}
