package sudokutest_test

import (
	"fmt"

	"sator/internal/sudokutest"
)

func ExampleParse() {
	g := sudokutest.Parse(sudokutest.Nine, "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..")
	fmt.Println(g.Cells[:9], g.Givens())
	// Output: [0 0 3 0 2 0 6 0 0] 32
}

func ExampleGenerated() {
	all := sudokutest.Generated()
	fmt.Println(len(all), all[0].Rules)
	// Output: 100 9 boxes 3x3
}
