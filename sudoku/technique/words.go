package technique

import (
	"fmt"
	"strconv"
	"strings"
)

// Names of cells, digits and houses in sentences.

// maxNames is the largest number of names in a list. Longer lists end with "and 12 others".
const maxNames = 9

// listed joins words with commas and "and".
func listed(words []string) string {
	last := len(words) - 1
	switch {
	case len(words) > maxNames:
		return fmt.Sprintf("%s and %d others", strings.Join(words[:maxNames-1], ", "), len(words)-maxNames+1)
	case len(words) > 1:
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}

// candidateNames returns a list of candidates: "R1C1=5 and R3C5=7".
func (b *Board) candidateNames(candidates []int) string {
	names := make([]string, len(candidates))
	for i, c := range candidates {
		names[i] = b.statement(on(c))
	}
	return listed(names)
}

// cellNames returns a list of cells: "R1C1, R1C2 and R3C5".
func (b *Board) cellNames(cells []int) string {
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = b.rules.CellName(cell)
	}
	return listed(names)
}

// houseNames returns a list of houses of the same kind: "rows 1 and 4".
func (b *Board) houseNames(houses []int) string {
	names := make([]string, len(houses))
	for i, h := range houses {
		names[i] = strconv.Itoa(b.rules.Houses()[h].Index + 1)
	}
	first, in := b.rules.Houses()[houses[0]], ""
	if first.Grid > 0 {
		in = fmt.Sprintf(" of grid %d", first.Grid)
	}
	return fmt.Sprintf("%ss %s%s", first.Kind, listed(names), in)
}

// digitNames returns a list of digits: "1, 2 and 9".
func digitNames(digits []int) string {
	names := make([]string, len(digits))
	for i, digit := range digits {
		names[i] = strconv.Itoa(digit)
	}
	return listed(names)
}

// MaxReason is the largest length of the reason of a step in bytes.
const MaxReason = 200

// statement returns a literal in words: "R3C5=7" or "R3C5<>7".
func (b *Board) statement(l literal) string {
	cell, digit := b.rules.Split(l.candidate())
	if l.isOff() {
		return fmt.Sprintf("%s<>%d", b.rules.CellName(cell), digit)
	}
	return fmt.Sprintf("%s=%d", b.rules.CellName(cell), digit)
}

// chainText returns a chain in words.
func (b *Board) chainText(chain []link) string {
	text := fmt.Sprintf("if %s, then ", b.statement(chain[0].literal))
	for i, l := range chain[1:] {
		if i > 0 {
			text += ", so "
		}
		text += b.statement(l.literal)
	}
	return text
}

// shortened returns a text, or a summary of the chain if it is too long.
func (b *Board) shortened(s *Step, text string) string {
	if len(text) <= MaxReason {
		return text
	}
	first, last := s.chain[0].literal, s.chain[len(s.chain)-1].literal
	return fmt.Sprintf("if %s, then %s, by %d implications", b.statement(first), b.statement(last), len(s.chain)-1)
}
