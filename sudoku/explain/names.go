package explain

import (
	"fmt"
	"strconv"
	"strings"

	"sator/sudoku"
)

// Names of cells, digits, candidates and houses in sentences.

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

// houseOfGroup returns the name of the house of a group that is not a cell.
func houseOfGroup(r *sudoku.Rules, group int) string {
	return r.Houses()[(group-r.Cells())/r.Size()].String()
}

// cageName returns a name of a cage with its first cell and its sum.
func cageName(r *sudoku.Rules, cage int) string {
	c := r.Cages()[cage]
	return fmt.Sprintf("the cage of %d at %s", c.Sum, r.CellName(c.Cells[0]))
}

// cellNames returns a list of cells: "R1C1, R1C2 and R3C5".
func cellNames(r *sudoku.Rules, cells []int) string {
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = r.CellName(cell)
	}
	return listed(names)
}

// digitNames returns a list of digits: "1, 2 and 9".
func digitNames(digits []int) string {
	names := make([]string, len(digits))
	for i, digit := range digits {
		names[i] = strconv.Itoa(digit)
	}
	return listed(names)
}

// candidateNames returns a list of ascending candidates, cell by cell: "1 and 2
// from R1C1 and 3 from R1C2".
func candidateNames(r *sudoku.Rules, candidates []int) string {
	var parts []string
	for i := 0; i < len(candidates); {
		cell, _ := r.Split(candidates[i])
		var digits []int
		for ; i < len(candidates); i++ {
			other, digit := r.Split(candidates[i])
			if other != cell {
				break
			}
			digits = append(digits, digit)
		}
		parts = append(parts, fmt.Sprintf("%s from %s", digitNames(digits), r.CellName(cell)))
	}
	return listed(parts)
}

// listed joins words with commas and "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
