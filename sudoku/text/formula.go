package text

import (
	"bytes"
	"errors"
	"io"

	"sator/dimacs"
	"sator/sudoku"
)

// Formulas about cells, "v11 != v12 * v11 = 8 * ...". [sudoku.ReadCellFormula]
// reads them. A formula extends to the end of the input.

// beginsFormula reports whether a line is the beginning of such a formula.
func (r *Reader) beginsFormula(l line) bool {
	return sudoku.IsCellFormula(l.text) && (bytes.IndexByte(l.text, '=') >= 0 || bytes.IndexByte(l.text, '*') >= 0)
}

// readFormula reads the formula from its first line on.
func (r *Reader) readFormula(l line) (*Puzzle, error) {
	first := append(bytes.Clone(l.text), '\n')
	g, err := sudoku.ReadCellFormula(io.MultiReader(bytes.NewReader(first), &r.in), r.in.name)
	if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Line > 0 {
		if syntax.Line == 1 {
			syntax.Col += l.offset
		}
		syntax.Line += l.number - 1
	}
	if err != nil {
		r.skipRest = r.skipAll
		return nil, err
	}
	rules, err := r.ownRules(l, g.Rules.String())
	if err != nil {
		return nil, err
	}
	p := r.newScattered(rules, l, "formula")
	p.Cells, p.Marks = g.Cells, g.Marks
	return p, nil
}

// Read implements [io.Reader] for the rest of the input, line by line.
func (s *scanner) Read(b []byte) (int, error) {
	if len(s.rest) == 0 {
		l, err := s.next()
		if err != nil {
			return 0, err
		}
		s.rest = append(append(s.rest[:0], l.text...), '\n')
	}
	n := copy(b, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
