package kitten_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/kitten"
)

// Two of three clauses refute the assumptions.
func Example() {
	var k kitten.Solver
	k.Reset(10) // the owner has 10 variables
	k.Add(dimacs.Lits(-1, 7), 100)
	k.Add(dimacs.Lits(-7, 9), 101)
	k.Add(dimacs.Lits(2, 3), 102)
	fmt.Println(k.Solve(1000, k.Lit(dimacs.FromInt(1)), k.Lit(dimacs.FromInt(-9))))
	fmt.Println(k.CoreTags(k.Refutation))
	// Output:
	// UNSATISFIABLE
	// [100 101]
}
