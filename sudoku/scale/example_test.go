package scale_test

import (
	"context"
	"fmt"

	"sator/sudoku"
	"sator/sudoku/scale"
)

// Rate a puzzle as the forum writes it, and print the steps that are not easy.
func Example() {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	for cell, c := range "1..9.2..3............8.5....7..2..3...5...2....15674...49...67....7.9....1.346.2." {
		if c != '.' {
			g.Cells[cell] = int(c - '0')
		}
	}
	rating, err := scale.NewRater("se").Path(context.Background(), g, func(s *scale.Step) {
		if s.Rating > 40 {
			fmt.Println(s.Rating, s.Technique)
		}
	})
	fmt.Printf("%v/%v/%v %v\n", rating.Hardest, rating.Pearl, rating.Diamond, err)
	// Output:
	// 6.6 X-chain
	// 7.1 alternating inference chain
	// 7.1/1.2/1.2 <nil>
}
