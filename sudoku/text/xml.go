package text

import (
	"bytes"
	"io"
	"regexp"
	"sync"
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

// xmlSyntax has the expressions of an attribute, and of the beginning and a cell of the data of
// a game: digit, notes, editable. Version 2 has a bar twice.
var xmlSyntax = sync.OnceValue(func() (x struct{ attribute, version, cell *regexp.Regexp }) {
	x.attribute = regexp.MustCompile(`([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	x.version = regexp.MustCompile(`^\s*version:\s*(\d*)(?:\s|&#\w+;)*`)
	x.cell = regexp.MustCompile(`(\d)\|([\d,-]+)\|\|?([01])\|`)
	return x
})

// attributes returns the attributes of a tag.
func (t *passage) attributes() []attribute {
	var all []attribute
	for _, m := range xmlSyntax().attribute.FindAllSubmatchIndex(t.text, -1) {
		all = append(all, attribute{string(t.text[m[2]:m[3]]), m[2], max(m[4], m[6]), max(m[5], m[7])})
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
	value, known := t.text[a.from:a.to], r.size()
	r.symbols = r.symbols[:0]
	fail := func(index int, format string, args ...any) (*Puzzle, error) {
		line, column := t.position(index)
		return nil, r.in.errorf(line, column, format, args...)
	}
	if head := xmlSyntax().version.FindSubmatch(value); head != nil {
		if v := string(head[1]); v != "1" && v != "2" && v != "3" {
			return fail(a.from, "version %q of the cells of OpenSudoku: want 1 to 3", v)
		}
		if at := r.gameCells(t, a.from+len(head[0]), a.to); at < a.to || len(r.symbols) != 81 {
			return fail(at, "the attribute %q has %d cells before this one: want 81, each a digit, notes and 0 or 1, with a bar after each", a.name, len(r.symbols))
		}
	} else {
		for i, c := range value {
			if kinds[c] == isOther || squareRoot(len(value)) < minRow {
				return fail(a.at, "the attribute %q is no puzzle in characters", a.name)
			}
			r.symbols = append(r.symbols, t.symbol(c, 0, a.from+i))
		}
	}
	n := squareRoot(len(r.symbols))
	if n == 0 || known > 0 && n != known {
		return fail(a.at, "the attribute %q has %d cells: want %d for size %d", a.name, len(r.symbols), known*known, known)
	}
	return r.puzzleOf(r.symbols, r.rulesFor(n, 0), "line")
}

// playerNotes is the warning about notes.
const playerNotes = "notes of a player are not read: they need not have all possible digits"

// gameCells appends the cells of a game to r.symbols. It returns the index at which they end.
func (r *Reader) gameCells(t *passage, from, to int) int {
	at, noted := from, false
	for _, m := range xmlSyntax().cell.FindAllSubmatchIndex(t.text[from:to], -1) {
		if from+m[0] != at {
			break
		}
		s := t.symbol(t.text[at], 0, at)
		s.found = t.text[from+m[6]] == '1'
		r.symbols = append(r.symbols, s)
		notes := string(t.text[from+m[4] : from+m[5]])
		noted = noted || notes != "0" && notes != "-"
		at = from + m[1]
	}
	if noted {
		r.warnOnce(t.lines[0].number, playerNotes)
	}
	return at
}
