package classic_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"sator/dimacs"
	"sator/dpll/classic"
)

// Solve a formula and read the model.
func Example() {
	s := classic.New(classic.DefaultOptions())
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

// Trace the search.
func ExampleTracer() {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2)
	f.AddInts(1, -2)
	f.AddInts(-1, 3, 4)
	f.AddInts(-3, -4)
	o := classic.DefaultOptions()
	o.Heuristic, o.Pure = "shortest", classic.PureOff
	o.Trace = classic.NewTextTracer(os.Stdout, f).Event
	s := classic.New(o)
	s.AddFormula(f)
	s.Solve(context.Background(), dimacs.FromInt(-4))
	// Output:
	// assume -4
	//   decide 1
	//     propagate 3 by clause 3: -1 3 4
	//     solution, 3 assigned
}

// Compare the search trees of heuristics on a random formula.
func ExampleSolver_Stats() {
	r := rand.New(rand.NewPCG(3, 3))
	f := dimacs.NewFormula(60)
	for range 256 {
		f.Add(dimacs.Lit(r.IntN(120)), dimacs.Lit(r.IntN(120)), dimacs.Lit(r.IntN(120)))
	}
	for _, name := range []string{"first", "dlis", "jw2", "mom"} {
		o := classic.DefaultOptions()
		o.Heuristic = name
		s := classic.New(o)
		s.AddFormula(f)
		fmt.Println(name, s.Solve(context.Background()), s.Stats().Nodes, "nodes")
	}
	// Output:
	// first UNSATISFIABLE 349 nodes
	// dlis UNSATISFIABLE 55 nodes
	// jw2 UNSATISFIABLE 43 nodes
	// mom UNSATISFIABLE 63 nodes
}

// Print the assumptions that contradict the formula.
func ExampleSolver_Failed() {
	s := classic.New(classic.DefaultOptions())
	s.Add(dimacs.Lits(-1, 2)...) // 1 implies 2
	s.Add(dimacs.Lits(-2, 3)...) // 2 implies 3
	fmt.Println(s.Solve(context.Background(), dimacs.Lits(1, 4, -3)...))
	fmt.Println(s.Failed())
	// Output:
	// UNSATISFIABLE
	// [1 -3]
}

// Visit all models, projected onto the first two variables.
func ExampleSolver_Models() {
	s := classic.New(classic.DefaultOptions())
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(-2, 3, 4)...)
	for m := range s.Models(context.Background(), []dimacs.Var{0, 1}) {
		fmt.Println(m.Lits())
	}
	// Output:
	// [1 2]
	// [1 -2]
	// [-1 2]
}

// Count models without enumerating them one by one.
func ExampleSolver_Count() {
	s := classic.New(classic.DefaultOptions())
	s.Grow(100)
	s.Add(dimacs.Lits(1, 2, 3)...)
	n, all := s.Count(context.Background(), nil)
	fmt.Println(n, all)
	// Output:
	// 1109194275199700726309615304704 true
}
