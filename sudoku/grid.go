package sudoku

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Grid assigns digits to some cells. It can be a puzzle, a solution, or a
// partly solved puzzle.
type Grid struct {
	Rules *Rules
	Cells []int // by cell, row by row: its digit, 0 if it is empty

	// Marks, if not nil, reports by candidate whether it is possible: the
	// pencil marks of a puzzle that has them. The digit of a cell in Cells must
	// be marked as possible.
	Marks []bool

	// Placed, if not nil, reports by cell that its digit is no given: somebody placed it, such as a player.
	Placed []bool
}

// NewGrid returns an empty grid.
func NewGrid(r *Rules) *Grid { return &Grid{Rules: r, Cells: make([]int, r.Cells())} }

// With returns a grid with the same rules and marks and a copy of some digits, which are givens.
func (g *Grid) With(cells []int) *Grid {
	return &Grid{Rules: g.Rules, Cells: slices.Clone(cells), Marks: g.Marks}
}

// Given returns the grid without the digits that are no givens: the grid itself if all are givens.
func (g *Grid) Given() *Grid {
	if g.Placed == nil {
		return g
	}
	given := g.With(g.Cells)
	for cell, placed := range g.Placed {
		if placed {
			given.Cells[cell] = 0
		}
	}
	return given
}

// Clone returns a copy of the grid, with its digits as givens. The marks are shared.
func (g *Grid) Clone() *Grid { return g.With(g.Cells) }

// Givens returns the number of cells with a digit.
func (g *Grid) Givens() int {
	n := 0
	for _, digit := range g.Cells {
		if digit != 0 {
			n++
		}
	}
	return n
}

// Full reports whether every cell has a digit.
func (g *Grid) Full() bool { return !slices.Contains(g.Cells, 0) }

// A Conflict is a violation of a rule by the digits of a grid.
type Conflict struct {
	Cells []int  // the cells involved: one or two, or all cells of a cage or a relation
	Msg   string // description of the violation
}

func (c *Conflict) Error() string { return c.Msg }

// Conflict returns the first violated rule, or nil: two peers with the same
// digit, a full cage with a wrong sum, a full relation that does not hold, or a
// digit that the marks exclude. A grid without a conflict may still have no solution.
func (g *Grid) Conflict() *Conflict {
	r, n := g.Rules, g.Rules.Size()
	if r.plain9 && g.Marks == nil && agree9((*[81]int)(g.Cells)) {
		return nil
	}
	for cell, digit := range g.Cells {
		if digit < 0 || digit > n {
			return &Conflict{[]int{cell}, fmt.Sprintf("%s has the digit %d, want 1 to %d", r.CellName(cell), digit, n)}
		}
		if digit == 0 {
			continue
		}
		if g.Marks != nil && !g.Marks[r.Candidate(cell, digit)] {
			return &Conflict{[]int{cell}, fmt.Sprintf("%s has the digit %d, which its marks exclude", r.CellName(cell), digit)}
		}
		for _, peer := range r.peers[cell] {
			if peer > cell && g.Cells[peer] == digit {
				return &Conflict{[]int{cell, peer}, fmt.Sprintf("%s and %s both have the digit %d%s", r.CellName(cell), r.CellName(peer), digit, r.sharedRule(cell, peer))}
			}
		}
	}
	for _, cage := range r.variant.Cages {
		if c := g.cageConflict(cage); c != nil {
			return c
		}
	}
	for _, d := range r.diagrams {
		if open := func(cell int) bool { return g.Cells[cell] == 0 }; !slices.ContainsFunc(d.part.cells, open) && !d.holds(g.Cells) {
			return &Conflict{d.part.cells, fmt.Sprintf("%s: %s", d.Text(r.plan), d.Help())}
		}
	}
	return nil
}

// agree9 reports whether all digits are 0 to 9, and no row, column or box of a grid with
// boxes of 3x3 cells has a digit twice. It is the fast case of Conflict. It counts the digits
// of a house in a word, four bits for each.
func agree9(cells *[81]int) bool {
	const twice = 0xffffff_eeeeeeeee_0 // a digit above 9, or counted twice; blanks are not counted
	var cols [9]uint64
	var boxes [3]uint64
	var wrong uint64
	for r := range 9 {
		var row uint64
		for b := range 3 {
			three := (*[3]int)(cells[9*r+3*b:])
			x, y, z := uint64(1)<<(4*three[0]&63), uint64(1)<<(4*three[1]&63), uint64(1)<<(4*three[2]&63)
			wrong |= uint64(three[0]|three[1]|three[2]) >> 4
			cols[3*b] += x
			cols[3*b+1] += y
			cols[3*b+2] += z
			row += x + y + z
			boxes[b] += x + y + z
		}
		wrong |= row & twice
		if r%3 == 2 {
			wrong |= (boxes[0] | boxes[1] | boxes[2]) & twice
			boxes = [3]uint64{}
		}
	}
	for _, n := range cols {
		wrong |= n & twice
	}
	return wrong == 0
}

// sharedRule describes why two peers must differ, for messages.
func (r *Rules) sharedRule(a, b int) string {
	if h := r.firstCommonHouse(a, b); h < len(r.houses) {
		return fmt.Sprintf(" in %s", r.houses[h])
	}
	if r.CageOf(a) >= 0 && r.CageOf(a) == r.CageOf(b) {
		return fmt.Sprintf(" in cage %d", r.CageOf(a)+1)
	}
	for _, w := range r.variant.Words() {
		if w.Name == "anti-knight" && slices.Contains(r.moves(a, 1, 2), b) || w.Name == "anti-king" && slices.Contains(r.moves(a, 1, 1), b) {
			return ": " + w.Help
		}
	}
	return ": " + helpOf("different")
}

// cageConflict returns a conflict if the cage is full and has a wrong sum, else
// nil.
func (g *Grid) cageConflict(cage Cage) *Conflict {
	sum := 0
	for _, cell := range cage.Cells {
		if g.Cells[cell] == 0 {
			return nil
		}
		sum += g.Cells[cell]
	}
	if sum == cage.Sum {
		return nil
	}
	return &Conflict{cage.Cells, fmt.Sprintf("the cage at %s has a sum of %d, not %d", g.Rules.CellName(cage.Cells[0]), sum, cage.Sum)}
}

// Solves returns nil if the grid is a solution of the puzzle: it is full,
// violates no rule, and contains the givens of the puzzle. Otherwise the error
// describes the first difference.
func (g *Grid) Solves(puzzle *Grid) error {
	for cell, digit := range g.Cells {
		if digit == 0 {
			return fmt.Errorf("%s is empty", g.Rules.CellName(cell))
		}
		if given := puzzle.Cells[cell]; (given|-given)>>(bits.UintSize-1)&(given^digit) != 0 { // one branch, never taken
			return fmt.Errorf("%s has the digit %d, but %d is given", g.Rules.CellName(cell), digit, given)
		}
	}
	marked := &Grid{Rules: g.Rules, Cells: g.Cells, Marks: puzzle.Marks}
	if c := marked.Conflict(); c != nil {
		return c
	}
	return nil
}
