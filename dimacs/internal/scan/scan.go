// Package scan splits text in the DIMACS formats and in the text formats of
// proofs into words. It is the scanner below the readers of dimacs and
// dimacs/proof:
//
//	s := scan.New(src)
//	for {
//		switch s.Next() {
//		case scan.EOF:
//			return s.Err()
//		case 'c':
//			s.SkipLine()
//		default:
//			n, neg, ok := s.Number() // or s.Word()
//			if !ok {
//				return fmt.Errorf("line %d: %s is not a number", s.Mark.Line, s.Quoted())
//			}
//			fmt.Println(n, neg)
//		}
//	}
//
// Blanks (spaces and tabs) and line ends separate words. A line ends with a line
// feed, with an optional carriage return before it.
//
// Most words of a large file are numbers, and the readers have fast loops for
// these: the loops work on the buffer of the scanner and decode eight digits at
// once (see [Decimal]). The scanner handles everything else: other words, errors,
// the end of the buffer.
//
// A common scanner is not slower than separate ones for CNF and for proofs. In the
// benchmarks of both packages, the minimum of 32 runs changed by -4 to 0 percent
// for CNF (3sat, long, large numbers), and the minimum of 30 runs by -2 to +1
// percent for proofs; proofs with steps of two or three literals became up to 10
// percent faster.
package scan

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
)

const (
	// BufLen is the size of the buffer for long inputs: large enough to make calls
	// of Read rare, small enough to stay in a second-level cache.
	BufLen = 256 << 10

	// firstLen is the size of the first buffer. An input that does not fill it, as
	// a small formula or proof, is read in a microsecond; a buffer of BufLen bytes
	// takes ten times that to allocate.
	firstLen = 4 << 10

	// emptyReads is the number of calls of Read without bytes and without an error
	// after which a source is taken to be broken, as in package bufio.
	emptyReads = 100

	// TextLen is the number of bytes of a word that an error message quotes.
	TextLen = 24

	// EOF is returned in place of a byte after the last one.
	EOF = -1
)

// A Mark is a position in the input.
type Mark struct {
	Line int // from 1
	Col  int // in bytes, from 1
}

// A Scanner reads an input byte by byte and counts lines and columns. Its methods
// do not allocate, except for Word and Quoted.
type Scanner struct {
	Buf []byte // the buffer; Buf[Pos:] is unread
	Pos int

	Line int    // the number of the current line
	Mark Mark   // the position of the current word
	Text []byte // the first bytes of the word that was read last, at most TextLen+1

	src io.Reader
	err error // the error of src, or io.EOF, once src has returned it
	off int64 // the offset of Buf in the input
	bol int64 // the offset of the current line in the input
}

// New returns a scanner of src.
func New(src io.Reader) Scanner {
	return Scanner{
		src: src, Line: 1,
		Buf:  make([]byte, 0, firstLen),
		Text: make([]byte, 0, TextLen+1),
	}
}

// Fill moves the unread bytes to the start of the buffer and reads more behind
// them. It returns false if the input has no more. After a full first buffer it
// allocates one of BufLen bytes.
func (s *Scanner) Fill() bool {
	if s.err != nil {
		return false
	}
	to := s.Buf
	if cap(to) < BufLen && len(to) == cap(to) {
		to = make([]byte, BufLen)
	}
	n := copy(to[:cap(to)], s.Buf[s.Pos:])
	s.off += int64(s.Pos)
	s.Pos = 0
	s.Buf = to[:cap(to)]
	for range emptyReads {
		m, err := s.src.Read(s.Buf[n:])
		if m > 0 || err != nil {
			s.Buf, s.err = s.Buf[:n+m], err
			return m > 0
		}
	}
	s.Buf, s.err = s.Buf[:n], io.ErrNoProgress
	return false
}

// Peek returns the next byte without reading it, or EOF.
func (s *Scanner) Peek() int {
	if s.Pos == len(s.Buf) && !s.Fill() {
		return EOF
	}
	return int(s.Buf[s.Pos])
}

// Offset returns the number of bytes that were read.
func (s *Scanner) Offset() int64 { return s.off + int64(s.Pos) }

// Err returns the error of the source if all bytes before it were read. The end of
// the input is no error.
func (s *Scanner) Err() error {
	if s.Pos == len(s.Buf) && s.err != nil && s.err != io.EOF {
		return s.err
	}
	return nil
}

// Newline reads the line feed that is the next byte.
func (s *Scanner) Newline() {
	s.Pos++
	s.Lines(1, s.Pos)
}

// Lines counts line feeds that the caller read in the buffer. The last of them
// ends at Buf[end].
func (s *Scanner) Lines(n, end int) {
	s.Line += n
	s.bol = s.off + int64(end)
}

// Next skips blanks and line ends, marks the word that follows, and returns its
// first byte. It returns EOF at the end of the input or an error of the source,
// and '\r' after a carriage return without a line feed.
func (s *Scanner) Next() int {
	for {
		c := s.NextInLine()
		if c != '\n' {
			return c
		}
		s.Newline()
	}
}

