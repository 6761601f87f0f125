package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sator/sudoku"
)

// JSON objects with these members, in any order:
//
//	size      the size; optional
//	rules     as in "# rules"; optional
//	label     optional
//	grid      the cells: rows of numbers or strings, or all of them in one array,
//	          or one string of characters; 0, null and "" are blanks. A cell can be
//	          an object with its digit as the member value, digit or number, and
//	          given or fixed, which is false for a placed digit. The names puzzle,
//	          cells, board, givens, quiz and digits mean the same; members of these
//	          names that are numbers are skipped.
//	solution  the cells of the solution, written like grid; optional
//	placed    the names of the cells whose digits are no givens, as in R1C2; optional
//	marks     for each cell, in one array, the array of its possible digits;
//	          optional
//
// A warning tells of other members, which are not read. An array without an object around
// it is a grid, or several grids, see json_array.go.

// beginsJSON reports whether a line begins an array with the cells of a grid, or an object.
func (r *Reader) beginsJSON(l line) bool { return r.beginsArray(l) || r.beginsObject(l) }

// readJSON reads an array or an object.
func (r *Reader) readJSON(l line) (*Puzzle, error) {
	if r.beginsArray(l) {
		return r.readArray(l)
	}
	return r.readObject(l)
}

// beginsObject reports whether a line begins an object. Brackets and commas
// before it are allowed, for objects in an array.
func (r *Reader) beginsObject(l line) bool {
	text := bytes.TrimLeft(l.text, " \t[,")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t")
	if len(text) > 0 {
		return text[0] == '"' || text[0] == '}' && len(text) > 1
	}
	next, err := r.in.peek(0)
	return err == nil && bytes.HasPrefix(bytes.TrimLeft(next.text, " \t"), []byte{'"'})
}

// An object is the text of a JSON object with the positions of its lines.
type object struct {
	passage
	r   *Reader
	dec *json.Decoder

	size     int
	rules    *sudoku.Rules
	label    string
	objects  bool     // cells are objects
	skipped  []string // names of members that are not read
	cells    []symbol
	solution []symbol
	placed   []string
	marks    [][]int
}

// readObject reads an object. Text after the object in its last line is the
// next line.
func (r *Reader) readObject(l line) (*Puzzle, error) {
	skipped := bytes.IndexByte(l.text, '{')
	o := &object{r: r}
	if err := o.readText(line{l.text[skipped:], l.number, l.offset + skipped}); err != nil {
		return nil, err
	}
	o.dec = json.NewDecoder(bytes.NewReader(o.text))
	o.dec.UseNumber()
	if err := o.members(); err != nil {
		return nil, o.locate(err)
	}
	return o.puzzle()
}

// readText reads the text of an object, from its first line on.
func (o *object) readText(l line) error {
	depth, quoted, escaped := 0, false, false
	for {
		if len(o.lines) > 0 && o.r.splitObjects && o.isNext(l) {
			o.r.in.unread(l)
			return o.incomplete(l.number)
		}
		o.begin(l)
		for i, c := range l.text {
			switch {
			case escaped:
				escaped = false
			case quoted && c == '\\':
				escaped = true
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				depth--
			}
			if depth == 0 {
				o.text = append(o.text, l.text[:i+1]...)
				if rest := l.text[i+1:]; len(bytes.Trim(rest, " \t,]")) > 0 {
					o.r.in.unread(line{rest, l.number, l.offset + i + 1})
				}
				return nil
			}
		}
		o.text = append(append(o.text, l.text...), '\n')
		if quoted {
			o.r.skipRest = o.skip // the decoder returns an error, because no string contains a line feed
			return nil
		}
		if len(o.text) > maxLine {
			o.r.skipRest = o.rereadLines
			return o.r.in.at(l, 0, "an object of more than %d bytes, too long for a puzzle", maxLine)
		}
		before := l.number
		var err error
		if l, err = o.r.in.next(); err == io.EOF {
			o.r.skipRest = o.rereadLines
			return o.r.in.errorf(before+1, 1, "the input ends in a JSON object")
		} else if err != nil {
			return err
		}
	}
}

// isNext reports whether a line begins with a brace that is not indented more than
// that of this object.
func (o *object) isNext(l line) bool {
	text := bytes.TrimLeft(l.text, " \t[,")
	return len(text) > 0 && text[0] == '{' && len(l.text)-len(text) <= o.lines[0].offset
}

// incomplete returns the error of an object that ends before a line.
func (o *object) incomplete(line int) error {
	return o.r.in.errorf(line, 1, "a JSON object begins in another one, which begins in line %d", o.lines[0].number)
}

// skip skips the lines of this object up to the next one, or to a blank line.
func (o *object) skip() {
	for {
		l, err := o.r.in.next()
		if err != nil || len(bytes.TrimSpace(l.text)) == 0 {
			return
		}
		if o.isNext(l) {
			o.r.in.unread(l)
			return
		}
	}
}

