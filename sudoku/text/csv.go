package text

import (
	"bytes"
	"slices"
	"strings"

	"sator/sudoku"
)

// CSV tables with a header. One column has the puzzle, others can have its solution and
// its rules; the rest is the label. Without a header such lines are read as lines with fields. Fields
// can be quoted. A table extends to the end of the input.

// A table is the header of a table.
type table struct {
	comma    byte  // the separator of fields
	puzzle   int   // index of the column of puzzles
	others   []int // indices of other columns which have the puzzles if that one has numbers
	solution int   // index of the column of solutions, or -1
	rules    int   // index of the column of rules, or -1
	columns  int   // number of columns
}

// puzzleNames and solutionNames are the names of columns, the preferred ones
// first.
var (
	puzzleNames   = []string{"puzzle", "puzzles", "quiz", "quizzes", "question", "problem", "sudoku", "grid", "board", "givens", "unsolved", "initial", "digits"}
	solutionNames = []string{"solution", "solutions", "answer", "solved"}
)

// beginsTable reports whether a line is a header or a line of a table.
func (r *Reader) beginsTable(l line) bool {
	return r.csv != nil || r.Format == "csv" || parseHeader(l.text) != nil
}

// parseHeader returns the table of a header, or nil if the line is no header.
func parseHeader(text []byte) *table {
	if len(text) > 400 || len(text) == 0 || kinds[text[0]] != isLetter && text[0] != '"' {
		return nil
	}
	t := &table{comma: ','}
	for _, c := range []byte(",;\t") {
		if bytes.IndexByte(text, c) >= 0 {
			t.comma = c
			break
		}
	}
	var names []string
	for _, f := range splitFields(text, t.comma) {
		names = append(names, strings.ToLower(string(bytes.TrimSpace(text[f.from:f.to]))))
	}
	t.columns = len(names)
	puzzles := columns(names, puzzleNames)
	if len(puzzles) == 0 {
		return nil
	}
	t.puzzle, t.others = puzzles[0], puzzles[1:]
	t.solution, t.rules = -1, slices.Index(names, "rules")
	if solutions := columns(names, solutionNames); len(solutions) > 0 {
		t.solution = solutions[0]
	}
	return t
}

// columns returns the indices of the wanted names that occur, in the order of these.
func columns(names, wanted []string) (all []int) {
	for _, name := range wanted {
		if i := slices.Index(names, name); i >= 0 {
			all = append(all, i)
		}
	}
	return all
}

// choosePuzzles makes another column that of the puzzles if the first line has a number
// in the column with the preferred name: the number of the puzzle, not its cells.
func (t *table) choosePuzzles(text []byte, all []field) {
	for _, i := range t.others {
		if f := all[t.puzzle]; f.to-f.from >= minRow*minRow || countDigits(text[f.from:f.to]) < f.to-f.from || i >= len(all) {
			break
		}
		t.puzzle = i
	}
	t.others = nil
}

// splitFields returns the fields of a line of a table, without quotes around them.
func splitFields(text []byte, comma byte) []field {
	var all []field
	for i := 0; ; {
		f, closing := field{i, len(text)}, -1
		if i < len(text) && text[i] == '"' {
			if closing = bytes.IndexByte(text[i+1:], '"'); closing >= 0 {
				closing += i + 1
				i = closing
			}
		}
		end := bytes.IndexByte(text[i:], comma)
		if end >= 0 {
			f.to = i + end
		}
		if closing >= 0 && len(bytes.TrimSpace(text[closing+1:f.to])) == 0 {
			f = field{f.from + 1, closing}
		}
		if all = append(all, f); end < 0 {
			return all
		}
		i += end + 1
	}
}

