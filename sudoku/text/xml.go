package text

import (
	"bytes"
	"io"
	"strconv"
)

// XML, as that of OpenSudoku: an element "game" has the cells in its attribute "data".
// They are characters, or a version and then for each cell its digit, the notes of the
// player, and 1 if the player placed the digit:
//
//	<game data="53..7....6..195...[...]" />
//	<game data="version: 3&#10;5|0|0|3|0|0|0|6|1|[...]" />
//
// Versions differ in how they write notes, which are not read: they are remarks and need
// not contain all possible digits. Of other elements, an attribute of the characters of a
// whole puzzle is read, and a text of them. Other attributes and texts are descriptions.

// beginsElement reports whether a line begins with a tag of XML.
func (r *Reader) beginsElement(l line) bool {
	text := bytes.TrimLeft(l.text, " \t")
	return len(text) > 1 && text[0] == '<' && (kinds[text[1]] == isLetter || bytes.IndexByte([]byte("/?!"), text[1]) >= 0)
}

// readElement reads a tag of XML, which can have several lines, and returns the puzzle
// in an attribute. It returns an error for an attribute "data" without a puzzle, and
// for an element "game" without that attribute. The next tag in the line is the next line.
func (r *Reader) readElement(l line) (*Puzzle, error) {
	t, err := r.readTag(l)
	if err != nil {
		return nil, err
	}
	rest, isGame := bytes.CutPrefix(t.text, []byte("<game"))
	isGame = isGame && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\n/>"), rest[0]) >= 0)
	if isGame || bytes.HasPrefix(t.text, []byte("<")) && kinds[t.text[1]] == isLetter {
		for _, a := range t.attributes() {
			switch value := t.text[a.from:a.to]; {
			case isGame && a.name == "data", r.isWholeAttribute(value):
				if !r.isWanted("line") {
					return nil, r.wrongFormat(l)
				}
				return r.attributePuzzle(t, a)
			}
		}
	}
	if isGame {
		return nil, r.in.errorf(t.lines[0].number, 1, "an element \"game\" without an attribute \"data\"")
	}
	return nil, nil
}

// readTag reads a tag, from its first line on.
func (r *Reader) readTag(l line) (*passage, error) {
	i := bytes.IndexByte(l.text, '<')
	l.text, l.offset = l.text[i:], l.offset+i
	t, quote := new(passage), byte(0)
	comment := bytes.HasPrefix(l.text, []byte("<!--"))
	for {
		t.begin(l)
		for i, c := range l.text {
			switch {
			case comment && (c != '>' || !bytes.HasSuffix(l.text[:i], []byte("--"))):
			case quote != 0 && c == quote:
				quote = 0
			case quote != 0:
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				t.text = append(t.text, l.text[:i+1]...)
				r.unreadElement(line{l.text[i+1:], l.number, l.offset + i + 1})
				return t, nil
			}
		}
		t.text = append(append(t.text, l.text...), '\n')
		before := l.number
		var err error
		switch l, err = r.in.next(); {
		case err == io.EOF:
			return nil, r.in.errorf(before+1, 1, "the input ends in a tag of XML, which begins in line %d", t.lines[0].number)
		case err != nil:
			return nil, err
		case len(t.text) > maxLine:
			return nil, r.in.errorf(t.lines[0].number, 1, "a tag of more than %d bytes, too long for a puzzle", maxLine)
		}
	}
}

// unreadElement makes the rest of a line behind a tag the next line: the text of the element
// if it is a puzzle, and the next tag.
func (r *Reader) unreadElement(rest line) {
	next := bytes.IndexByte(rest.text, '<')
	if next < 0 {
		next = len(rest.text)
	} else {
		r.in.unread(line{rest.text[next:], rest.number, rest.offset + next})
	}
	rest.text = rest.text[:next]
	if r.beginsLine(rest) {
		r.in.unread(rest)
	}
}

// An attribute is the name of an attribute, the index of it, and the range of its value.
type attribute struct {
	name         string
	at, from, to int
}

