package families

import (
	"fmt"
	"math"

	"sator/dimacs"
)

// Quasigroup with holes (QWH): a random Latin square, whose rows and columns
// contain each symbol once, has some of its cells emptied, and a model of the
// formula is a completion. Few holes leave little choice, and many holes leave
// many completions; the hardest instances have holes in about 42 % of the
// cells, for squares of order 30. Balanced holes, equally many in each row and
// column, are much harder (Kautz and others, Balance and Filtering in
// Structured Satisfiable Problems, IJCAI 2001).
//
// Squares are drawn by a Markov chain whose stationary distribution is uniform
// (Jacobson and Matthews, Generating Uniformly Distributed Random Latin
// Squares, 1996).
//
// A variable states that a hole has a symbol; symbols that occur in the row or
// column of the hole are excluded. Each hole has exactly one symbol, and each
// missing symbol of a row or column is in exactly one of its holes.

var qwh = &Family{
	Name:   "qwh",
	Help:   "quasigroup with holes: completion of a Latin square; satisfiable",
	Source: "Achlioptas, Gomes, Kautz and Selman, Generating Satisfiable Problem Instances, AAAI 2000",
	Params: []Param{
		{"order", Int, 20, 2, 120, "number of rows, columns and symbols"},
		{"share", Real, 0.42, 0, 1, "fraction of the cells that are holes"},
		{"balanced", Switch, 0, 0, 1, "balance the holes; their numbers per row and column differ by at most one"}},
	build: buildQWH,
}

func buildQWH(v Values, r *rng) (*Instance, error) {
	n := v.int("order")
	holes := int(math.Round(v["order"] * v["order"] * v["share"]))
	if holes == 0 {
		return nil, fmt.Errorf("a share of %s of %d cells rounds to 0 holes", decimal(v["share"]), n*n)
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

// cells returns a random set of some of the n*n cells.
func (r *rng) cells(n, some int) []bool {
	chosen := make([]bool, n*n)
	for i := range some {
		chosen[i] = true
	}
	shuffle(r, chosen)
	return chosen
}

// balanced is like cells, but the numbers of chosen cells in two rows, or in
// two columns, differ by at most one.
// Cells are edges of a bipartite graph of rows and columns.
func (r *rng) balanced(n, some int) []bool {
	rows, columns := make([]int, n), make([]int, n)
	for i := range n {
		rows[i], columns[i] = i, n+i
	}
	chosen := make([]bool, n*n)
	for _, e := range r.evenEdges(rows, columns, some) {
		chosen[e[0]*n+e[1]-n] = true
	}
	return chosen
}

// completion returns the formula for completing a Latin square of order n with
// open cells, and the model that is the original square.
func completion(n int, square []int, open []bool) (*dimacs.Formula, dimacs.Model) {
	fixed := make([][2][]bool, n) // symbols of the given cells in row and column i
	for i := range fixed {
		fixed[i] = [2][]bool{make([]bool, n), make([]bool, n)}
	}
	for cell, symbol := range square {
		if !open[cell] {
			fixed[cell/n][0][symbol], fixed[cell%n][1][symbol] = true, true
		}
	}
	f, m := new(dimacs.Formula), dimacs.Model(nil)
	inRow := make([][]dimacs.Lit, n*n) // by row and symbol: the variables of the symbol in this row
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

// latin returns a random Latin square of order n, row by row, after n^3 steps
// of the Markov chain.
func (r *rng) latin(n int) []int {
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

// A cube is a Latin square as an incidence cube indexed by row, column and
// symbol, in which each line has the sum 1. The Markov chain also visits
// improper cubes, which have one entry -1 besides 0 and 1.
type cube struct {
	n        int
	at       []int8
	negative int // index of the -1, or a negative number if all entries are 0 or 1
}

// newCube returns the cyclic Latin square: each row is the previous one shifted
// by one.
func newCube(n int) *cube {
	c := &cube{n, make([]int8, n*n*n), -1}
	for x := range n {
		for y := range n {
			c.at[(x*n+y)*n+(x+y)%n] = 1
		}
	}
	return c
}

// step does a move of the Markov chain. It picks the -1 if there is one, else a
// random 0, and adds and subtracts 1 at the corners of a 2x2x2 subcube, so that
// all lines keep their sums.
func (c *cube) step(r *rng) {
	n := c.n
	i := c.negative
	for i < 0 {
		if j := int(r.below(uint64(n * n * n))); c.at[j] == 0 {
			i = j
		}
	}
	x, y, z := i/(n*n)*(n*n), i/n%n*n, i%n // the components of the index
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

// find returns the index component of a 1 in the line that starts at first with
// stride apart; if there are two, a random one.
func (c *cube) find(r *rng, first, apart int) int {
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
