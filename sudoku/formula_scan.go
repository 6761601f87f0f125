package sudoku

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
)

// The kinds of tokens in a formula about cells.
const (
	tokenEnd tokenKind = iota
	tokenCell
	tokenNumber
	tokenEqual
	tokenDiffer
	tokenAnd
	tokenOr
)

type tokenKind int

// A token of a formula, and where it stands.
type token struct {
	kind         tokenKind
	place        place // of a cell
	number       int   // of a number
	line, column int
}

// String names the token for a message.
func (t token) String() string {
	switch t.kind {
	case tokenCell:
		return fmt.Sprintf("the cell of row %d, column %d", t.place.row, t.place.column)
	case tokenNumber:
		return fmt.Sprintf("the number %d", t.number)
	}
	return map[tokenKind]string{tokenEnd: "the end", tokenEqual: `"="`, tokenDiffer: `"!="`, tokenAnd: `"*"`, tokenOr: `"+"`}[t.kind]
}

// A formulaScanner reads the tokens of a formula about cells.
type formulaScanner struct {
	src          *bufio.Reader
	name         string
	line, column int      // of the last byte read
	rules        *Variant // those that a comment tells, nil for none
}

func (s *formulaScanner) errorf(t token, format string, args ...any) error {
	return &dimacs.SyntaxError{File: s.name, Line: t.line, Col: t.column, Msg: fmt.Sprintf(format, args...)}
}

// byte reads a byte; ok is false at the end.
func (s *formulaScanner) byte() (c byte, ok bool, err error) {
	c, err = s.src.ReadByte()
	if err == io.EOF {
		return 0, false, nil
	}
	if s.column++; c == '\n' {
		s.line, s.column = s.line+1, 0
	}
	return c, err == nil, err
}

// peek returns the next byte without reading it, 0 if there is none.
func (s *formulaScanner) peek() byte {
	b, _ := s.src.Peek(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// next reads a token. Blanks and comments before it are skipped.
func (s *formulaScanner) next() (token, error) {
	for {
		c, ok, err := s.byte()
		t := token{line: s.line, column: s.column}
		switch {
		case err != nil:
			return t, err
		case !ok:
			return s.end(), nil
		case isBlank(c):
			continue
		case c == '(' && s.peek() == '*':
			if err := s.comment(t); err != nil {
				return t, err
			}
			continue
		}
		return s.token(t, c)
	}
}

// end returns the token after the last byte, once that was read.
func (s *formulaScanner) end() token { return token{line: s.line, column: s.column + 1} }

// token reads the token that begins with c.
func (s *formulaScanner) token(t token, c byte) (token, error) {
	var err error
	switch {
	case c == '*':
		t.kind = tokenAnd
	case c == '+':
		t.kind = tokenOr
	case c == '=':
		t.kind = tokenEqual
	case c == '!' && s.peek() == '=':
		t.kind = tokenDiffer
		_, _, err = s.byte()
	case c == 'v':
		t.kind = tokenCell
		t.place, err = s.cell(t)
	case isDigit(c):
		t.kind = tokenNumber
		t.number, _ = s.digits(int(c - '0'))
		err = s.within(t, t.number)
	default:
		err = s.errorf(t, "unexpected %q", c)
	}
	return t, err
}

// digits reads digits after those of n, and returns the number and how many
// there were.
func (s *formulaScanner) digits(n int) (value, count int) {
	for ; isDigit(s.peek()) && n <= MaxSize; count++ {
		c, _, _ := s.byte()
		n = 10*n + int(c-'0')
	}
	return n, count
}

// within checks that a number is one of a row, a column or a digit.
func (s *formulaScanner) within(t token, n int) error {
	if n < 1 || n > MaxSize {
		return s.errorf(t, "a number that is not from 1 to %d", MaxSize)
	}
	return nil
}

// cell reads the indices of a cell: two digits, or two numbers and an underscore
// between them.
func (s *formulaScanner) cell(t token) (place, error) {
	row, count := s.digits(0)
	column := 0
	switch {
	case s.peek() == '_' && count > 0:
		s.byte()
		column, count = s.digits(0)
	case count == 2:
		row, column = row/10, row%10
	default:
		count = 0
	}
	if count == 0 {
		return place{}, s.errorf(t, "a cell has a row and a column, as v12 or, beyond size 9, v1_12")
	}
	return place{uint8(row), uint8(column)}, cmp.Or(s.within(t, row), s.within(t, column))
}

// comment reads a comment whose first byte was read. One that begins with the
// word rules is kept.
func (s *formulaScanner) comment(t token) error {
	var text []byte
	for {
		c, ok, err := s.byte()
		if err != nil {
			return err
		}
		if !ok {
			return s.errorf(t, "the comment is not closed")
		}
		if text = append(text, c); len(text) > 2 && c == ')' && text[len(text)-2] == '*' {
			break
		}
	}
	said := strings.TrimSpace(string(text[1 : len(text)-2]))
	rules, ok := strings.CutPrefix(said, "rules ")
	if !ok {
		return nil
	}
	v, err := ParseVariant(rules)
	if err != nil {
		return s.errorf(t, "%v", err)
	}
	s.rules = &v
	return nil
}
