package proof

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strconv"

	"sator/dimacs"
	"sator/dimacs/internal/scan"
)

// Reading DRAT and LRAT proofs. The four formats combine two encodings of
// numbers, text and binary, with two forms of steps, DRAT and LRAT. A number
// may be a literal, an id or a hint. The reader represents it by its code in
// binary proofs: twice the absolute value, plus one if the number is negative.
//
// A list of numbers that ends with 0 is read by a fast loop, fastText or
// fastBinary. A fast loop accepts only simple, frequent input. Comments, errors
// and the end of the buffer are left to the careful methods. They read one
// number at a time and keep track of the position.
//
// The text formats share the scanner and the decoding of eight digits at once
// with CNF: package scan.

const (
	// readSlack is the number of bytes that the fast loops may read from the start
	// of a number: a sign, 19 digits, a separator.
	readSlack = 24

	// maxID is the largest id that is accepted. Larger ones have codes too, but no
	// proof has so many steps.
	maxID = 1 << 62

	maxCode    = 2*maxID + 1
	maxLitCode = 2*dimacs.MaxVars + 1
)

// A Step is a step of a proof: a lemma or a deletion. The format determines the
// fields that are set.
type Step struct {
	// Delete reports whether the step is a deletion.
	Delete bool

	// ID is the id of an LRAT lemma. In an LRAT text, a deletion has an ID without
	// meaning, the number at the start of its line.
	ID int64

	// Lits are the literals of a lemma, the pivot first, or in DRAT the literals of
	// the deleted clause.
	Lits []dimacs.Lit

	// Hints are the hints of an LRAT lemma, or the ids of the clauses that an LRAT
	// deletion deletes.
	Hints []int64

	// Place is the start of the step.
	Place Place
}

// A Reader reads a proof step by step. Its memory is a buffer and the longest step.
type Reader struct {
	in     scan.Scanner
	name   string
	format Format
	step   Step
	codes  []uint64 // the numbers of the latest list
	err    error    // the result of Next after the last step
	memory dimacs.MemoryLimit
}

// A numberKind describes the numbers of a list.
type numberKind struct {
	maxCode uint64 // the largest code
	neg     uint64 // 1 if numbers may be negative, otherwise 0
	invalid string // the error for another number
	tooHigh string // the error for a number above maxCode
}

var (
	litKind  = &numberKind{maxLitCode, 1, "%s is not a literal", fmt.Sprintf("literal %%s is above the limit of %d variables", dimacs.MaxVars)}
	idKind   = &numberKind{maxCode - 1, 0, "%s is not an id", "id %s is above the limit of 2^62"}
	hintKind = &numberKind{maxCode, 1, "%s is not a hint", "hint %s is above the limit of 2^62"}
)

// NewReader returns a reader of the proof in src, a proof in the given format. The
// name is for messages and may be empty. NewReader panics if the format is
// [FormatUnknown]; see [Sniff].
func NewReader(src io.Reader, name string, format Format) *Reader {
	if format <= FormatUnknown || format > BinaryLRAT {
		panic(fmt.Sprintf("proof: %d is no format to read", int(format)))
	}
	return &Reader{in: scan.New(src), name: name, format: format}
}

// LimitMemory makes the reader ask a limit before it extends the tables for the numbers
// of a step. If the limit refuses, Next panics with a [*dimacs.MemoryError].
func (r *Reader) LimitMemory(m dimacs.MemoryLimit) { r.memory = m }

// Bytes returns the number of bytes of the steps so far.
func (r *Reader) Bytes() int64 { return r.in.Offset() }

