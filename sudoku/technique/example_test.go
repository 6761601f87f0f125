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
	fmt.Println(r.Hardest, r.Technique.Name, r.Sum, r.Solved, err)
	// Output: 4.4 W-wing 77.5 true <nil>
}

func ExampleBoard_Next() {
	b := board("....4...1.3.6.....8........1.9..5.........87....2......7....26.5...94.........3..")
	for range 3 {
		s := b.Next()
		fmt.Printf("%v %s: %s\n", s.Rating, s.Technique.Name, b.Reason(s))
		b.Apply(s)
	}
	// Output:
	// 2.0 direct hidden pair: in row 8, 2 and 6 have no place but R8C2 and R8C3, so 3 has no other place in row 8
	// 2.0 direct hidden pair: in box 8, 2 and 6 have no place but R9C5 and R9C6, so 7 has no other place in box 8
	// 1.5 hidden single: 7 has no other place in row 4
}
