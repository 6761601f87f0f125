package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// JSON of SudokuPad, and its codes: links to sudokupad.app/scl and /ctc.
//
//	{"metadata":{"title":"...","solution":"853..."},"cells":[[{"value":5},{},...],...],
//	 "regions":[[[0,0],[0,1],...],...],"cages":[{"cells":[[0,0],[0,1]],"value":12,"unique":true}]}
//
// Digits, regions, cages and the members antiknight and antiking of the metadata are read. A line, an arrow
// or any other drawing means what the rules in words say, so it is an error that names it. A cage
// without cells has a text of the metadata, such as "title: ...".
//
// Most codes have the JSON in a short form: names of members are short and without quotes,
// strings have the other quotes, t and f are true and false, and {} is left out in arrays.
//
// Source: the programs of SudokuPad/sudokutools, fpuzzlesdecoder.js and puzzlezipper_lib.js.

// A padPuzzle has the members that are read.
type padPuzzle struct {
	Metadata map[string]any
	Cells    [][]map[string]any
	Regions  [][][2]int
	Cages    []struct {
		Cells  [][2]int
		Value  any
		Unique *bool
	}
}

// padNames are the short names of members that are read, or named in messages.
var padNames = map[string]string{
	"a": "arrows", "ca": "cages", "ce": "cells", "cs": "cellSize", "l": "lines", "o": "overlays", "re": "regions",
	"t": "title", "u": "underlays", "v": "value", "vd": "videos",
}

