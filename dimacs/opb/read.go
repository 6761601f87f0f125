package opb

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"sator/dimacs"
	"sator/dimacs/card"
	"sator/dimacs/internal/scan"
)

// A reader is the state of Read.
type reader struct {
	scan.Scanner
	name string
	p    *Problem

	line, col int    // of the token
	token     string // the current one; "" at the end
	text      []byte // scratch
	counts    map[string]int64
	countAt   scan.Mark // of the first of counts
}

// Read reads a problem in OPB. Errors of the format are of type [*dimacs.SyntaxError]; name is
// the file in them. The comment of the first line, "* #variable= 4 #constraint= 2", must be
// true if it is there.
//
// A coefficient may lack its sign, and 1 its digits: "x1 + 2 x2 >= 1;" is accepted, as are >, <,
// <= and max:. Coefficients and bounds are integers; the absolute values of the coefficients of
// a constraint must add up to less than 2^63.
func Read(src io.Reader, name string) (*Problem, error) {
	r := &reader{Scanner: scan.New(src), name: name, p: new(Problem), counts: map[string]int64{}}
	err := r.problem()
	if broken := r.Err(); broken != nil {
		err = broken
	}
	if err != nil {
		return nil, err
	}
	return r.p, nil
}

func (r *reader) errorf(format string, args ...any) error {
	return r.errorAt(scan.Mark{Line: r.line, Col: r.col}, format, args...)
}

func (r *reader) errorAt(m scan.Mark, format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.name, Line: m.Line, Col: m.Col, Msg: fmt.Sprintf(format, args...)}
}

// quoted returns the token for messages.
func (r *reader) quoted() string {
	if r.token == "" {
		return "the end of the input"
	}
	if len(r.token) > scan.TextLen {
		return strconv.Quote(r.token[:scan.TextLen]) + "..."
	}
	return strconv.Quote(r.token)
}

// problem reads the objective and the constraints.
func (r *reader) problem() error {
	if err := r.next(); err != nil {
		return err
	}
	if r.token == "min:" || r.token == "max:" {
		if err := r.objective(); err != nil {
			return err
		}
	}
	for r.token != "" {
		if err := r.constraint(); err != nil {
			return err
		}
	}
	return r.checkCounts()
}

// objective reads an objective.
func (r *reader) objective() error {
	r.p.Optimize, r.p.Maximize = true, r.token == "max:"
	line, col := r.line, r.col
	if err := r.next(); err != nil {
		return err
	}
	terms, err := r.terms()
	if err != nil {
		return err
	}
	if r.token != ";" {
		return r.errorf("%s where a term or ; is expected", r.quoted())
	}
	if err := checkSum(terms); err != nil {
		return r.errorAt(scan.Mark{Line: line, Col: col}, "%v", err)
	}
	r.p.Objective = terms
	return r.next()
}

// relations maps words to relations. Strict relations move the bound by one.
var relations = map[string]struct {
	Relation
	move int64
}{">=": {AtLeast, 0}, ">": {AtLeast, 1}, "<=": {AtMost, 0}, "<": {AtMost, -1}, "=": {Equal, 0}}

// constraint reads a constraint.
func (r *reader) constraint() error {
	line, col := r.line, r.col
	terms, err := r.terms()
	if err != nil {
		return err
	}
	relation, ok := relations[r.token]
	if !ok {
		return r.errorf("%s where a term or one of >= <= = is expected", r.quoted())
	}
	if err := r.next(); err != nil {
		return err
	}
	bound, err := r.integer()
	switch {
	case err != nil:
		return err
	case r.token != ";":
		return r.errorf("%s where the ; of the constraint is expected", r.quoted())
	case relation.move > 0 && bound == math.MaxInt64 || relation.move < 0 && bound == math.MinInt64:
		return r.errorf("the bound exceeds 63 bits")
	}
	if err := checkSum(terms); err != nil {
		return r.errorAt(scan.Mark{Line: line, Col: col}, "%v", err)
	}
	r.p.Constraints = append(r.p.Constraints, Constraint{terms, relation.Relation, bound + relation.move})
	return r.next()
}

// terms reads terms up to a token that begins none.
func (r *reader) terms() ([]card.Term, error) {
	var terms []card.Term
	for {
		weight := int64(1)
		if c := r.first(); isDigit(c) || c == '+' || c == '-' {
			var err error
			if weight, err = r.coefficient(); err != nil {
				return nil, err
			}
		} else if c != '~' && c != 'x' {
			return terms, nil
		}
		l, err := r.literal()
		if err != nil {
			return nil, err
		}
		terms = append(terms, card.Term{Lit: l, Weight: weight})
		if c := r.first(); c == '~' || c == 'x' {
			return nil, r.errorf("%s after %s: products of literals are not supported, and a sum needs + or a coefficient", r.quoted(), "a literal")
		}
	}
}

