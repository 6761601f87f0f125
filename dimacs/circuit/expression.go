package circuit

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"sator/dimacs"
)

// Boolean formulas as text. A file has statements, which must all be true, each on a line of
// its own or ended by a semicolon. A line goes on within parentheses and after an operator.
// From the tightest to the loosest, the operators are
//
//	!a  ~a            not
//	a & b  a && b     and
//	a ^ b             exclusive or
//	a | b  a || b     or
//	a -> b  a => b    implies; a -> b -> c is a -> (b -> c)
//	a <-> b  a <=> b  equals
//
// Names consist of letters, digits and _ . [ ] @ ' and begin with a letter or an underscore;
// true and false are the constants, as are 1 and 0. A # begins a comment up to the end of the
// line.

// beginning matches the first line of a text that is no comment of DIMACS.
var beginning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(#|[!~(\s]*[\pL_][\pL\pN_.\[\]@']*[\s)]*([&|^;#]|<?->|<?=>|$))`)
})

// AreExpressions reports whether a text that begins with head looks like Boolean formulas, and not
// like DIMACS.
func AreExpressions(head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return beginning().Match(line)
}

// maxNesting is the largest depth of parentheses and of ! in a row. Each takes a call.
const maxNesting = 10_000

// An expressionReader is the state of ReadExpressions.
type expressionReader struct {
	text    []byte
	name    string
	g       *Graph
	signals map[string]Signal

	token     string // the current one; "" at the end, "\n" at the end of a line
	line, col int    // of the token
	begin     int    // of the token in text
	end       int    // the same
	before    int    // the end of the token before it
	nextLine  int    // the line after the token
	bol       int    // the start of that line in text
	depth     int    // of parentheses
	nested    int    // of calls
}

// ReadExpressions reads Boolean formulas as text, such as
//
//	door -> !(motor | brake)
//	motor ^ brake
//
// The result has an input for each name, in the order of their first occurrences, and the
// statements as constraints, with their texts as names. Errors of the format are of type [*dimacs.SyntaxError]; name is
// the file in them.
func ReadExpressions(src io.Reader, name string) (*Graph, error) {
	text, err := io.ReadAll(src)
	if err != nil {
		return nil, err
	}
	r := &expressionReader{text: text, name: name, g: New(), nextLine: 1, signals: map[string]Signal{}}
	if err := r.statements(); err != nil {
		return nil, err
	}
	return r.g, nil
}

// EncodeStatements writes to f the clauses of a graph of [ReadExpressions], which define its gates,
// and returns the names of variables. The names have the first variables.
func (g *Graph) EncodeStatements(f *dimacs.Formula) (*dimacs.Names, error) {
	e := NewEncoder(g, f)
	e.Define = true
	names := new(dimacs.Names)
	for _, p := range g.Inputs {
		if err := names.Add(e.Lit(p.Signal).Var(), p.Name); err != nil {
			return nil, err
		}
	}
	for _, p := range g.Constraints {
		e.Assert(p.Signal)
	}
	return names, nil
}

// FalseStatement returns the index of the first statement that is false in a model of the clauses
// of EncodeStatements, or -1.
func (g *Graph) FalseStatement(m dimacs.Model) int {
	inputs := make([]bool, len(g.Inputs))
	for i := range inputs {
		inputs[i] = m[i] == dimacs.True
	}
	values := g.Eval(inputs, nil)
	return slices.IndexFunc(g.Constraints, func(p Port) bool { return !values.Of(p.Signal) })
}

// statements reads all statements.
func (r *expressionReader) statements() error {
	if err := r.next(); err != nil {
		return err
	}
	for r.token != "" {
		if r.token == "\n" || r.token == ";" {
			if err := r.next(); err != nil {
				return err
			}
			continue
		}
		begin := r.begin
		s, err := r.equal()
		if err != nil {
			return err
		}
		if r.token != "" && r.token != "\n" && r.token != ";" {
			return r.errorf("%s where an operator or the end of the statement is expected", r.quoted())
		}
		statement := strings.Join(strings.Fields(string(r.text[begin:r.before])), " ")
		r.g.Constraints = append(r.g.Constraints, Port{statement, s})
	}
	if len(r.g.Constraints) == 0 {
		return r.errorf("no formula")
	}
	return nil
}

// errorf returns an error at the token.
func (r *expressionReader) errorf(format string, args ...any) error {
	return &dimacs.SyntaxError{File: r.name, Line: r.line, Col: r.col, Msg: fmt.Sprintf(format, args...)}
}

// quoted returns the token for messages.
func (r *expressionReader) quoted() string {
	switch r.token {
	case "":
		return "the end of the input"
	case "\n":
		return "the end of the line"
	}
	return fmt.Sprintf("%q", r.token)
}

