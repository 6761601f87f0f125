package explain

import (
	"fmt"
	"strings"

	"sator/sudoku"
)

// Names of candidates in sentences.

// equation returns the statement that a candidate is true: "R3C5=7".
func equation(r *sudoku.Rules, candidate int) string {
	cell, digit := r.Split(candidate)
	return fmt.Sprintf("%s=%d", r.CellName(cell), digit)
}

// inequation returns the statement that a candidate is false: "R3C5<>7".
func inequation(r *sudoku.Rules, candidate int) string {
	cell, digit := r.Split(candidate)
	return fmt.Sprintf("%s<>%d", r.CellName(cell), digit)
}

// statement returns the statement that a candidate has a truth value.
func statement(r *sudoku.Rules, candidate int, value bool) string {
	if value {
		return equation(r, candidate)
	}
	return inequation(r, candidate)
}

// listed joins words with commas and "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
