package enumerate_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/enumerate"
)

// Print all models, projected onto the first two of four variables.
func Example() {
	f := dimacs.NewFormula(4)
	f.AddInts(1, 2)
	f.AddInts(-1, 3)
	o := enumerate.DefaultOptions()
	o.Project = []dimacs.Var{0, 1}
	e := enumerate.New(f, o)
	for m := range e.Models(context.Background()) {
		fmt.Println(m.Lits())
	}
	fmt.Println("complete:", e.Exhausted())
	// Output:
	// [1 2]
	// [1 -2]
	// [-1 2]
	// complete: true
}
