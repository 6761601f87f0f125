package text

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"sator/dimacs"
	"sator/sudoku"
)

// Triples: a line "start9", then a line with column, row and digit for each
// given, then a line "end". Columns and rows are counted from 0. Digits and
// coordinates above 9 are letters from a, or numbers. Triples without "end" are
// read with a warning.

// beginsTriples reports whether a line is "start" and a size.
func (r *Reader) beginsTriples(l line) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(l.text), []byte("start"))
	return ok && len(rest) > 0 && '0' <= rest[0] && rest[0] <= '9'
}

// readTriples reads the lines after the first one up to "end".
func (r *Reader) readTriples(l line) (*Puzzle, error) {
	text := string(bytes.TrimSpace(l.text))
	r.skipRest = r.skipTriples // for all errors below
	n, err := strconv.Atoi(text[len("start"):])
	if err != nil || n < 1 || n > sudoku.MaxSize {
		return nil, r.in.at(l, 0, "invalid size in %q: want 1 to %d", text, sudoku.MaxSize)
	}
	if known := r.size(); known > 0 && n != known {
		return nil, r.in.at(l, 0, "%q: want size %d", text, known)
	}
	p := r.newScattered(r.rulesFor(n, 0), l, "triples")
	for {
		before := l.number
		switch l, err = r.in.next(); {
		case err == io.EOF:
			r.warnf(before+1, "the input ends in a grid that begins with %q: want \"end\"", text)
			return p, nil
		case err != nil:
			return nil, err
		case string(bytes.TrimSpace(l.text)) == "end":
			return p, nil
		}
		if err := r.readTriple(p, l); err != nil {
			return nil, err
		}
	}
}

// warnf reports a warning about a line.
func (r *Reader) warnf(line int, format string, args ...any) {
	if r.Warn != nil {
		r.Warn(&dimacs.SyntaxError{File: r.in.name, Line: line, Col: 1, Msg: fmt.Sprintf(format, args...)})
	}
}

// warnOnce is like warnf for warnings of which one is enough: it does nothing if it was
// called with the same format before.
func (r *Reader) warnOnce(line int, format string, args ...any) {
	if r.warned[format] {
		return
	}
	if r.warned == nil {
		r.warned = make(map[string]bool)
	}
	r.warned[format] = true
	r.warnf(line, format, args...)
}

// newScattered returns an empty puzzle whose cells have positions of their own.
// The position of a cell without a given is the first line of the puzzle.
func (r *Reader) newScattered(rules *sudoku.Rules, l line, format string) *Puzzle {
	p := r.newPuzzle(sudoku.NewGrid(rules), format)
	p.Line, p.positions = l.number, make([]position, rules.Cells())
	for i := range p.positions {
		p.positions[i] = position{int32(l.number), int32(l.offset + 1)}
	}
	return p
}

// readTriple reads a line with a given.
func (r *Reader) readTriple(p *Puzzle, l line) error {
	w, n := &r.row, p.Rules.Size()
	w.scan(l)
	switch {
	case w.bad >= 0:
		return r.badCharacter(w)
	case w.isEmpty():
		return nil
	}
	numbers, ok := w.tokenSymbols(nil)
	if !ok || len(numbers) != 3 {
		return r.in.at(l, 0, "%s: want a column, a row and a digit, or \"end\"", quoted(l.text))
	}
	for _, s := range numbers[:2] {
		if s.value() >= n {
			return r.in.errorf(int(s.line), int(s.column), "invalid column or row %d: want 0 to %d", s.value(), n-1)
		}
	}
	return r.setGiven(p, numbers[1].value()*n+numbers[0].value(), numbers[2].value(), numbers[2])
}

// setGiven sets the digit of a cell. It returns an error if the digit is
// invalid or the cell has another given.
func (r *Reader) setGiven(p *Puzzle, cell, digit int, s symbol) error {
	line, column := int(s.line), int(s.column)
	switch was := p.Cells[cell]; {
	case digit < 1 || digit > p.Rules.Size():
		return r.in.errorf(line, column, "invalid digit %d for size %d", digit, p.Rules.Size())
	case was != 0 && was != digit:
		before, _ := p.Position(cell)
		return r.in.errorf(line, column, "digit %d for %s, which has the digit %d in line %d", digit, p.Rules.CellName(cell), was, before)
	}
	p.Cells[cell], p.positions[cell] = digit, position{s.line, s.column}
	return nil
}
