package text

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"

	"sator/dimacs"
)

const (
	// bufLen is the initial size of the buffer. It grows for longer lines.
	bufLen = 64 << 10

	// maxLine limits the length of a line and the memory kept for one puzzle.
	// It exceeds the needs of the pencil marks of a grid with letters and of
	// the numbers of the largest grid.
	maxLine = 16 << 20
)

// A line is a line of the input without its line terminator.
type line struct {
	text   []byte
	number int // from 1
	offset int // number of bytes of the line before text
}

// A scanner returns the lines of an input as soon as they are complete. It
// reads ahead only when asked to, because the next line of a pipe may arrive
// late or never.
type scanner struct {
	src         io.Reader
	name        string
	buf         []byte // buf[pos:] is unread
	pos         int
	number      int    // number of the last line taken from buf
	err         error  // the error of src after the bytes in buf
	broken      error  // err, unless it is io.EOF, once the lines before it were read
	lookedAhead []line // lines that were peeked at and not read
	owned       bool   // the last line of next does not share the memory of buf
	rest        []byte // the part of a line that Read has not returned yet
	peeking     bool   // peek reads ahead: the last line that next returned must stay valid
	tooLong     error  // the last error of a line that is too long, which is unread
}

// next returns the next line, which is valid until the next call of next. The
// error is io.EOF after the last line.
func (s *scanner) next() (line, error) {
	if len(s.lookedAhead) > 0 {
		l := s.lookedAhead[0]
		s.lookedAhead, s.owned = s.lookedAhead[1:], true
		return l, nil
	}
	s.owned = false
	return s.cutLine()
}

// peek returns the i-th of the lines that follow, from 0.
func (s *scanner) peek(i int) (line, error) {
	s.peeking = true
	defer func() { s.peeking = false }()
	for len(s.lookedAhead) <= i {
		l, err := s.cutLine()
		if err != nil {
			return line{}, err
		}
		l.text = bytes.Clone(l.text)
		s.lookedAhead = append(s.lookedAhead, l)
	}
	return s.lookedAhead[i], nil
}

// unread makes the rest of the line that next returned last the next line.
func (s *scanner) unread(l line) {
	if !s.owned {
		l.text = bytes.Clone(l.text)
	}
	s.lookedAhead = append([]line{l}, s.lookedAhead...)
}

// cutLine takes the next line from the buffer, which it fills as needed.
func (s *scanner) cutLine() (line, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(s.buf[s.pos+searched:], '\n'); i >= 0 {
			text := s.buf[s.pos : s.pos+searched+i]
			s.pos += len(text) + 1
			return s.trimLine(text), nil
		}
		searched = len(s.buf) - s.pos
		if searched > maxLine {
			s.tooLong = s.errorf(s.number+1, 1, "a line of more than %d bytes, too long for a puzzle", maxLine)
			return line{}, s.tooLong
		}
		if s.err == nil {
			s.fill()
			continue
		}
		if s.err != io.EOF {
			s.broken = s.err
			return line{}, s.err
		}
		if searched == 0 {
			return line{}, s.err
		}
		text := s.buf[s.pos:]
		s.pos = len(s.buf)
		return s.trimLine(text), nil
	}
}

// skipLine skips the rest of a line that is too long.
func (s *scanner) skipLine() {
	s.number++
	for {
		if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
			s.pos += i + 1
			return
		}
		if s.pos = len(s.buf); s.err != nil {
			return
		}
		s.fill()
	}
}

// trimLine returns the next line with the given bytes. It removes carriage
// returns at the end, and the byte order mark of UTF-8 at the start of the
// input.
func (s *scanner) trimLine(text []byte) line {
	s.number++
	l := line{text, s.number, 0}
	if s.number == 1 && bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		l.text, l.offset = text[3:], 3
	}
	for len(l.text) > 0 && l.text[len(l.text)-1] == '\r' {
		l.text = l.text[:len(l.text)-1]
	}
	if n := len(l.text); n > 0 && (l.text[0] == '[' || l.text[0] == '<' || l.text[n-1] == ']' || l.text[n-1] == '>') {
		l.trimTags()
	}
	return l
}

// codeTags returns the expression of the tags around a grid in forums and HTML.
var codeTags = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[\[<](code|pre|tt|quote)([ =][^\]>]*)?[\]>]|[\[<]/(code|pre|tt|quote)[\]>]$`)
})

// trimTags removes these tags from both ends of the line.
func (l *line) trimTags() {
	for {
		at := codeTags().FindIndex(l.text)
		switch {
		case at == nil:
			return
		case at[0] > 0 || l.text[1] == '/':
			l.text = l.text[:at[0]]
		default:
			l.text, l.offset = l.text[at[1]:], l.offset+at[1]
		}
	}
}

// fill reads more input into the buffer, which grows if a line fills half of
// it.
func (s *scanner) fill() {
	unread := s.buf[s.pos:]
	if len(unread) > cap(s.buf)/2 || s.buf == nil || s.peeking {
		s.buf = append(make([]byte, 0, max(bufLen, 4*len(unread))), unread...)
	} else {
		s.buf = s.buf[:copy(s.buf[:cap(s.buf)], unread)]
	}
	s.pos = 0
	for range 100 {
		n, err := s.src.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if n > 0 || err != nil {
			s.err = err
			return
		}
	}
	s.err = io.ErrNoProgress
}

// errorf returns an error at a position of the input.
func (s *scanner) errorf(line, column int, format string, args ...any) error {
	return &dimacs.SyntaxError{File: s.name, Line: line, Col: column, Msg: fmt.Sprintf(format, args...)}
}

// at returns an error at an index of the text of a line.
func (s *scanner) at(l line, i int, format string, args ...any) error {
	return s.errorf(l.number, l.offset+i+1, format, args...)
}
