package text

import "bytes"

// beginsElement reports whether a line begins with a tag of XML.
func (r *Reader) beginsElement(l line) bool {
	text := bytes.TrimLeft(l.text, " \t")
	return len(text) > 1 && text[0] == '<' && (kinds[text[1]] == isLetter || bytes.IndexByte([]byte("/?!"), text[1]) >= 0)
}

// readElement reads a tag of XML, which can have several lines, and returns the puzzle
// in an attribute. It returns an error for an attribute "data" without a puzzle, and
// for an element "game" without that attribute.
func (r *Reader) readElement(l line) (p *Puzzle, err error) {
	first, isGame := l.number, beginsGameElement(l)
	for {
		if p == nil && err == nil {
			p, err = r.attributePuzzle(l)
		}
		if bytes.IndexByte(l.text, '>') >= 0 {
			break
		}
		var end error
		if l, end = r.in.next(); end != nil {
			break
		}
	}
	if isGame && p == nil && err == nil {
		err = r.in.errorf(first, 1, "an element \"game\" without an attribute \"data\"")
	}
	return p, err
}

// beginsGameElement reports whether a line begins with a tag of the element game.
func beginsGameElement(l line) bool {
	rest, found := bytes.CutPrefix(bytes.TrimLeft(l.text, " \t"), []byte("<game"))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t/>"), rest[0]) >= 0)
}

// attributePuzzle returns the puzzle in a line of a tag, or nil if it has none.
func (r *Reader) attributePuzzle(l line) (*Puzzle, error) {
	if _, n := r.lineField(l); n > 0 && !r.isWanted("line") {
		return nil, r.wrongFormat(l)
	} else if n > 0 {
		return r.readLine(l)
	}
	if i := bytes.Index(l.text, []byte("data=")); i >= 0 {
		return nil, r.in.at(l, i, "the attribute \"data\" is no puzzle in characters")
	}
	return nil, nil
}
