package main

import (
	"context"
	"math/rand/v2"
	"testing"

	"sator/dimacs"
	"sator/twosat"
)

// TestCutShapes checks that the engine accepts the formulas of each shape, and
// that most shapes yield both answers.
func TestCutShapes(t *testing.T) {
	both := 0
	shapes := cutShapes()
	for _, s := range shapes {
		seen := map[dimacs.Status]int{}
		for seed := range uint64(100) {
			solver, err := twosat.From(s.Make(rand.New(rand.NewPCG(seed, 1)), 12), nil)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", s.Name, seed, err)
			}
			seen[solver.Solve(context.Background())]++
		}
		t.Log(s.Name, seen)
		if seen[dimacs.Satisfiable] >= 10 && seen[dimacs.Unsatisfiable] >= 10 {
			both++
		}
	}
	if 4*both < 3*len(shapes) {
		t.Errorf("%d of %d shapes yield both answers", both, len(shapes))
	}
}
