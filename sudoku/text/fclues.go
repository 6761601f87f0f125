package text

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
)

// The clues of f-puzzles that are relations. Each has its own member in the JSON, with a list of clues
// in one of a few forms:
//
//	"thermometer":[{"lines":[["R1C1","R1C2"]]}]
//	"arrow":[{"cells":["R1C1"],"lines":[["R1C1","R1C2"]]}]
//	"difference":[{"cells":["R1C1","R1C2"],"value":"3"}]
//	"even":[{"cell":"R1C1"}]
//	"sandwichsum":[{"cell":"R0C1","value":"35"}]
//
// A cell in row or column 0, or after the last one, stands for the line of cells that it sees.

// An fClue is a clue. Its value is a number or a text, and empty for the usual one.
type fClue struct {
	Cell      string          `json:"cell,omitempty"`
	Cells     []string        `json:"cells,omitempty"`
	Clones    []string        `json:"cloneCells,omitempty"`
	Lines     [][]string      `json:"lines,omitempty"`
	Direction string          `json:"direction,omitempty"`
	Value     json.RawMessage `json:"value,omitempty"`
	Values    []any           `json:"values,omitempty"` // numbers or texts
}

// The forms of clues.
const (
	fLines   = iota // lines of cells
	fArrow          // a number in cells, and lines that begin in it
	fCells          // cells
	fSingles        // one cell; all clues are one relation
	fClones         // cells, and as many others with the same digits
	fOutside        // a cell beside the grid, for a row or a column
	fSlanted        // a cell beside the grid, and a direction
)

// An fClueKind is a row of the table of clues.
type fClueKind struct {
	member, kind string
	form         int
}

// fClueKinds lists the members with clues, and the kinds of their relations.
var fClueKinds = []fClueKind{
	{"thermometer", "thermo", fLines},
	{"slowthermometer", "slow-thermo", fLines},
	{"palindrome", "palindrome", fLines},
	{"betweenline", "between", fLines},
	{"whispers", "whispers", fLines},
	{"renban", "renban", fLines},
	{"regionsumline", "region-sum", fLines},
	{"lockout", "lockout", fLines},
	{"entropicline", "entropic", fLines},
	{"modularline", "modular", fLines},
	{"zipperline", "zipper", fLines},
	{"arrow", "arrow", fArrow},
	{"difference", "difference", fCells},
	{"ratio", "ratio", fCells},
	{"xv", "sum", fCells},
	{"quadruple", "contains", fCells},
	{"extraregion", "different", fCells},
	{"even", "even", fSingles},
	{"odd", "odd", fSingles},
	{"minimum", "minimum", fSingles},
	{"maximum", "maximum", fSingles},
	{"clone", "palindrome", fClones},
	{"sandwichsum", "sandwich", fOutside},
	{"xsum", "x-sum", fOutside},
	{"skyscraper", "skyscraper", fOutside},
	{"littlekillersum", "sum", fSlanted},
}

// fDirections has the steps, in rows and columns, of the directions.
var fDirections = map[string][2]int{"DR": {1, 1}, "DL": {1, -1}, "UR": {-1, 1}, "UL": {-1, -1}}

// fNames has the cells of a grid of f-puzzles, whose names it reads and writes.
type fNames struct{ *sudoku.Rules }

// readClues returns the relations of all clues in the members of an object.
func (f fNames) readClues(all map[string]json.RawMessage) (list []sudoku.Relation, err error) {
	for _, k := range fClueKinds {
		var clues []fClue
		if text := all[k.member]; len(text) > 0 {
			if err := json.Unmarshal(text, &clues); err != nil {
				return nil, fmt.Errorf("%s: %w", k.member, err)
			}
		}
		var singles []string
		for _, c := range clues {
			more, err := f.relations(&c, k.kind, k.form)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.member, err)
			}
			list = append(list, more...)
			if k.form == fSingles {
				singles = append(singles, c.Cell)
			}
		}
		if len(singles) > 0 {
			r, err := f.relation(k.kind, "", singles)
			if err != nil {
				return nil, err
			}
			list = append(list, r)
		}
	}
	return list, nil
}

