package circuit_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/circuit"
	"sator/dpll/cdcl/internal/inprocess"
)

func ExampleFind() {
	f := dimacs.NewFormula(0)
	f.AddInts(3, -1, -2) // 3 is the conjunction of 1 and 2
	f.AddInts(-3, 1)
	f.AddInts(-3, 2)
	n, _ := circuit.Find(inprocess.NewPlain(f, nil), 1e6)
	for _, v := range n.Sorted {
		fmt.Println(dimacs.Lit(2*v), n.Inputs(v))
	}
	// Output:
	// 1 []
	// 2 []
	// 3 [1 2]
}
