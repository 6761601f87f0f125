package text

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"sator/sudoku"
)

// nextByte returns the first byte of the value of the current member. A number beside a grid is
// that of the givens, or of the puzzle.
func (o *object) nextByte() byte {
	rest := bytes.TrimLeft(o.text[o.dec.InputOffset():], " \t\r\n:")
	if len(rest) == 0 {
		return 0
	}
	return rest[0]
}

func (o *object) readRules() error {
	var words string
	if err := o.decode(&words, "a string"); err != nil {
		return err
	}
	rules, err := o.r.parseRules(words)
	if err != nil {
		return o.errorf("rules: %v", err)
	}
	o.rules = rules
	return nil
}

// symbols appends the cells in a value, which can be nested arrays.
func (o *object) symbols(to []symbol) ([]symbol, error) {
	t, err := o.dec.Token()
	if err != nil {
		return nil, err
	}
	end := int(o.dec.InputOffset())
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return o.cellObject(to)
		}
		for o.dec.More() {
			if to, err = o.symbols(to); err != nil {
				return nil, err
			}
		}
		_, err = o.dec.Token()
		return to, err
	case nil:
		return append(to, o.symbol(dot, 0, end-len("null"))), nil
	case json.Number:
		n, err := strconv.Atoi(t.String())
		if err != nil || n < 0 || n > sudoku.MaxSize {
			return nil, o.errorf("invalid digit %s", t)
		}
		return append(to, o.symbol(0, n, end-len(t))), nil
	case string:
		// In a string with escapes the columns are approximate.
		return o.characters(to, t, bytes.LastIndexByte(o.text[:end-1], '"')+1)
	}
	return nil, o.errorf("JSON: unexpected %v: want a cell", t)
}

// characters appends the symbols of a string: a number, a blank if it is empty,
// or characters.
func (o *object) characters(to []symbol, text string, offset int) ([]symbol, error) {
	if n, err := strconv.Atoi(text); err == nil && 9 < n && n <= sudoku.MaxSize && len(text) < 4 {
		return append(to, o.symbol(0, n, offset)), nil
	}
	if strings.TrimSpace(text) == "" {
		return append(to, o.symbol(dot, 0, offset)), nil
	}
	for i := range len(text) {
		if kinds[text[i]] == isOther {
			return nil, o.errorf("unexpected %q in a string: want cells", text[i])
		}
		to = append(to, o.symbol(text[i], 0, offset+i))
	}
	return to, nil
}

// cellObject appends the cell in an object, behind its brace.
func (o *object) cellObject(to []symbol) ([]symbol, error) {
	o.objects = true
	cells, placed, members := []symbol(nil), false, 0
	for ; o.dec.More(); members++ {
		key, err := o.dec.Token()
		if err != nil {
			return nil, err
		}
		switch name := key.(string); name {
		case "value", "digit", "number":
			cells, err = o.symbols(cells)
		case "given", "fixed":
			given := false
			err = o.decode(&given, "true or false")
			placed = !given
		default:
			err = o.skipMember(name)
		}
		if err != nil {
			return nil, err
		}
	}
	_, err := o.dec.Token()
	switch {
	case err != nil:
		return nil, err
	case len(cells) == 0 && members == 0:
		cells = append(cells, o.symbol(dot, 0, int(o.dec.InputOffset())-1))
	case len(cells) != 1:
		if err := o.checkUnread(); err != nil {
			return nil, err
		}
		return nil, o.errorf("JSON: %d values in an object: want cells, objects with a member \"value\"", len(cells))
	}
	cells[0].found = placed
	return append(to, cells[0]), nil
}

// puzzle makes a puzzle of the members. It returns an error if there is no
// grid.
func (o *object) puzzle() (*Puzzle, error) {
	if err := o.checkUnread(); err == errForeign {
		return o.foreign(o.r, o.lines[0], o.text)
	} else if err != nil {
		return nil, err
	}
	if o.cells == nil && o.levels != nil {
		o.r.pending = append(o.r.pending, o.levels...)
		return o.r.nextPending()
	}
	if o.cells == nil {
		return nil, o.errorf("a JSON object without a member \"grid\"")
	}
	n, err := o.gridSize()
	if err != nil {
		return nil, err
	}
	if o.label != "" {
		o.r.label = o.label
	}
	rules := o.rules
	if rules == nil {
		rules = o.r.rulesFor(n, 0)
	} else if err := o.r.checkRules(o.lines[0], rules); err != nil {
		return nil, err
	}
	p, err := o.r.puzzleOf(o.cells, rules, "json")
	if err != nil {
		return nil, err
	}
	if o.solution != nil {
		p.Solution = make([]int, rules.Cells())
		if len(o.solution) != rules.Cells() {
			return nil, o.errorf("a solution of %d cells, want %d", len(o.solution), rules.Cells())
		}
		if _, err := o.r.digits(p.Solution, o.solution, n); err != nil {
			return nil, err
		}
		if !isCompletion(p.Solution, p.Grid) {
			return nil, o.errorf("the solution does not contain the givens of the grid")
		}
	}
	for _, name := range o.placed {
		cell, err := rules.Cell(name)
		if err != nil || p.Cells[cell] == 0 {
			return nil, o.errorf("placed: %q is no cell with a digit", name)
		}
		o.cells[cell].found = true
	}
	p.setPlaced(o.cells)
	return p, o.setMarks(p.Grid)
}

// gridSize returns the size of the grid. It returns an error if the size
// differs from the size or the rules that are stated.
func (o *object) gridSize() (int, error) {
	known := o.rules
	if known == nil {
		known = o.r.several()
	}
	if known != nil && known.Variant().Grids != nil {
		return known.Size(), nil // the number of cells is checked with the digits
	}
	n := squareRoot(len(o.cells))
	switch {
	case n > sudoku.MaxSize:
		return 0, o.errorf("%d cells for size %d: the largest size is %d", len(o.cells), n, sudoku.MaxSize)
	case n == 0:
		return 0, o.errorf("%d cells, not a square number", len(o.cells))
	}
	sizes := []int{o.size, o.r.size()}
	if o.rules != nil {
		sizes[1] = o.rules.Size()
	}
	for _, size := range sizes {
		if size > 0 && size != n {
			return 0, o.errorf("%d cells, want %d for size %d", len(o.cells), size*size, size)
		}
	}
	return n, nil
}

// setMarks sets the marks of a grid.
func (o *object) setMarks(g *sudoku.Grid) error {
	if o.marks == nil {
		return nil
	}
	n := g.Rules.Size()
	if len(o.marks) != len(g.Cells) {
		return o.errorf("marks of %d cells, want %d", len(o.marks), len(g.Cells))
	}
	g.Marks = make([]bool, len(g.Cells)*n)
	for cell, digits := range o.marks {
		for _, d := range digits {
			if d < 1 || d > n {
				return o.errorf("invalid mark %d at %s: want 1 to %d", d, g.Rules.CellName(cell), n)
			}
			g.Marks[g.Rules.Candidate(cell, d)] = true
		}
	}
	return nil
}
