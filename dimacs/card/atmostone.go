package card

import "sator/dimacs"

// Encodings of at most one. All of them are pairwise for up to fewLits literals, and
// define new variables by the literals that imply them; with Define, a new variable
// also implies that one of these literals is true.

const (
	fewLits   = 5 // the largest number of literals for which the pairwise encoding has the fewest clauses
	commanded = 3 // literals per commander; the best size according to the paper
	paired    = 2 // literals per group of bimander
)

// define writes, with Define, that the new literal l is false unless one of the literals
// is true.
func (e *Encoder) define(l dimacs.Lit, lits []dimacs.Lit) {
	if e.Define {
		e.add(append([]dimacs.Lit{l.Not()}, lits...)...)
	}
}

// commander divides the literals into groups of three. Each literal implies the
// commander variable of its group, and at most one commander is true.
func (e *Encoder) commander(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		e.pairs(lits, 0, 1)
		return
	}
	var commanders []dimacs.Lit
	for len(lits) > 0 {
		squad := lits[:min(commanded, len(lits))]
		lits = lits[len(squad):]
		if len(squad) == 1 { // a single literal is its own commander
			commanders = append(commanders, squad[0])
			continue
		}
		c := e.newLit()
		e.pairs(squad, 0, 1)
		for _, l := range squad {
			e.add(l.Not(), c)
		}
		e.define(c, squad)
		commanders = append(commanders, c)
	}
	e.commander(commanders)
}

// bimander numbers groups of two literals in binary. A literal implies the bits of the
// number of its group, and thus excludes the literals of all other groups.
func (e *Encoder) bimander(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		e.pairs(lits, 0, 1)
		return
	}
	var bits []dimacs.Lit
	for n := 1; n*paired < len(lits); n *= 2 {
		bits = append(bits, e.newLit())
	}
	ones := make([][]dimacs.Lit, len(bits)) // the literals that imply each bit
	for i := 0; i < len(lits); i += paired {
		group := lits[i:min(i+paired, len(lits))]
		e.pairs(group, 0, 1)
		for k, bit := range bits {
			if i/paired>>k&1 == 0 {
				bit = bit.Not()
			} else {
				ones[k] = append(ones[k], group...)
			}
			for _, l := range group {
				e.add(l.Not(), bit)
			}
		}
	}
	for k, bit := range bits {
		e.define(bit, ones[k])
	}
}

// product arranges the literals in a grid. A literal implies the variables of its row
// and its column; at most one row and one column variable are true.
func (e *Encoder) product(lits []dimacs.Lit) {
	if len(lits) <= fewLits {
		e.pairs(lits, 0, 1)
		return
	}
	width := 1
	for width*width < len(lits) {
		width++
	}
	rows := e.newLits((len(lits) + width - 1) / width)
	columns := e.newLits(width)
	inRow := make([][]dimacs.Lit, len(rows))
	inColumn := make([][]dimacs.Lit, len(columns))
	for i, l := range lits {
		row, column := i/width, i%width
		e.add(l.Not(), rows[row])
		e.add(l.Not(), columns[column])
		inRow[row] = append(inRow[row], l)
		inColumn[column] = append(inColumn[column], l)
	}
	for i, row := range rows {
		e.define(row, inRow[i])
	}
	for i, column := range columns {
		e.define(column, inColumn[i])
	}
	e.product(rows)
	e.product(columns)
}
