package proof

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"sator/dimacs"
)

// Writing DRAT and LRAT proofs. An engine logs many thousand steps a second
// during its search, so that a step must cost little more than moving its
// bytes. There is one buffer, no step allocates, and numbers are formatted
// without a loop over their digits: all digits are computed at once in the
// bytes of a 64-bit word. The whole word is stored; the writer then advances by
// the significant bytes only, and the next bytes overwrite the others. Binary
// numbers have few bytes, and a loop is faster for these: spreading them over a
// word with shifts took 1.3 times as long.

const (
	// writeLen is the number of bytes that a writer buffers.
	writeLen = 64 << 10

	// writeSlack is the capacity of the buffer beyond writeLen. A step checks
	// whether the buffer is full at its start and before each number, and writes a
	// number and a few bytes between two checks.
	writeSlack = 64
)

// A Writer is a [dimacs.Proof] that writes the proof to a file. Its ids are
// those of LRAT: the clauses of the formula are numbered from 1 in the order of
// calls of Original, and the lemmas follow. The number of clauses of the
// formula is fixed at the start, so that Original may also be called after
// Learn.
//
// In LRAT, successive deletions share one line. It ends before the next lemma or
// with [Writer.Flush].
//
// [Writer.Err] and [Writer.Flush] return the first error of writing. After an
// error nothing more is written, and steps cost next to nothing.
type Writer struct {
	w         io.Writer
	format    Format
	err       error
	originals int64 // the number of clauses of the formula
	given     int64 // the number of calls of Original
	latest    int64 // the id of the latest lemma, or originals if there is no lemma
	deleting  bool  // an LRAT line of deletions is open
	ended     bool  // the formula has the empty clause, and an LRAT proof the empty lemma
	buf       []byte
	n         int // buf[:n] is not written yet
}

// NewWriter returns a writer of proofs for a formula with the given number of
// clauses. It panics if that is negative or if the format is [FormatUnknown].
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

// Original returns the id of the next clause of the formula. It writes nothing,
// since proofs do not repeat the formula. Only the empty clause is learned again
// in LRAT, since some checkers accept no proof without an empty lemma, and later
// steps are not written. Original panics if there are more calls than the formula
// has clauses.
func (w *Writer) Original(lits []dimacs.Lit) int64 {
	if w.given == w.originals {
		panic(fmt.Sprintf("proof: more than the %d original clauses", w.originals))
	}
	w.given++
	if len(lits) == 0 && w.Hints() {
		w.Learn(nil, []int64{w.given})
		w.ended = true
	}
	return w.given
}

// Learn writes a lemma. DRAT has no hints, and they are ignored.
func (w *Writer) Learn(lits []dimacs.Lit, hints []int64) int64 {
	w.latest++
	if w.ended {
		return w.latest
	}
	w.endDeletion()
	w.spill()
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

// Delete writes the deletion of a clause, by its literals in DRAT and by its id
// in LRAT.
func (w *Writer) Delete(id int64, lits []dimacs.Lit) {
	if w.ended {
		return
	}
	w.spill()
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

// endDeletion ends an open LRAT line of deletions.
func (w *Writer) endDeletion() {
	if !w.deleting {
		return
	}
	w.deleting = false
	w.spill()
	if w.format == LRAT {
		w.put2('0', '\n')
	} else {
		w.put(0)
	}
}

// Flush writes the buffer and returns the first error of writing. Steps may
// follow.
func (w *Writer) Flush() error {
	w.endDeletion()
	w.writeBuf()
	return w.err
}

// Err returns the first error of writing.
func (w *Writer) Err() error { return w.err }

// writeBuf writes the buffer. After an error it drops the content of the buffer.
func (w *Writer) writeBuf() {
	if w.err == nil && w.n > 0 {
		n, err := w.w.Write(w.buf[:w.n])
		if err == nil && n < w.n {
			err = io.ErrShortWrite
		}
		w.err = err
	}
	w.n = 0
}

// spill flushes a full buffer. The buffer then has capacity for a number and a few
// bytes.
func (w *Writer) spill() {
	if w.n >= writeLen {
		w.writeBuf()
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

// textLits writes literals, each with a blank after it.
func (w *Writer) textLits(lits []dimacs.Lit) {
	n := w.n
	for _, l := range lits {
		if n >= writeLen {
			w.n = n
			w.writeBuf()
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
			w.writeBuf()
			n = 0
		}
		n += putVarint(w.buf[n:], uint64(l)+2)
	}
	w.n = n
}

// textID writes an id and a blank.
func (w *Writer) textID(id int64) {
	w.spill()
	w.n += putText(w.buf[w.n:], code(id))
}

// binaryID writes an id.
func (w *Writer) binaryID(id int64) {
	w.spill()
	w.n += putVarint(w.buf[w.n:], code(id))
}

// code returns the code of x in binary proofs: twice the absolute value, plus
// one if x is negative. The code of a literal is its value plus 2.
func code(x int64) uint64 {
	if x < 0 {
		return 2*uint64(-x) + 1
	}
	return 2 * uint64(x)
}

// putText writes the number with the code c, and a blank, to the start of b,
// which must have 32 bytes. It returns the number of bytes written.
func putText(b []byte, c uint64) int {
	n := int(c & 1)
	b[0] = '-' // overwritten by a digit if the number is not negative
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

// putHigh writes the digits of v, the upper part of a number above its last
// eight digits, and returns the number of digits.
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

// digits returns the eight decimal digits of v, which is below 10^8, in the
// bytes of a word, the first digit in the lowest byte. It halves groups of 8, 4
// and 2 digits, all groups of a size at once. The divisions are multiplications
// by reciprocals that are exact in these ranges.
func digits(v uint64) uint64 {
	x := v / 10000
	x |= (v - 10000*x) << 32
	y := x * 10486 >> 20 & (0x7f<<32 | 0x7f)
	x = y | (x-100*y)<<16
	y = x * 103 >> 10 & 0x000f000f000f000f
	return y | (x-10*y)<<8
}

// putVarint writes c in groups of seven bits, the lowest first, to the start of
// b, which must have 16 bytes. The high bit of each byte but the last is set.
// It returns the number of bytes written.
func putVarint(b []byte, c uint64) int {
	n := 0
	for ; c >= 0x80; c >>= 7 {
		b[n] = byte(c) | 0x80
		n++
	}
	b[n] = byte(c)
	return n + 1
}
