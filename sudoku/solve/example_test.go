package solve_test

import (
	"bytes"
	"context"
	"fmt"

	"sator/dimacs"
	"sator/dimacs/proof"
	"sator/sudoku"
	"sator/sudoku/solve"
)

// Count proves that a puzzle has one solution, and without a given several.
func Example() {
	ctx := context.Background()
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
	copy(g.Cells, []int{
		1, 0, 3, 0,
		0, 0, 0, 2,
		0, 1, 0, 0,
		4, 0, 0, 0,
	})
	s := solve.New(solve.Options{})
	a := s.Count(ctx, g, 2)
	fmt.Println(a.Unique(), a.Solutions)

	g.Cells[0] = 0
	a = s.Count(ctx, g, 0)
	fmt.Println(a.Count, "solutions; no others:", a.Complete)

	g.Cells[3] = 3
	fmt.Println(s.Solve(ctx, g).Conflict)
	// Output:
	// true [[1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1]]
	// 2 solutions; no others: true
	// R1C3 and R1C4 both have the digit 3 in row 1
}

// Prove writes a DRAT proof that a solution is the only one, and package proof
// checks it.
func ExampleRefutation() {
	ctx := context.Background()
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
	copy(g.Cells, []int{1, 0, 3, 0, 0, 0, 0, 2, 0, 1, 0, 0, 4, 0, 0, 0})
	a := solve.New(solve.Options{}).Solve(ctx, g)
	cnf, err := solve.Refutation(g, sudoku.Coding{}, a.Solutions[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	steps := proof.NewWriter(&file, proof.DRAT, cnf.Formula.Len())
	if solve.Prove(ctx, cnf.Formula, steps) == dimacs.Unsatisfiable {
		steps.Flush()
		_, err := proof.Check(ctx, cnf.Formula, &file, proof.Options{})
		fmt.Println("no other solution:", err == nil)
	}
	// Output: no other solution: true
}
