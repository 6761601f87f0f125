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

// Count the models of a formula with 1000 variables. Each model set is checked
// first.
func ExampleCounter() {
	f := dimacs.NewFormula(1000)
	f.AddInts(1, 2)
	var counter enumerate.Counter
	for set := range enumerate.New(f, enumerate.DefaultOptions()).ModelSets(context.Background()) {
		if err := set.Check(f, nil); err != nil {
			panic(err)
		}
		counter.Add(set)
	}
	fmt.Println(counter.Sets(), "sets,", counter.Models().BitLen(), "bits")
	// Output:
	// 2 sets, 1000 bits
}
