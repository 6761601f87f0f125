package circuit_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"sator/dimacs"
	"sator/dimacs/circuit"
	"sator/dpll/cdcl"
)

// A multiplier as an equation: which numbers have the product 35?
func Example() {
	g := circuit.New()
	a, b := g.Word("a", 4), g.Word("b", 4)
	s := cdcl.New(cdcl.Options{})
	e := circuit.NewEncoder(g, s)
	e.Assert(g.EqualWords(g.Multiply(a, b), circuit.Constant(35, 8)))
	e.Assert(g.Less(a, b))
	fmt.Println(s.Solve(context.Background()))
	for _, word := range [][]circuit.Signal{a, b} {
		n := 0
		for i, bit := range word {
			if s.Model().Lit(e.Lit(bit)) == dimacs.True {
				n |= 1 << i
			}
		}
		fmt.Println(n)
	}
	// Output:
	// SATISFIABLE
	// 5
	// 7
}

// A counter of three bits that counts while its input is true reaches 5 after five steps.
func ExampleNewBounded() {
	g := circuit.New()
	enable := g.Input("enable")
	count := []circuit.Signal{g.Latch("c0", circuit.False), g.Latch("c1", circuit.False), g.Latch("c2", circuit.False)}
	for i, next := range g.Add(count, []circuit.Signal{enable}, circuit.False)[:3] {
		g.SetNext(count[i], next)
	}
	g.Bad = append(g.Bad, circuit.Port{Name: "five", Signal: g.EqualWords(count, circuit.Constant(5, 3))})
	s := cdcl.New(cdcl.Options{})
	b, err := circuit.NewBounded(g, s)
	if err != nil {
		panic(err)
	}
	for s.Solve(context.Background(), b.Step()) == dimacs.Unsatisfiable {
		fmt.Println("no bad state at step", b.Steps()-1)
	}
	w, err := b.Witness(s.Model())
	if err != nil {
		panic(err)
	}
	w.Write(os.Stdout)
	// Output:
	// no bad state at step 0
	// no bad state at step 1
	// no bad state at step 2
	// no bad state at step 3
	// no bad state at step 4
	// 1
	// b0
	// 000
	// 1
	// 1
	// 1
	// 1
	// 1
	// 0
	// .
}

// Boolean formulas as text become clauses.
func ExampleReadExpressions() {
	g, err := circuit.ReadExpressions(strings.NewReader("door -> !(motor | brake)\nmotor ^ brake"), "lift.txt")
	if err != nil {
		panic(err)
	}
	f := dimacs.NewFormula(0)
	e := circuit.NewEncoder(g, f)
	for _, p := range g.Inputs {
		fmt.Println(e.Lit(p.Signal), p.Name)
	}
	for _, p := range g.Constraints {
		e.Assert(p.Signal)
	}
	dimacs.Write(os.Stdout, f)
	// Output:
	// 1 door
	// 2 motor
	// 3 brake
	// p cnf 3 4
	// -1 -2 0
	// -1 -3 0
	// -2 -3 0
	// 2 3 0
}
