package text

import "bytes"

// Files of programs with puzzles in lines: libraries of HoDoKu, and the XML of
// OpenSudoku.
//
// A line of a HoDoKu library has fields between colons:
//
//	:0000:x:.5..83.17...1..4..3.4..56.8....3...9.9.8245....6....7...9....5...729..861.36.72.4:::
//
// The first is the code of a technique, the second its digits, the third the
// cells, and then follow eliminated candidates and a comment. A + precedes a digit
// that is placed but not given; it is read as a blank. The other fields are the
// label.
//
// In the XML of OpenSudoku, an element "game" has the cells in its attribute
// "data", in characters. Tags can have several lines. Other elements, with their text
// in the same line, are skipped.

// beginsHodoku reports whether a line is one of a HoDoKu library.
func beginsHodoku(l line) bool {
	return len(l.text) > 0 && l.text[0] == ':' && bytes.Count(l.text, []byte(":")) >= 4
}

// readHodoku reads a line of a HoDoKu library.
func (r *Reader) readHodoku(l line) (*Puzzle, error) {
	from := 1
	for range 2 {
		from += bytes.IndexByte(l.text[from:], ':') + 1
	}
	to := from + bytes.IndexByte(l.text[from:], ':')
	r.symbols = r.symbols[:0]
	for i := from; i < to; i++ {
		placed := l.text[i] == '+'
		if placed {
			i++
		}
		if i == to || kinds[l.text[i]] == isOther {
			return nil, r.in.at(l, min(i, to-1), "unexpected %q: want the cells of a puzzle", l.text[min(i, to-1)])
		}
		s := symbol{char: l.text[i], line: int32(l.number), column: int32(l.offset + i + 1)}
		if placed {
			s.char = dot
		}
		r.symbols = append(r.symbols, s)
	}
	if size := r.size(); len(r.symbols) != 81 || size > 0 && size != 9 {
		return nil, r.in.at(l, from, "%d cells in a line of a HoDoKu library: want 81 for size 9", len(r.symbols))
	}
	p, err := r.puzzleOf(r.symbols, r.rulesFor(9, 0), "line")
	if err != nil {
		return nil, err
	}
	p.addLabel(bytes.Trim(l.text[:from], ":"))
	p.addLabel(bytes.Trim(l.text[to:], ":"))
	return p, nil
}

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
