package cardinality

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/internal/inprocess"
)

// pairs returns n satisfiable pigeonhole formulas of two pigeons and two holes.
func pairs(n int) *dimacs.Formula {
	f := dimacs.NewFormula(4 * n)
	for i := range n {
		a, b, c, d := 4*i+1, 4*i+2, 4*i+3, 4*i+4 // pigeon 1 in hole 1, in hole 2; pigeon 2
		f.Add(dimacs.Lits(a, b)...)
		f.Add(dimacs.Lits(c, d)...)
		f.Add(dimacs.Lits(-a, -c)...)
		f.Add(dimacs.Lits(-b, -d)...)
	}
	return f
}

// A pass with too small a budget is repeated with twice the budget. A pass that has
// examined the whole formula is not repeated while the formula stays the same.
func TestDetectorBudget(t *testing.T) {
	h := inprocess.NewPlain(pairs(40), nil)
	d := Detector{used: 100}
	if d.Run(h, h.Vars(), 199); *h.Ticks() != 0 {
		t.Error("pass with too small a budget")
	}
	if d.Run(h, h.Vars(), 1); *h.Ticks() == 0 || d.used != 200 {
		t.Errorf("%+v: want a pass that used its budget up", d)
	}
	if d.Run(h, h.Vars(), 1e9); d.used != 0 || d.seen != h.Vars() {
		t.Errorf("%+v: want a pass over the whole formula", d)
	}
	before := *h.Ticks()
	if d.Run(h, h.Vars(), 1e9); *h.Ticks() != before {
		t.Error("second pass over the same formula")
	}
}
