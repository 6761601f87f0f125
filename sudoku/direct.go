package sudoku

// The direct encodings have one variable per candidate and no other variables.
//
// The minimal encoding says that each cell has a digit and that no house has a
// digit twice. This suffices, because a house has as many cells as there are
// digits. The efficient encoding (Weber, "A SAT-based Sudoku solver", 2005)
// adds that no cell has two digits. The extended encoding (Lynce and Ouaknine,
// "Sudoku as a SAT problem", 2006) adds that each house has every digit. These
// clauses are redundant, but with them unit propagation finds hidden singles,
// and a search is ten times shorter or more.
//
// At size 9 the encodings have 7371, 10287 and 10530 clauses. The literature
// counts 1458 more, because it counts a pair of cells that share a box and a
// line twice.

// minimal writes that each cell has a digit and that the cells of a house
// differ.
func (b *builder) minimal() {
	b.notes.begin(cellHasDigit)
	for cell := range b.Rules.Cells() {
		if b.stopped() {
			return
		}
		b.gatherCell(cell)
		b.writeAtLeastOne()
	}
	for h, house := range b.Rules.houses {
		if b.stopped() {
			return
		}
		if !b.Coding.Repeat && b.Rules.isDuplicateHouse(h) {
			continue
		}
		b.notes.beginHouse(houseDiffers, &house)
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			b.gatherDigit(house.Cells, digit)
			b.writeDifferent(h)
		}
	}
	b.otherRules()
}

// efficient adds to minimal that no cell has two digits.
func (b *builder) efficient() {
	b.minimal()
	b.atMostOneDigit()
}

// extended adds to efficient that each house has every digit.
func (b *builder) extended() {
	b.efficient()
	for h, house := range b.Rules.houses {
		if b.stopped() {
			return
		}
		if b.Rules.isDuplicateHouse(h) {
			continue
		}
		b.notes.beginHouse(houseHasDigits, &house)
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			b.gatherDigit(house.Cells, digit)
			b.writePlace(h, digit)
		}
	}
}

// atMostOneDigit writes that no cell has two digits.
func (b *builder) atMostOneDigit() {
	b.notes.begin(cellHasOne)
	for cell := range b.Rules.Cells() {
		if b.stopped() {
			return
		}
		b.gatherCell(cell)
		b.atMostOne(b, b.group)
	}
}

// otherRules writes the constraints that are not houses: pairs of cells that differ, cages and
// relations.
func (b *builder) otherRules() {
	b.writeMoves()
	for i := range b.Rules.variant.Cages {
		if b.stopped() {
			return
		}
		b.writeCage(&b.Rules.variant.Cages[i])
	}
	for _, d := range b.Rules.diagrams {
		if b.stopped() {
			return
		}
		b.writeRelation(d)
	}
}

// writeMoves writes that peers in no common house and no common cage differ.
func (b *builder) writeMoves() {
	b.notes.begin(movesDiffer)
	for cell, other := range b.Rules.apart() {
		if b.stopped() {
			return
		}
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			l, k := b.lit[b.Rules.Candidate(cell, digit)], b.lit[b.Rules.Candidate(other, digit)]
			if l != noLit && k != noLit {
				b.clause(l.Not(), k.Not())
			}
		}
	}
}
