package replay

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"sator/dimacs"
)

// A Trace is a sequence of calls of incremental solvers.
type Trace struct {
	calls []call
	lits  []dimacs.Lit // of all calls
}

// A kind of call is its letter in the text of a trace.
type kind byte

const (
	newSolver kind = 'n'
	addClause kind = 'a'
	solve     kind = 's'
)

// A call has the literals up to end, from the end of the call before it.
type call struct {
	kind kind
	end  int
}

// New appends the start of a new solver.
func (t *Trace) New() { t.append(newSolver, nil) }

// Add appends the addition of a clause.
func (t *Trace) Add(lits ...dimacs.Lit) { t.append(addClause, lits) }

// Solve appends a call of Solve under assumptions.
func (t *Trace) Solve(assumptions ...dimacs.Lit) { t.append(solve, assumptions) }

func (t *Trace) append(k kind, lits []dimacs.Lit) {
	t.lits = append(t.lits, lits...)
	t.calls = append(t.calls, call{k, len(t.lits)})
}

// call returns call i. The literals are valid until the trace changes.
func (t *Trace) call(i int) (kind, []dimacs.Lit) {
	start, end := 0, t.calls[i].end
	if i > 0 {
		start = t.calls[i-1].end
	}
	return t.calls[i].kind, t.lits[start:end:end]
}

// Write writes the text of the trace.
func (t *Trace) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	for i := range t.calls {
		k, lits := t.call(i)
		line := []byte{byte(k)}
		for _, l := range lits {
			line = strconv.AppendInt(append(line, ' '), int64(l.Int()), 10)
		}
		if k != newSolver {
			line = append(line, " 0"...)
		}
		if _, err := b.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}

// A SyntaxError is an error in the text of a trace.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes
	Msg          string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// longestLine is the longest line of a trace in bytes.
const longestLine = 1 << 28

// Read reads the text of a trace. The error is a [*SyntaxError] or an error of r.
func Read(r io.Reader) (*Trace, error) {
	t := new(Trace)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	var lits []dimacs.Lit
	n := 0
	for n = 1; lines.Scan(); n++ {
		p := lineParser{text: lines.Bytes(), line: n}
		k, err := p.kind()
		if err != nil {
			return nil, err
		}
		if k == 0 {
			continue
		}
		if lits, err = p.literals(k, lits[:0]); err != nil {
			return nil, err
		}
		t.append(k, lits)
	}
	if lines.Err() == bufio.ErrTooLong {
		return nil, &SyntaxError{n, 1, fmt.Sprintf("the line exceeds %d bytes", longestLine)}
	}
	return t, lines.Err()
}

// A lineParser parses a line.
type lineParser struct {
	text []byte
	line int
	at   int // the next byte
}

func (p *lineParser) errorf(at int, format string, args ...any) error {
	return &SyntaxError{p.line, at + 1, fmt.Sprintf(format, args...)}
}

// word returns the next word and its position; it is empty at the end of the line.
func (p *lineParser) word() (word []byte, at int) {
	for p.at < len(p.text) && isSpace(p.text[p.at]) {
		p.at++
	}
	at = p.at
	for p.at < len(p.text) && !isSpace(p.text[p.at]) {
		p.at++
	}
	return p.text[at:p.at], at
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// kind parses the first word. It returns 0 for empty lines and comments.
func (p *lineParser) kind() (kind, error) {
	switch word, at := p.word(); {
	case len(word) == 0 || word[0] == '#':
		return 0, nil
	case len(word) == 1 && bytes.IndexByte([]byte{byte(newSolver), byte(addClause), byte(solve)}, word[0]) >= 0:
		return kind(word[0]), nil
	default:
		return 0, p.errorf(at, "unexpected %q: want n, a or s", word)
	}
}

// literals parses the literals of a call up to the 0, and the end of the line.
func (p *lineParser) literals(k kind, lits []dimacs.Lit) ([]dimacs.Lit, error) {
	for k != newSolver {
		word, at := p.word()
		n, err := strconv.Atoi(string(word))
		switch {
		case len(word) == 0:
			return nil, p.errorf(at, "the literals are not ended by 0")
		case err != nil || n < -dimacs.MaxVars || n > dimacs.MaxVars:
			return nil, p.errorf(at, "%q is not a literal", word)
		case n != 0:
			lits = append(lits, dimacs.FromInt(n))
			continue
		}
		break
	}
	if word, at := p.word(); len(word) > 0 {
		return nil, p.errorf(at, "unexpected %q at the end of the line", word)
	}
	return lits, nil
}
