package text

import (
	"bytes"
	"regexp"
	"sync"
)

// Formats that are recognized and not read. The rest of an input in such a format is
// skipped, so that it is one error.

// A foreignLine is the beginning of a line in such a format.
type foreignLine struct {
	begins *regexp.Regexp
	name   string
}

// foreign returns the beginnings of lines in these formats.
var foreign = sync.OnceValue(func() []foreignLine {
	return []foreignLine{
		{regexp.MustCompile(`(?i)^(https?://)?([\w.-]+\.)?f-puzzles\.com`), "a link to f-puzzles"},
		{regexp.MustCompile(`(?i)^(https?://)?([\w.-]+\.)?(sudokupad|crackingthecryptic)\.`), "a link to SudokuPad"},
		{regexp.MustCompile(`(?i)^https?://`), "a link"},
		{regexp.MustCompile(`^(fpuz(zles)?|sc[lf]|ctc)?N4I[A-Za-z0-9+/=_%-]{17,}$`), "a puzzle of f-puzzles or SudokuPad in a code"},
	}
})

// foreignMembers has the members of JSON objects by which a format of programs with cells
// in objects is recognized.
var foreignMembers = []struct {
	read    func(r *Reader, l line, text []byte) (*Puzzle, error)
	members []string
}{
	{(*Reader).readGnome, []string{"difficulty_category", "earmarks"}},
	{(*Reader).readFPuzzle, fForeign()},
	{(*Reader).readSudokuPad, []string{"metadata", "cages", "regions", "lines", "arrows", "overlays", "underlays", "cellSize", "centremarks", "pencilMarks"}},
}

// foreignFormat returns the name of the foreign format that a line begins, or "".
func foreignFormat(l line) string {
	text := bytes.TrimLeft(l.text, " \t")
	if len(text) == 0 || kinds[text[0]] != isLetter && text[0] != '<' || len(text) < 8 {
		return ""
	}
	for _, f := range foreign() {
		if f.begins.Match(text) {
			return f.name
		}
	}
	return ""
}

// beginsForeign reports whether a line begins a foreign format.
func (r *Reader) beginsForeign(l line) bool { return foreignFormat(l) != "" }

// readForeign returns the error of a foreign format. Links and codes in a row are one error.
func (r *Reader) readForeign(l line) (*Puzzle, error) {
	err := r.refuse(l, foreignFormat(l))
	if l.text[len(l.text)-1] != '>' {
		r.skipRest = r.skipLinks
	}
	return nil, err
}

// skipLinks skips lines in foreign formats, and blank lines among them.
func (r *Reader) skipLinks() {
	for {
		l, err := r.in.peek(0)
		if err != nil || len(bytes.TrimSpace(l.text)) > 0 && foreignFormat(l) == "" {
			return
		}
		r.drop(1)
	}
}

// refuse returns the error of a foreign format that begins in a line.
func (r *Reader) refuse(l line, name string) error {
	r.skipRest = r.skipAll
	return r.in.at(l, 0, "%s, which is not read: export the puzzle as text", name)
}
