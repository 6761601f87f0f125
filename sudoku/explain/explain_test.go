package explain

import (
	"context"
	"math/rand/v2"

	"sator/internal/sudokutest"
	"sator/sudoku"
	"sator/sudoku/solve"
)

var background = context.Background()

var nine = sudokutest.Nine

// A kind has rules and a name for messages.
type kind struct {
	name string
	*sudoku.Rules
}

// kinds has rules of several sizes and variants.
var kinds = func() []kind {
	x := sudoku.Standard(6)
	x.X = true
	return []kind{
		{"4", sudoku.Must(sudoku.Standard(4))},
		{"6", sudoku.Must(sudoku.Standard(6))},
		{"9", nine},
		{"latin", sudoku.Must(sudoku.Latin(5))},
		{"x", sudoku.Must(x)},
		{"knight", knight9},
		{"killer", killer4},
		{"jigsaw", sudoku.Must(sudoku.Variant{Size: 4, Regions: []int{0, 0, 0, 1, 2, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3}})},
	}
}()

var knight9 = func() *sudoku.Rules {
	v := sudoku.Standard(9)
	v.AntiKnight = true
	return sudoku.Must(v)
}()

// killer4 returns rules of size 4 with some cages.
var killer4 = func() *sudoku.Rules {
	v := sudoku.Standard(4)
	v.Cages = []sudoku.Cage{{Sum: 3, Cells: []int{0, 1}}, {Sum: 5, Cells: []int{2, 6}}, {Sum: 6, Cells: []int{9, 10, 14}}}
	return sudoku.Must(v)
}()

// random returns a random solution with the remaining candidates, nil if there is
// no solution.
func random(rng *rand.Rand, c *sudoku.Candidates) []int {
	if !c.Singles() {
		return nil
	}
	r := c.Rules()
	least := -1
	for cell := range r.Cells() {
		if n := c.Left(cell); n > 1 && (least < 0 || n < c.Left(least)) {
			least = cell
		}
	}
	if least < 0 {
		return c.Cells()
	}
	live := c.Live(least, nil)
	rng.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
	for _, candidate := range live {
		next := sudoku.NewCandidates(r)
		next.CopyFrom(c)
		next.Place(candidate)
		if solution := random(rng, next); solution != nil {
			return solution
		}
	}
	return nil
}

// puzzle returns a random puzzle with one solution, and its solution. It tries to
// remove each given of a random solution with a probability; with probability 1
// the puzzle is minimal.
func puzzle(rng *rand.Rand, r *sudoku.Rules, probability float64) (g *sudoku.Grid, solution []int) {
	solution = random(rng, sudoku.NewCandidates(r))
	g = sudoku.NewGrid(r).With(solution)
	s := solve.New(solve.Options{})
	for _, cell := range rng.Perm(r.Cells()) {
		if rng.Float64() >= probability {
			continue
		}
		g.Cells[cell] = 0
		if a := s.Count(background, g, 2); !a.Unique() {
			g.Cells[cell] = solution[cell]
		}
	}
	return g, solution
}
