package sudoku

// A Numbering gives the variables of candidates their numbers, counted from 1
// as in DIMACS. Variables that say something else come after them.
type Numbering struct {
	Name, Help string

	text string // the number as a formula, for readers

	// Number returns the number of a digit in a row and a column, all from 1,
	// in a grid of that size.
	Number func(size, row, column, digit int) int
}

// Numberings lists the numberings. The first is the default.
var Numberings = []Numbering{
	{"dense", "without gaps: 1 to size^3, by row, column and digit", "(row-1)*size^2 + (column-1)*size + digit", dense},
	{"rcd", "row, column and digit as the digits of a number: 357 is a 7 in row 3, column 5; in base size+1 beyond size 9", "row*base^2 + column*base + digit, with the base 10 or, beyond size 9, size+1", rcd},
}

func dense(size, row, column, digit int) int {
	return ((row-1)*size+column-1)*size + digit
}

// rcd numbers as course material does: in base 10 up to size 9, and beyond in
// the smallest base that has the digits, which is 17 for size 16.
func rcd(size, row, column, digit int) int {
	base := max(10, size+1)
	return (row*base+column)*base + digit
}
