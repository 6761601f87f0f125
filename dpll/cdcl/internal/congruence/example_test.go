package congruence_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/congruence"
	"sator/dpll/cdcl/internal/inprocess"
)

// Two AND gates with the same inputs have equivalent outputs.
func ExampleCloser_Run() {
	f := dimacs.NewFormula(4)
	for out := 3; out <= 4; out++ {
		f.Add(dimacs.Lits(out, -1, -2)...)
		f.Add(dimacs.Lits(-out, 1)...)
		f.Add(dimacs.Lits(-out, 2)...)
	}
	h := inprocess.NewPlain(f, nil)
	var c congruence.Closer
	stats := c.Run(h, 1e6)
	fmt.Println(stats.Ands, stats.Merged)
	// Output: 2 1
}
