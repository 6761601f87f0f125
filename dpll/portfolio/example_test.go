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
			s = cdcl.New(cdcl.Options{})
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

// Solve the cubes of a formula one after the other, with one worker and without
// goroutines.
func ExampleCoordinator() {
	f := dimacs.NewFormula(0)
	for _, c := range [][]int{{1, 2, 3}, {1, 2, -3}, {1, -2, 3}, {1, -2, -3}, {-1, 2}, {-1, -2}} {
		f.AddInts(c...)
	}
	cubes := [][]dimacs.Lit{dimacs.Lits(1), dimacs.Lits(-1, 2), dimacs.Lits(-1, -2)}
	sum := portfolio.Checksum(f)
	c := portfolio.NewCoordinator(cubes, portfolio.CoordinatorOptions{Formula: sum, Vars: f.Vars()})

	ctx := context.Background()
	o := cdcl.Options{}
	o.NoSimplify = true
	w := portfolio.NewWorker(ctx, f, portfolio.WorkerOptions{Solver: o})
	for !c.Done() {
		task, ok := c.Next()
		if !ok {
			break
		}
		result := w.Solve(ctx, task)
		fmt.Println(task.Cube, result.Status, result.Failed)
		if err := c.Finish(&result); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(c.Status())
	// Output:
	// [1] UNSATISFIABLE [1]
	// [-1 2] UNSATISFIABLE []
	// UNSATISFIABLE
}

// Simplify a formula for a run whose cubes are about the variables 1 to 3, and extend a
// model of the simplified formula to the variable 4.
func ExampleSimplify() {
	f := dimacs.NewFormula(0)
	f.AddInts(1, 2, 3)
	f.AddInts(-1, -2, -3)
	f.AddInts(1, 4)
	f.AddInts(-2, -4)
	cubes := [][]dimacs.Lit{dimacs.Lits(1, 3), dimacs.Lits(1, -3), dimacs.Lits(-1, 2), dimacs.Lits(-1, -2)}
	ctx := context.Background()
	s := portfolio.Simplify(ctx, f, cubes, 1, cdcl.Options{})
	for _, c := range s.Formula.Clauses() {
		fmt.Println(c)
	}

	w := portfolio.NewWorker(ctx, s.Formula, portfolio.WorkerOptions{Vars: s.Vars})
	r := w.Solve(ctx, portfolio.Task{Cube: cubes[3]})
	m := make(dimacs.Model, s.Vars)
	for _, l := range r.Model {
		m.Set(l)
	}
	m = s.Extend(m)
	fmt.Println(r.Status, m.Lits(), m.Satisfies(f))
	// Output:
	// [1 -2]
	// [1 3]
	// [-2 -3]
	// SATISFIABLE [-1 -2 3 4] true
}
