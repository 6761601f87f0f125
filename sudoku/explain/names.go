package explain

import (
	"fmt"
	"strings"

	"sator/sudoku"
)

// Names of candidates in sentences.

// statement returns the statement that a candidate is true or false: "R3C5=7" or "R3C5<>7".
func statement(r *sudoku.Rules, candidate int, value bool) string {
	cell, digit := r.Split(candidate)
	sign := "<>"
	if value {
		sign = "="
	}
	return fmt.Sprintf("%s%s%d", r.CellName(cell), sign, digit)
}

// listed joins words with commas and "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
