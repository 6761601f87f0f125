package sudoku

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"sator/dimacs"
)

// CommentWord is the first word of the comments of a formula that [ReadMap]
// reads, for [dimacs.Reader].Keep.
const CommentWord = "sudoku"

// ReadModel reads a model in one of the formats that solvers write: the formats
// of [dimacs.Reader.ReadSolution]; a list of values that ends with 0; or a
// formula of unit clauses, as in course work, which can contain the true
// candidates alone. The name is for messages.
//
// An empty input has the status Unknown, because some programs write nothing if
// there is no solution.
//
// The second result are the comments for [ReadMap], which "sator solve" copies
// from the formula.
func ReadModel(src io.Reader, name string) (*dimacs.Solution, []string, error) {
	r := &dimacs.Reader{Name: name, Relaxed: true, Keep: CommentWord}
	s, err := readModel(r, src)
	return s, r.Kept, err
}

func readModel(r *dimacs.Reader, src io.Reader) (*dimacs.Solution, error) {
	text, err := readAll(src)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	kind, _, err := dimacs.Sniff(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	switch c, ok := firstContent(text); {
	case !ok:
		return &dimacs.Solution{Status: dimacs.Unknown}, nil
	case kind == dimacs.KindSolution:
		return r.ReadSolution(bytes.NewReader(text))
	case c != '-' && !isDigit(c):
		return nil, &dimacs.SyntaxError{File: r.Name, Msg: "not a model: want s and v lines, or numbers"}
	}
	f, err := r.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return modelOf(f, r.Name)
}

// readAll reads src to its end. Unlike io.ReadAll it returns io.ErrNoProgress for a
// source that returns neither bytes nor an error.
func readAll(src io.Reader) (text []byte, err error) {
	for lines := bufio.NewReader(src); err == nil; {
		var line []byte
		line, err = lines.ReadBytes('\n')
		text = append(text, line...)
	}
	if err == io.EOF {
		err = nil
	}
	return text, err
}

// firstContent returns the first byte of the first line that is not blank, a
// comment or a header. The second result is false if there is no such line.
func firstContent(text []byte) (c byte, ok bool) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != 'c' && line[0] != 'p' {
			return line[0], true
		}
	}
	return 0, false
}

// modelOf returns the model of unit clauses, or of a single clause as a list of
// true literals.
func modelOf(f *dimacs.Formula, name string) (*dimacs.Solution, error) {
	m := make(dimacs.Model, f.Vars())
	for i, c := range f.Clauses() {
		if len(c) != 1 && f.Len() > 1 {
			return nil, &dimacs.SyntaxError{File: name, Msg: fmt.Sprintf("not a model: clause %d has %d literals, want unit clauses", i+1, len(c))}
		}
		for _, l := range c {
			if m.Lit(l) == dimacs.False {
				return nil, &dimacs.SyntaxError{File: name, Msg: fmt.Sprintf("contradictory model: both %v and %v are true", l.Not(), l)}
			}
			m.Set(l)
		}
	}
	return &dimacs.Solution{Status: dimacs.Satisfiable, Model: m, HasModel: true}, nil
}