// Next returns the next step. The following call of Next overwrites it. The error is
// io.EOF at the end of the proof, a [*dimacs.SyntaxError] if the proof is malformed
// or cut off, or the error of the source. All further calls return the same error.
func (r *Reader) Next() (*Step, error) {
	if r.err == nil {
		r.err = r.next()
		if broken := r.in.Err(); r.err != nil && broken != nil {
			r.err = broken // the source ended the input right there: the last word may be cut off
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return &r.step, nil
}

// next reads a step.
func (r *Reader) next() error {
	s := &r.step
	s.Delete, s.ID, s.Lits, s.Hints = false, 0, s.Lits[:0], s.Hints[:0]
	switch r.format {
	case DRAT:
		return r.textDRAT()
	case LRAT:
		return r.textLRAT()
	}
	return r.binary()
}

// textDRAT reads a step of a DRAT text.
func (r *Reader) textDRAT() error {
	c, err := r.begin()
	if err != nil {
		return err
	}
	if c == 'd' {
		if err := r.deletion(); err != nil {
			return err
		}
	}
	return r.lits()
}

// textLRAT reads a step of an LRAT text: one line.
func (r *Reader) textLRAT() error {
	if _, err := r.begin(); err != nil {
		return err
	}
	id, err := r.textNumber(idKind)
	if err != nil {
		return err
	}
	if id == 0 {
		return r.errorf(idKind.invalid, r.in.Quoted())
	}
	r.step.ID = int64(id >> 1)
	if r.in.Gap() == 'd' {
		err = r.deletion()
		if err == nil {
			err = r.ids(idKind)
		}
	} else {
		err = r.lits()
		if err == nil {
			err = r.ids(hintKind)
		}
	}
	if err != nil {
		return err
	}
	return r.endLine()
}

// begin skips to the first word of a step and returns its first byte. The error is
// io.EOF at the end of the proof.
func (r *Reader) begin() (int, error) {
	c, err := r.word(true)
	if err != nil {
		return c, err
	}
	if c == scan.EOF {
		return c, io.EOF
	}
	r.step.Place = Place{Line: r.in.Line}
	return c, nil
}

// deletion reads the d at the mark.
func (r *Reader) deletion() error {
	r.in.ReadWord()
	if len(r.in.Text) > 1 {
		return r.errorf("%s is not a number, nor the d of a deletion", r.in.Quoted())
	}
	r.step.Delete = true
	return nil
}

// endLine returns an error if anything but a comment follows on the line of a step.
func (r *Reader) endLine() error {
	switch c := r.in.Gap(); c {
	case '\n', '\r', 'c':
		return nil // the next step begins there
	case scan.EOF:
		return r.in.Err()
	}
	r.in.ReadWord()
	return r.errorf("%s after the end of a step", r.in.Quoted())
}

// binary reads a step of a binary proof.
func (r *Reader) binary() error {
	c := r.in.Peek()
	if c == scan.EOF {
		if err := r.in.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	r.step.Place = Place{Offset: r.Bytes() + 1}
	if c != 'a' && c != 'd' {
		return r.errorAt(r.Bytes(), "a step begins with %#02x, neither a nor d", c)
	}
	r.in.Pos++
	r.step.Delete = c == 'd'
	switch {
	case r.format == BinaryDRAT:
		return r.lits()
	case c == 'd':
		return r.ids(idKind)
	}
	id, err := r.binaryNumber(idKind)
	if err == nil && id == 0 {
		err = r.errorAt(r.Bytes()-1, idKind.invalid, "0")
	}
	if err == nil {
		r.step.ID = int64(id >> 1)
		err = r.lits()
	}
	if err == nil {
		err = r.ids(hintKind)
	}
	return err
}

// lits reads the literals of the step.
func (r *Reader) lits() error {
	if err := r.list(litKind); err != nil {
		return err
	}
	lits := dimacs.Extend(r.memory, r.step.Lits[:0], len(r.codes))[:len(r.codes)]
	for i, c := range r.codes {
		lits[i] = dimacs.Lit(c - 2)
	}
	r.step.Lits = lits
	return nil
}

// ids reads the hints of the step, or the ids of the clauses that it deletes.
func (r *Reader) ids(k *numberKind) error {
	if err := r.list(k); err != nil {
		return err
	}
	ids := dimacs.Extend(r.memory, r.step.Hints[:0], len(r.codes))[:len(r.codes)]
	for i, c := range r.codes {
		sign := -int64(c & 1) // all bits are equal
		ids[i] = int64(c>>1) ^ sign - sign
	}
	r.step.Hints = ids
	return nil
}

// list reads numbers up to 0 and stores their codes in r.codes.
func (r *Reader) list(k *numberKind) error {
	r.codes = r.codes[:0]
	for {
		if r.fast(k) {
			return nil
		}
		c, err := r.number(k)
		if err != nil || c == 0 {
			return err
		}
		r.codes = append(dimacs.Extend(r.memory, r.codes, 1), c)
	}
}

// fast reads numbers with a fast loop. It returns true after the 0 at the end of the
// list. It accepts no number that the careful methods reject.
func (r *Reader) fast(k *numberKind) bool {
	for len(r.in.Buf)-r.in.Pos >= readSlack {
		if len(r.codes) == cap(r.codes) {
			r.codes = dimacs.Extend(r.memory, r.codes, 256)
		}
		before := len(r.codes)
		ended := false
		if r.format.Binary() {
			ended = r.fastBinary(k)
		} else {
			ended = r.fastText(k)
		}
		if ended || len(r.codes) == before || len(r.codes) < cap(r.codes) {
			return ended
		}
	}
	return false
}

// number reads a number carefully.
func (r *Reader) number(k *numberKind) (code uint64, err error) {
	if r.format.Binary() {
		return r.binaryNumber(k)
	}
	c, err := r.word(r.format == DRAT)
	switch {
	case err != nil:
		return 0, err
	case c == scan.EOF:
		return 0, r.errorf("the last step is not ended by 0")
	case c == '\n':
		return 0, r.errorf("the line ends before its step is ended by 0")
	}
	return r.textNumber(k)
}

// fastText reads numbers of a text up to the capacity of r.codes. It returns true
// after the 0 at the end of the list.
//
// It decodes eight bytes at once, see [scan.Decimal]. The function stays whole
// because its state has to stay in registers.
func (r *Reader) fastText(k *numberKind) (ended bool) {
	var (
		buf   = r.in.Buf
		pos   = r.in.Pos
		last  = len(buf) - readSlack
		codes = r.codes[:cap(r.codes)]
		n     = len(r.codes)
		most  = k.maxCode
		signs = k.neg
	)
scan:
	for n < len(codes) && pos <= last {
		w := binary.LittleEndian.Uint64(buf[pos:])
		v, digits, sign := scan.Decimal(w)
		if digits == 0 {
			if c := byte(w); c == ' ' || c == '\t' {
				pos++
				continue
			}
			break
		}
		end := pos + int(sign+digits)
		sep := buf[end]
		if sep-'0' <= 9 {
			v, end = longer(buf, v, end)
			sep = buf[end]
		}
		neg := uint64(sign)
		c := v<<1 | neg
		switch {
		case v > maxID || c > most || neg > signs || sep != ' ' && sep != '\n' && sep != '\t' && sep != '\r':
			break scan
		case c > 1:
			codes[n] = c
			n++
			pos = end
			if sep == ' ' {
				pos++
			}
		case c == 1: // -0
			break scan
		default:
			pos = end
			ended = true
			break scan
		}
	}
	r.in.Pos, r.codes = pos, codes[:n]
	return ended
}

// longer continues a number with the value v whose next digit is buf[end]. It returns
// the value of the whole number and its end. It reads at most 11 more digits, so
// that the value stays below 2^64 with the seven or eight digits before. If a digit
// follows even then, it is no separator, and the careful methods read the number.
func longer(buf []byte, v uint64, end int) (uint64, int) {
	for stop := end + 11; end < stop && buf[end]-'0' <= 9; end++ {
		v = 10*v + uint64(buf[end]-'0')
	}
	return v, end
}

// fastBinary reads numbers of a binary proof up to the capacity of r.codes. It
// returns true after the 0 at the end of the list.
//
// It decodes eight bytes at once and joins their groups of seven bits in three
// steps: pairs, then fours, then all eight. Larger numbers are left to the careful
// methods.
func (r *Reader) fastBinary(k *numberKind) (ended bool) {
	const high = 0x8080808080808080
	var (
		buf   = r.in.Buf
		pos   = r.in.Pos
		last  = len(buf) - readSlack
		codes = r.codes[:cap(r.codes)]
		n     = len(r.codes)
		most  = k.maxCode
		signs = k.neg
	)
	for n < len(codes) && pos <= last {
		w := binary.LittleEndian.Uint64(buf[pos:])
		top := uint(bits.TrailingZeros64(^w & high)) // the high bit of the last byte
		if top > 63 {
			break
		}
		x := w << ((63 - top) & 63) >> ((63 - top) & 63) &^ high
		x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
		x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
		x = x&0x000000000fffffff | x&0x0fffffff00000000>>4
		if x == 0 && top == 7 {
			pos++
			ended = true
			break
		}
		// The last byte of a number with more than one byte must not be 0.
		if x > most || x == 1 || x&1 > signs || byte(w>>((top-7)&63)) == 0 {
			break
		}
		codes[n] = x
		n++
		pos += int(top+1) / 8
	}
	r.in.Pos, r.codes = pos, codes[:n]
	return ended
}

// binaryNumber reads a number of a binary proof carefully.
func (r *Reader) binaryNumber(k *numberKind) (code uint64, err error) {
	at := r.Bytes()
	for shift := 0; ; shift += 7 {
		c := r.in.Peek()
		switch {
		case c == scan.EOF && r.in.Err() != nil:
			return 0, r.in.Err()
		case c == scan.EOF:
			return 0, r.errorAt(r.Bytes(), "the last step is not ended by 0")
		case shift == 63 && c > 1:
			return 0, r.errorAt(at, "a number of more than 64 bits")
		case c == 0 && shift > 0:
			return 0, r.errorAt(at, "a number of more bytes than it needs")
		}
		r.in.Pos++
		code |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	if msg := k.check(code>>1, code&1); msg != "" {
		return 0, r.errorAt(at, msg, "-"[:code&1]+strconv.FormatUint(code>>1, 10))
	}
	return code, nil
}

// textNumber reads the number at the mark carefully.
func (r *Reader) textNumber(k *numberKind) (code uint64, err error) {
	n, negative, ok := r.in.Number()
	if err := r.in.Err(); err != nil {
		return 0, err
	}
	if !ok {
		return 0, r.errorf("%s is not a number", r.in.Quoted())
	}
	neg := uint64(0)
	if negative {
		neg = 1
	}
	if msg := k.check(n, neg); msg != "" {
		return 0, r.errorf(msg, r.in.Quoted())
	}
	return n<<1 | neg, nil
}

// check returns the format of an error message for the number with the absolute
// value n, or "" if the number is valid.
func (k *numberKind) check(n, neg uint64) string {
	if neg > k.neg || neg == 1 && n == 0 {
		return k.invalid
	}
	if n > k.maxCode>>1 {
		return k.tooHigh
	}
	return ""
}

// word skips to the next word, marks it and returns its first byte, or scan.EOF. If
// lines is true, it skips line ends and comments too; otherwise it returns '\n' at
// the end of the line.
func (r *Reader) word(lines bool) (int, error) {
	for {
		c := r.in.NextInLine()
		switch {
		case c == scan.EOF:
			return c, r.in.Err()
		case c == '\r':
			return c, r.errorf("a carriage return without a line feed")
		case lines && c == '\n':
			r.in.Newline()
		case lines && c == 'c':
			r.in.SkipLine()
		default:
			return c, nil
		}
	}
}

// errorf returns an error at the mark.
func (r *Reader) errorf(format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.name, Line: r.in.Mark.Line, Col: r.in.Mark.Col, Msg: fmt.Sprintf(format, args...)}
}

// errorAt returns an error at a byte of a binary proof, counted from 0.
func (r *Reader) errorAt(offset int64, format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.name, Msg: Place{Offset: offset + 1}.String() + ": " + fmt.Sprintf(format, args...)}
}
