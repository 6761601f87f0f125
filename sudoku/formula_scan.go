package sudoku

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/scanner"

	"sator/dimacs"
)

// The kinds of tokens in a formula about cells. Other kinds are the characters = * and +,
// and [scanner.EOF].
const (
	tokenCell   = 'v'
	tokenNumber = '1'
	tokenDiffer = '!'
)

// A token is a token of a formula with its position.
type token struct {
	kind         rune
	place        cellRef // of a cell
	number       int     // of a number
	line, column int
}

// String returns the name of the token for a message.
func (t token) String() string {
	switch t.kind {
	case tokenCell:
		return fmt.Sprintf("cell of row %d, column %d", t.place.row, t.place.column)
	case tokenNumber:
		return fmt.Sprintf("number %d", t.number)
	case tokenDiffer:
		return `"!="`
	case scanner.EOF:
		return "end of input"
	}
	return fmt.Sprintf("%q", string(t.kind))
}

// A formulaScanner splits a formula about cells into tokens.
type formulaScanner struct {
	scanner.Scanner
	name  string
	rules *Variant // the rules in a comment, or nil
}

func newFormulaScanner(src io.Reader, name string) *formulaScanner {
	s := &formulaScanner{name: name}
	s.Init(src)
	s.Mode = scanner.ScanIdents
	s.IsIdentRune = func(c rune, i int) bool {
		return c >= '0' && c <= '9' || i == 0 && c == 'v' || i > 0 && c == '_'
	}
	s.Error = func(*scanner.Scanner, string) {} // characters that are no text are no tokens either
	return s
}

func (s *formulaScanner) errorf(t token, format string, args ...any) error {
	return &dimacs.SyntaxError{File: s.name, Line: t.line, Col: t.column, Msg: fmt.Sprintf(format, args...)}
}

// next reads a token. It skips comments before the token.
func (s *formulaScanner) next() (token, error) {
	for {
		kind := s.Scan()
		t := token{kind: kind, line: s.Line, column: s.Column}
		switch {
		case kind == scanner.EOF:
			return s.end(), nil
		case kind == scanner.Ident:
			return s.word(t, s.TokenText())
		case kind == '(' && s.Peek() == '*':
			if err := s.readComment(t); err != nil {
				return t, err
			}
			continue
		case kind == '!' && s.Peek() == '=':
			s.Next()
		case !strings.ContainsRune("=*+", kind):
			return t, s.errorf(t, "unexpected %q", kind)
		}
		return t, nil
	}
}

// end returns the end token. The last character must have been read.
func (s *formulaScanner) end() token {
	at := s.Pos()
	return token{kind: scanner.EOF, line: at.Line, column: at.Column}
}

// word returns the token of a number, or of a cell: two digits, or two numbers separated
// by an underscore.
func (s *formulaScanner) word(t token, text string) (token, error) {
	var err error
	name, isCell := strings.CutPrefix(text, "v")
	if !isCell {
		t.kind = tokenNumber
		t.number, err = s.number(t, text)
		return t, err
	}
	row, column, apart := strings.Cut(name, "_")
	if len(name) == 2 && !apart {
		row, column = name[:1], name[1:]
	}
	if row == "" || column == "" {
		return t, s.errorf(t, "invalid cell: want a row and a column, such as v12 or, beyond size 9, v1_12")
	}
	y, err1 := s.number(t, row)
	x, err2 := s.number(t, column)
	t.kind, t.place = tokenCell, cellRef{uint8(y), uint8(x)}
	return t, cmp.Or(err1, err2)
}

// number returns a row, a column or a digit.
func (s *formulaScanner) number(t token, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MaxSize {
		return 0, s.errorf(t, "invalid number: want 1 to %d", MaxSize)
	}
	return n, nil
}

// readComment reads a comment after its first character. A comment that begins with
// the word rules sets the rules.
func (s *formulaScanner) readComment(t token) error {
	var text []rune
	for len(text) < 3 || string(text[len(text)-2:]) != "*)" {
		c := s.Next()
		if c == scanner.EOF {
			return s.errorf(t, "the comment is not closed")
		}
		text = append(text, c)
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
