package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
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
//	          names that are numbers are not read.
//	solution  the cells of the solution, written like grid; optional
//	placed    the names of the cells whose digits are no givens, as in R1C2; optional
//	marks     for each cell, in one array, the array of its possible digits;
//	          optional
//	easy, medium, hard
//	          objects that are puzzles of their own, in a page of a newspaper;
//	          puzzle_data in them has their members
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
	levels   []result
	foreign  func(r *Reader, l line, text []byte) (*Puzzle, error) // reads an object of another program
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
	if err := o.members(); err == errForeign {
		return o.foreign(r, o.lines[0], o.text)
	} else if err != nil {
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
		if strings.IndexByte("-0123456789", o.nextByte()) >= 0 {
			err = o.skipMember(key)
			break
		}
		if o.cells != nil {
			return o.errorf("a second grid in a JSON object, in the member %q", key)
		}
		o.cells, err = o.symbols(nil)
	case "puzzle_data":
		err = o.members()
	case "easy", "medium", "hard":
		if o.nextByte() != '{' {
			err = o.skipMember(key)
			break
		}
		level := &object{passage: o.passage, r: o.r, dec: o.dec, label: key}
		if err = level.members(); err == nil {
			var p *Puzzle
			p, err = level.puzzle()
			o.levels = append(o.levels, result{p, err, nil})
		}
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

// errForeign is the error of an object of another program, which o.foreign then reads.
var errForeign = errors.New("JSON of another program")

// checkUnread returns an error if the members that were not read belong to a format of
// another program. Otherwise it warns of them.
func (o *object) checkUnread() error {
	for _, f := range foreignMembers {
		if o.objects && slices.ContainsFunc(f.members, func(name string) bool { return slices.Contains(o.skipped, name) }) {
			o.foreign = f.read
			return errForeign
		}
	}
	if len(o.skipped) > 0 {
		o.r.warnOnce(o.lines[0].number, "members of JSON objects that are not read: %s", strings.Join(o.skipped, ", "))
	}
	return nil
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
