package families

import (
	"sator/dimacs"
)

// The n queens problem: n queens on a board of n rows and columns, no two in
// the same row, column or diagonal. It has solutions for every n except 2 and
// 3, and is easy at any size that fits into memory. A variable states that a
// square has a queen.

var queens = &Family{
	Name:   "queens",
	Help:   "n queens; unsatisfiable for 2 and 3",
	Source: "Pauls, Das Maximalproblem der Damen auf dem Schachbrette, 1874",
	Params: []Param{{"size", Int, 8, 1, 1000, "rows and columns of the board, and queens"}},
	build:  buildQueens,
}

func buildQueens(v Values, _ *rng) (*Instance, error) {
	n := v.int("size")
	if _, err := count(2 * float64(n) * float64(n) * float64(n)); err != nil {
		return nil, err
	}
	square := func(row, column int) dimacs.Lit { return dimacs.Var(row*n + column).Lit() }
	f := dimacs.NewFormula(n * n)
	// line returns the squares from a start square in steps of (down, right).
	line := func(row, column, down, right int) []dimacs.Lit {
		var squares []dimacs.Lit
		for 0 <= row && row < n && 0 <= column && column < n {
			squares = append(squares, square(row, column))
			row, column = row+down, column+right
		}
		return squares
	}
	for i := range n {
		addExactlyOne(f, line(i, 0, 0, 1))
		addExactlyOne(f, line(0, i, 1, 0))
	}
	for i := range n {
		addAtMostOne(f, line(0, i, 1, 1))
		addAtMostOne(f, line(0, i, 1, -1))
		if i > 0 {
			addAtMostOne(f, line(i, 0, 1, 1))
			addAtMostOne(f, line(i, n-1, 1, -1))
		}
	}
	inst := newInstance(f, statusOf(n != 2 && n != 3), "%d queens on a board of %d times %d squares, none of which attacks another", n, n, n)
	if inst.Answer == dimacs.Satisfiable {
		inst.Model = allFalse(n * n)
		for row := range n {
			inst.Model.Set(square(row, queen(n, row)))
		}
	}
	return inst, nil
}

// queen returns the column of the queen in a row, in an explicit solution for n
// other than 2 and 3: queens are a knight's move apart, first in the odd
// columns, then in the even ones. If n mod 6 is 2 the second half is shifted,
// because a diagonal would have two queens otherwise.
func queen(n, row int) int {
	half := n / 2
	switch {
	case n%2 != 0 && row == n-1:
		return n - 1 // a corner; its diagonal is free in the solution for n-1
	case n%2 != 0:
		return queen(n-1, row)
	case n%6 != 2 && row < half:
		return 2*row + 1
	case n%6 != 2:
		return 2 * (row - half)
	case row < half:
		return (half + 2*row - 1) % n
	}
	return n - 1 - queen(n, n-1-row)
}
