package technique_test

import (
	"context"
	"fmt"

	"sator/sudoku"
	"sator/sudoku/technique"
)

// board returns the board of a puzzle of size 9 that has one solution.
func board(line string) *technique.Board {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	for cell, c := range line {
		if c != '.' {
			g.Cells[cell] = int(c - '0')
		}
	}
	b := technique.NewBoard(g.Rules)
	b.Load(g)
	b.Unique = true
	return b
}

func ExampleRate() {
	r, err := technique.Rate(context.Background(), board(".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8"))
	fmt.Println(r.Hardest, r.Technique, r.Sum, r.Solved, err)
	// Output: 4.0 skyscraper 74.2 true <nil>
}

// Print the hardest steps on the way to the solution.
func ExamplePath() {
	b := board(".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8")
	_, err := technique.Path(context.Background(), b, func(now *technique.Board, s *technique.Step) {
		if s.Rating > 30 {
			fmt.Printf("%v %s: %s\n", s.Rating, s.Technique.Name, now.Reason(s))
		}
	})
	fmt.Println(err)
	// Output:
	// 4.0 skyscraper: 5 has two places in column 2 and two in column 7; not both R3C2 and R3C7 have it, so R6C2 or R5C7 has
	// <nil>
}
