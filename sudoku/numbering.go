package sudoku

// A Numbering maps candidates to variable numbers, counted from 1 as in DIMACS.
// Auxiliary variables of an encoding have higher numbers.
type Numbering struct {
	Name, Help string

	text string // the formula, for messages and comments

	// Number returns the variable number of a digit in a row and a column, all
	// counted from 1, in a grid of the given size. Of several grids it is the larger number of
	// rows and columns; their dense numbers have no gaps either.
	Number func(size, row, column, digit int) int
}

// Numberings lists the numberings. The first is the default.
var Numberings = []Numbering{
	{"dense", "without gaps: 1 to size^3, by row, column and digit", "(row-1)*size^2 + (column-1)*size + digit", dense},
	{"rcd", "row, column and digit as the digits of a number: 357 is a 7 in row 3, column 5; in base size+1 beyond size 9", "row*base^2 + column*base + digit, with the base 10 or, beyond 9 rows, their number + 1", rcd},
}

func dense(size, row, column, digit int) int {
	return ((row-1)*size+column-1)*size + digit
}

// rcd concatenates row, column and digit, as course material does: in base 10
// up to size 9, and beyond in base size+1, for example 17 for size 16.
func rcd(size, row, column, digit int) int {
	base := max(10, size+1)
	return (row*base+column)*base + digit
}
