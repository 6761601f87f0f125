package text

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// Links and codes, as players paste them. They are decoded here; nothing is fetched.
//
//	https://www.sudokuwiki.org/sudoku.htm?bd=0400...   the cells as a value in the query
//	https://www.f-puzzles.com/?load=N4Ig...            JSON of f-puzzles, compressed
//	https://sudokupad.app/fpuzN4Ig...                  the same, as also fpuzzlesN4Ig...
//	https://sudokupad.app/sclN4Sw...                   JSON of SudokuPad, compressed, as also ctcN4Ig...
//	https://sudokupad.app/scfooepCr0DWBs...            digits, each with the number of blanks behind it
//	N4Ig...                                            a code alone
//
// Other links name a puzzle on a server, or have a code of another kind; see foreign.go.

// linkPatterns are the beginnings of links and codes.
var linkPatterns = sync.OnceValue(func() (p struct{ link, cells, code, packed *regexp.Regexp }) {
	p.link = regexp.MustCompile(`(?i)^(https?://)?([\w-]+\.)+[a-z]{2,}(:\d+)?/`)
	p.cells = regexp.MustCompile(`[?&#](\w+=)?([0-9.]{16,})(&|#|$)`)
	p.code = regexp.MustCompile(`(^|[?&]load=|[/=])((?:fpuz(?:zles)?)?N4I|(?:scl|ctc)N4)([A-Za-z0-9+/=_-]{13,})($|[?&#])`)
	p.packed = regexp.MustCompile(`(^|[/=])scf([0-9A-Za-x]+)($|[?&#])`)
	return p
})

// linkOf returns the cells, or the code with its prefix, in a line with a link or a code alone.
func linkOf(l line) (cells, code string) {
	text := bytes.TrimSpace(l.text)
	if len(text) < 16 || kinds[text[0]] != isLetter || bytes.ContainsAny(text, " \t") {
		return "", ""
	}
	p := linkPatterns()
	link := p.link.Match(text)
	plain := unescaped(string(text))
	if m := p.code.FindStringSubmatch(plain); m != nil && (link || strings.HasPrefix(plain, m[0])) {
		return "", m[2] + strings.NewReplacer("-", "+", "_", "/").Replace(m[3])
	}
	if m := p.cells.FindStringSubmatch(plain); m != nil && link && squareRoot(len(m[2])) > 0 {
		return m[2], ""
	}
	if m := p.packed.FindStringSubmatch(plain); m != nil && (link || m[1] == "") {
		if cells := unpackedCells(m[2]); squareRoot(len(cells)) > 0 {
			return cells, ""
		}
	}
	return "", ""
}

// unpackedCells returns the cells of a code of SudokuPad for plain puzzles: a character stands for a
// digit, 0 if it is a blank, and for up to five blanks behind it.
func unpackedCells(code string) string {
	var b strings.Builder
	for i := range len(code) {
		k := strings.IndexByte("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx", code[i])
		b.WriteByte(byte('0' + k%10))
		b.WriteString("00000"[:k/10])
	}
	return b.String()
}

// unescaped returns a link with the characters that codes are made of.
func unescaped(link string) string {
	return strings.NewReplacer("%2B", "+", "%2b", "+", "%2F", "/", "%2f", "/", "%3D", "=", "%3d", "=").Replace(link)
}

// beginsLink reports whether a line is a link or a code that is read.
func (r *Reader) beginsLink(l line) bool {
	cells, code := linkOf(l)
	return cells != "" || code != ""
}

// readLink reads a link or a code.
func (r *Reader) readLink(l line) (*Puzzle, error) {
	cells, code := linkOf(l)
	if code != "" {
		read, name := r.readFPuzzle, "f-puzzles"
		if code[0] == 's' || code[0] == 'c' {
			read, name = r.readSudokuPad, "SudokuPad"
		}
		text, err := unpack(code[strings.Index(code, "N4"):])
		if err != nil {
			return nil, r.in.at(l, 0, "a code of %s: %v", name, err)
		}
		return read(l, []byte(text))
	}
	symbols := make([]symbol, len(cells))
	at := bytes.Index(l.text, []byte(cells))
	for i := range symbols {
		if symbols[i] = l.blank(); at >= 0 {
			symbols[i].column = int32(l.offset + at + i + 1)
		}
		symbols[i].char = cells[i]
	}
	return r.puzzleOf(symbols, r.rulesFor(squareRoot(len(cells)), 0), "link")
}
