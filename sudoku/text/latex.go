package text

import (
	"bytes"
	"fmt"
	"io"

	"sator/sudoku"
)

// LaTeX, as the package sudoku typesets it (Paul Abraham's sudoku.sty): an environment with a
// line for each row, whose cells are between bars, with a period at the end.
//
//	\begin{sudoku}
//	|2|5| | |3| |9| |1|.
//	...
//	\end{sudoku}
//
// Other commands of a document are not read.

var (
	beginSudoku = []byte(`\begin{sudoku}`)
	endSudoku   = []byte(`\end{sudoku}`)
)

// beginsLatex reports whether a line begins the environment.
func (r *Reader) beginsLatex(l line) bool {
	return bytes.HasPrefix(bytes.TrimSpace(l.text), beginSudoku)
}

// beginsCommand reports whether a line begins with another command of LaTeX.
func (r *Reader) beginsCommand(l line) bool {
	text := bytes.TrimSpace(l.text)
	return len(text) > 1 && text[0] == '\\' && kinds[text[1]] == isLetter
}

// readCommand skips a line with a command.
func (r *Reader) readCommand(l line) (*Puzzle, error) {
	r.warnOnce(l.number, "of LaTeX only the environment sudoku is read")
	return nil, nil
}

// readLatex reads the environment.
func (r *Reader) readLatex(begin line) (*Puzzle, error) {
	r.skipRest = r.skipLatex
	r.symbols = r.symbols[:0]
	n := 0
	for {
		l, err := r.in.next()
		if err == io.EOF {
			return nil, r.in.errorf(begin.number, 1, `an environment sudoku without \end{sudoku}`)
		} else if err != nil {
			return nil, err
		}
		switch text := bytes.TrimSpace(l.text); {
		case bytes.HasPrefix(text, endSudoku):
			r.skipRest = nil
			if size := r.size(); n == 0 || n*n != len(r.symbols) || size > 0 && size != n {
				return nil, r.in.at(l, 0, "%d cells in an environment sudoku with rows of %d: want as many rows as columns, and the stated size", len(r.symbols), n)
			}
			return r.puzzleOf(r.symbols, r.rulesFor(n, 0), "grid")
		case len(text) == 0:
			continue
		}
		before := len(r.symbols)
		if err := r.latexRow(l); err != nil {
			return nil, err
		}
		if cells := len(r.symbols) - before; n > 0 && cells != n {
			return nil, r.in.at(l, 0, "a row of %d cells after rows of %d", cells, n)
		}
		n = len(r.symbols) - before
	}
}

// latexRow appends the cells of a row to r.symbols.
func (r *Reader) latexRow(l line) error {
	from := bytes.IndexByte(l.text, '|') + 1
	to := bytes.LastIndexByte(l.text, '|')
	if from == 0 || len(bytes.TrimSpace(l.text[:from-1])) > 0 || string(bytes.TrimSpace(l.text[to+1:])) != "." {
		return r.in.at(l, 0, `a row of an environment sudoku: want cells between bars and a period, as in "|1| |3| |."`)
	}
	for _, cell := range bytes.SplitAfter(l.text[from:to+1], []byte{'|'}) {
		text := bytes.TrimSpace(bytes.TrimSuffix(cell, []byte{'|'}))
		s := symbol{char: '.', line: int32(l.number), column: int32(l.offset + from + 1)}
		switch {
		case len(cell) == 0:
			continue
		case len(text) == 1 && kinds[text[0]] != isOther:
			s.char = text[0]
		case len(text) > 0:
			return r.in.at(l, from, "unexpected %s: want a digit or a blank", quoted(text))
		}
		r.symbols = append(r.symbols, s)
		from += len(cell)
	}
	return nil
}

// skipLatex skips the rest of an environment.
func (r *Reader) skipLatex() {
	for {
		l, err := r.in.next()
		if err != nil || bytes.Contains(l.text, endSudoku) {
			return
		}
	}
}

// appendLatex writes the environment.
func appendLatex(b []byte, g *sudoku.Grid) ([]byte, error) {
	b = fmt.Appendf(b, "%s\n", beginSudoku)
	b = eachRow(b, g, func(b []byte, _ int, cells []int) []byte {
		for _, digit := range cells {
			b = append(b, '|', character(digit, ' '))
		}
		return append(b, "|."...)
	})
	return fmt.Appendf(b, "\n%s", endSudoku), nil
}
