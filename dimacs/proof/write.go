package proof

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"sator/dimacs"
)

// This file writes proofs. An engine tells its steps in the midst of its
// search, many thousands in a second, so that a step must cost little more than
// the moving of its bytes: there is one buffer, no step allocates, and a number
// in text is made without a loop over its digits. They are computed all at
// once, in the bytes of a 64-bit word, which is stored whole; the writer
// advances by those that count, and what is behind them is overwritten by what
// comes next. The bytes of binary numbers are few, and a loop is faster there:
// spreading them over a word with shifts took 1.3 times as long.

const (
	// writeLen is how much a writer gathers before it writes.
	writeLen = 64 << 10

	// writeSlack is the room behind it. A step looks whether the buffer is
	// full when it begins and before each number; what it writes between two
	// such looks is a number and a few bytes.
	writeSlack = 64
)

// A Writer is a [dimacs.Proof] that writes the proof to a file. Its ids are
// those of LRAT: 1 and so on for the clauses of the formula, in the order in
// which they are given, and from there on for lemmas. It knows the number of
// the former from the beginning, and some may be given after lemmas.
//
// In LRAT, deletions that follow each other are gathered in one line, which
// ends before the next lemma or with [Writer.Flush].
//
// Errors of writing are kept for [Writer.Err] and [Writer.Flush]. After the
// first, nothing is written, and steps cost next to nothing.
type Writer struct {
	w         io.Writer
	format    Format
	err       error
	originals int64
	given     int64 // of the originals
	latest    int64 // id of the latest lemma, or originals
	deleting  bool  // an LRAT line of deletions is open
	buf       []byte
	n         int // buf[:n] is to be written
}

// NewWriter returns a writer of proofs for a formula of so many clauses. It
// panics if that is negative or the format is none.
func NewWriter(w io.Writer, format Format, originals int) *Writer {
	if format <= FormatUnknown || format > BinaryLRAT {
		panic(fmt.Sprintf("proof: %d is no format to write", int(format)))
	}
	if originals < 0 {
		panic(fmt.Sprintf("proof: a formula of %d clauses", originals))
	}
	return &Writer{
		w: w, format: format,
		originals: int64(originals), latest: int64(originals),
		buf: make([]byte, writeLen+writeSlack),
	}
}

// Hints reports whether the format has hints.
func (w *Writer) Hints() bool { return w.format.Hints() }

// Original gives a clause of the formula its id. It writes nothing, since
// proofs do not repeat the formula. It panics if there are more such clauses
// than the writer was told.
func (w *Writer) Original([]dimacs.Lit) int64 {
	if w.given == w.originals {
		panic(fmt.Sprintf("proof: more clauses than the %d that the formula was said to have", w.originals))
	}
	w.given++
	return w.given
}

// Learn writes a lemma. Formats without hints ignore those.
func (w *Writer) Learn(lits []dimacs.Lit, hints []int64) int64 {
	w.endDeletion()
	w.room()
	w.latest++
	switch w.format {
	case DRAT:
		w.textLits(lits)
		w.put2('0', '\n')
	case BinaryDRAT:
		w.put('a')
		w.binaryLits(lits)
		w.put(0)
	case LRAT:
		w.textID(w.latest)
		w.textLits(lits)
		w.put2('0', ' ')
		for _, h := range hints {
			w.textID(h)
		}
		w.put2('0', '\n')
	case BinaryLRAT:
		w.put('a')
		w.binaryID(w.latest)
		w.binaryLits(lits)
		w.put(0)
		for _, h := range hints {
			w.binaryID(h)
		}
		w.put(0)
	}
	return w.latest
}

// Delete writes the deletion of a clause: DRAT names it by its literals, LRAT
// by its id.
func (w *Writer) Delete(id int64, lits []dimacs.Lit) {
	w.room()
	switch w.format {
	case DRAT:
		w.put2('d', ' ')
		w.textLits(lits)
		w.put2('0', '\n')
	case BinaryDRAT:
		w.put('d')
		w.binaryLits(lits)
		w.put(0)
	case LRAT:
		if !w.deleting {
			w.textID(w.latest)
			w.put2('d', ' ')
		}
		w.textID(id)
		w.deleting = true
	case BinaryLRAT:
		if !w.deleting {
			w.put('d')
		}
		w.binaryID(id)
		w.deleting = true
	}
}

// endDeletion ends the line of deletions that is open.
func (w *Writer) endDeletion() {
	if !w.deleting {
		return
	}
	w.deleting = false
	w.room()
	if w.format == LRAT {
		w.put2('0', '\n')
	} else {
		w.put(0)
	}
}

