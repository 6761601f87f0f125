package proof

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"

	"sator/dimacs"
)

// This file reads proofs. The four formats are two ways to write numbers and
// two to make steps of them. A number, be it a literal, an id or a hint, is
// read as its code: twice the absolute value and one more if it is negative,
// as binary proofs have it. A list of numbers up to 0 is read by a loop without
// questions, one for text and one for binary, that hands over to a careful
// part at whatever it does not know: comments, errors, the end of the buffer.
// The careful part reads one number and knows where it stands.

const (
	// readLen is the size of the buffer: large enough to make calls of Read
	// rare, small enough to stay in a second-level cache.
	readLen = 256 << 10

	// readSlack is the number of bytes that the fast loops may look at from
	// the start of a number: a sign, 19 digits, a separator.
	readSlack = 24

	// textLen is how much of a word an error message quotes.
	textLen = 24

	// eof is what peek returns after the last byte.
	eof = -1

	// maxID is the largest id that is read. There are codes for more, but no
	// proof with so many steps.
	maxID = 1 << 62

	maxCode    = 2*maxID + 1
	maxLitCode = 2*dimacs.MaxVars + 1
)

// A Step is a step of a proof. A DRAT step has literals alone: of the lemma,
// the first being the pivot, or of the clause to delete. A lemma of LRAT has an
// id, literals and hints. A deletion of LRAT has in Hints the ids of the
// clauses to delete, and in ID the number that begins its line, which means
// nothing and is 0 in binary proofs.
type Step struct {
	Delete bool
	ID     int64
	Lits   []dimacs.Lit
	Hints  []int64
	Place  Place
}

// A Reader reads a proof step by step. It keeps nothing of it but a buffer and
// the longest step.
type Reader struct {
	src    io.Reader
	name   string
	format Format
	step   Step
	codes  []uint64 // the list of numbers that was read last
	err    error    // why there are no more steps

	buf    []byte // buf[pos:] is unread
	pos    int
	off    int64 // where in the input buf begins
	srcErr error // why there is no more to read into buf

	bol  int64 // where in the input the current line begins
	line int
	mark mark   // of the word that is read
	text []byte // its first bytes
}

// A mark is a place in a text.
type mark struct{ line, col int }

// A kind is what a number stands for.
type kind struct {
	most  uint64 // the largest code
	neg   uint64 // 1 if it may be negative
	not   string // what is said of a number that is none of the kind
	above string // what is said of one that is too large
}

var (
	litKind  = &kind{maxLitCode, 1, "%s is not a literal", fmt.Sprintf("literal %%s is above the limit of %d variables", dimacs.MaxVars)}
	idKind   = &kind{maxCode - 1, 0, "%s is not an id", "id %s is above the limit of 2^62"}
	hintKind = &kind{maxCode, 1, "%s is not a hint", "hint %s is above the limit of 2^62"}
)

// NewReader returns a reader of the proof in src, which has that format. The
// name is for messages and may be empty. It panics if the format is none; see
// [Sniff].
func NewReader(src io.Reader, name string, format Format) *Reader {
	if format <= FormatUnknown || format > BinaryLRAT {
		panic(fmt.Sprintf("proof: %d is no format to read", int(format)))
	}
	return &Reader{
		src: src, name: name, format: format, line: 1,
		buf:  make([]byte, 0, readLen),
		text: make([]byte, 0, textLen+1),
	}
}

// Bytes returns how many bytes the steps so far took.
func (r *Reader) Bytes() int64 { return r.off + int64(r.pos) }

