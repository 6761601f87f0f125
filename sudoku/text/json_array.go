package text

import (
	"bytes"
	"encoding/json"
	"io"
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
// rows of characters, where brackets and quotes are separators. So is an array of the cells
// of one row.

// cellMembers are the members by which an object in an array is a cell and no puzzle.
var cellMembers = map[string]bool{"value": true, "digit": true, "number": true, "given": true, "fixed": true, "row": true, "col": true, "column": true, "r": true, "c": true}

// beginsArray reports whether a line begins an array with the cells of a grid.
func (r *Reader) beginsArray(l line) bool {
	text := bytes.TrimLeft(l.text, " \t,")
	if len(text) == 0 || text[0] != '[' || l.number == r.noArray {
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
			return (err == io.EOF || err == io.ErrUnexpectedEOF) && (deepest > 1 || longest < minWholeSize*minWholeSize)
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

// readArray reads an array, from its first line on.
func (r *Reader) readArray(l line) (*Puzzle, error) {
	i := bytes.IndexByte(l.text, '[')
	o := &object{r: r}
	err := o.readText(line{l.text[i:], l.number, l.offset + i})
	if r.in.broken != nil {
		return nil, err
	}
	if err != nil || !json.Valid(o.text) {
		r.noArray, r.skipRest = l.number, nil
		o.unread(0)
		return nil, nil
	}
	depth := len(o.text) - len(bytes.TrimLeft(o.text, "[ \t\n")) - bytes.Count(o.text[:len(o.text)-len(bytes.TrimLeft(o.text, "[ \t\n"))], []byte("\n"))
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
