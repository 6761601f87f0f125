package backbone_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/backbone"
)

// Versions of packages: find the ones in every installation.
func Example() {
	f := dimacs.NewFormula(4)
	f.AddInts(1)        // the program
	f.AddInts(-1, 2, 3) // needs 2 or 3
	f.AddInts(-2, 4)    // 2 needs 4
	f.AddInts(-3, 4)    // 3 needs 4
	o := backbone.Options{}
	o.Witnesses = true
	r := backbone.Find(context.Background(), f, o)
	fmt.Println(r.Status, r.Backbone, r.Complete())
	fmt.Println("verified:", r.Verify(context.Background(), f) == nil)
	// Output:
	// SATISFIABLE [1 4] true
	// verified: true
}

// A limit leaves some literals open.
func ExampleFind() {
	f := dimacs.NewFormula(3)
	f.AddInts(1, 2)
	f.AddInts(1, -2, 3)
	f.AddInts(1, -2, -3)
	o := backbone.Options{}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(p backbone.Progress) { cancel() } // after the first call
	r := backbone.Find(ctx, f, o)
	fmt.Println(r.Status, r.Backbone, r.Open)
	// Output:
	// SATISFIABLE [] [1]
}
