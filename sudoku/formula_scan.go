package sudoku

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
)

const (
	tokenEnd tokenKind = iota
	tokenCell
	tokenNumber
	tokenEqual
	tokenDiffer
	tokenAnd
	tokenOr
)

// A tokenKind is the kind of a token in a formula about cells.
type tokenKind int

// A token is a token of a formula with its position.
type token struct {
	kind         tokenKind
	place        cellRef // of a cell
	number       int     // of a number
	line, column int     // position of the last byte read
}

// String returns the name of the token for a message.
func (t token) String() string {
	switch t.kind {
	case tokenCell:
		return fmt.Sprintf("cell of row %d, column %d", t.place.row, t.place.column)
	case tokenNumber:
		return fmt.Sprintf("number %d", t.number)
	}
	return map[tokenKind]string{tokenEnd: "end of input", tokenEqual: `"="`, tokenDiffer: `"!="`, tokenAnd: `"*"`, tokenOr: `"+"`}[t.kind]
}

// A formulaScanner splits a formula about cells into tokens.
type formulaScanner struct {
	src          *bufio.Reader
	name         string
	line, column int      // of the last byte read
	rules        *Variant // the rules in a comment, or nil
}

func (s *formulaScanner) errorf(t token, format string, args ...any) error {
	return &dimacs.SyntaxError{File: s.name, Line: t.line, Col: t.column, Msg: fmt.Sprintf(format, args...)}
}

// readByte reads a byte; ok is false at the end.
func (s *formulaScanner) readByte() (c byte, ok bool, err error) {
	c, err = s.src.ReadByte()
	if err == io.EOF {
		return 0, false, nil
	}
	if s.column++; c == '\n' {
		s.line, s.column = s.line+1, 0
	}
	return c, err == nil, err
}

// peek returns the next byte without reading it, or 0 at the end.
func (s *formulaScanner) peek() byte {
	b, _ := s.src.Peek(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// next reads a token. It skips blanks and comments before the token.
func (s *formulaScanner) next() (token, error) {
	for {
		c, ok, err := s.readByte()
		t := token{line: s.line, column: s.column}
		switch {
		case err != nil:
			return t, err
		case !ok:
			return s.end(), nil
		case isBlank(c):
			continue
		case c == '(' && s.peek() == '*':
			if err := s.readComment(t); err != nil {
				return t, err
			}
			continue
		}
		return s.readToken(t, c)
	}
}

// end returns the end token. The last byte must have been read.
func (s *formulaScanner) end() token { return token{line: s.line, column: s.column + 1} }

// readToken reads the token that begins with c.
func (s *formulaScanner) readToken(t token, c byte) (token, error) {
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
		_, _, err = s.readByte()
	case c == 'v':
		t.kind = tokenCell
		t.place, err = s.readCell(t)
	case isDigit(c):
		t.kind = tokenNumber
		t.number, _ = s.readDigits(int(c - '0'))
		err = s.checkRange(t, t.number)
	default:
		err = s.errorf(t, "unexpected %q", c)
	}
	return t, err
}

// readDigits reads digits that continue the number n. It returns the number and
// how many digits were read.
func (s *formulaScanner) readDigits(n int) (value, count int) {
	for ; isDigit(s.peek()) && n <= MaxSize; count++ {
		c, _, _ := s.readByte()
		n = 10*n + int(c-'0')
	}
	return n, count
}

// checkRange returns an error if n is not a valid row, column or digit.
func (s *formulaScanner) checkRange(t token, n int) error {
	if n < 1 || n > MaxSize {
		return s.errorf(t, "invalid number: want 1 to %d", MaxSize)
	}
	return nil
}

// readCell reads the indices of a cell: two digits, or two numbers separated by
// an underscore.
func (s *formulaScanner) readCell(t token) (cellRef, error) {
	row, count := s.readDigits(0)
	column := 0
	switch {
	case s.peek() == '_' && count > 0:
		s.readByte()
		column, count = s.readDigits(0)
	case count == 2:
		row, column = row/10, row%10
	default:
		count = 0
	}
	if count == 0 {
		return cellRef{}, s.errorf(t, "invalid cell: want a row and a column, such as v12 or, beyond size 9, v1_12")
	}
	return cellRef{uint8(row), uint8(column)}, cmp.Or(s.checkRange(t, row), s.checkRange(t, column))
}

// readComment reads a comment after its first byte. A comment that begins with
// the word rules sets the rules.
func (s *formulaScanner) readComment(t token) error {
	var text []byte
	for {
		c, ok, err := s.readByte()
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
	content := strings.TrimSpace(string(text[1 : len(text)-2]))
	rules, ok := strings.CutPrefix(content, "rules ")
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
