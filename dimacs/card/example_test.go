package card_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dimacs/card"
	"sator/dpll/cdcl"
)

// Choose three of five guests, of whom the first and the last do not come together.
func Example() {
	guests := dimacs.Lits(1, 2, 3, 4, 5)
	f := dimacs.NewFormula(len(guests))
	e := card.NewEncoder(f)
	e.Define = true // so that the models can be counted
	e.Exactly(guests, 3)
	e.AtMost(dimacs.Lits(1, 5), 1)

	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	models := s.Enumerate(nil)
	n := 0
	for range models.Models(context.Background()) {
		n++
	}
	fmt.Println(n, "ways")
	// Output: 7 ways
}

// Find the smallest number of true literals by tightening the bound of a solver.
func ExampleTotalizer() {
	s := cdcl.New(cdcl.Options{})
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(2, 3)...)
	s.Add(dimacs.Lits(3, 4)...)
	lits := dimacs.Lits(1, 2, 3, 4)
	t := card.NewEncoder(s).NewTotalizer(lits)
	for k := len(lits); k > 0; k-- {
		atMost := t.AtLeast(k).Not() // at most k-1
		if s.Solve(context.Background(), atMost) == dimacs.Unsatisfiable {
			fmt.Println("the minimum is", k)
			break
		}
	}
	// Output: the minimum is 2
}

// A knapsack: values of at least 12 with weights of at most 10.
func ExampleEncoder_SumAtMost() {
	items := dimacs.Lits(1, 2, 3, 4)
	weights, values := []int64{5, 4, 6, 3}, []int64{10, 7, 5, 3}
	var load, gain []card.Term
	for i, l := range items {
		load = append(load, card.Term{Lit: l, Weight: weights[i]})
		gain = append(gain, card.Term{Lit: l, Weight: values[i]})
	}
	s := cdcl.New(cdcl.Options{})
	e := card.NewEncoder(s)
	e.SumAtMost(load, 10)
	e.SumAtLeast(gain, 14)
	if s.Solve(context.Background()) == dimacs.Satisfiable {
		fmt.Println(s.Model()[:len(items)].Lits())
	}
	// Output: [1 2 -3 -4]
}

// The encodings differ in size.
func ExampleEncoding_Between() {
	lits := make([]dimacs.Lit, 100)
	for i := range lits {
		lits[i] = dimacs.Var(i).Lit()
	}
	for _, name := range []string{"sequential", "totalizer", "network"} {
		f := dimacs.NewFormula(len(lits))
		c, _ := card.FindEncoding(name)
		c.Between(card.NewEncoder(f), lits, 0, 50)
		fmt.Println(name, f.Len(), "clauses,", f.Vars()-len(lits), "new variables")
	}
	// Output:
	// sequential 7450 clauses, 3725 new variables
	// totalizer 4398 clauses, 623 new variables
	// network 2901 clauses, 1917 new variables
}
