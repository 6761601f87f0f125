package lookahead_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/lookahead"
)

func Example() {
	f := dimacs.NewFormula(6)
	for i := range 6 { // variables that differ from the next one, in a circle
		f.AddInts(i+1, (i+1)%6+1)
		f.AddInts(-i-1, -(i+1)%6-1)
	}
	s := lookahead.New(inprocess.NewPlain(f, nil))
	fmt.Println(s.Random(), s.Run(1000))
	// Output: false SATISFIABLE
}
