package proof

import (
	"fmt"
	"io"

	"sator/dimacs"
)

type Format int

const (
	FormatUnknown Format = iota
	DRAT
	BinaryDRAT
	LRAT
	BinaryLRAT
)

func (f Format) Hints() bool  { return f >= LRAT }
func (f Format) Binary() bool { return f == BinaryDRAT || f == BinaryLRAT }
func (f Format) String() string {
	return [...]string{"unknown", "DRAT", "binary DRAT", "LRAT", "binary LRAT"}[f]
}

type Place struct {
	Line   int
	Offset int64
}

func (p Place) set() bool      { return p.Line > 0 || p.Offset > 0 }
func (p Place) String() string { return fmt.Sprint(p.Line, p.Offset) }

type Step struct {
	Delete bool
	ID     int64
	Lits   []dimacs.Lit
	Hints  []int64
	Place  Place
}

type Reader struct{}

func NewReader(src io.Reader, name string, format Format) *Reader { panic("pending") }
func (r *Reader) Next() (*Step, error)                            { panic("pending") }
func (r *Reader) Bytes() int64                                    { panic("pending") }
func Sniff(src io.Reader) (Format, io.Reader, error)              { panic("pending") }

type Writer struct{}

func NewWriter(w io.Writer, format Format, originals int) *Writer { panic("pending") }
func (w *Writer) Hints() bool                                     { panic("pending") }
func (w *Writer) Original(lits []dimacs.Lit) int64                { panic("pending") }
func (w *Writer) Learn(lits []dimacs.Lit, hints []int64) int64    { panic("pending") }
func (w *Writer) Delete(id int64, lits []dimacs.Lit)              { panic("pending") }
func (w *Writer) Flush() error                                    { panic("pending") }
func (w *Writer) Err() error                                      { panic("pending") }
