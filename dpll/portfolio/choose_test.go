package portfolio_test

import (
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/dpll/portfolio"
	"sator/twosat"
)

func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		name    string
		clauses [][]int
		want    portfolio.Engine
	}{
		{"no clauses", nil, portfolio.TwoSAT},
		{"the empty clause", [][]int{{}}, portfolio.TwoSAT},
		{"units", [][]int{{1}, {-2}}, portfolio.TwoSAT},
		{"binaries", [][]int{{1, 2}, {-2, 3}, {4}}, portfolio.TwoSAT},
		{"repeated literals", [][]int{{1, 2, 1, 2}}, portfolio.TwoSAT},
		{"a long tautology", [][]int{{1, 2}, {1, 2, 3, -1}}, portfolio.TwoSAT},
		{"a long clause first", [][]int{{1, 2, -3}, {1, 2}, {-1, -2}}, portfolio.CDCL},
		{"a long clause last", [][]int{{1, 2}, {-1, -2}, {3}, {1, -2, 3}}, portfolio.CDCL},
		{"long rules", [][]int{{-1, -2, 3}, {1}, {-3, -2}}, portfolio.HornSAT},
		{"long rules with other signs", [][]int{{1, 2, -3}, {3, 2}, {4}}, portfolio.HornSAT},
	} {
		f := dimacs.NewFormula(0)
		for _, c := range tt.clauses {
			f.AddInts(c...)
		}
		if got := portfolio.Choose(f); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The chosen engine supports the formula: Choose returns TwoSAT if package twosat does,
// and else HornSAT if NewHorn does.
func TestChooseSupported(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[portfolio.Engine]int{}
	for range 2000 {
		f := dimacs.NewFormula(0)
		for range r.IntN(6) {
			c := make([]dimacs.Lit, r.IntN(5))
			for i := range c {
				c[i] = dimacs.Lit(r.IntN(12))
			}
			f.Add(c...)
		}
		_, err := twosat.From(f, nil)
		got := portfolio.Choose(f)
		if (err == nil) != (got == portfolio.TwoSAT) {
			t.Fatalf("chosen: %v; error of twosat: %v; formula:\n%v", got, err, f)
		}
		if got != portfolio.TwoSAT && (portfolio.NewHorn(f, nil) != nil) != (got == portfolio.HornSAT) {
			t.Fatalf("chosen: %v; formula:\n%v", got, f)
		}
		seen[got]++
	}
	if seen[portfolio.TwoSAT] < 100 || min(seen[portfolio.CDCL], seen[portfolio.HornSAT]) < 100 {
		t.Errorf("too few formulas of an engine: %v", seen)
	}
}

func TestEngineNames(t *testing.T) {
	for e, want := range map[portfolio.Engine]string{portfolio.CDCL: "cdcl", portfolio.TwoSAT: "twosat", portfolio.HornSAT: "horn", 9: "Engine(9)"} {
		if got := e.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
