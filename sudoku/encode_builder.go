package sudoku

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// A builder writes a formula. It gathers one group at a time, a set of literals
// with an exactly-one constraint, and writes parts of that constraint. It uses
// the candidates that have variables in the map: all candidates, or those that
// the givens leave.
type builder struct {
	*Map
	f    *dimacs.Formula
	next dimacs.Var  // the next new variable
	left *Candidates // the candidates after the givens are propagated; nil if they are not propagated

	atMostOne func(*builder, []dimacs.Lit)
	byPairs   bool // atMostOne is pairwise, so that single pairs can be omitted

	// group has the literals of the current group.
	group      []dimacs.Lit
	groupCells []int // by literal of the group: its cell, if the group is a digit in a house
	satisfied  bool  // a candidate of the group is true after propagating the givens

	err error // the reason if the formula cannot be written
}

// clause adds a clause.
func (b *builder) clause(lits ...dimacs.Lit) { b.f.Add(lits...) }

// newLit returns the literal of a new variable.
func (b *builder) newLit() dimacs.Lit {
	b.next++
	b.f.Grow(int(b.next))
	return (b.next - 1).Lit()
}

// newLits returns the literals of n new variables.
func (b *builder) newLits(n int) []dimacs.Lit {
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = b.newLit()
	}
	return lits
}

// gatherCell makes the candidates of a cell the current group.
func (b *builder) gatherCell(cell int) {
	n := b.Rules.Size()
	b.group = b.group[:0]
	for _, l := range b.lit[cell*n : cell*n+n] {
		if l != noLit {
			b.group = append(b.group, l)
		}
	}
	b.satisfied = b.left != nil && b.left.Digit(cell) != 0
}

// gatherDigit makes the candidates of a digit in the given cells the current
// group.
func (b *builder) gatherDigit(cells []int, digit int) {
	b.group, b.groupCells, b.satisfied = b.group[:0], b.groupCells[:0], false
	for _, cell := range cells {
		if l := b.lit[b.Rules.Candidate(cell, digit)]; l != noLit {
			b.group = append(b.group, l)
			b.groupCells = append(b.groupCells, cell)
		} else if b.left != nil && b.left.Digit(cell) == digit {
			b.satisfied = true
		}
	}
}

// writeAtLeastOne writes the clause of the current group.
func (b *builder) writeAtLeastOne() {
	if !b.satisfied {
		b.clause(b.group...)
	}
}

// writeDifferent writes that the digit of the current group is in at most one
// of its cells. The argument is the house of the group. With the pairwise
// encoding it omits pairs of cells that share an earlier house, because they
// are written there.
func (b *builder) writeDifferent(house int) {
	if !b.byPairs || b.Coding.Repeat || house < b.Rules.Size() { // rows share no cells
		b.atMostOne(b, b.group)
		return
	}
	for i, l := range b.group {
		for j := i + 1; j < len(b.group); j++ {
			if b.Rules.firstCommonHouse(b.groupCells[i], b.groupCells[j]) >= house {
				b.clause(l.Not(), b.group[j].Not())
			}
		}
	}
}

// firstCommonHouse returns the first house that contains both cells, or the
// number of houses if there is no such house.
func (r *Rules) firstCommonHouse(a, b int) int {
	for _, h := range r.housesOf[a] {
		for _, k := range r.housesOf[b] {
			if h == k {
				return h
			}
		}
	}
	return len(r.houses)
}

// isDuplicateHouse reports whether an earlier house has the same cells. In a
// grid of prime size, for example, the boxes are the rows.
func (r *Rules) isDuplicateHouse(house int) bool {
	cells := r.houses[house].Cells
	for _, h := range r.housesOf[cells[0]] {
		if h == house {
			break
		}
		if r.containedIn(cells, h) {
			return true
		}
	}
	return false
}

// containedIn reports whether a house contains all the given cells.
func (r *Rules) containedIn(cells []int, house int) bool {
	for _, cell := range cells {
		if !slices.Contains(r.housesOf[cell], house) {
			return false
		}
	}
	return true
}

// inOneHouse reports whether some house contains all the given cells.
func (r *Rules) inOneHouse(cells []int) bool {
	for _, h := range r.housesOf[cells[0]] {
		if r.containedIn(cells, h) {
			return true
		}
	}
	return false
}

// checkSize returns an error if pairwise at-most-one constraints would need too
// many clauses. It counts the clauses of the rows and as many for the columns.
func (b *builder) checkSize() error {
	if !b.byPairs {
		return nil
	}
	n := b.Rules.Size()
	clauses := int64(n*n*n) * int64(n-1)
	if b.left != nil {
		clauses = 0
		for row := range n * n { // and digit
			k := b.left.Left(b.Rules.Cells() + row)
			clauses += int64(k * (k - 1))
		}
	}
	if clauses > maxClauses {
		return fmt.Errorf("more than %d clauses with the at-most-one encoding pairs: use another one, such as product", maxClauses)
	}
	return nil
}
