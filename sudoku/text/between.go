package text

import (
	"bytes"
	"strings"
)

// skip skips lines between puzzles. Within a formula these lines belong to the
// formula.
func (r *Reader) skip(l line) (bool, error) {
	text := bytes.TrimSpace(l.text)
	switch {
	case len(text) == 0:
		if len(l.text) >= minRow-1 && isEmptyRow(l) {
			r.holdBarLine(l, false)
		}
		return true, nil
	case text[0] == '#':
		return true, r.readComment(l, text[1:])
	case text[0] == '%' && r.units.begun:
		r.units.finished = true
		return true, nil
	case text[0] == '%', bytes.HasPrefix(text, []byte("//")):
		return true, nil
	case r.skipping && !r.beginsSection(l):
		return true, nil
	}
	return false, nil
}

// readComment reads a comment, which can state the rules of the following
// puzzles.
func (r *Reader) readComment(l line, text []byte) error {
	text = bytes.TrimLeft(text, " \t")
	words, ok := bytes.CutPrefix(text, []byte("rules"))
	if !ok || len(words) > 0 && words[0] != ' ' && words[0] != '\t' {
		if len(text) >= 4 && bytes.EqualFold(text[:4], []byte("rule")) {
			r.warnOnce(l.number, "%s is read as a comment: want \"# rules\" and the rules", quoted(l.text))
		}
		return nil
	}
	return r.setStatedRules(l, string(bytes.TrimSpace(words)))
}

// setStatedRules sets the rules of the following puzzles to those of a text. An
// empty text resets them.
func (r *Reader) setStatedRules(l line, words string) error {
	r.badRulesLine = 0
	if words == "" {
		r.statedRules = nil
		return nil
	}
	r.badRulesLine = l.number
	rules, err := r.parseRules(words)
	if err != nil {
		return r.in.at(l, max(bytes.Index(l.text, []byte(words)), 0), "rules: %v", err)
	}
	if err := r.checkRules(l, rules); err != nil {
		return err
	}
	r.statedRules, r.badRulesLine = rules, 0
	return nil
}

// beginsSection reports whether a line is a section header such as "[Puzzle]".
func (r *Reader) beginsSection(l line) bool {
	text := bytes.TrimSpace(l.text)
	if len(text) < 3 || text[0] != '[' || text[len(text)-1] != ']' {
		return false
	}
	for _, c := range text[1 : len(text)-1] {
		if kinds[c] != isLetter && c != ' ' {
			return false
		}
	}
	return true
}

// readSection reads the header of a section. Of the sections of SadMan's
// program only [Puzzle] is read; a warning tells of others, such as [State], which has the
// same puzzle, partly solved.
func (r *Reader) readSection(l line) (*Puzzle, error) {
	name := string(bytes.TrimSpace(l.text))
	if r.skipping = !strings.EqualFold(name, "[puzzle]"); r.skipping {
		r.warnOnce(l.number, "the section "+name+" is not read: want %s", "[Puzzle]") // once for each name
	}
	return nil, nil
}

// beginsLabel reports whether a line is a label. The first word of a label has
// at least two letters and no other characters, and a colon or another word
// follows. A line is no label if all its words are groups of letters of the
// same length and no letter occurs twice, because it may be a row of a
// solution.
func (r *Reader) beginsLabel(l line) bool {
	words := strings.Fields(string(l.text[:min(len(l.text), 200)]))
	if len(words) == 0 {
		return false
	}
	first, colon := strings.CutSuffix(words[0], ":")
	if len(first) < 2 || !areLetters(first) {
		return false
	}
	if colon {
		return true
	}
	seen := ""
	for _, w := range words {
		if len(w) != len(first) || len(words) > 1 && strings.ContainsAny(seen, w) || !areLetters(w) {
			return true
		}
		seen += w
	}
	return false
}

func areLetters(word string) bool {
	return strings.IndexFunc(word, func(c rune) bool { return c > 127 || kinds[byte(c)] != isLetter }) < 0
}

// readLabel stores a label for the next puzzle. In a list of lines it can also be a
// puzzle that is damaged, which is worth a warning.
func (r *Reader) readLabel(l line) (*Puzzle, error) {
	r.labelLine = l.number
	if r.inList {
		r.warnf(l.number, "%s is read as the label of the next puzzle", quoted(l.text))
		r.labelLine = 0 // one warning is enough
	}
	text := string(bytes.TrimSpace(l.text[:min(len(l.text), 200)]))
	if r.label != "" {
		text = r.label + " " + text
	}
	r.label = text[:min(len(text), 400)]
	return nil, nil
}

// warnAtEnd reports what the end of the input shows to be useless or wrong.
func (r *Reader) warnAtEnd() {
	if r.label != "" && r.labelLine > 0 {
		r.warnf(r.labelLine, "no puzzle follows the label %s", quoted([]byte(r.label)))
	}
	r.checkAnnounced()
}

// checkAnnounced compares the number of puzzles with the last line that announced one.
func (r *Reader) checkAnnounced() {
	if a := r.announced; a.number > 0 && a.number != r.puzzles-a.before {
		r.warnf(a.line, "%d puzzles are announced, there are %d", a.number, r.puzzles-a.before)
	}
	r.announced = announcement{}
}

// An announcement is a line with a number of puzzles.
type announcement struct{ number, line, before int }
