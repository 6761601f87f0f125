package sudoku

import (
	"fmt"
	"slices"

	"sator/dimacs"
)

// A builder writes a formula, group by group: of the literals of a group
// exactly one is true. It writes for the candidates that the map has variables
// for, which are all, or those that the givens leave open.
type builder struct {
	*Map
	f    *dimacs.Formula
	next dimacs.Var  // the next new variable
	left *Candidates // what the givens leave, nil if they are not spent

	atMostOne func(*builder, []dimacs.Lit)
	byPairs   bool // atMostOne writes pairs, each of which may be left out

	// The group at hand.
	lits []dimacs.Lit
	at   []int // the cell of each literal, in a group of one digit
	done bool  // one of its candidates is true already

	err error // why the formula cannot be made
}

// clause adds a clause.
func (b *builder) clause(lits ...dimacs.Lit) { b.f.Add(lits...) }

// fresh returns a new variable.
func (b *builder) fresh() dimacs.Lit {
	b.next++
	b.f.Grow(int(b.next))
	return (b.next - 1).Lit()
}

// freshes returns new variables.
func (b *builder) freshes(n int) []dimacs.Lit {
	lits := make([]dimacs.Lit, n)
	for i := range lits {
		lits[i] = b.fresh()
	}
	return lits
}

// cell gathers the candidates of a cell.
func (b *builder) cell(cell int) {
	n := b.Rules.Size()
	b.lits = b.lits[:0]
	for _, l := range b.lit[cell*n : cell*n+n] {
		if l != noLit {
			b.lits = append(b.lits, l)
		}
	}
	b.done = b.left != nil && b.left.Digit(cell) != 0
}

// digit gathers the candidates of a digit in some cells.
func (b *builder) digit(cells []int, digit int) {
	b.lits, b.at, b.done = b.lits[:0], b.at[:0], false
	for _, cell := range cells {
		if l := b.lit[b.Rules.Candidate(cell, digit)]; l != noLit {
			b.lits = append(b.lits, l)
			b.at = append(b.at, cell)
		} else if b.left != nil && b.left.Digit(cell) == digit {
			b.done = true
		}
	}
}

// one says that a literal of the group is true.
func (b *builder) one() {
	if !b.done {
		b.clause(b.lits...)
	}
}

// different says that the digit gathered is in at most one of its cells.
// Pairs of cells with a common house before that one are left out, being
// written there.
func (b *builder) different(house int) {
	if !b.byPairs || b.Coding.Repeat || house < b.Rules.Size() { // rows have no cells in common
		b.atMostOne(b, b.lits)
		return
	}
	for i, l := range b.lits {
		for j := i + 1; j < len(b.lits); j++ {
			if b.Rules.meet(b.at[i], b.at[j]) >= house {
				b.clause(l.Not(), b.lits[j].Not())
			}
		}
	}
}

// meet returns the first house that two cells share, or the number of houses if
// there is none.
func (r *Rules) meet(a, b int) int {
	for _, h := range r.of[a] {
		for _, k := range r.of[b] {
			if h == k {
				return h
			}
		}
	}
	return len(r.houses)
}

// twin reports whether a house before this one has the same cells, as the boxes
// of a grid of prime size are its rows.
func (r *Rules) twin(house int) bool {
	cells := r.houses[house].Cells
	for _, h := range r.of[cells[0]] {
		if h == house {
			break
		}
		if r.within(cells, h) {
			return true
		}
	}
	return false
}

// within reports whether all cells are in a house.
func (r *Rules) within(cells []int, house int) bool {
	for _, cell := range cells {
		if !slices.Contains(r.of[cell], house) {
			return false
		}
	}
	return true
}

// inHouse reports whether all cells are in one house.
func (r *Rules) inHouse(cells []int) bool {
	for _, h := range r.of[cells[0]] {
		if r.within(cells, h) {
			return true
		}
	}
	return false
}

// room returns an error if pairs of candidates would make too many clauses. It
// counts those of rows, and as many for the columns.
func (b *builder) room() error {
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
		return fmt.Errorf("more than %d clauses by pairs; take another at-most-one encoding, as product", maxClauses)
	}
	return nil
}
