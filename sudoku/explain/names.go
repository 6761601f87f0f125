package explain

import (
	"fmt"
	"slices"
	"strconv"
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

// eliminations returns candidates as "R1C78,R3C4<>1 and R2C3<>49". Up to size 9, cells of a row or a
// column share its name, and digits their cells.
func eliminations(r *sudoku.Rules, candidates []int) string {
	var places, digits []string // the same cells, their digits
	for digit := 1; digit <= r.Size(); digit++ {
		var cells []int
		for _, candidate := range candidates {
			if cell, d := r.Split(candidate); d == digit {
				cells = append(cells, cell)
			}
		}
		if len(cells) == 0 {
			continue
		}
		name := cellsTogether(r, cells)
		if i := slices.Index(places, name); i >= 0 && r.Size() <= 9 {
			digits[i] += strconv.Itoa(digit)
		} else {
			places, digits = append(places, name), append(digits, strconv.Itoa(digit))
		}
	}
	for i, name := range places {
		places[i] = name + "<>" + digits[i]
	}
	return listed(places)
}

// cellsTogether returns the names of cells with commas between them: "R1C78,R3C4".
func cellsTogether(r *sudoku.Rules, cells []int) string {
	plan := r.Plan()
	single := max(plan.Rows, plan.Cols) <= 9 // numbers of one digit
	var names []string
	for len(cells) > 0 {
		together := cells[:1]
		row := func(cell int) int { return plan.Place(cell).Row + 1 }
		column := func(cell int) int { return plan.Place(cell).Col + 1 }
		for _, line := range []func(int) int{row, column} {
			if same := having(cells, line, line(cells[0])); single && len(same) > len(together) {
				together = same
			}
		}
		names = append(names, "R"+numbers(together, row)+"C"+numbers(together, column))
		cells = slices.DeleteFunc(slices.Clone(cells), func(cell int) bool { return slices.Contains(together, cell) })
	}
	return strings.Join(names, ",")
}

// having returns the cells in a line of a number.
func having(cells []int, line func(int) int, number int) []int {
	return slices.DeleteFunc(slices.Clone(cells), func(cell int) bool { return line(cell) != number })
}

// numbers returns the different numbers of the lines of cells, one after the other.
func numbers(cells []int, line func(int) int) string {
	text, last := "", 0
	for _, cell := range cells {
		if line(cell) != last {
			last = line(cell)
			text += strconv.Itoa(last)
		}
	}
	return text
}

// listed joins words with commas and "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
