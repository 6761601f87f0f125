package symmetry_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/symmetry"
)

// Three variables are interchangeable, and one of them must be true. So the first one may be
// assumed to be true.
func ExampleRun() {
	f := dimacs.NewFormula(3)
	f.Add(dimacs.Lits(1, 2, 3)...)
	f.Add(dimacs.Lits(-1, -2, -3)...)
	h := inprocess.NewPlain(f, nil)
	c, _ := symmetry.Run(h, inprocess.NewBudget(h, 1e6), nil)
	fmt.Println(c.Clauses)
	// Output: [[1]]
}
