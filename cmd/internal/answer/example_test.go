package answer_test

import (
	"fmt"

	"sator/cmd/internal/answer"
	"sator/dimacs"
)

// A model is evaluated on the formula as read before it is printed.
func ExampleCheckModel() {
	f := dimacs.NewFormula(2)
	f.AddInts(1, 2)
	f.AddInts(-1, -2)
	m := make(dimacs.Model, 2)
	m.Set(dimacs.FromInt(1))
	m.Set(dimacs.FromInt(2))
	fmt.Println(answer.CheckModel(m, f))
	m.Set(dimacs.FromInt(-2))
	fmt.Println(answer.CheckModel(m, f))
	// Output:
	// the model does not satisfy clause 2, -1 -2 0
	// <nil>
}
