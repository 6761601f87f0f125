package maxsat_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/maxsat"
)

// A vertex cover of a cycle of five vertices, of least weight.
func Example() {
	w := dimacs.NewWeighted(5)
	for v := range 5 {
		w.Hard.AddInts(v+1, (v+1)%5+1)                    // an end of each edge
		w.AddSoft(int64(10+v), dimacs.Var(v).Lit().Not()) // the weight of a vertex
	}
	r := maxsat.Solve(context.Background(), w, maxsat.Options{})
	fmt.Println(r.Optimal, r.Cost, r.Model.Lits())
	fmt.Println("verified:", r.Verify(context.Background(), w) == nil)
	// Output:
	// true 34 [1 2 -3 4 -5]
	// verified: true
}

// Models are reported as they improve.
func ExampleOptions() {
	w := dimacs.NewWeighted(3)
	w.Hard.AddInts(-1, -2)
	w.Hard.AddInts(-2, -3)
	w.AddSoft(2, dimacs.Lits(1)...)
	w.AddSoft(3, dimacs.Lits(2)...)
	w.AddSoft(2, dimacs.Lits(3)...)
	o := maxsat.Options{}
	last := w.Total()
	o.Improved = func(cost int64, m dimacs.Model) { last = cost }
	r := maxsat.Solve(context.Background(), w, o)
	fmt.Println(r.Optimal, r.Cost == last, r.Cost)
	// Output: true true 3
}