// NextInLine is like Next but returns '\n' at the end of the line, which is then
// the next byte.
func (s *Scanner) NextInLine() int {
	c := s.Gap()
	if c != '\r' {
		return c
	}
	s.Pos++
	c = s.Peek()
	switch {
	case c == '\n':
		return s.Gap() // marks the line feed
	case c == EOF && s.Err() != nil:
		return EOF
	}
	return '\r'
}

// Gap skips blanks, marks the byte after them, and returns it, or EOF.
func (s *Scanner) Gap() int {
	for {
		c := s.Peek()
		if c != ' ' && c != '\t' {
			s.Mark = Mark{s.Line, int(s.off+int64(s.Pos)-s.bol) + 1}
			return c
		}
		s.Pos++
	}
}

// Rest reads the rest of the line, up to its line feed or a carriage return.
func (s *Scanner) Rest() string {
	var text []byte
	for c := s.Peek(); c != '\n' && c != '\r' && c != EOF; c = s.Peek() {
		text = append(text, byte(c))
		s.Pos++
	}
	return string(text)
}

// SkipLine skips the rest of the line up to its line feed, or up to a carriage
// return, for which the next call of Next determines whether it ends the line.
func (s *Scanner) SkipLine() {
	for s.Peek() != EOF {
		rest, _, ends := bytes.Cut(s.Buf[s.Pos:], []byte("\n"))
		if i := bytes.IndexByte(rest, '\r'); i >= 0 {
			rest, ends = rest[:i], true
		}
		if s.Pos += len(rest); ends {
			return
		}
	}
}

// SkipOrderMark skips the byte order mark that some editors put before UTF-8 text
// at the start of the input.
func (s *Scanner) SkipOrderMark() {
	const mark = "\xef\xbb\xbf"
	for len(s.Buf) < len(mark) && s.Fill() {
	}
	if bytes.HasPrefix(s.Buf, []byte(mark)) {
		s.Pos = len(mark)
	}
}

// read reads the next byte and keeps it in Text.
func (s *Scanner) read() {
	if len(s.Text) <= TextLen {
		s.Text = append(s.Text, s.Buf[s.Pos])
	}
	s.Pos++
}

// Ends reports whether c can follow a word.
func Ends(c int) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == EOF
}

// Number reads the integer at the mark. Values of 2^64-1 and above are returned as
// 2^64-1. If the word is not a number, ok is false.
func (s *Scanner) Number() (n uint64, neg, ok bool) {
	s.Text = s.Text[:0]
	if s.Peek() == '-' {
		neg = true
		s.read()
	}
	const most = 1<<64 - 1
	digits := false
	c := s.Peek()
	for ; '0' <= c && c <= '9'; c = s.Peek() {
		digits = true
		if d := uint64(c - '0'); n > (most-d)/10 {
			n = most
		} else {
			n = 10*n + d
		}
		s.read()
	}
	if !digits || !Ends(c) {
		s.finish()
		return 0, false, false
	}
	return n, neg, true
}

// finish reads the rest of a word as far as messages quote it.
func (s *Scanner) finish() {
	for len(s.Text) <= TextLen && !Ends(s.Peek()) {
		s.read()
	}
}

// ReadWord reads the word at the mark into Text. It cuts a longer word to TextLen+1
// bytes; all words of the formats are shorter.
func (s *Scanner) ReadWord() {
	s.Text = s.Text[:0]
	s.finish()
}

// Word reads the word at the mark as ReadWord does and returns it.
func (s *Scanner) Word() string {
	s.ReadWord()
	return string(s.Text)
}

// Quoted returns the word that was read last, for messages.
func (s *Scanner) Quoted() string {
	if len(s.Text) > TextLen {
		return fmt.Sprintf("%q...", s.Text[:TextLen])
	}
	return fmt.Sprintf("%q", s.Text)
}

// Decimal decodes the number at the start of the eight bytes of w, of which the
// lowest is the first. It returns the value and the number of its digits in these
// bytes, and 1 as neg if there is a minus sign. Without a digit, digits is 0.
//
// One addition finds the first byte that is not a digit, for all bytes at once. The
// bytes before it, shifted to the top of the word so that zeros lead, become a
// number in three multiplications. No branch depends on the length of the number,
// while a loop over digits spends most of its time on mispredicted branches.
func Decimal(w uint64) (v uint64, digits, neg uint) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
		low  = 0x000000ff000000ff
	)
	if byte(w) == '-' {
		neg = 1
	}
	// A byte of x is a digit if it is at most 9. The addition may carry out of
	// bytes above 0x89, but only into later bytes. After a sign the last byte is 0,
	// which is not a digit.
	x := w>>(8*neg&63) ^ '0'*ones
	stop := (x + (0x80-10)*ones | x) & high
	digits = uint(bits.TrailingZeros64(stop)) / 8
	x <<= (64 - 8*digits) & 63
	x = x*10 + x>>8 // pairs of digits, in every second byte
	v = ((x&low)*(100+1000000<<32) + (x>>16&low)*(1+10000<<32)) >> 32
	return v, digits, neg
}
