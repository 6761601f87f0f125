package record

import (
	"encoding/json"
	"fmt"
	"io"
)

// A Writer writes lines. It keeps the first error and writes nothing after it.
type Writer struct {
	w    io.Writer
	line []byte
	err  error
}

// NewWriter returns a writer to w. It calls w.Write once for each line.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes a line in O(n) for n bytes. It returns the first error of the writer. Write
// panics if a number of the line has no JSON form (NaN or an infinity).
func (w *Writer) Write(l Line) error {
	if w.err != nil {
		return w.err
	}
	b, err := json.Marshal(l)
	if err != nil {
		panic(fmt.Sprintf("record: %s line: %v", l.Type(), err))
	}
	w.line = append(w.line[:0], `{"t":"`...)
	w.line = append(w.line, l.Type()...)
	w.line = append(w.line, `",`...)
	w.line = append(w.line, b[1:]...) // every type has a member that is always written
	w.line = append(w.line, '\n')
	_, w.err = w.w.Write(w.line)
	return w.err
}

// Err returns the first error of writing.
func (w *Writer) Err() error { return w.err }