// readTable reads a header or a line of a table.
func (r *Reader) readTable(l line) (*Puzzle, error) {
	if t := parseHeader(l.text); t != nil {
		r.csv = t
		return nil, nil
	}
	if r.csv == nil {
		return nil, r.in.at(l, 0, "want the header of a table, with a column \"puzzle\"")
	}
	all := splitFields(l.text, r.csv.comma)
	if len(all) <= max(r.csv.puzzle, r.csv.solution, r.csv.rules) {
		return nil, r.in.at(l, len(l.text), "%d columns, want %d", len(all), r.csv.columns)
	}
	r.csv.choosePuzzles(l.text, all)
	p, err := r.tablePuzzle(l, all)
	if err != nil {
		return nil, err
	}
	for i, f := range all {
		switch {
		case i == r.csv.solution && f.from < f.to:
			if err := r.tableSolution(p, l, f); err != nil {
				return nil, err
			}
		case i != r.csv.puzzle && i != r.csv.solution && i != r.csv.rules:
			p.addLabel(l.text[f.from:f.to])
		}
	}
	return p, nil
}

// tablePuzzle reads the field of the puzzle, either characters or numbers, and that of its
// rules.
func (r *Reader) tablePuzzle(l line, all []field) (*Puzzle, error) {
	f := all[r.csv.puzzle]
	n, err := r.tableCells(l, f)
	if err != nil {
		return nil, err
	}
	rules := r.rulesFor(n, 0)
	if r.csv.rules >= 0 && all[r.csv.rules].from < all[r.csv.rules].to {
		f := all[r.csv.rules]
		if rules, err = r.ownRules(line{l.text[f.from:], l.number, l.offset + f.from}, string(l.text[f.from:f.to])); err != nil {
			return nil, err
		}
		if n != rules.Size() {
			return nil, r.in.at(l, f.from, "rules of size %d for a puzzle of size %d", rules.Size(), n)
		}
	}
	return r.puzzleOf(r.symbols, rules, "csv")
}

// tableCells reads the symbols of a whole grid from a field. It returns the
// size.
func (r *Reader) tableCells(l line, f field) (int, error) {
	w := &r.row
	w.scan(line{l.text[f.from:f.to], l.number, l.offset + f.from})
	if w.bad >= 0 {
		return 0, r.badCharacter(w)
	}
	for _, s := range []shape{{size: squareRoot(len(w.symbols))}, {size: squareRoot(len(w.tokens)), numbers: true}} {
		s.whole = true
		if s.size > sudoku.MaxSize {
			return 0, r.in.at(l, f.from, "cells for size %d: the largest size is %d", s.size, sudoku.MaxSize)
		}
		if s.size < 1 || r.size() > 0 && r.size() != s.size || s.numbers != (len(w.tokens) == s.size*s.size) {
			continue
		}
		var ok bool
		if r.symbols, ok = w.cells(r.symbols[:0], s); ok {
			return s.size, nil
		}
	}
	if n := r.size(); n > 0 {
		return 0, r.in.at(l, f.from, "%d cells, want %d for size %d", len(w.symbols), n*n, n)
	}
	return 0, r.in.at(l, f.from, "%d cells, not a square number", len(w.symbols))
}

// tableSolution reads the field of the solution.
func (r *Reader) tableSolution(p *Puzzle, l line, f field) error {
	n, err := r.tableCells(l, f)
	if err != nil {
		return err
	}
	if n != p.Rules.Size() {
		return r.in.at(l, f.from, "a solution of size %d for a puzzle of size %d", n, p.Rules.Size())
	}
	digits := make([]int, n*n)
	if _, err := r.digits(digits, r.symbols, n); err != nil {
		return err
	}
	for cell, d := range digits {
		s := r.symbols[cell]
		switch given := p.Cells[cell]; {
		case d == 0:
			return r.in.errorf(int(s.line), int(s.column), "the solution has no digit at %s", p.Rules.CellName(cell))
		case given != 0 && given != d:
			return r.in.errorf(int(s.line), int(s.column), "the solution has the digit %d at %s, but %d is given", d, p.Rules.CellName(cell), given)
		}
	}
	p.Solution = digits
	return nil
}
