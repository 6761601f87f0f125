package cdcl_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Solve a formula and read the model.
func Example() {
	s := cdcl.New(cdcl.DefaultOptions())
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(-1, 3)...)
	s.Add(dimacs.Lits(-2, 3)...)
	s.Add(dimacs.Lits(-3, -1)...)
	fmt.Println(s.Solve(context.Background()))
	fmt.Println(s.Model().Lits())
	// Output:
	// SATISFIABLE
	// [-1 2 3]
}

// Solve one formula under several assumptions, and read the core.
func ExampleSolver_Failed() {
	s := cdcl.New(cdcl.DefaultOptions())
	s.Add(dimacs.Lits(-1, 2)...) // 1 implies 2
	s.Add(dimacs.Lits(-2, 3)...) // 2 implies 3
	ctx := context.Background()
	fmt.Println(s.Solve(ctx, dimacs.Lits(1, 4, -3)...))
	fmt.Println(s.Failed())
	fmt.Println(s.Solve(ctx, dimacs.Lits(1, 4)...))
	fmt.Println(s.Value(dimacs.FromInt(3)) == dimacs.True)
	// Output:
	// UNSATISFIABLE
	// [-3 1]
	// SATISFIABLE
	// true
}

// Enumerate all models by blocking clauses.
func ExampleSolver_Add() {
	s := cdcl.New(cdcl.DefaultOptions())
	s.Add(dimacs.Lits(1, 2, 3)...)
	s.Add(dimacs.Lits(-1, -2)...)
	n := 0
	for s.Solve(context.Background()) == dimacs.Satisfiable {
		n++
		var other []dimacs.Lit
		for _, l := range s.Model().Lits() {
			other = append(other, l.Not())
		}
		s.Add(other...)
	}
	fmt.Println(n, "models")
	// Output: 5 models
}

// Stop after a number of conflicts, and continue.
func ExampleSolver_SetLimits() {
	s := cdcl.New(cdcl.DefaultOptions())
	for p := range 7 { // seven pigeons, six holes
		var somewhere []dimacs.Lit
		for h := range 6 {
			somewhere = append(somewhere, dimacs.Var(6*p+h).Lit())
			for q := range p {
				s.Add(dimacs.Var(6*p+h).Lit().Not(), dimacs.Var(6*q+h).Lit().Not())
			}
		}
		s.Add(somewhere...)
	}
	s.SetLimits(cdcl.Limits{Conflicts: 10})
	fmt.Println(s.Solve(context.Background()))
	s.SetLimits(cdcl.Limits{})
	fmt.Println(s.Solve(context.Background()))
	// Output:
	// UNKNOWN
	// UNSATISFIABLE
}

// Simplify a formula, solve the simplified formula, and extend its model.
func ExampleSolver_Simplify() {
	f := dimacs.NewFormula(4)
	f.AddInts(1)
	f.AddInts(-1, 2, 3)
	f.AddInts(-1, -2, -3, 4)
	s := cdcl.New(cdcl.DefaultOptions())
	s.AddFormula(f)
	s.Simplify(context.Background(), 1)

	other := cdcl.New(cdcl.DefaultOptions())
	other.Grow(f.Vars())
	for c := range s.Simplified() {
		other.Add(c...)
	}
	records := dimacs.NewFormula(f.Vars())
	for c := range s.ReconstructionStack() {
		records.Add(c...)
	}
	fmt.Println(other.Solve(context.Background()))
	fmt.Println(other.Model().Reconstruct(records).Satisfies(f))
	// Output:
	// SATISFIABLE
	// true
}
