package dimacs

import (
	"fmt"
	"io"
	"strings"

	"sator/dimacs/internal/scan"
)

// A SyntaxError reports where and why an input is malformed.
type SyntaxError struct {
	File string // the name that the reader was given; may be empty
	Line int    // from 1; 0 if the error has no position
	Col  int    // in bytes, from 1
	Msg  string

	Relaxed bool // a relaxed [Reader] accepts the input, with a warning
}

// Error returns "FILE:LINE:COL: MSG" without the parts that are unknown.
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

// A scanner is a [scan.Scanner] whose errors have positions. All readers of
// this package embed it.
type scanner struct {
	scan.Scanner
	name string    // of the input, for messages
	kept *[]string // receives the comments of Reader.Keep
	keep string
}

func (r *Reader) newScanner(src io.Reader) scanner {
	return scanner{scan.New(src), r.Name, &r.Kept, r.Keep}
}

// comment reads the comment at the mark up to the end of its line. It keeps a
// comment whose first word is that of [Reader.Keep].
func (s *scanner) comment() {
	if s.keep != "" && s.Word() == "c" {
		s.Gap()
		s.keepComment(s.Word())
	}
	s.SkipLine()
}

// keepComment keeps the rest of a comment if its first word is to be kept.
func (s *scanner) keepComment(first string) {
	if s.keep == "" || first != s.keep || !scan.Ends(s.Peek()) {
		return
	}
	text := first + s.Rest()
	if s.Err() == nil {
		*s.kept = append(*s.kept, strings.TrimRight(text, " \t"))
	}
}

// next skips blanks and line ends, marks the word that follows, and returns its
// first byte, or scan.EOF.
func (s *scanner) next() (int, error) {
	c := s.Next()
	switch c {
	case scan.EOF:
		return c, s.Err()
	case '\r':
		return c, s.errorf("a carriage return without a line feed")
	}
	return c, nil
}

// number reads the integer at the mark.
func (s *scanner) number() (n uint64, neg bool, err error) {
	n, neg, ok := s.Number()
	if err := s.Err(); err != nil {
		return 0, false, err
	}
	if !ok {
		return 0, false, s.errorf("%s is not a number", s.Quoted())
	}
	return n, neg, nil
}

// cause returns the error of the source in place of a syntax error if it ended the
// input right there: the last word may be cut off.
func (s *scanner) cause(err error) error {
	if broken := s.Err(); err != nil && broken != nil {
		return broken
	}
	return err
}

// errorf returns an error at the mark.
func (s *scanner) errorf(format string, args ...any) error {
	return s.errorAt(s.Mark, format, args...)
}

// errorAt returns an error at m.
func (s *scanner) errorAt(m scan.Mark, format string, args ...any) *SyntaxError {
	return &SyntaxError{File: s.name, Line: m.Line, Col: m.Col, Msg: fmt.Sprintf(format, args...)}
}