// relations returns the relations of a clue. Those of single cells are made together.
func (f fNames) relations(c *fClue, kind string, form int) (list []sudoku.Relation, err error) {
	value := strings.Trim(string(c.Value), `" `)
	var sets [][]string
	switch form {
	case fLines:
		for _, line := range c.Lines {
			last := len(line) - 1
			switch loop := last > 1 && line[last] == line[0]; {
			case loop && kind == "whispers":
				sets = append(sets, line[:last], line[last-1:])
			case loop && (kind == "entropic" || kind == "modular"):
				sets = append(sets, line[:last], slices.Concat(line[last-2:last], line[:2]))
			case loop && kind == "renban":
				sets = append(sets, line[:last])
			default:
				sets = append(sets, line)
			}
		}
	case fArrow:
		value = strconv.Itoa(len(c.Cells))
		for _, line := range c.Lines {
			shaft := slices.DeleteFunc(slices.Clone(line), func(name string) bool { return slices.Contains(c.Cells, name) })
			sets = append(sets, slices.Concat(c.Cells, shaft))
		}
	case fCells:
		sets = [][]string{c.Cells}
		switch {
		case kind == "contains":
			value = ""
			for _, digit := range c.Values {
				if value += fmt.Sprint(digit); len(fmt.Sprint(digit)) != 1 {
					return nil, fmt.Errorf("the digit %v, want 1 to 9", digit)
				}
			}
		case kind == "sum":
			letters := map[string]string{"X": "10", "V": "5"}
			if value = letters[strings.ToUpper(value)]; value == "" {
				return nil, fmt.Errorf("the value %s, want X or V", c.Value)
			}
		}
	case fClones:
		if len(c.Clones) != len(c.Cells) {
			return nil, fmt.Errorf("%d cells with %d clones", len(c.Cells), len(c.Clones))
		}
		for i, name := range c.Cells {
			if c.Clones[i] != name {
				sets = append(sets, []string{name, c.Clones[i]})
			}
		}
	case fOutside, fSlanted:
		set, err := f.seen(c.Cell, c.Direction)
		if err != nil {
			return nil, err
		}
		sets = [][]string{set}
	}
	for _, set := range sets {
		r, err := f.relation(kind, value, set)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// relation returns a relation between named cells.
func (f fNames) relation(kind, value string, names []string) (sudoku.Relation, error) {
	if value != "" {
		value += ":"
	}
	v, err := sudoku.ParseVariant(fmt.Sprintf("%d %s %s%s", f.Size(), kind, value, strings.Join(names, "+")))
	if err != nil {
		return sudoku.Relation{}, err
	}
	return v.Relations[0], nil
}

// seen returns the cells that a cell beside the grid sees: straight, or in a direction.
func (f fNames) seen(name, direction string) (names []string, err error) {
	var row, column int
	if _, err := fmt.Sscanf(strings.ToUpper(name), "R%dC%d", &row, &column); err != nil {
		return nil, fmt.Errorf("invalid cell %q", name)
	}
	n := f.Size()
	step, slanted := fDirections[direction]
	switch {
	case slanted || direction != "":
	case row == 0:
		step = [2]int{1, 0}
	case row == n+1:
		step = [2]int{-1, 0}
	case column == 0:
		step = [2]int{0, 1}
	case column == n+1:
		step = [2]int{0, -1}
	}
	if step == [2]int{} {
		return nil, fmt.Errorf("the cell %q and the direction %q", name, direction)
	}
	for row, column = row+step[0], column+step[1]; 1 <= row && row <= n && 1 <= column && column <= n; row, column = row+step[0], column+step[1] {
		names = append(names, f.CellName((row-1)*n+column-1))
	}
	return names, nil
}

// writeClues returns the members with the relations of the rules. The error names a relation that
// f-puzzles does not have.
func (f fNames) writeClues() (map[string][]fClue, error) {
	members := make(map[string][]fClue)
	for _, r := range f.Variant().Relations {
		member, clues := f.clues(&r)
		if member == "" {
			return nil, fmt.Errorf("links cannot express the relation %s", r.Text(f.Plan()))
		}
		members[member] = append(members[member], clues...)
	}
	return members, nil
}

// clues returns the clues for a relation, and their member: the first that reads them as the same relation.
func (f fNames) clues(r *sudoku.Relation) (string, []fClue) {
	names := make([]string, len(r.Cells))
	for i, cell := range r.Cells {
		names[i] = f.CellName(cell)
	}
	value := json.RawMessage(strconv.Quote(strconv.Itoa(r.Value)))
	for _, k := range fClueKinds {
		if k.kind != r.Kind {
			continue
		}
		var clues []fClue
		switch k.form {
		case fLines:
			clues = []fClue{{Lines: [][]string{names}}}
			switch {
			case r.Kind == "lockout" && r.Value != f.Size()/2:
				continue // others do not read a value
			case r.Kind != "lockout" && r.Value != 0:
				clues[0].Value = value
			}
		case fArrow:
			clues = []fClue{{Cells: names[:r.Value], Lines: [][]string{names[r.Value-1:]}}}
		case fCells:
			clues = []fClue{{Cells: names, Value: value}}
			switch letter := map[int]string{5: `"V"`, 10: `"X"`}[r.Value]; {
			case r.Kind == "contains":
				clues[0].Value, clues[0].Values = nil, digitsOf(r.Value)
			case r.Kind == "sum" && letter != "":
				clues[0].Value = json.RawMessage(letter)
			case r.Kind == "sum":
				continue
			case r.Kind == "different":
				clues[0].Value = nil
			}
		case fSingles:
			for _, name := range names {
				clues = append(clues, fClue{Cell: name})
			}
			return k.member, clues // all of a kind are one relation
		case fOutside, fSlanted:
			for _, direction := range []string{"", "DR", "DL", "UR", "UL"} {
				for _, beside := range f.beside() {
					if seen, err := f.seen(beside, direction); err == nil && slices.Equal(seen, names) && (direction == "") == (k.form == fOutside) {
						clues = []fClue{{Cell: beside, Direction: direction, Value: value}}
					}
				}
			}
		}
		for _, c := range clues {
			if list, err := f.relations(&c, k.kind, k.form); err == nil && len(list) == 1 && list[0].Text(f.Plan()) == r.Text(f.Plan()) {
				return k.member, clues
			}
		}
	}
	return "", nil
}

// digitsOf returns the decimal digits of a number.
func digitsOf(x int) (digits []any) {
	for _, c := range strconv.Itoa(x) {
		digits = append(digits, int(c-'0'))
	}
	return digits
}

// beside returns the names of the cells around the grid.
func (f fNames) beside() (names []string) {
	n := f.Size()
	for i := range n + 2 {
		for _, at := range [][2]int{{0, i}, {n + 1, i}, {i, 0}, {i, n + 1}} {
			names = append(names, fmt.Sprintf("R%dC%d", at[0], at[1]))
		}
	}
	return names
}