// attributes returns the attributes of a tag.
func (t *passage) attributes() []attribute {
	var all []attribute
	for i := 0; i < len(t.text); {
		equals := bytes.IndexByte(t.text[i:], '=')
		if equals < 0 {
			break
		}
		end := i + equals
		name := bytes.TrimRight(t.text[i:end], " \t\n")
		name = name[bytes.LastIndexAny(name, " \t\n")+1:]
		at := i + bytes.LastIndex(t.text[i:end], name)
		from := end + 1
		for from < len(t.text) && bytes.IndexByte([]byte(" \t\n"), t.text[from]) >= 0 {
			from++
		}
		if from == len(t.text) || t.text[from] != '"' && t.text[from] != '\'' {
			i = end + 1
			continue
		}
		to := from + 1 + bytes.IndexByte(t.text[from+1:], t.text[from])
		all = append(all, attribute{string(name), at, from + 1, to})
		i = to + 1
	}
	return all
}

// isWholeAttribute reports whether a value has the characters of a whole puzzle.
func (r *Reader) isWholeAttribute(value []byte) bool {
	n := squareRoot(len(value))
	return n >= minWholeSize && n <= len(digitChars) && r.areCells(value, n)
}

// attributePuzzle returns the puzzle in an attribute.
func (r *Reader) attributePuzzle(t *passage, a attribute) (*Puzzle, error) {
	value := t.text[a.from:a.to]
	n, known := squareRoot(len(value)), r.size()
	r.symbols = r.symbols[:0]
	if rest, found := bytes.CutPrefix(bytes.TrimLeft(value, " \t\n"), []byte("version:")); found {
		if err := r.gameCells(t, a, a.to-len(rest)); err != nil {
			return nil, err
		}
		n = 9
	} else {
		for i, c := range value {
			if kinds[c] == isOther || n < minRow {
				line, column := t.position(a.at)
				return nil, r.in.errorf(line, column, "the attribute %q is no puzzle in characters", a.name)
			}
			r.symbols = append(r.symbols, t.symbol(c, 0, a.from+i))
		}
	}
	if len(r.symbols) == 0 || known > 0 && n != known {
		line, column := t.position(a.at)
		return nil, r.in.errorf(line, column, "the attribute %q has %d cells: want %d for size %d", a.name, len(r.symbols), known*known, known)
	}
	return r.puzzleOf(r.symbols, r.rulesFor(n, 0), "line")
}

// gameCells sets r.symbols to the cells behind "version:" in the attribute of a game.
func (r *Reader) gameCells(t *passage, a attribute, from int) error {
	fail := func(index int, format string, args ...any) error {
		line, column := t.position(index)
		return r.in.errorf(line, column, format, args...)
	}
	number := bytes.TrimLeft(t.text[from:a.to], " ")
	digits := number[:countDigits(number)]
	if len(digits) != 1 || digits[0] < '1' || digits[0] > '3' {
		return fail(from, "unknown version of the cells of OpenSudoku: want 1 to 3")
	}
	i, noted := a.to-len(number)+1, false
	for _, end := range []string{"&#13;", "&#xD;", "&#10;", "&#xA;", "&#xa;", " ", "\n"} {
		if bytes.HasPrefix(t.text[i:a.to], []byte(end)) {
			i += len(end)
		}
	}
	var cell [3][]byte // digit, notes, editable
	for k := 0; i < a.to; {
		end := bytes.IndexByte(t.text[i:a.to], '|') + i
		if end < i {
			end = a.to
		}
		if end == i {
			i++ // version 2 has a bar twice
			continue
		}
		cell[k] = t.text[i:end]
		if k++; k == len(cell) {
			k = 0
			if len(cell[0]) != 1 || kinds[cell[0][0]] == isOther || kinds[cell[0][0]] == isLetter || string(cell[2]) != "0" && string(cell[2]) != "1" {
				return fail(i, "invalid cell %q: want a digit, notes and 0 or 1, each before a bar", bytes.Join(cell[:], []byte("|")))
			}
			noted = noted || string(cell[1]) != "0" && string(cell[1]) != "-"
			s := t.symbol(cell[0][0], 0, i-len(cell[0])-len(cell[1])-2)
			s.found = cell[2][0] == '1'
			r.symbols = append(r.symbols, s)
		}
		i = end + 1
	}
	if len(r.symbols) != 81 {
		return fail(a.at, "%s cells in the attribute %q of a game: want 81", strconv.Itoa(len(r.symbols)), a.name)
	}
	if noted {
		r.warnOnce(t.lines[0].number, "notes of a player are not read: they need not have all possible digits")
	}
	return nil
}
