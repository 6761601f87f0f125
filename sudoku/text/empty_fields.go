package text

import (
	"bytes"

	"sator/sudoku"
)

// Tables of spreadsheets: rows with a field for each cell, which is empty for a blank,
//
//	5,3,,,7,,,,
//
// or a whole puzzle in such a line. Commas, semicolons or tabs separate the fields. The
// layout of such a row is one with a separator.

// commas are the separators of fields.
const commas = ",;\t"

// fieldLayout returns the layout of a row with an empty field. A full row has it if a later
// row with as many fields has an empty one.
func (r *Reader) fieldLayout(w *row) (layout, bool) {
	lay, empty, ok := r.fieldsIn(w.line)
	if !ok || !empty && (lay.whole || hasRepeatedSymbol(w.symbols)) {
		return layout{}, false
	}
	for i := 0; !empty; i++ {
		next, err := r.in.peek(i)
		if err != nil || i+1 >= lay.size {
			return layout{}, false
		}
		var same layout
		if same, empty, ok = r.fieldsIn(next); !ok && !isEmptyRow(next) || ok && same != lay {
			return layout{}, false
		}
		empty = empty || !ok
	}
	return lay, true
}

// fieldsIn returns the layout of a line if each field has at most one cell and some field
// has one. It reports whether a field is empty, except for one at the end alone.
func (r *Reader) fieldsIn(l line) (lay layout, empty, ok bool) {
	i := bytes.IndexAny(l.text, commas)
	if i < 0 {
		return layout{}, false, false
	}
	lay.comma = l.text[i]
	n := bytes.Count(l.text, []byte{lay.comma}) + 1
	lay.size = n
	if k := squareRoot(n); k >= minRow && n > len(digitChars)+1 || k > 0 && k == r.size() {
		lay.size, lay.whole = k, true
	}
	if known := r.size(); n < minRow || lay.size > sudoku.MaxSize || known > 0 && known != lay.size {
		return layout{}, false, false
	}
	cells, ok := lay.fieldCells(l)
	filled := 0
	for i, s := range cells {
		switch {
		case s.value() > lay.size:
			return layout{}, false, false
		case s.value() > 0:
			filled++
		case i < len(cells)-1:
			empty = true
		}
	}
	return lay, empty, ok && filled > 0
}

// isEmptyRow reports whether a line has separators of fields and nothing between them.
func isEmptyRow(l line) bool {
	return bytes.ContainsAny(l.text, commas) && len(bytes.Trim(l.text, commas+" \"")) == 0
}

// fieldCells returns the symbols of a row with a field for each cell.
func (lay layout) fieldCells(l line) ([]symbol, bool) {
	all := splitFields(l.text, lay.comma)
	if want := lay.size; len(all) != want && !(lay.whole && len(all) == want*want) {
		return nil, false
	}
	var symbols []symbol
	var w row
	for _, f := range all {
		text := bytes.TrimSpace(l.text[f.from:f.to])
		s := symbol{char: dot, line: int32(l.number), column: int32(l.offset + f.from + 1)}
		if len(text) > 0 {
			w.scan(line{l.text[f.from:f.to], l.number, l.offset + f.from})
			if w.bad >= 0 || len(w.tokens) != 1 {
				return nil, false
			}
			var ok bool
			if s, ok = w.tokenSymbol(w.tokens[0]); !ok || kinds[s.char] == isBlank {
				return nil, false
			}
		}
		symbols = append(symbols, s)
	}
	return symbols, true
}
