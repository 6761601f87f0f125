package bands_test

import (
	"context"
	"fmt"

	"sator/sudoku"
	"sator/sudoku/internal/bands"
)

// grid parses a puzzle of 81 characters.
func grid(line string) *sudoku.Grid {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	for i, c := range line {
		if c != '.' {
			g.Cells[i] = int(c - '0')
		}
	}
	return g
}

// The example proves that a puzzle with 17 givens has one solution.
func ExampleSolver_Visit() {
	puzzle := grid(".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...")
	var s bands.Solver
	cells := make([]int, 81)
	complete := s.Visit(context.Background(), puzzle, func() bool {
		s.Solution(cells)
		fmt.Println(cells)
		return true
	})
	fmt.Println(complete, s.Stats().Branches)
	// Output:
	// [6 9 3 7 8 4 5 1 2 4 8 7 5 1 2 9 3 6 1 2 5 9 6 3 8 7 4 9 3 2 6 5 1 4 8 7 5 6 8 2 4 7 3 9 1 7 4 1 3 9 8 6 2 5 3 1 9 4 7 5 2 6 8 8 5 6 1 2 9 7 4 3 2 7 4 8 3 6 1 5 9]
	// true 0
}