// tokens matches an operator, a name or a constant.
var tokens = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<->|<=>|->|=>|&&|\|\||[!~&^|();01]|[\pL_][\pL\pN_.\[\]@']*)`)
})

// spelling maps the second spelling of an operator to the first.
var spelling = map[string]string{"<=>": "<->", "=>": "->", "&&": "&", "||": "|", "~": "!", "1": "true", "0": "false"}

// next reads the next token. Ends of lines within parentheses are blanks.
func (r *expressionReader) next() error {
	r.before = r.end
	for {
		rest := r.text[r.end:]
		r.line, r.col, r.begin = r.nextLine, r.end-r.bol+1, r.end
		switch {
		case len(rest) == 0:
			r.token = ""
			return nil
		case rest[0] == '\n':
			r.end++
			r.nextLine, r.bol = r.nextLine+1, r.end
			if r.depth == 0 {
				r.token = "\n"
				return nil
			}
		case rest[0] == '#':
			for r.end < len(r.text) && r.text[r.end] != '\n' {
				r.end++
			}
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' && len(rest) > 1 && rest[1] == '\n':
			r.end++
		default:
			return r.word(rest)
		}
	}
}

// word reads an operator, a name or a constant at the start of rest.
func (r *expressionReader) word(rest []byte) error {
	r.token = string(tokens().Find(rest))
	if r.token == "" {
		c, _ := utf8.DecodeRune(rest)
		return r.errorf("%q is not part of a formula", c)
	}
	r.end += len(r.token)
	if first, ok := spelling[r.token]; ok {
		r.token = first
	}
	return nil
}

// equal reads operands of <->.
func (r *expressionReader) equal() (Signal, error) {
	return r.chain("<->", r.implication, func(ss []Signal) Signal {
		all := ss[0]
		for _, s := range ss[1:] {
			all = r.g.Equal(all, s)
		}
		return all
	})
}

// implication reads operands of ->. It associates to the right.
func (r *expressionReader) implication() (Signal, error) {
	return r.chain("->", r.or, func(ss []Signal) Signal {
		last := len(ss) - 1
		premises := r.g.And(ss[:last]...)
		return r.g.Implies(premises, ss[last])
	})
}

func (r *expressionReader) or() (Signal, error) {
	return r.chain("|", r.xor, func(ss []Signal) Signal { return r.g.Or(ss...) })
}

func (r *expressionReader) xor() (Signal, error) {
	return r.chain("^", r.and, func(ss []Signal) Signal { return r.g.Xor(ss...) })
}

func (r *expressionReader) and() (Signal, error) {
	return r.chain("&", r.not, func(ss []Signal) Signal { return r.g.And(ss...) })
}

// chain reads operands that an operator separates, and returns the gate of them.
func (r *expressionReader) chain(operator string, operand func() (Signal, error), gate func([]Signal) Signal) (Signal, error) {
	var ss []Signal
	for {
		s, err := operand()
		if err != nil {
			return 0, err
		}
		ss = append(ss, s)
		if r.token != operator {
			return gate(ss), nil
		}
		if err := r.operandAfter(); err != nil {
			return 0, err
		}
	}
}

// operandAfter reads the token after an operator, perhaps on a later line.
func (r *expressionReader) operandAfter() error {
	for {
		if err := r.next(); err != nil || r.token != "\n" {
			return err
		}
	}
}

// not reads an operand of an operator: a name, a constant, a formula in parentheses, or the
// complement of one.
func (r *expressionReader) not() (s Signal, err error) {
	if r.nested++; r.nested > maxNesting {
		return 0, r.errorf("more than %d nested parentheses and complements", maxNesting)
	}
	defer func() { r.nested-- }()
	first, _ := utf8.DecodeRuneInString(r.token)
	switch {
	case r.token == "!":
		if err = r.operandAfter(); err == nil {
			s, err = r.not()
		}
		return s.Not(), err
	case r.token == "(":
		return r.parenthesis()
	case r.token == "true":
		s = True
	case r.token == "false":
		s = False
	case unicode.IsLetter(first) || first == '_':
		s = r.input(r.token)
	default:
		return 0, r.errorf("%s where a name, a parenthesis or ! is expected", r.quoted())
	}
	return s, r.next()
}

// parenthesis reads a formula in parentheses.
func (r *expressionReader) parenthesis() (Signal, error) {
	line, col := r.line, r.col
	r.depth++
	if err := r.next(); err != nil {
		return 0, err
	}
	s, err := r.equal()
	if err != nil {
		return 0, err
	}
	if r.token != ")" {
		return 0, r.errorf("%s where the ) for %d:%d is expected", r.quoted(), line, col)
	}
	r.depth--
	return s, r.next()
}

// input returns the input of a name.
func (r *expressionReader) input(name string) Signal {
	s, ok := r.signals[name]
	if !ok {
		s = r.g.Input(name)
		r.signals[name] = s
	}
	return s
}
