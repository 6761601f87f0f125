package xor_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
	"sator/dpll/cdcl/internal/xor"
)

// The sum of the XOR constraints x1 + x2 + x3 = 1 and x1 + x2 + x3 + x4 = 1 is x4 = 0.
func ExampleRun() {
	f := dimacs.NewFormula(4)
	for signs := range 16 {
		var c []int
		odd := false
		for v := 1; v <= 4; v++ {
			if signs>>(v-1)&1 != 0 {
				c, odd = append(c, -v), !odd
			} else {
				c = append(c, v)
			}
		}
		if !odd {
			f.Add(dimacs.Lits(c...)...) // excludes an even sum of all four
		}
		if !odd && signs < 8 || odd && signs >= 8 {
			f.Add(dimacs.Lits(c[:3]...)...) // excludes an even sum of the first three
		}
	}
	h := inprocess.NewPlain(f, nil)
	stats := xor.Run(h, 1e6)
	fmt.Println(stats.Units, h.Trail()[0].Int())
	// Output: 1 -4
}
