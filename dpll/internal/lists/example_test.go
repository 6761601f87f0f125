package lists_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/internal/lists"
)

func Example() {
	x := lists.New(4, func(yield func(dimacs.Lit, int)) {
		for i, c := range [][]dimacs.Lit{dimacs.Lits(1, 2), dimacs.Lits(-1, 2)} {
			for _, l := range c {
				yield(l, i)
			}
		}
	})
	fmt.Println(x.Of(0), x.Of(1), x.Of(2), x.Of(3))
	// Output: [0] [1] [0 1] []
}
