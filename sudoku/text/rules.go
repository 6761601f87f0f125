package text

import (
	"fmt"

	"sator/sudoku"
)

// ownRules parses the rules that are part of a puzzle, as in a game id, and hold for it alone.
// They must be equal to Reader.Rules if these are set.
func (r *Reader) ownRules(l line, words string) (*sudoku.Rules, error) {
	rules, err := r.parseRules(words)
	if err != nil {
		return nil, r.in.at(l, 0, "%v", err)
	}
	return rules, r.checkRules(l, rules)
}

// parseRules returns the rules of a text. It returns existing rules if they are
// equal.
func (r *Reader) parseRules(words string) (*sudoku.Rules, error) {
	v, err := sudoku.ParseVariant(words)
	if err != nil {
		return nil, err
	}
	for _, known := range []*sudoku.Rules{r.statedRules, r.Rules} {
		if known != nil && known.String() == v.String() {
			return known, nil
		}
	}
	if v.BoxRows > 0 && v.Plain() {
		return r.boxRules(boxes{v.Size, v.BoxCols}), nil
	}
	return sudoku.New(v)
}

// checkRules returns an error if the rules stated in the input differ from
// Reader.Rules.
func (r *Reader) checkRules(l line, rules *sudoku.Rules) error {
	if r.Rules != nil && r.Rules != rules && r.Rules.String() != rules.String() {
		return r.in.at(l, 0, "the input states the rules %s, want %s", shortName(rules), shortName(r.Rules))
	}
	return nil
}

// shortName returns the text of rules, shortened for a message.
func shortName(rules *sudoku.Rules) string {
	s := rules.String()
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// fixedRules returns the rules of the last "# rules" comment, else Reader.Rules. It
// returns nil if there are neither, so that the rules follow from the content.
func (r *Reader) fixedRules() *sudoku.Rules {
	if r.statedRules != nil {
		return r.statedRules
	}
	return r.Rules
}

// size returns the size that is stated or set, or 0 if the size follows from
// the content.
func (r *Reader) size() int {
	if rules := r.fixedRules(); rules != nil {
		return rules.Size()
	}
	return r.declaredSize
}

// rulesFor returns the rules of a grid of size n with boxes of the given number
// of columns, or 0 columns if it shows no boxes.
func (r *Reader) rulesFor(n, columns int) *sudoku.Rules {
	if rules := r.fixedRules(); rules != nil {
		return rules
	}
	if columns == 0 {
		columns = sudoku.Standard(n).BoxCols
	}
	return r.boxRules(boxes{n, columns})
}

// boxRules returns the rules with boxes and no other constraints. It makes them once
// for each shape of boxes.
func (r *Reader) boxRules(b boxes) *sudoku.Rules {
	rules := r.boxRulesMade[b]
	if rules == nil {
		rules = sudoku.Must(sudoku.Variant{Size: b.size, BoxRows: b.size / b.columns, BoxCols: b.columns})
		r.boxRulesMade[b] = rules
	}
	return rules
}
