package sudoku

import (
	"bytes"
	"fmt"
	"io"

	"sator/dimacs"
)

// CommentReader passes a file in DIMACS CNF through to whoever reads its clauses, and
// keeps the comments that [ReadMap] needs.
type CommentReader struct {
	src   io.Reader
	line  []byte // the line at hand, as long as it may be a comment to keep
	skip  bool   // it is none
	lines []string
}

// mapPrefix is how the lines to keep begin.
const mapPrefix = "c sudoku "

// NewCommentReader returns a reader of src.
func NewCommentReader(src io.Reader) *CommentReader { return &CommentReader{src: src} }

// Lines returns the comments found so far, without the c before them.
func (c *CommentReader) Lines() []string { return c.lines }

// Read reads from the file.
func (c *CommentReader) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			c.part(rest)
			break
		}
		c.part(rest[:i])
		c.end()
		rest = rest[i+1:]
	}
	if err == io.EOF {
		c.end()
	}
	return n, err
}

// part takes a part of a line.
func (c *CommentReader) part(text []byte) {
	if c.skip {
		return
	}
	c.line = append(c.line, text...)
	k := min(len(c.line), len(mapPrefix))
	c.skip = string(c.line[:k]) != mapPrefix[:k]
}

// end ends a line.
func (c *CommentReader) end() {
	if !c.skip && len(c.line) > len(mapPrefix) {
		c.lines = append(c.lines, string(bytes.TrimSpace(c.line[len("c "):])))
	}
	c.line, c.skip = c.line[:0], false
}

// ReadModel reads the model of a formula in any of the forms that solvers write:
// those of [dimacs.Reader.ReadSolution], a list of values that is ended by 0, or
// a formula of unit clauses, as course work has it, which may name the true
// candidates alone. The name is for messages.
//
// An input that says nothing has the status Unknown: there are programs that
// write nothing where there is no solution.
func ReadModel(src io.Reader, name string) (*dimacs.Solution, error) {
	text, err := io.ReadAll(src)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	kind, _, err := dimacs.Sniff(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r := &dimacs.Reader{Name: name, Relaxed: true}
	switch c, ok := first(text); {
	case !ok:
		return &dimacs.Solution{Status: dimacs.Unknown}, nil
	case kind == dimacs.KindSolution:
		return r.ReadSolution(bytes.NewReader(text))
	case c != '-' && !isDigit(c):
		return nil, &dimacs.SyntaxError{File: name, Msg: "this is no model, which has s and v lines, or numbers alone"}
	}
	f, err := r.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return values(f, name)
}

// first returns the first byte beside blanks, comments and headers; ok is false
// if there is none.
func first(text []byte) (c byte, ok bool) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != 'c' && line[0] != 'p' {
			return line[0], true
		}
	}
	return 0, false
}

// values takes unit clauses, or one clause, as values.
func values(f *dimacs.Formula, name string) (*dimacs.Solution, error) {
	m := make(dimacs.Model, f.Vars())
	for i, c := range f.Clauses() {
		if len(c) != 1 && f.Len() > 1 {
			return nil, &dimacs.SyntaxError{File: name, Msg: fmt.Sprintf("clause %d has %d literals; this is no model, which has unit clauses alone", i+1, len(c))}
		}
		for _, l := range c {
			if m.Lit(l) == dimacs.False {
				return nil, &dimacs.SyntaxError{File: name, Msg: fmt.Sprintf("both %v and %v are said to be true", l.Not(), l)}
			}
			m.Set(l)
		}
	}
	return &dimacs.Solution{Status: dimacs.Satisfiable, Model: m, HasModel: true}, nil
}
