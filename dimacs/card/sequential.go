package card

import "sator/dimacs"

// Sequential counter (Sinz, "Towards an optimal CNF encoding of Boolean cardinality
// constraints", CP 2005). Row i of the counter is the number of true literals among the
// first i, in unary, up to the bound. A literal is false if the number before it is the
// upper bound, so that no row counts beyond it.

// sequential writes a sequential counter. The up clauses make a row at least the number
// of its literals, for the upper bound; the down clauses make it at most that, for the
// lower bound. At most one of few literals is pairwise, with fewer clauses.
func (e *Encoder) sequential(lits []dimacs.Lit, low, high int) {
	n := len(lits)
	if n <= fewLits && low == 0 && high == 1 {
		e.pairs(lits, low, high)
		return
	}
	up, down := high < n || e.Define, low > 0 || e.Define
	width := high
	if high == n {
		width = low
	}
	var row []dimacs.Lit // the number among the literals before l
	for i, l := range lits[:n-1] {
		if i >= high {
			e.add(l.Not(), at(row, high).Not())
		}
		next := e.newLits(min(i+1, width))
		if up {
			e.countUp(row, l, next)
		}
		if down {
			e.countDown(row, l, next)
		}
		row = next
	}
	last := lits[n-1]
	if high < n {
		e.add(last.Not(), at(row, high).Not())
	}
	if low > 0 {
		e.add(last, at(row, low))
		e.add(at(row, low-1), at(row, low))
	}
}

// countUp writes that next is at least the number of row plus one if l is true.
func (e *Encoder) countUp(row []dimacs.Lit, l dimacs.Lit, next []dimacs.Lit) {
	for j := 1; j <= len(next); j++ {
		e.add(l.Not(), at(row, j-1).Not(), next[j-1])
		if j <= len(row) {
			e.add(row[j-1].Not(), next[j-1])
		}
	}
}

// countDown writes that next is at most the number of row plus one if l is true.
func (e *Encoder) countDown(row []dimacs.Lit, l dimacs.Lit, next []dimacs.Lit) {
	for j := 1; j <= len(next); j++ {
		e.add(next[j-1].Not(), at(row, j), l)
		e.add(next[j-1].Not(), at(row, j), at(row, j-1))
	}
}
