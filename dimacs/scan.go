package dimacs

import (
	"bytes"
	"fmt"
	"io"
)

// A SyntaxError says where an input stopped making sense, and why.
type SyntaxError struct {
	File string // as the reader was told; may be empty
	Line int    // from 1; 0 if the error has no place
	Col  int    // in bytes, from 1
	Msg  string
}

// Error returns "FILE:LINE:COL: MSG", without what is not known.
func (e *SyntaxError) Error() string {
	switch {
	case e.Line == 0 && e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	case e.File == "":
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

const (
	// bufLen is the size of the scanner's buffer: large enough to make calls
	// of Read rare, small enough to stay in a second-level cache.
	bufLen = 256 << 10

	// textLen is how much of a token an error message quotes.
	textLen = 24

	// eof is what peek and next return after the last byte.
	eof = -1
)

// A scanner reads an input byte by byte and knows the line and column of each.
// Blanks are spaces and tabs; lines end with a line feed, which one carriage
// return may precede. All readers of this package stand on it, and its
// operations allocate nothing but errors.
type scanner struct {
	src  io.Reader
	name string
	buf  []byte // buf[pos:] is unread
	pos  int
	off  int64 // where in the input buf begins
	bol  int64 // where in the input the current line begins
	line int
	err  error  // why there is no more to read into buf
	mark mark   // of the token that next found
	text []byte // the first bytes of the token that number or word read
}

// A mark is a place in the input.
type mark struct{ line, col int }

func newScanner(src io.Reader, name string) scanner {
	return scanner{
		src: src, name: name, line: 1,
		buf:  make([]byte, 0, bufLen),
		text: make([]byte, 0, textLen+1),
	}
}

// fill reads more into the buffer and keeps what is unread. It returns false
// if there is no more.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	n := copy(s.buf, s.buf[s.pos:])
	s.off += int64(s.pos)
	s.pos = 0
	s.buf = s.buf[:cap(s.buf)]
	for range 100 {
		m, err := s.src.Read(s.buf[n:])
		if m > 0 || err != nil {
			s.buf, s.err = s.buf[:n+m], err
			return m > 0
		}
	}
	s.buf, s.err = s.buf[:n], io.ErrNoProgress
	return false
}

// peek returns the next byte without reading it, or eof.
func (s *scanner) peek() int {
	if s.pos == len(s.buf) && !s.fill() {
		return eof
	}
	return int(s.buf[s.pos])
}

// here returns the place of the next byte.
func (s *scanner) here() mark {
	return mark{s.line, int(s.off+int64(s.pos)-s.bol) + 1}
}

// newline reads the line feed that is next.
func (s *scanner) newline() {
	s.pos++
	s.line++
	s.bol = s.off + int64(s.pos)
}

// next skips blanks and line ends, marks the token that follows, and returns
// its first byte, or eof. The error is that of the source, or a carriage
// return that ends no line.
func (s *scanner) next() (int, error) {
	for {
		c := s.gap()
		if c == '\r' {
			s.pos++
			if c = s.peek(); c != '\n' {
				return c, s.errorf("a carriage return without a line feed")
			}
		}
		if c != '\n' {
			return c, s.ended(c)
		}
		s.newline()
	}
}

// gap skips blanks, marks what follows, and returns its first byte, or eof.
func (s *scanner) gap() int {
	for {
		switch c := s.peek(); c {
		case ' ', '\t':
			s.pos++
		default:
			s.mark = s.here()
			return c
		}
	}
}

// ended returns the error of the source if c is eof and the source did not
// simply end.
func (s *scanner) ended(c int) error {
	if c == eof && s.err != io.EOF {
		return s.err
	}
	return nil
}

// skipLine skips what is left of the line, but not its line feed.
func (s *scanner) skipLine() {
	for s.peek() != eof {
		if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
			s.pos += i
			return
		}
		s.pos = len(s.buf)
	}
}

// skipOrderMark skips the byte order mark that some editors put before UTF-8
// text, at the start of the input.
func (s *scanner) skipOrderMark() {
	const mark = "\xef\xbb\xbf"
	for len(s.buf) < len(mark) && s.fill() {
	}
	if bytes.HasPrefix(s.buf, []byte(mark)) {
		s.pos = len(mark)
	}
}

// take reads the next byte and keeps it for messages.
func (s *scanner) take() {
	if len(s.text) <= textLen {
		s.text = append(s.text, s.buf[s.pos])
	}
	s.pos++
}

// ends reports whether c can follow a token.
func ends(c int) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == eof
}

// number reads the integer at the mark. Values of 2^64-1 and above are
// returned as 2^64-1.
func (s *scanner) number() (n uint64, neg bool, err error) {
	s.text = s.text[:0]
	if s.peek() == '-' {
		neg = true
		s.take()
	}
	const most = 1<<64 - 1
	digits := false
	c := s.peek()
	for ; '0' <= c && c <= '9'; c = s.peek() {
		digits = true
		d := uint64(c - '0')
		if n > (most-d)/10 {
			n = most
		} else {
			n = 10*n + d
		}
		s.take()
	}
	if !digits || !ends(c) {
		return 0, false, s.notNumber()
	}
	return n, neg, nil
}

// notNumber reads more of the token that number began with and complains.
func (s *scanner) notNumber() error {
	s.finish()
	return s.errorf("%s is not a number", s.quoted())
}

// finish reads the rest of a token as far as messages show it.
func (s *scanner) finish() {
	for len(s.text) <= textLen && !ends(s.peek()) {
		s.take()
	}
}

// word reads the token at the mark. One that is too long for the format is
// cut, and is then longer than any word of it.
func (s *scanner) word() string {
	s.text = s.text[:0]
	s.finish()
	return string(s.text)
}

// quoted returns the token that was read last, for messages.
func (s *scanner) quoted() string {
	if len(s.text) > textLen {
		return fmt.Sprintf("%q...", s.text[:textLen])
	}
	return fmt.Sprintf("%q", s.text)
}

// errorf returns an error at the mark.
func (s *scanner) errorf(format string, args ...any) error {
	return s.errorAt(s.mark, format, args...)
}

// errorAt returns an error at m.
func (s *scanner) errorAt(m mark, format string, args ...any) *SyntaxError {
	return &SyntaxError{s.name, m.line, m.col, fmt.Sprintf(format, args...)}
}
