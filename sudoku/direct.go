package sudoku

// The direct encodings have a variable for each candidate and none else.
//
// The minimal one says that each cell has a digit and that no house has a digit
// twice; the rest follows, since there are as many digits as cells in a house.
// The efficient one (Weber, "A SAT-based Sudoku solver", 2005) adds that no cell
// has two digits. The extended one (Lynce and Ouaknine, "Sudoku as a SAT
// problem", 2006) adds that each house has every digit, so that unit propagation
// finds hidden singles too: redundant clauses, with which a search is ten times
// shorter or more.
//
// At size 9 these are 7371, 10287 and 10530 clauses. With the pairs that a box
// and a line share written twice, as the literature counts, there are 1458 more.

// minimal writes that cells have digits and that digits in houses differ.
func (b *builder) minimal() {
	for cell := range b.Rules.Cells() {
		b.cell(cell)
		b.one()
	}
	for h, house := range b.Rules.houses {
		if !b.Coding.Repeat && b.Rules.twin(h) {
			continue
		}
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			b.digit(house.Cells, digit)
			b.different(h)
		}
	}
	b.beyond()
}

// efficient adds that no cell has two digits.
func (b *builder) efficient() {
	b.minimal()
	b.single()
}

// extended adds that every house has all digits.
func (b *builder) extended() {
	b.efficient()
	for h, house := range b.Rules.houses {
		if b.Rules.twin(h) {
			continue
		}
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			b.digit(house.Cells, digit)
			b.one()
		}
	}
}

// single writes that no cell has two digits.
func (b *builder) single() {
	for cell := range b.Rules.Cells() {
		b.cell(cell)
		b.atMostOne(b, b.lits)
	}
}

// beyond writes the rules that are not about houses: cells a knight's move
// apart, and cages.
func (b *builder) beyond() {
	if b.Rules.variant.AntiKnight {
		b.knights()
	}
	for i := range b.Rules.variant.Cages {
		b.cage(&b.Rules.variant.Cages[i])
	}
}

// knights writes that cells a knight's move apart differ, unless a house or a
// cage that they share says so.
func (b *builder) knights() {
	r, n := b.Rules, b.Rules.Size()
	for cell := range r.Cells() {
		for _, other := range r.knights(cell) {
			shared := r.meet(cell, other) < len(r.houses) || r.CageOf(cell) >= 0 && r.CageOf(cell) == r.CageOf(other)
			if other < cell || shared && !b.Coding.Repeat {
				continue
			}
			for digit := 1; digit <= n; digit++ {
				l, k := b.lit[r.Candidate(cell, digit)], b.lit[r.Candidate(other, digit)]
				if l != noLit && k != noLit {
					b.clause(l.Not(), k.Not())
				}
			}
		}
	}
}
