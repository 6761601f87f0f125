package count_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"sator/dimacs"
	"sator/dpll/count"
)

// A product with options: a screen needs a battery, and there are two kinds of batteries.
func product() *dimacs.Formula {
	f := dimacs.NewFormula(100) // the others are independent
	f.AddInts(-1, 2, 3)
	f.AddInts(-2, -3)
	return f
}

func Example() {
	r := count.Count(context.Background(), product(), count.Options{})
	fmt.Println(r.Status, r.Models.RatString())
	r = count.Count(context.Background(), product(), count.Options{Project: []dimacs.Var{0, 1}})
	fmt.Println("projected:", r.Models.RatString())
	// Output:
	// SATISFIABLE 792281625142643375935439503360
	// projected: 4
}

// The probability that a coin and a rare event are both there, or neither.
func ExampleOptions() {
	f := dimacs.NewFormula(2)
	f.AddInts(-1, 2)
	f.AddInts(1, -2)
	r := count.Count(context.Background(), f, count.Options{Weights: map[dimacs.Lit]*big.Rat{
		dimacs.FromInt(1): big.NewRat(1, 2), dimacs.FromInt(-1): big.NewRat(1, 2),
		dimacs.FromInt(2): big.NewRat(1, 10), dimacs.FromInt(-2): big.NewRat(9, 10),
	}})
	fmt.Println(r.Models)
	// Output:
	// 1/2
}

// A circuit answers many questions.
func ExampleCircuit() {
	f := dimacs.NewFormula(3)
	f.AddInts(-1, 2, 3)
	f.AddInts(-2, -3)
	c, _ := count.Compile(context.Background(), f, count.Options{})
	fmt.Println(c.Count(), "of these with 1:", c.Count(dimacs.FromInt(1)))
	c.Marginals(func(l dimacs.Lit, n *big.Rat) { fmt.Print(l, ":", n.RatString(), " ") })
	sample := c.Sampler(rand.New(rand.NewPCG(1, 1)))
	fmt.Println(sample().Satisfies(f))
	// Output:
	// 5/1 of these with 1: 2/1
	// 1:2 -1:3 2:2 -2:3 3:2 -3:3 true
}
