package portfolio_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
	"sator/twosat"
)

// Solve a formula with the best engine.
func ExampleChoose() {
	f := dimacs.NewFormula(0)
	f.AddInts(1, -2)
	f.AddInts(2, 3)
	for range 2 {
		var s interface {
			Add(...dimacs.Lit)
			Solve(context.Context, ...dimacs.Lit) dimacs.Status
		}
		engine := portfolio.Choose(f)
		switch engine {
		case portfolio.TwoSAT:
			s = twosat.New(nil)
		case portfolio.CDCL:
			s = cdcl.New(cdcl.DefaultOptions())
		}
		for _, c := range f.Clauses() {
			s.Add(c...)
		}
		fmt.Println(engine, s.Solve(context.Background()))
		f.AddInts(1, 2, -3)
		f.AddInts(-1, -2)
	}
	// Output:
	// twosat SATISFIABLE
	// cdcl SATISFIABLE
}
