package inprocess_test

import (
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// failed is a pass that finds literals which imply another literal and its complement.
func failed(h inprocess.Host, ticks int64) {
	b := inprocess.NewBudget(h, ticks)
	g := h.Implications(false)
	if g == nil {
		return
	}
	var units []inprocess.Unit
	for l := dimacs.Lit(0); int(l) < 2*h.Vars() && !b.Spent(); l++ {
		*b.Ticks += g.Cost(l)
		implied := map[uint32]bool{}
		for _, m := range g.Row(l) {
			if implied[m^1] {
				units = append(units, inprocess.Unit{Lit: l.Not()})
				break
			}
			implied[m] = true
		}
	}
	h.AddUnits(units)
}

func Example() {
	f := dimacs.NewFormula(2)
	f.Add(dimacs.Lits(-1, 2)...)
	f.Add(dimacs.Lits(-1, -2)...)
	h := inprocess.NewPlain(f, nil)
	failed(h, 1000)
	fmt.Println(h.Trail()[0].Int())
	// Output: -1
}
