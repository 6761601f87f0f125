package scan

import (
	"bytes"
	"io"
)

// Prefix reads the start of src until enough returns true for the bytes so far, or
// up to limit bytes, and returns a reader of the whole input. It calls enough after
// each Read; whole reports that no more bytes will be read. The error is that of
// src.
func Prefix(src io.Reader, limit int, enough func(b []byte, whole bool) bool) (io.Reader, error) {
	var buf []byte
	for empty := 0; ; {
		n := len(buf)
		if cap(buf)-n < 512 {
			buf = append(make([]byte, 0, 2*n+4096), buf...)
		}
		m, err := src.Read(buf[n:min(cap(buf), limit)])
		buf = buf[:n+m]
		if err != nil && err != io.EOF {
			return nil, err
		}
		if empty++; m > 0 {
			empty = 0
		}
		whole := err == io.EOF || len(buf) >= limit
		switch {
		case err == io.EOF:
			enough(buf, true)
			return bytes.NewReader(buf), nil // a terminal would be asked for more
		case enough(buf, whole) || whole:
			return io.MultiReader(bytes.NewReader(buf), src), nil
		case empty == emptyReads:
			return nil, io.ErrNoProgress
		}
	}
}
