package mus_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/mus"
)

// The rules of an installation, one of them superfluous for the conflict.
func Example() {
	f := dimacs.NewFormula(4)
	f.AddInts(1)      // install 1
	f.AddInts(-1, 2)  // 1 needs 2
	f.AddInts(-1, 3)  // 1 needs 3
	f.AddInts(-2, 4)  // 2 needs 4
	f.AddInts(-2, -3) // 2 excludes 3
	o := mus.Options{}
	o.Witnesses = true
	g := mus.Clauses(f)
	r := mus.Extract(context.Background(), g, o)
	fmt.Println(r.Status, r.Groups, r.Minimal)
	fmt.Println("verified:", r.Verify(context.Background(), g) == nil)
	// Output:
	// UNSATISFIABLE [1 2 3 5] true
	// verified: true
}

// All reasons of a conflict, and all ways to repair it.
func ExampleEnumerator() {
	f := dimacs.NewFormula(2)
	f.AddInts(1)
	f.AddInts(-1)
	f.AddInts(-1, 2)
	f.AddInts(-2)
	e := mus.NewEnumerator(mus.Clauses(f), mus.Options{})
	var reasons, repairs int
	for s := range e.Subsets(context.Background()) {
		if s.Correction {
			repairs++
		} else {
			reasons++
		}
	}
	fmt.Println(reasons, "reasons,", repairs, "repairs, all:", e.Exhausted())
	// Output: 2 reasons, 3 repairs, all: true
}

// A smallest change of groups: 1 belongs to the background.
func ExampleCorrect() {
	g := &dimacs.Grouped{Formula: dimacs.NewFormula(2), Groups: 2, Group: []int{0, 1, 1, 2}}
	g.Formula.AddInts(1)
	g.Formula.AddInts(-1, 2)
	g.Formula.AddInts(-2)
	g.Formula.AddInts(1, 2)
	fmt.Println(mus.Correct(context.Background(), g, mus.Options{}))
	// Output: [1] SATISFIABLE
}
