package text

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
)

// Arrays of JSON without an object around them:
//
//	[[5,3,null,0],[0,0,7,0]]     the rows of a grid
//	["53..","..7.","....","1.."]  rows in strings
//	[5,3,null,0,0,0,7,0]          all cells of a grid
//	["53....7.", "....1..3"]      several puzzles
//	[[[5,3],[0,0]],[[1,0],[0,2]]] several grids
//
// An array that is no JSON, such as a list of Python with a comma at its end, is read as
// rows of characters if its lines can be such rows; brackets and quotes are separators there.
// So is an array of the cells of one row.

// cellMembers are the members by which an object in an array is a cell and no puzzle.
var cellMembers = map[string]bool{"value": true, "digit": true, "number": true, "given": true, "fixed": true, "row": true, "col": true, "column": true, "r": true, "c": true}

// beginsArray reports whether a line begins an array with the cells of a grid.
func (r *Reader) beginsArray(l line) bool {
	text := bytes.TrimLeft(l.text, " \t,")
	if len(text) == 0 || text[0] != '[' || l.number <= r.noArray {
		return false
	}
	for i := 0; i < maxSkipped && len(bytes.Trim(text, "[ \t\n")) == 0; i++ {
		next, err := r.in.peek(i)
		if err != nil {
			return false
		}
		text = append(append(bytes.Clone(text), '\n'), next.text...)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	depth, deepest, values, longest, nulls := 0, 0, 0, 0, false
	for {
		t, err := dec.Token()
		if err != nil { // in an array of strings, each whole puzzle is read by its line
			return deepest > 1 || (err == io.EOF || err == io.ErrUnexpectedEOF) && longest < minWholeSize*minWholeSize
		}
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{':
				key, err := dec.Token()
				name, _ := key.(string)
				return err == nil && (depth > 1 || key == json.Delim('}') || cellMembers[name])
			case '[':
				depth++
			default:
				depth--
			}
		case string:
			values, longest = values+1, max(longest, len(t))
		default:
			values, nulls = values+1, nulls || t == nil
		}
		if deepest = max(deepest, depth); depth == 0 {
			return deepest > 1 || longest >= minRow || values >= minRow*minRow && nulls
		}
	}
}

// areRows reports whether each line with cells can be a row of characters.
func (o *object) areRows() bool {
	var w row
	for i := range o.lines {
		w.scan(o.lineAt(i))
		words := slices.ContainsFunc(w.tokens, func(t token) bool { return t.to-t.from > 1 && w.symbols[t.from].isLetter() })
		if words || !w.isEmpty() && len(w.symbols) < minRow {
			return false
		}
	}
	return true
}

// readArray reads an array, from its first line on.
func (r *Reader) readArray(l line) (*Puzzle, error) {
	i := bytes.IndexByte(l.text, '[')
	o := &object{r: r}
	err := o.readText(line{l.text[i:], l.number, l.offset + i})
	if r.in.broken != nil {
		return nil, err
	}
	var value any
	if invalid := json.Unmarshal(o.text, &value); err != nil || invalid != nil {
		if o.areRows() {
			r.noArray, r.skipRest = o.lines[len(o.lines)-1].number, nil
			o.unread(0)
			return nil, nil
		}
		return nil, cmp.Or(err, o.locate(invalid))
	}
	depth := bytes.Count(o.text[:len(o.text)-len(bytes.TrimLeft(o.text, "[ \t\n"))], []byte("["))
	o.dec = json.NewDecoder(bytes.NewReader(o.text))
	o.dec.UseNumber()
	if _, err := o.dec.Token(); err != nil {
		return nil, o.locate(err)
	}
	var all [][]symbol
	even := true
	for o.dec.More() {
		cells, err := o.symbols(nil)
		if err != nil {
			return nil, o.locate(err)
		}
		all, o.cells = append(all, cells), append(o.cells, cells...)
		even = even && len(cells) == len(all[0])
	}
	if len(all) == 0 {
		return nil, o.errorf("JSON: an array without cells")
	}
	n := squareRoot(len(all[0]))
	if several := depth == 3 || even && n >= minRow && len(all) != len(all[0]); !several {
		return o.puzzle()
	}
	for _, cells := range all {
		o.cells = cells
		p, err := o.puzzle()
		r.pending = append(r.pending, result{p, err, nil})
	}
	return r.nextPending()
}
