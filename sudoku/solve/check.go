package solve

import (
	"fmt"
	"slices"

	"sator/dimacs"
	"sator/sudoku"
)

// Every solution is checked before it is returned. A wrong one is an error of an engine or
// an encoding, and a panic.

// mustSolve panics unless the digits solve the puzzle.
func mustSolve(g *sudoku.Grid, cells []int) {
	solution := sudoku.Grid{Rules: g.Rules, Cells: cells}
	if err := solution.Solves(g); err != nil {
		panic("solve: the digits found are no solution: " + err.Error())
	}
}

// mustDecode returns the digits of a model. It panics if they break a rule or differ
// from the givens: then the engine or the encoding is wrong.
func mustDecode(variables *sudoku.Map, m dimacs.Model) []int {
	g, err := variables.Decode(m)
	if err != nil {
		panic(fmt.Sprintf("solve: the model is no solution: %v", err))
	}
	return slices.Clip(g.Cells)
}
