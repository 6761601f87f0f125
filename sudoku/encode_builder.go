package sudoku

import (
	"context"
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
	left *Candidates // the candidates after the givens are propagated; nil if they are not propagated

	atMostOne func(*builder, []dimacs.Lit)
	byPairs   bool // atMostOne is pairwise

	// group has the literals of the current group.
	group     []dimacs.Lit
	satisfied bool // a candidate of the group is true after propagating the givens

	// earlier is the number of houses whose pairs of cells are already written
	// and omitted by pairFilter. It is 0 where no pair can be repeated.
	earlier int
	cellOf  []int32 // by variable: the cell of its candidate, or -1; without new variables

	units map[dimacs.Lit]bool // literals of the unit clauses, and noLit for the empty clause

	notes *noteTaker // nil without notes
	ctx   context.Context
	err   error // the reason if the formula cannot be written
}

// stopped reports whether the formula cannot be written: there was an error, or the
// context has ended. It is asked once for each cell, house or digit.
func (b *builder) stopped() bool {
	if b.err == nil && b.ctx.Err() != nil {
		b.err = context.Cause(b.ctx)
	}
	return b.err != nil
}

// numberCells fills cellOf.
func (b *builder) numberCells() {
	b.cellOf = slices.Repeat([]int32{-1}, b.vars)
	for candidate, l := range b.lit {
		if l != noLit {
			b.cellOf[l.Var()] = int32(candidate / b.Rules.Size())
		}
	}
}

// clause adds a clause. It omits unit clauses and empty clauses that are in the
// formula already: a given can be the digit of a cage of one cell.
func (b *builder) clause(lits ...dimacs.Lit) {
	if len(lits) < 2 {
		l := noLit
		if len(lits) == 1 {
			l = lits[0]
		}
		switch {
		case b.units[l]:
			return
		case b.units == nil:
			b.units = make(map[dimacs.Lit]bool)
		}
		b.units[l] = true
	}
	b.f.Add(lits...)
	b.notes.add(1)
}

// newLit returns the literal of a new variable.
func (b *builder) newLit() dimacs.Lit { return b.f.NewVar().Lit() }

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
	b.group, b.satisfied = b.group[:0], false
	for _, cell := range cells {
		if l := b.lit[b.Rules.Candidate(cell, digit)]; l != noLit {
			b.group = append(b.group, l)
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

// writePlace writes that the digit of the current group is in one of its cells,
// unless the same cells are the group of the digit in an earlier house. The
// argument is the house of the group.
func (b *builder) writePlace(house, digit int) {
	if b.left == nil || b.satisfied {
		b.writeAtLeastOne()
		return
	}
	for _, h := range b.Rules.housesOf[b.cellOf[b.group[0].Var()]] {
		if h < house && b.left.Left(b.Rules.Cells()+h*b.Rules.Size()+digit-1) == len(b.group) && b.groupIn(h) {
			return
		}
	}
	b.writeAtLeastOne()
}

// groupIn reports whether a house contains all cells of the current group.
func (b *builder) groupIn(house int) bool {
	for _, l := range b.group {
		if !slices.Contains(b.Rules.housesOf[b.cellOf[l.Var()]], house) {
			return false
		}
	}
	return true
}

// writeDifferent writes that the digit of the current group is in at most one
// of its cells. The argument is the house of the group.
func (b *builder) writeDifferent(house int) {
	b.differ(b.group, house)
}

// differ writes that at most one of the literals is true, which belong to
// different cells of a house. It omits the binary clauses for cells that share
// an earlier house, because they follow from the constraint of that house, of
// whatever encoding. Rows and columns share no two cells.
func (b *builder) differ(lits []dimacs.Lit, house int) {
	if !b.Coding.Repeat && house >= 2*b.Rules.Rows() {
		b.earlier = house
	}
	b.atMostOne(b, lits)
	b.earlier = 0
}

// isWritten reports whether an earlier house excludes that both literals are
// true. It is false unless both are candidates of the digit in cells of the
// current house.
func (b *builder) isWritten(l, k dimacs.Lit) bool {
	if b.earlier == 0 || int(max(l, k).Var()) >= len(b.cellOf) {
		return false
	}
	return b.Rules.firstCommonHouse(int(b.cellOf[l.Var()]), int(b.cellOf[k.Var()])) < b.earlier
}

// checkClauses returns an error if pairwise at-most-one constraints would need too
// many clauses. It counts the clauses of the rows and as many for the columns.
func (b *builder) checkClauses() error {
	if !b.byPairs {
		return nil
	}
	n := b.Rules.Size()
	clauses := int64(b.Rules.Rows()*n*n) * int64(n-1)
	if b.left != nil {
		clauses = 0
		for row := range b.Rules.Rows() * n { // and digit
			k := b.left.Left(b.Rules.Cells() + row)
			clauses += int64(k * (k - 1))
		}
	}
	if clauses > maxClauses {
		return fmt.Errorf("more than %d clauses with the at-most-one encoding pairs: use another one, such as product", maxClauses)
	}
	return nil
}
