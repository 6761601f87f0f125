package shapes_test

import (
	"fmt"
	"strings"

	"sator/sudoku"
	"sator/sudoku/shapes"
)

func Example() {
	v, err := sudoku.ParseVariant("4 boxes 2x2 thermo R1C1+R1C2+R2C3 sum 5:R4C1+R4C2")
	if err != nil {
		panic(err)
	}
	under, over := shapes.New(sudoku.Must(v), 40, 0).SVG()
	fmt.Println(strings.Count(under, "<polygon"), strings.Contains(over, ">V</text>"))
	// Output: 6 true
}