// Flush writes what is gathered and returns the first error of writing. The
// proof may go on after it.
func (w *Writer) Flush() error {
	w.endDeletion()
	w.spill()
	return w.err
}

// Err returns the first error of writing so far.
func (w *Writer) Err() error { return w.err }

// spill empties the buffer. After an error it drops what is there.
func (w *Writer) spill() {
	if w.err == nil && w.n > 0 {
		n, err := w.w.Write(w.buf[:w.n])
		if err == nil && n < w.n {
			err = io.ErrShortWrite
		}
		w.err = err
	}
	w.n = 0
}

// room makes room for a number and a few bytes.
func (w *Writer) room() {
	if w.n >= writeLen {
		w.spill()
	}
}

func (w *Writer) put(c byte) {
	w.buf[w.n] = c
	w.n++
}

func (w *Writer) put2(c, d byte) {
	w.buf[w.n], w.buf[w.n+1] = c, d
	w.n += 2
}

// textLits writes literals, a blank after each.
func (w *Writer) textLits(lits []dimacs.Lit) {
	n := w.n
	for _, l := range lits {
		if n >= writeLen {
			w.n = n
			w.spill()
			n = 0
		}
		n += putText(w.buf[n:], uint64(l)+2)
	}
	w.n = n
}

// binaryLits writes literals.
func (w *Writer) binaryLits(lits []dimacs.Lit) {
	n := w.n
	for _, l := range lits {
		if n >= writeLen {
			w.n = n
			w.spill()
			n = 0
		}
		n += putVarint(w.buf[n:], uint64(l)+2)
	}
	w.n = n
}

// textID writes an id and a blank.
func (w *Writer) textID(id int64) {
	w.room()
	w.n += putText(w.buf[w.n:], code(id))
}

// binaryID writes an id.
func (w *Writer) binaryID(id int64) {
	w.room()
	w.n += putVarint(w.buf[w.n:], code(id))
}

// code returns the unsigned number that stands for x in binary proofs, twice
// the absolute value and one more if it is negative. Literals are numbered so
// already, from 0 where their code is 2.
func code(x int64) uint64 {
	if x < 0 {
		return 2*uint64(-x) + 1
	}
	return 2 * uint64(x)
}

// putText writes the number that c is the code of, and a blank, to the start
// of b, which has room for 32 bytes. It returns their number.
func putText(b []byte, c uint64) int {
	n := int(c & 1)
	b[0] = '-' // a digit comes over it if the number is positive
	v := c >> 1
	if v >= 1e8 {
		n += putHigh(b[n:], v/1e8)
		binary.LittleEndian.PutUint64(b[n:], digits(v%1e8)|zeros)
		b[n+8] = ' '
		return n + 9
	}
	d := digits(v)
	lead := uint(bits.TrailingZeros64(d|1<<56)) &^ 7 & 63 // at most seven zeros
	binary.LittleEndian.PutUint64(b[n:], d>>lead|zeros)
	n += int(8 - lead>>3)
	b[n] = ' '
	return n + 1
}

// putHigh writes the digits of a number above those that putText writes.
func putHigh(b []byte, v uint64) int {
	var rest [20]byte
	n := len(rest)
	for ; v > 0; v /= 10 {
		n--
		rest[n] = byte('0' + v%10)
	}
	return copy(b, rest[n:])
}

const zeros = 0x3030303030303030 // eight times '0'

// digits returns the eight decimal digits of v, below 10^8, in the bytes of a
// word, the first in the lowest. It halves parts of 8, 4 and 2 digits, all
// parts of a size at once; the divisions are multiplications by reciprocals
// that are exact in these ranges.
func digits(v uint64) uint64 {
	x := v / 10000
	x |= (v - 10000*x) << 32
	y := x * 10486 >> 20 & (0x7f<<32 | 0x7f)
	x = y | (x-100*y)<<16
	y = x * 103 >> 10 & 0x000f000f000f000f
	return y | (x-10*y)<<8
}

// putVarint writes c in pieces of seven bits, the lowest first, with the high
// bit set in all but the last, to the start of b, which has room for 16 bytes.
// It returns the number of bytes.
func putVarint(b []byte, c uint64) int {
	n := 0
	for ; c >= 0x80; c >>= 7 {
		b[n] = byte(c) | 0x80
		n++
	}
	b[n] = byte(c)
	return n + 1
}
