package cardinality_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/cardinality"
	"sator/dpll/cdcl/internal/inprocess"
)

// Three pigeons do not fit into two holes.
func ExampleDetector_Run() {
	f := dimacs.NewFormula(6)
	for pigeon := range 3 {
		f.Add(dimacs.Lits(2*pigeon+1, 2*pigeon+2)...)
		for other := range pigeon {
			for hole := 1; hole <= 2; hole++ {
				f.Add(dimacs.Lits(-2*pigeon-hole, -2*other-hole)...)
			}
		}
	}
	h := inprocess.NewPlain(f, nil)
	var d cardinality.Detector
	stats := d.Run(h, f.Vars(), 1e6)
	fmt.Println(stats.Pigeonholes, h.Refuted())
	// Output: 1 true
}
