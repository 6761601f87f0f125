package explain_test

import (
	"context"
	"fmt"

	"sator/sudoku"
	"sator/sudoku/explain"
)

// puzzle returns the grid of size 9 of a line.
func puzzle(line string) *sudoku.Grid {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(9)))
	for cell, c := range line {
		if c != '.' {
			g.Cells[cell] = int(c - '0')
		}
	}
	return g
}

func ExampleRate() {
	for _, line := range []string{
		"..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
		".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8",
		".9.....2...5..4.......61.....6...1.8...3...7.......6..23.9.........8.4..7........",
	} {
		r, err := explain.Rate(context.Background(), puzzle(line), explain.RateOptions{Encodings: []string{"extended"}, Engines: []string{"dpll"}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-6v of %d cells, propagation finds %d, the 2SAT rule %d, failed literals %d;", r.Class, r.Cells, r.Propagation, r.TwoSAT, r.Probing)
		for _, run := range r.Runs {
			fmt.Printf(" %s: %d decisions", run.Engine, run.Decisions)
		}
		fmt.Println()
	}
	// Output:
	// up     of 49 cells, propagation finds 49, the 2SAT rule 49, failed literals 49; dpll: 0 decisions
	// fl     of 60 cells, propagation finds 32, the 2SAT rule 60, failed literals 60; dpll: 1 decisions
	// search of 63 cells, propagation finds 2, the 2SAT rule 2, failed literals 2; dpll: 31 decisions
}

func ExampleWhy() {
	g := puzzle(".94...13..............76..2.8..1.....32.........2...6.....5.4.......8..7..63.4..8")
	q, err := explain.ParseQuestion(g.Rules, "R1C1")
	if err != nil {
		fmt.Println(err)
		return
	}
	why, err := explain.Why(context.Background(), g, q, explain.WhyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s is %d, by %v:", g.Rules.CellName(why.Cell), why.Digit, why.Class)
	for _, cell := range why.Givens {
		fmt.Printf(" %s=%d", g.Rules.CellName(cell), g.Cells[cell])
	}
	fmt.Println("; fewest:", why.Smallest())

	_, err = explain.Why(context.Background(), g, explain.Question{Cell: why.Cell, Digit: 2}, explain.WhyOptions{})
	fmt.Println(err)
	// Output:
	// R1C1 is 7, by up: R1C2=9 R1C3=4 R1C7=1 R1C8=3 R3C5=7 R8C9=7; fewest: true
	// R1C1=2 is not so: R1C1=7
}

func ExampleHint() {
	steps, err := explain.Hint(context.Background(), puzzle("....4...1.3.6.....8........1.9..5.........87....2......7....26.5...94.........3.."))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range steps {
		fmt.Println(s)
	}
	// Output:
	// R8C4=3, direct hidden pair: in row 8, 2 and 6 have no place but R8C2 and R8C3, so 3 has no other place in row 8
}

func ExamplePath() {
	g := sudoku.NewGrid(sudoku.Must(sudoku.Standard(4)))
	copy(g.Cells, []int{1, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 4})
	path, err := explain.Path(context.Background(), g)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range path {
		fmt.Println(s)
	}
	// Output:
	// R1C2=2, hidden single: 2 has no other place in box 1
	// R2C1=3, hidden single: 3 has no other place in box 1
	// R2C2=4, last cell: box 1 has all other digits
	// R2C3=1, last cell: row 2 has all other digits
	// R4C2=1, last cell: column 2 has all other digits
	// R1C4=4, hidden single: 4 has no other place in box 2
	// R1C3=3, last cell: row 1 has all other digits
	// R3C3=2, last cell: column 3 has all other digits
	// R4C1=2, hidden single: 2 has no other place in box 3
	// R4C4=3, last cell: row 4 has all other digits
	// R3C1=4, last cell: column 1 has all other digits
	// R3C4=1, last cell: row 3 has all other digits
}
