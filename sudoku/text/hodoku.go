package text

import (
	"bytes"

	"sator/sudoku"
)

// A line of a HoDoKu library has fields between colons:
//
//	:0803:14:6..+9+5..7+9.2.....58.+31[...]:112 918:427 437::
//
// They are the code of a technique, its digits, the cells, the deleted candidates, the
// eliminations and placements of the technique, and a comment. A + precedes a digit that is
// placed but not given. A deleted candidate is a digit with its row and column. The cells and
// the deleted candidates are the position; the other fields are the label.

// beginsHodoku reports whether a line is one of a HoDoKu library.
func beginsHodoku(l line) bool {
	return len(l.text) > 0 && l.text[0] == ':' && bytes.Count(l.text, []byte(":")) >= 4
}

// readHodoku reads a line of a HoDoKu library.
func (r *Reader) readHodoku(l line) (*Puzzle, error) {
	from := 1
	for range 2 {
		from += bytes.IndexByte(l.text[from:], ':') + 1
	}
	to := from + bytes.IndexByte(l.text[from:], ':')
	if err := r.hodokuCells(l, from, to); err != nil {
		return nil, err
	}
	if size := r.size(); len(r.symbols) != 81 || size > 0 && size != 9 {
		return nil, r.in.at(l, from, "%d cells in a line of a HoDoKu library: want 81 for size 9", len(r.symbols))
	}
	p, err := r.puzzleOf(r.symbols, r.rulesFor(9, 0), "line")
	if err != nil {
		return nil, err
	}
	rest := len(l.text)
	if i := bytes.IndexByte(l.text[to+1:], ':'); i >= 0 {
		rest = to + 1 + i
	}
	if err := r.hodokuDeleted(p.Grid, l, to+1, rest); err != nil {
		return nil, err
	}
	p.addLabel(bytes.Trim(l.text[:from], ":"))
	p.addLabel(bytes.Trim(l.text[rest:], ":"))
	return p, nil
}

// hodokuCells sets r.symbols to the cells in a range of a line.
func (r *Reader) hodokuCells(l line, from, to int) error {
	r.symbols = r.symbols[:0]
	for i := from; i < to; i++ {
		placed := l.text[i] == '+'
		if placed {
			i++
		}
		if i == to || kinds[l.text[i]] == isOther || placed && kinds[l.text[i]] != isDigit {
			return r.in.at(l, min(i, to-1), "unexpected %q: want the cells of a puzzle", l.text[min(i, to-1)])
		}
		r.symbols = append(r.symbols, symbol{char: l.text[i], found: placed, line: int32(l.number), column: int32(l.offset + i + 1)})
	}
	return nil
}

// hodokuDeleted excludes the candidates in a range of a line.
func (r *Reader) hodokuDeleted(g *sudoku.Grid, l line, from, to int) error {
	for i := from; i < to; i++ {
		if l.text[i] == ' ' {
			continue
		}
		end := i
		for end < to && l.text[end] != ' ' {
			end++
		}
		name := l.text[i:end]
		if len(name) != 3 || len(bytes.Trim(name, "123456789")) > 0 {
			return r.in.at(l, i, "invalid candidate %s: want a digit, a row and a column, such as 436 for the digit 4 in R3C6", quoted(name))
		}
		digit, row, column := int(name[0]-'0'), int(name[1]-'1'), int(name[2]-'1')
		g.Exclude(g.Rules.Candidate(9*row+column, digit))
		i = end
	}
	return nil
}
