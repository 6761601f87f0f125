package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// A quasigroup with holes: a Latin square, in whose rows and columns each symbol
// stands once, is drawn, and some of its cells are emptied. The formula asks for
// a way to fill them, and there is one. With few holes hardly anything is left
// open, with many there is much freedom; the hardest lie in between, at some
// 42 % of the cells for squares of thirty rows. Balanced holes, equally many in
// each row and column, are much harder (Kautz and others, Balance and Filtering
// in Structured Satisfiable Problems, IJCAI 2001).
//
// Squares are drawn by a random walk that all squares take part in alike
// (Jacobson and Matthews, Generating Uniformly Distributed Random Latin Squares,
// 1996).
//
// A variable says that a symbol stands in a hole. There are none for symbols
// that its row or column has already. Each hole has one symbol, and each symbol
// that a row or column lacks is in one of its holes.

var qwh = &Family{
	Name:   "qwh",
	Help:   "a Latin square to be completed; satisfiable",
	Source: "Achlioptas, Gomes, Kautz and Selman, Generating Satisfiable Problem Instances, AAAI 2000",
	Params: []Param{
		{"order", Int, 20, 2, 120, "rows and columns of the square, and symbols"},
		{"share", Real, 0.42, 0, 1, "share of the cells that are holes"},
		{"balanced", Switch, 0, 0, 1, "rows and columns have equally many holes, but for one"}},
	build: buildQWH,
}

func buildQWH(v Values, r *source) (*Instance, error) {
	n := v.int("order")
	holes := int(math.Round(v["order"] * v["order"] * v["share"]))
	if holes == 0 {
		return nil, fmt.Errorf("a share of %s of %d cells leaves no hole", decimal(v["share"]), n*n)
	}
	square := r.latin(n)
	open := r.cells(n, holes)
	if v.on("balanced") {
		open = r.balanced(n, holes)
	}
	f, m := completion(n, square, open)
	return &Instance{Formula: f, Answer: dimacs.Satisfiable, Model: m, Comments: []string{
		fmt.Sprintf("a Latin square of order %d with %d holes%s", n, holes, when(v.on("balanced"), ", balanced")),
		"variables from 1 on: by holes row by row, the symbols that neither row nor column has",
	}}, nil
}

// cells returns which of the cells of a square are among so many random ones.
func (r *source) cells(n, some int) []bool {
	chosen := make([]bool, n*n)
	for i := range some {
		chosen[i] = true
	}
	shuffle(r, chosen)
	return chosen
}

// balanced is cells with equally many in each row and column, but for one. Rows
// and columns are the vertices of a graph, and cells its edges.
func (r *source) balanced(n, some int) []bool {
	rows, columns := make([]int, n), make([]int, n)
	for i := range n {
		rows[i], columns[i] = i, n+i
	}
	chosen := make([]bool, n*n)
	for _, e := range r.even(rows, columns, some) {
		chosen[e[0]*n+e[1]-n] = true
	}
	return chosen
}

// completion returns the formula that completes a Latin square of order n whose
// open cells are emptied, and the model that fills them as they were.
func completion(n int, square []int, open []bool) (*dimacs.Formula, dimacs.Model) {
	fixed := make([][2][]bool, n) // the symbols that row and column i have
	for i := range fixed {
		fixed[i] = [2][]bool{make([]bool, n), make([]bool, n)}
	}
	for cell, symbol := range square {
		if !open[cell] {
			fixed[cell/n][0][symbol], fixed[cell%n][1][symbol] = true, true
		}
	}
	f, m := new(dimacs.Formula), dimacs.Model(nil)
	inRow := make([][]dimacs.Lit, n*n) // the variables of a symbol in a row
	inColumn := make([][]dimacs.Lit, n*n)
	for cell, solution := range square {
		row, column := cell/n, cell%n
		if !open[cell] {
			continue
		}
		var in []dimacs.Lit
		for symbol := range n {
			if fixed[row][0][symbol] || fixed[column][1][symbol] {
				continue
			}
			l := dimacs.Var(len(m)).Lit()
			m = append(m, dimacs.False)
			if symbol == solution {
				m.Set(l)
			}
			in = append(in, l)
			inRow[row*n+symbol] = append(inRow[row*n+symbol], l)
			inColumn[column*n+symbol] = append(inColumn[column*n+symbol], l)
		}
		addExactlyOne(f, in)
	}
	for _, groups := range [2][][]dimacs.Lit{inRow, inColumn} {
		for _, in := range groups {
			if len(in) > 0 {
				addExactlyOne(f, in)
			}
		}
	}
	return f, m
}

// latin returns a random Latin square of order n, row by row, after n^3 steps of
// the walk.
func (r *source) latin(n int) []int {
	c := newCube(n)
	for range n * n * n {
		c.step(r)
	}
	for c.negative >= 0 {
		c.step(r)
	}
	square := make([]int, n*n)
	for i, x := range c.at {
		if x == 1 {
			square[i/n] = i % n
		}
	}
	return square
}

// A cube is a Latin square as a cube of numbers by row, column and symbol, each
// line of which has the sum 1. On its way the walk goes through improper cubes,
// in which one number is -1 and not 0 or 1.
type cube struct {
	n        int
	at       []int8
	negative int // where the -1 is; or less than 0
}

// newCube returns the square in which each row is the one above shifted by one.
func newCube(n int) *cube {
	c := &cube{n, make([]int8, n*n*n), -1}
	for x := range n {
		for y := range n {
			c.at[(x*n+y)*n+(x+y)%n] = 1
		}
	}
	return c
}

// step raises a number of the cube by 1 and lowers its neighbors at the edges of
// a subcube of two times two times two numbers, so that all lines keep their
// sums: the -1 if there is one, and else a random 0.
func (c *cube) step(r *source) {
	n := c.n
	i := c.negative
	for i < 0 {
		if j := int(r.below(uint64(n * n * n))); c.at[j] == 0 {
			i = j
		}
	}
	x, y, z := i/(n*n)*(n*n), i/n%n*n, i%n // the parts of the index
	x2 := c.find(r, y+z, n*n)
	y2 := c.find(r, x+z, n)
	z2 := c.find(r, x+y, 1)
	for _, up := range [4]int{i, x + y2 + z2, x2 + y + z2, x2 + y2 + z} {
		c.at[up]++
	}
	for _, down := range [4]int{x2 + y + z, x + y2 + z, x + y + z2, x2 + y2 + z2} {
		c.at[down]--
	}
	c.negative = -1
	if last := x2 + y2 + z2; c.at[last] < 0 {
		c.negative = last
	}
}

// find returns the part of the index at which the line from first on, with
// numbers so far apart, has a 1; a random one of two where there are two.
func (c *cube) find(r *source, first, apart int) int {
	found := -1
	for i := range c.n {
		if c.at[first+i*apart] != 1 {
			continue
		}
		if found < 0 || r.flip() {
			found = i * apart
		}
	}
	return found
}
