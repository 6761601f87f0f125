package infer_test

import (
	"context"
	"fmt"
	"strings"

	"sator/internal/infer"
	"sator/sudoku"
)

// eppstein is a puzzle that Eppstein's solver found difficult even with the
// 2SAT rule.
const eppstein = `
	...9.2... 8...4...3 .4.7..1..
	..6..9..1 .2.....7. 5..3..4..
	..7..3.6. 6...1...5 ...2.6...`

// grid parses a puzzle of size 9.
func grid(text string) *sudoku.Grid {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	for i, c := range strings.Join(strings.Fields(text), "") {
		if c != '.' {
			g.Cells[i] = int(c - '0')
		}
	}
	return g
}

// The example counts the branches needed to prove the solution of a puzzle
// unique, with and without the 2SAT rule.
func Example() {
	puzzle := grid(eppstein)
	for _, o := range []infer.Options{
		{Rule: infer.Never, NoLocked: true},
		{Rule: infer.Never},
		{Rule: infer.Root},
		{Rule: infer.Every},
		{Rule: infer.Every, Trivalue: true},
	} {
		s := infer.New(puzzle.Rules, o)
		solutions, complete := s.Solutions(context.Background(), puzzle, 2)
		st := s.Stats()
		fmt.Printf("rule %-5v trivalue %-5v locked %-5v: %d solution, complete %v, %2d branches, %d instances\n",
			o.Rule, o.Trivalue, !o.NoLocked, len(solutions), complete, st.Branches, st.Instances)
	}
	// Output:
	// rule never trivalue false locked false: 1 solution, complete true,  4 branches, 0 instances
	// rule never trivalue false locked true : 1 solution, complete true, 12 branches, 0 instances
	// rule root  trivalue false locked true : 1 solution, complete true,  5 branches, 3 instances
	// rule every trivalue false locked true : 1 solution, complete true,  1 branches, 5 instances
	// rule every trivalue true  locked true : 1 solution, complete true,  1 branches, 4 instances
}

func ExampleSolver_Solutions() {
	puzzle := grid(eppstein)
	puzzle.Cells[8*9+3] = 0 // removes the 2 in the last row
	s := infer.New(puzzle.Rules, infer.Options{})
	solutions, complete := s.Solutions(context.Background(), puzzle, 2)
	fmt.Println(len(solutions), complete)
	// Output: 2 false
}