// lengthened returns the short form of JSON as JSON, and JSON as it is.
func lengthened(text string) []byte {
	if strings.Contains(text, `"`) {
		return []byte(text)
	}
	var b []byte
	for i := 0; i < len(text); {
		end := i + 1
		switch c := text[i]; {
		case c == '\'':
			for end < len(text) && text[end] != '\'' {
				end += 1 + strings.Count(text[end:end+1], `\`)
			}
			b = append(append(append(b, '"'), strings.ReplaceAll(text[i+1:min(end, len(text))], `\'`, `'`)...), '"')
			end++
		case strings.IndexByte("{}[],:", c) >= 0:
			if before := b[max(len(b)-1, 0):]; (c == ',' || c == ']') && (string(before) == "[" || string(before) == ",") {
				b = append(b, "{}"...)
			}
			b = append(b, c)
		default:
			for end < len(text) && strings.IndexByte("{}[],:", text[end]) < 0 {
				end++
			}
			word := text[i:end]
			switch isName := end < len(text) && text[end] == ':'; {
			case isName && padNames[word] != "":
				word = strconv.Quote(padNames[word])
			case !isName && (word == "t" || word == "f"):
				word = strconv.FormatBool(word == "t")
			case isName || !json.Valid([]byte(word)):
				word = strconv.Quote(word)
			}
			b = append(b, word...)
		}
		i = end
	}
	return b
}

// readSudokuPad reads an object of SudokuPad that begins in a line, or is in it as a code.
func (r *Reader) readSudokuPad(l line, text []byte) (*Puzzle, error) {
	var p padPuzzle
	all := make(map[string]any)
	f := new(fPuzzle)
	text = lengthened(string(text))
	for _, step := range []func() error{
		func() error { return decodePad(text, &all) },
		func() error { return decodePad(text, &p) },
		func() error { return padGrid(f, &p) },
		func() error { return r.padMembers(l, f, all) },
		func() error { return r.padMembers(l, f, p.Metadata) },
		func() error { return r.padCages(l, f, &p) },
	} {
		if err := step(); err != nil {
			return nil, r.in.at(l, 0, "JSON of SudokuPad: %v", err)
		}
	}
	return r.fPuzzle(l, f, nil, "JSON of SudokuPad")
}

// decodePad decodes an object. Numbers keep their digits: a solution can be one.
func decodePad(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(v); err != nil || !d.More() {
		return err
	}
	return errors.New("text after the object")
}

// padMembers reads the members of the object or of its metadata. Rules and drawings among them are errors.
func (r *Reader) padMembers(l line, f *fPuzzle, all map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list, isList := all[name].([]any)
		if slices.Contains([]string{"arrows", "lines", "overlays", "underlays"}, name) && len(list) > 0 {
			return fmt.Errorf("drawings with a meaning in words are not read: %s", name)
		}
		if isList && len(list) == 0 || slices.Contains([]string{"id", "cellSize", "metadata", "metaData", "cells", "regions", "cages", "settings", "videos"}, name) {
			continue
		}
		if err := r.padText(l, f, name, all[name]); err != nil {
			return err
		}
	}
	return nil
}

// padText reads a member of the metadata. One that is true is a rule.
func (r *Reader) padText(l line, f *fPuzzle, name string, value any) error {
	text := fmt.Sprint(value)
	switch {
	case value == nil || value == false || text == "" || slices.Contains([]string{"author", "source", "msgcorrect"}, name):
	case name == "title":
		f.Title = text
	case name == "antiknight":
		f.AntiKnight = text == "true"
	case name == "antiking":
		f.AntiKing = text == "true"
	case name == "rules":
		r.warnOnce(l.number, "the rules in words, which are not read: %.200q", text)
	case name == "solution":
		for _, c := range text {
			f.Solution = append(f.Solution, int(c-'0'))
		}
		if n := f.Size; len(f.Solution) != n*n || slices.Min(f.Solution) < 1 || slices.Max(f.Solution) > n {
			f.Solution = nil // a part of the cells, or another alphabet
			r.warnOnce(l.number, "a solution that is not read")
		}
	case strings.HasPrefix(name, "bgimage"):
		return fmt.Errorf("an image with a meaning in words is not read: %s", name)
	case value == true || text == "true":
		return fmt.Errorf("a rule that is not known: %s", name)
	default:
		r.warnOnce(l.number, "a member of SudokuPad that is not read: %s", name)
	}
	return nil
}

// padGrid reads the digits and the regions.
func padGrid(f *fPuzzle, p *padPuzzle) error {
	n := len(p.Cells)
	f.Size, f.Grid = n, make([][]fCell, n)
	for i, row := range p.Cells {
		f.Grid[i] = make([]fCell, len(row))
		for j, cell := range row {
			for name, value := range cell {
				digit, err := strconv.Atoi(fmt.Sprint(value))
				if name != "value" || err != nil {
					return fmt.Errorf("%s %v in the cell R%dC%d, where only digits are read", name, value, i+1, j+1)
				}
				f.Grid[i][j] = fCell{Value: digit, Given: true}
			}
		}
	}
	for number, region := range p.Regions {
		for _, at := range region {
			if at[0] < 0 || at[0] >= n || at[1] < 0 || at[1] >= len(f.Grid[at[0]]) || f.Grid[at[0]][at[1]].Region != nil {
				return fmt.Errorf("the region with R%dC%d overlaps another, or the edge", at[0]+1, at[1]+1)
			}
			f.Grid[at[0]][at[1]].Region = &number
		}
	}
	if slices.ContainsFunc(slices.Concat(f.Grid...), func(c fCell) bool { return c.Region == nil }) {
		return fmt.Errorf("a cell without a region")
	}
	return nil
}

// padCages reads the cages. One without a sum that lies in a house says nothing new.
func (r *Reader) padCages(l line, f *fPuzzle, p *padPuzzle) error {
	for _, cage := range p.Cages {
		var text string
		if cage.Value != nil {
			text = fmt.Sprint(cage.Value)
		}
		if len(cage.Cells) == 0 {
			name, value, found := strings.Cut(text, ": ")
			if !found {
				return fmt.Errorf("a cage without cells: %q", text)
			}
			if err := r.padText(l, f, name, value); err != nil {
				return err
			}
			continue
		}
		c := fCage{Value: json.RawMessage(text)}
		for _, at := range cage.Cells {
			c.Cells = append(c.Cells, fmt.Sprintf("R%dC%d", at[0]+1, at[1]+1))
			if min(at[0], at[1]) < 0 || max(at[0], at[1]) >= f.Size {
				return fmt.Errorf("a cage beyond the grid: %s", c.Cells)
			}
		}
		switch {
		case cage.Unique != nil && !*cage.Unique:
			return fmt.Errorf("a cage with digits that may repeat: %s", c.Cells)
		case text == "" && cage.Unique == nil:
			return fmt.Errorf("a cage with neither a sum nor unique digits: %s", c.Cells)
		case text != "" || !isHouse(f, cage.Cells):
			f.Cages = append(f.Cages, c)
		}
	}
	return nil
}

// isHouse reports whether cells are in one row, column or region.
func isHouse(f *fPuzzle, cells [][2]int) bool {
	same := func(of func([2]int) int) bool {
		return !slices.ContainsFunc(cells, func(at [2]int) bool { return of(at) != of(cells[0]) })
	}
	return same(func(at [2]int) int { return at[0] }) || same(func(at [2]int) int { return at[1] }) ||
		same(func(at [2]int) int { return *f.Grid[at[0]][at[1]].Region })
}
