package conquertest_test

import (
	"fmt"

	"sator/internal/conquertest"
)

// All cubes over the variables 4 and 5, from left to right.
func ExampleTree() {
	for _, cube := range conquertest.Tree(3, 2) {
		fmt.Println(cube)
	}
	// Output:
	// [4 5]
	// [4 -5]
	// [-4 5]
	// [-4 -5]
}
