package twosat_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/twosat"
)

// Decide a formula and read the model.
func Example() {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(-1, 3)...)
	s.Imply(dimacs.FromInt(3), dimacs.FromInt(-1)) // the same as -3 or -1
	fmt.Println(s.Solve(context.Background()))
	fmt.Println(s.Model().Lits())
	// Output:
	// SATISFIABLE
	// [-1 2 -3]
}

// Solve under assumptions, and find why two of them are mutually exclusive.
func ExampleSolver_Solve() {
	tea, milk, lemon := dimacs.FromInt(1), dimacs.FromInt(2), dimacs.FromInt(3)
	s := twosat.New(nil)
	s.Imply(tea, lemon)
	s.Imply(lemon, milk.Not())
	ctx := context.Background()
	fmt.Println(s.Solve(ctx, tea), s.Model().Lit(milk) == dimacs.False)
	fmt.Println(s.Solve(ctx, milk, tea))
	fmt.Println("mutually exclusive:", s.Failed())
	fmt.Println("since", s.FailedChain())
	// Output:
	// SATISFIABLE true
	// UNSATISFIABLE
	// mutually exclusive: [1 2]
	// since 1 -> 3 -> -2
}

// Show why there is no solution.
func ExampleSolver_Refutation() {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(-1, 2)...)
	s.Add(dimacs.Lits(-2, -1)...)
	s.Add(dimacs.Lits(1, 3)...)
	s.Add(dimacs.Lits(1, -3)...)
	fmt.Println(s.Solve(context.Background()))
	r := s.Refutation()
	fmt.Println(r)
	fmt.Println(r.Clauses())
	// Output:
	// UNSATISFIABLE
	// 1 -> 2 -> -1 -> 3 -> 1
	// [[-1 2] [-2 -1] [1 3] [-3 1]]
}

// Find forced literals, which are true in every solution, equivalent literals and
// free variables.
func ExampleSolver_Forced() {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(1, 2)...) // 2 is forced: not 2 implies 1, and 1 implies 2
	s.Add(dimacs.Lits(-1, 2)...)
	s.Imply(dimacs.FromInt(3), dimacs.FromInt(-4)) // 3 and not 4 are equal
	s.Imply(dimacs.FromInt(-4), dimacs.FromInt(3))
	forced, status := s.Forced(context.Background())
	fmt.Println(status)
	fmt.Println("forced:", forced.Lits())
	fmt.Println("equal:", forced.Classes())
	for _, v := range forced.Free() {
		fmt.Println("free:", v.Int())
	}
	// Output:
	// SATISFIABLE
	// forced: [2]
	// equal: [[3 -4]]
	// free: 1
	// free: 3
	// free: 4
}

// Explain why a literal is true in every solution.
func ExampleSolver_Why() {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(5, 1)...)
	s.Add(dimacs.Lits(-1, 2)...)
	s.Add(dimacs.Lits(-2, 5)...)
	chain, ok := s.Why(dimacs.FromInt(5))
	fmt.Println(chain, ok)
	for _, c := range chain.Clauses() {
		fmt.Println(c)
	}
	// Output:
	// -5 -> 1 -> 2 -> 5 true
	// [5 1]
	// [-1 2]
	// [-2 5]
}

// Enumerate all solutions, and count them if there are too many.
func ExampleSolver_Models() {
	s := twosat.New(nil)
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(-2, 3)...)
	for m := range s.Models(context.Background()) {
		fmt.Println(m.Lits())
	}
	s.Grow(100)
	n, _ := s.Count(context.Background())
	fmt.Println(n)
	// Output:
	// [1 2 3]
	// [1 -2 3]
	// [1 -2 -3]
	// [-1 2 3]
	// 633825300114114700748351602688
}

// Find literals that the binary clauses of a formula force.
func ExampleBinaryPart() {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2)
	f.AddInts(-1, 2)
	f.AddInts(-2, 3, 4)
	s, longer := twosat.BinaryPart(context.Background(), f)
	forced, _ := s.Forced(context.Background())
	fmt.Println(forced.Lits(), longer)
	// Output: [2] 1
}

// Explain an answer by the clauses of a formula.
func ExampleExplainer() {
	f := dimacs.NewFormula(0)
	f.AddInts(5, 1)
	f.AddInts(-1, 2)
	f.AddInts(-2, 5)
	ctx := context.Background()
	s, _ := twosat.BinaryPart(ctx, f)
	x := &twosat.Explainer{Solver: s, Formula: f}
	forced, _ := x.Forced(ctx)
	reason, err := x.Reason(forced, dimacs.FromInt(5))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("why 5:", reason.Why.Chain)
	for _, step := range reason.Why.Steps {
		fmt.Println(step)
	}
	// Output:
	// why 5: -5 -> 1 -> 2 -> 5
	// -5 -> 1: clause 1, 5 1 0
	// 1 -> 2: clause 2, -1 2 0
	// 2 -> 5: clause 3, -2 5 0
}

// Find the strongly connected components of a graph.
func ExampleCondense() {
	g := twosat.NewGraph(5, []twosat.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}, {From: 2, To: 3}, {From: 4, To: 3}})
	c := twosat.Condense(g)
	for x := range uint32(c.Len()) {
		fmt.Println(x, c.Members(x), c.DAG().Row(x))
	}
	// Output:
	// 0 [3] []
	// 1 [0 1 2] [0]
	// 2 [4] [0]
}

// Decide which vertices reach which others, in constant time each.
func ExampleNewClosure() {
	g := twosat.NewGraph(4, []twosat.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 0, To: 2}, {From: 3, To: 2}})
	c := twosat.NewClosure(g, 1<<20) // up to a megabyte
	fmt.Println(c.HasTable(), c.Reaches(0, 2), c.Reaches(2, 0), c.Reaches(3, 1))
	fmt.Println("redundant edges:", g.Size()-c.Reduction().Size())
	// Output:
	// true true false false
	// redundant edges: 1
}
