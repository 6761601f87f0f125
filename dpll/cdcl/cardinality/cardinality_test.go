package cardinality

import (
	"testing"

	"sator/dimacs"
	"sator/dpll/cdcl/inprocess"
)

// pairs returns n pairs of pigeons with two holes for each pair, which all fit.
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

// A pass whose budget ends before it has seen the formula is repeated once twice the
// budget is there. A pass that has seen the formula is not repeated while the formula
// is the same.
func TestDetectorBudget(t *testing.T) {
	h := inprocess.NewPlain(pairs(40), nil)
	d := Detector{used: 100}
	if d.Run(h, h.Vars(), 199); *h.Ticks() != 0 {
		t.Error("a pass with too small a budget")
	}
	if d.Run(h, h.Vars(), 1); *h.Ticks() == 0 || d.used != 200 {
		t.Errorf("no pass, or one that was enough: %+v", d)
	}
	if d.Run(h, h.Vars(), 1e9); d.used != 0 || d.seen != h.Vars() {
		t.Errorf("a large budget was not enough: %+v", d)
	}
	before := *h.Ticks()
	if d.Run(h, h.Vars(), 1e9); *h.Ticks() != before {
		t.Error("a pass over the same formula")
	}
}