// Next returns the next step. It is overwritten by the call after that. The
// error is io.EOF at the end of the proof, a [*dimacs.SyntaxError] where it
// makes no sense or is cut, or that of the source; it is then the same for all
// further calls.
func (r *Reader) Next() (*Step, error) {
	if r.err == nil {
		r.err = r.next()
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

// textDRAT reads a step of a text without hints.
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

// textLRAT reads a step of a text with hints, which is a line.
func (r *Reader) textLRAT() error {
	if _, err := r.begin(); err != nil {
		return err
	}
	id, err := r.textNumber(idKind)
	if err != nil {
		return err
	}
	if id == 0 {
		return r.errorf(idKind.not, r.quoted())
	}
	r.step.ID = int64(id >> 1)
	if r.gap() == 'd' {
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

// begin finds the first word of a step, and returns its first byte. The error
// is io.EOF if there is none.
func (r *Reader) begin() (int, error) {
	c, err := r.word(true)
	if err != nil {
		return c, err
	}
	if c == eof {
		return c, io.EOF
	}
	r.step.Place = Place{Line: r.line}
	return c, nil
}

// deletion reads the d at the mark.
func (r *Reader) deletion() error {
	r.text = r.text[:0]
	r.finish()
	if len(r.text) > 1 {
		return r.errorf("%s is not a number, nor the d of a deletion", r.quoted())
	}
	r.step.Delete = true
	return nil
}

// endLine looks that nothing but a comment follows on the line of a step.
func (r *Reader) endLine() error {
	switch c := r.gap(); c {
	case '\n', '\r', 'c':
		return nil // the next step begins there
	case eof:
		return r.ended()
	}
	r.text = r.text[:0]
	r.finish()
	return r.errorf("%s after the end of a step", r.quoted())
}

// binary reads a step of a binary proof.
func (r *Reader) binary() error {
	c := r.peek()
	if c == eof {
		if err := r.ended(); err != nil {
			return err
		}
		return io.EOF
	}
	r.step.Place = Place{Offset: r.Bytes() + 1}
	if c != 'a' && c != 'd' {
		return r.errorAt(r.Bytes(), "a step begins with %#02x, neither a nor d", c)
	}
	r.pos++
	r.step.Delete = c == 'd'
	switch {
	case r.format == BinaryDRAT:
		return r.lits()
	case c == 'd':
		return r.ids(idKind)
	}
	id, err := r.binaryNumber(idKind)
	if err == nil && id == 0 {
		err = r.errorAt(r.Bytes()-1, idKind.not, "0")
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
	lits := slices.Grow(r.step.Lits[:0], len(r.codes))[:len(r.codes)]
	for i, c := range r.codes {
		lits[i] = dimacs.Lit(c - 2)
	}
	r.step.Lits = lits
	return nil
}

// ids reads the hints of the step, or the ids that it deletes.
func (r *Reader) ids(k *kind) error {
	if err := r.list(k); err != nil {
		return err
	}
	all := slices.Grow(r.step.Hints[:0], len(r.codes))[:len(r.codes)]
	for i, c := range r.codes {
		sign := -int64(c & 1) // of all bits
		all[i] = int64(c>>1) ^ sign - sign
	}
	r.step.Hints = all
	return nil
}

// list reads numbers up to 0 and keeps their codes.
func (r *Reader) list(k *kind) error {
	r.codes = r.codes[:0]
	for {
		if r.fast(k) {
			return nil
		}
		c, err := r.number(k)
		if err != nil || c == 0 {
			return err
		}
		r.codes = append(r.codes, c)
	}
}

// fast reads numbers as long as that is simple. It returns true if that was up
// to 0. It accepts nothing that the careful part would reject.
func (r *Reader) fast(k *kind) bool {
	for len(r.buf)-r.pos >= readSlack {
		if len(r.codes) == cap(r.codes) {
			r.codes = slices.Grow(r.codes, 256)
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

// number reads a number with care.
func (r *Reader) number(k *kind) (code uint64, err error) {
	if r.format.Binary() {
		return r.binaryNumber(k)
	}
	c, err := r.word(r.format == DRAT)
	switch {
	case err != nil:
		return 0, err
	case c == eof:
		return 0, r.errorf("the last step is not ended by 0")
	case c == '\n':
		return 0, r.errorf("the line ends before its step is ended by 0")
	}
	return r.textNumber(k)
}

// fastText reads numbers of a text into the room that r.codes has.
//
// Eight bytes are taken at once, as a 64-bit word whose lowest byte is the
// first. Where the first byte is that is no digit follows from one addition
// for all of them, and the bytes before it, shifted to the top of the word so
// that zeros lead, are a number in three multiplications. The length of a
// number is then no branch that the processor could guess wrong. The function
// stays whole because its state has to stay in registers.
func (r *Reader) fastText(k *kind) (ended bool) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
		low  = 0x000000ff000000ff
	)
	var (
		buf   = r.buf
		pos   = r.pos
		last  = len(buf) - readSlack
		codes = r.codes[:cap(r.codes)]
		n     = len(r.codes)
		most  = k.most
		signs = k.neg
	)
scan:
	for n < len(codes) && pos <= last {
		w := binary.LittleEndian.Uint64(buf[pos:])
		neg := uint64(0)
		if byte(w) == '-' {
			neg = 1
		}
		// A byte is a digit if it is now at most 9. The addition may carry out
		// of bytes above 0x89, but only into those behind them. After a sign
		// the last byte is 0, no digit.
		x := w>>(8*neg&63) ^ '0'*ones
		stop := (x + (0x80-10)*ones | x) & high
		digits := uint64(bits.TrailingZeros64(stop)) / 8
		if digits == 0 {
			if c := byte(w); c == ' ' || c == '\t' {
				pos++
				continue
			}
			break
		}
		x <<= (64 - 8*digits) & 63
		x = x*10 + x>>8 // pairs of digits, in every second byte
		v := ((x&low)*(100+1000000<<32) + (x>>16&low)*(1+10000<<32)) >> 32
		end := pos + int(neg+digits)
		sep := buf[end]
		if sep-'0' <= 9 {
			v, end = longer(buf, v, end)
			sep = buf[end]
		}
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
	r.pos, r.codes = pos, codes[:n]
	return ended
}

// longer returns the number that begins with v, whose digits go on at end of
// buf, and where they end. It looks at so many that the whole is below 2^64
// with the seven or eight before. If a digit still follows, that is no
// separator, and the number is left for the careful part.
func longer(buf []byte, v uint64, end int) (uint64, int) {
	for stop := end + 11; end < stop && buf[end]-'0' <= 9; end++ {
		v = 10*v + uint64(buf[end]-'0')
	}
	return v, end
}

// fastBinary reads numbers of a binary proof into the room that r.codes has.
// As in fastText, eight bytes are taken at once; their pieces of seven bits
// are put together in three steps, by two, four and eight. Larger numbers are
// left for the careful part.
func (r *Reader) fastBinary(k *kind) (ended bool) {
	const high = 0x8080808080808080
	var (
		buf   = r.buf
		pos   = r.pos
		last  = len(buf) - readSlack
		codes = r.codes[:cap(r.codes)]
		n     = len(r.codes)
		most  = k.most
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
		// A number of more than one byte must need the last.
		if x > most || x == 1 || x&1 > signs || byte(w>>((top-7)&63)) == 0 {
			break
		}
		codes[n] = x
		n++
		pos += int(top+1) / 8
	}
	r.pos, r.codes = pos, codes[:n]
	return ended
}

// binaryNumber reads a number of a binary proof with care.
func (r *Reader) binaryNumber(k *kind) (code uint64, err error) {
	at := r.Bytes()
	for shift := 0; ; shift += 7 {
		c := r.peek()
		switch {
		case c == eof && r.ended() != nil:
			return 0, r.ended()
		case c == eof:
			return 0, r.errorAt(r.Bytes(), "the last step is not ended by 0")
		case shift == 63 && c > 1:
			return 0, r.errorAt(at, "a number of more than 64 bits")
		case c == 0 && shift > 0:
			return 0, r.errorAt(at, "a number of more bytes than it needs")
		}
		r.pos++
		code |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	if complaint := k.judge(code>>1, code&1); complaint != "" {
		return 0, r.errorAt(at, complaint, "-"[:code&1]+strconv.FormatUint(code>>1, 10))
	}
	return code, nil
}

// textNumber reads the number at the mark with care.
func (r *Reader) textNumber(k *kind) (code uint64, err error) {
	n, neg, err := r.digits()
	if err != nil {
		return 0, err
	}
	if complaint := k.judge(n, neg); complaint != "" {
		return 0, r.errorf(complaint, r.quoted())
	}
	return n<<1 | neg, nil
}

// judge returns what is to be said against a number, or "".
func (k *kind) judge(n, neg uint64) string {
	if neg > k.neg || neg == 1 && n == 0 {
		return k.not
	}
	if n > k.most>>1 {
		return k.above
	}
	return ""
}

// digits reads the integer at the mark. Values of 2^64-1 and above are returned
// as 2^64-1.
func (r *Reader) digits() (n, neg uint64, err error) {
	r.text = r.text[:0]
	if r.peek() == '-' {
		neg = 1
		r.take()
	}
	const most = 1<<64 - 1
	found := false
	c := r.peek()
	for ; '0' <= c && c <= '9'; c = r.peek() {
		found = true
		if d := uint64(c - '0'); n > (most-d)/10 {
			n = most
		} else {
			n = 10*n + d
		}
		r.take()
	}
	if c == eof && r.ended() != nil {
		return 0, 0, r.ended()
	}
	if !found || !separates(c) {
		r.finish()
		return 0, 0, r.errorf("%s is not a number", r.quoted())
	}
	return n, neg, nil
}

// word finds the next word, marks it and returns its first byte, or eof, or the
// line feed that comes before it; or if lines is true, it goes on over line
// ends and comments. The error is that of the source, or a carriage return that
// ends no line.
func (r *Reader) word(lines bool) (int, error) {
	for {
		c := r.gap()
		switch {
		case c == eof:
			return c, r.ended()
		case c == '\r':
			r.pos++
			if r.peek() != '\n' {
				if err := r.ended(); err != nil {
					return c, err
				}
				return c, r.errorf("a carriage return without a line feed")
			}
		case lines && c == '\n':
			r.pos++
			r.line++
			r.bol = r.Bytes()
		case lines && c == 'c':
			r.skipLine()
		default:
			return c, nil
		}
	}
}

// gap skips blanks, marks what follows, and returns its first byte, or eof.
func (r *Reader) gap() int {
	for {
		c := r.peek()
		if c != ' ' && c != '\t' {
			r.mark = mark{r.line, int(r.Bytes()-r.bol) + 1}
			return c
		}
		r.pos++
	}
}

// skipLine skips what is left of the line, but not its line feed.
func (r *Reader) skipLine() {
	for r.peek() != eof {
		if i := bytes.IndexByte(r.buf[r.pos:], '\n'); i >= 0 {
			r.pos += i
			return
		}
		r.pos = len(r.buf)
	}
}

// take reads the next byte and keeps it for messages.
func (r *Reader) take() {
	if len(r.text) <= textLen {
		r.text = append(r.text, r.buf[r.pos])
	}
	r.pos++
}

// finish reads the rest of a word as far as messages show it.
func (r *Reader) finish() {
	for len(r.text) <= textLen && !separates(r.peek()) {
		r.take()
	}
}

// separates reports whether c can follow a word.
func separates(c int) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == eof
}

// peek returns the next byte without reading it, or eof.
func (r *Reader) peek() int {
	if r.pos == len(r.buf) && !r.fill() {
		return eof
	}
	return int(r.buf[r.pos])
}

// fill reads more into the buffer, of which all is read. It returns false if
// there is no more.
func (r *Reader) fill() bool {
	if r.srcErr != nil {
		return false
	}
	r.off += int64(r.pos)
	r.pos = 0
	r.buf = r.buf[:0]
	for range 100 {
		n, err := r.src.Read(r.buf[:cap(r.buf)])
		if n > 0 || err != nil {
			r.buf, r.srcErr = r.buf[:n], err
			return n > 0
		}
	}
	r.srcErr = io.ErrNoProgress
	return false
}

// ended returns the error of the source if that ended, but not simply.
func (r *Reader) ended() error {
	if r.pos == len(r.buf) && r.srcErr != nil && r.srcErr != io.EOF {
		return r.srcErr
	}
	return nil
}

// quoted returns the word that was read last, for messages.
func (r *Reader) quoted() string {
	if len(r.text) > textLen {
		return fmt.Sprintf("%q...", r.text[:textLen])
	}
	return fmt.Sprintf("%q", r.text)
}

// errorf returns an error at the mark.
func (r *Reader) errorf(format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.name, Line: r.mark.line, Col: r.mark.col, Msg: fmt.Sprintf(format, args...)}
}

// errorAt returns an error at a byte of a binary proof, counted from 0.
func (r *Reader) errorAt(at int64, format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.name, Msg: Place{Offset: at + 1}.String() + ": " + fmt.Sprintf(format, args...)}
}