// rereadLines makes the lines from the next object on unread. From now on such a line
// ends an object, so that no line is read a third time.
func (o *object) rereadLines() {
	o.r.splitObjects = true
	for i := 1; i < len(o.lines); i++ {
		if o.isNext(o.lineAt(i)) {
			o.unread(i)
			return
		}
	}
}

// unread makes the lines from line i on unread.
func (o *object) unread(i int) {
	var again []line
	for ; i < len(o.lines); i++ {
		again = append(again, o.lineAt(i))
	}
	o.r.in.lookedAhead = append(again, o.r.in.lookedAhead...)
}

// lineAt returns a line of the object with its text.
func (o *object) lineAt(i int) line {
	l, end := o.lines[i], len(o.text)
	if i+1 < len(o.from) {
		end = o.from[i+1]
	}
	l.text = bytes.TrimSuffix(o.text[o.from[i]:end], []byte{'\n'})
	return l
}

// errorf returns an error at the last token.
func (o *object) errorf(format string, args ...any) error {
	line, column := o.position(max(int(o.dec.InputOffset())-1, 0))
	return o.r.in.errorf(line, column, format, args...)
}

// locate adds the position to an error of the decoder.
func (o *object) locate(err error) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		// The offset is that of the character or of the next one.
		at := int(syntax.Offset)
		if at > 0 && (at >= len(o.text) || !strings.Contains(err.Error(), fmt.Sprintf("%q", o.text[at]))) {
			at--
		}
		line, column := o.position(at)
		return o.r.in.errorf(line, column, "JSON: %v", err)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return o.errorf("JSON: the object is not complete")
	}
	return err
}

// members reads the members of the object.
func (o *object) members() error {
	if _, err := o.dec.Token(); err != nil {
		return err
	}
	for o.dec.More() {
		key, err := o.dec.Token()
		if err != nil {
			return err
		}
		if err := o.member(key.(string)); err != nil {
			return err
		}
	}
	_, err := o.dec.Token()
	return err
}

func (o *object) member(key string) error {
	var err error
	switch key {
	case "size":
		if err = o.decode(&o.size, "a size"); err == nil && (o.size < 1 || o.size > sudoku.MaxSize) {
			return o.errorf("invalid size %d: want 1 to %d", o.size, sudoku.MaxSize)
		}
	case "rules":
		err = o.readRules()
	case "label":
		err = o.decode(&o.label, "a string")
	case "marks":
		err = o.decode(&o.marks, "an array of arrays of digits")
	case "placed":
		err = o.decode(&o.placed, "an array of names of cells")
	case "solution":
		o.solution, err = o.symbols(nil)
	case "grid", "puzzle", "cells", "board", "givens", "quiz", "digits":
		if o.nextIsNumber() {
			err = o.dec.Decode(new(json.RawMessage))
			break
		}
		if o.cells != nil {
			return o.errorf("a second grid in a JSON object, in the member %q", key)
		}
		o.cells, err = o.symbols(nil)
	default:
		err = o.skipMember(key)
	}
	return err
}

// skipMember skips the value of a member.
func (o *object) skipMember(name string) error {
	if !slices.Contains(o.skipped, name) {
		o.skipped = append(o.skipped, name)
	}
	return o.dec.Decode(new(json.RawMessage))
}

// checkUnread returns an error if the members that were not read belong to a format of
// another program. Otherwise it warns of them.
func (o *object) checkUnread() error {
	for _, f := range foreignMembers {
		if o.objects && slices.ContainsFunc(f.members, func(name string) bool { return slices.Contains(o.skipped, name) }) {
			return o.r.refuse(o.lines[0], f.name)
		}
	}
	if len(o.skipped) > 0 {
		o.r.warnOnce(o.lines[0].number, "members of JSON objects that are not read: %s", strings.Join(o.skipped, ", "))
	}
	return nil
}

// nextIsNumber reports whether the value of the current member is a number: the
// number of givens, or of the puzzle, beside a grid.
func (o *object) nextIsNumber() bool {
	rest := bytes.TrimLeft(o.text[o.dec.InputOffset():], " \t\r\n:")
	return len(rest) > 0 && (rest[0] == '-' || '0' <= rest[0] && rest[0] <= '9')
}

// decode decodes a value into v. The argument what describes the expected
// value.
func (o *object) decode(v any, what string) error {
	err := o.dec.Decode(v)
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		return o.errorf("JSON: unexpected %s: want %s", mismatch.Value, what)
	}
	return err
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
	if err := o.checkUnread(); err != nil {
		return nil, err
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
		p.Solution = make([]int, n*n)
		if len(o.solution) != n*n {
			return nil, o.errorf("a solution of %d cells, want %d", len(o.solution), n*n)
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
	if len(o.marks) != n*n {
		return o.errorf("marks of %d cells, want %d", len(o.marks), n*n)
	}
	g.Marks = make([]bool, n*n*n)
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