// first returns the first byte of the token, or 0.
func (r *reader) first() byte {
	if r.token == "" {
		return 0
	}
	return r.token[0]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// coefficient reads a coefficient: a sign, or an integer.
func (r *reader) coefficient() (int64, error) {
	if sign := r.token; sign == "+" || sign == "-" {
		if err := r.next(); err != nil {
			return 0, err
		}
		n := int64(1)
		if isDigit(r.first()) {
			var err error
			if n, err = r.integer(); err != nil {
				return 0, err
			}
		}
		if sign == "-" {
			n = -n
		}
		return n, nil
	}
	return r.integer()
}

// integer reads an integer.
func (r *reader) integer() (int64, error) {
	n, err := strconv.ParseInt(r.token, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || n == math.MinInt64:
		return 0, r.errorf("%s exceeds 63 bits", r.quoted())
	case err != nil:
		return 0, r.errorf("%s where an integer is expected", r.quoted())
	}
	return n, r.next()
}

// literal reads a variable such as x12, or its complement, ~x12.
func (r *reader) literal() (dimacs.Lit, error) {
	digits, negated := strings.CutPrefix(r.token, "~")
	digits, isVar := strings.CutPrefix(digits, "x")
	n, err := strconv.Atoi(digits)
	switch {
	case !isVar || err != nil && !errors.Is(err, strconv.ErrRange) || !isDigit(digits[0]) || err == nil && n == 0:
		return 0, r.errorf("%s is not a variable such as x1, nor its complement ~x1", r.quoted())
	case err != nil || n > dimacs.MaxVars:
		return 0, r.errorf("%s is above the limit of %d variables", r.quoted(), dimacs.MaxVars)
	}
	r.p.Vars = max(r.p.Vars, n)
	l := dimacs.Var(n - 1).Lit()
	if negated {
		l = l.Not()
	}
	return l, r.next()
}

// next reads the next token: a word, which also ends before a semicolon or a relation.
func (r *reader) next() error {
	for {
		c := r.Next()
		r.line, r.col = r.Mark.Line, r.Mark.Col
		switch {
		case c == scan.EOF:
			r.token = ""
			return r.Err()
		case c == '*':
			if err := r.comment(); err != nil {
				return err
			}
			continue
		case c == '\r':
			return r.errorf("a carriage return without a line feed")
		}
		r.text = append(r.text[:0], byte(c))
		r.Pos++
		for r.goesOn() {
			r.text = append(r.text, byte(r.Peek()))
			r.Pos++
		}
		r.token = string(r.text)
		return nil
	}
}

// goesOn reports whether the next byte belongs to the token whose first bytes are in r.text.
func (r *reader) goesOn() bool {
	c, first := r.Peek(), r.text[0]
	switch {
	case scan.Ends(c) || first == ';' || c == ';' || len(r.text) > 1<<10:
		return false
	case first == '<' || first == '>' || first == '=':
		return c == '='
	case first == '+' || first == '-' || isDigit(first): // 2x1 is 2 x1
		return c < 128 && isDigit(byte(c))
	case c == '<' || c == '>' || c == '=':
		return false
	}
	return c != '+' && c != '-' && c != '~'
}

// comment reads a comment. The first line may have the numbers of variables and constraints.
func (r *reader) comment() error {
	at := r.Mark
	var text []byte
	for c := r.Peek(); c != '\n' && c != scan.EOF; c = r.Peek() {
		if len(text) < 1<<10 {
			text = append(text, byte(c))
		}
		r.Pos++
	}
	words := strings.Fields(strings.ReplaceAll(string(text), "=", "= "))
	for i, word := range words[:max(0, len(words)-1)] {
		if word != "#variable=" && word != "#constraint=" || at.Line > 1 {
			continue
		}
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil || n < 0 {
			return r.errorAt(at, "%s is not followed by a number", word)
		}
		r.counts[word], r.countAt = n, at
	}
	return nil
}

// checkCounts compares the numbers of the first line with the problem.
func (r *reader) checkCounts() error {
	if n, ok := r.counts["#variable="]; ok {
		if int64(r.p.Vars) > n {
			return r.errorAt(r.countAt, "#variable= %d, but there is the variable x%d", n, r.p.Vars)
		}
		if n > dimacs.MaxVars {
			return r.errorAt(r.countAt, "#variable= %d is above the limit of %d variables", n, dimacs.MaxVars)
		}
		r.p.Vars = int(n)
	}
	if n, ok := r.counts["#constraint="]; ok && n != int64(len(r.p.Constraints)) {
		return r.errorAt(r.countAt, "#constraint= %d, but there are %d", n, len(r.p.Constraints))
	}
	return nil
}
