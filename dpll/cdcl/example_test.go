package cdcl_test

import (
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dpll/cdcl"
)

// Solve a formula and read the model.
func Example() {
	s := cdcl.New(cdcl.Options{})
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
	s := cdcl.New(cdcl.Options{})
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
	s := cdcl.New(cdcl.Options{})
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
	s := cdcl.New(cdcl.Options{})
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
	s := cdcl.New(cdcl.Options{})
	s.AddFormula(f)
	s.Simplify(context.Background(), 1)

	other := cdcl.New(cdcl.Options{})
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

// An atMost is a propagator that allows at most a number of observed literals to be true.
type atMost struct {
	cdcl.PassivePropagator
	bound  int
	truths []dimacs.Lit // positive literals that are true
	levels []int        // number of truths at the end of each level but the last
}

func (p *atMost) Assigned(lits []dimacs.Lit) {
	for _, l := range lits {
		if !l.Neg() {
			p.truths = append(p.truths, l)
		}
	}
}

func (p *atMost) NewLevel() { p.levels = append(p.levels, len(p.truths)) }

func (p *atMost) Backtrack(level int) {
	p.truths, p.levels = p.truths[:p.levels[level]], p.levels[:level]
}

// Clause returns a clause that the assignment falsifies if too many literals are true.
func (p *atMost) Clause() (c []dimacs.Lit, forgettable, ok bool) {
	if len(p.truths) <= p.bound {
		return nil, false, false
	}
	for _, l := range p.truths[:p.bound+1] {
		c = append(c, l.Not())
	}
	return c, true, true
}

// Add a constraint by a propagator: of ten variables, at most two are true.
func ExampleSolver_Connect() {
	s := cdcl.New(cdcl.Options{})
	s.Connect(&atMost{bound: 2})
	for v := 1; v <= 10; v++ {
		s.Observe(dimacs.FromInt(v))
	}
	ctx := context.Background()
	s.Add(dimacs.Lits(1, 2)...)
	s.Add(dimacs.Lits(3, 4)...)
	fmt.Println(s.Solve(ctx))
	fmt.Println(s.Solve(ctx, dimacs.Lits(1, 9)...))
	fmt.Println(s.Failed())
	// Output:
	// SATISFIABLE
	// UNSATISFIABLE
	// [9 1]
}
