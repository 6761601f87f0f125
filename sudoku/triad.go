package sudoku

import "sator/dimacs"

// The triad encoding (augmented encoding in Dillon, "Tdoku", 2019). The
// intersection of a box and a line is a triad: three cells at size 9. The
// encoding has a variable for each digit in each triad, which is true if the
// digit is in one of its cells. Each line has each digit in exactly one of its
// triads. Each box has it in exactly one of its triads along the rows, and in
// exactly one along the columns. Within a triad at most one cell has the digit.
//
// The encoding needs no clauses for cells of a house in different triads, and
// unit propagation finds locked candidates. Dillon explains its strength by the
// resolution steps that the new variables allow.
//
// Regions of any shape are treated like boxes. An intersection of one cell
// needs no new variable. Other houses are written as in the extended encoding,
// and so are all houses of a grid without boxes.

// triad writes the rules with variables for triads.
func (b *builder) triad() {
	r := b.Rules
	blocks := 0
	for h := range r.houses {
		if r.isBlock(h) {
			blocks++
		}
	}
	if blocks == 0 {
		b.extended()
		return
	}
	for cell := range r.Cells() {
		if b.stopped() {
			return
		}
		b.gatherCell(cell)
		b.notes.begin(cellHasDigit)
		b.clause(b.group...)
		b.notes.begin(cellHasOne)
		b.atMostOne(b, b.group)
	}
	for _, first := range []int{0, r.Rows()} { // the first row and the first column
		var lines [][][]int
		for line := range r.Rows() {
			lines = append(lines, r.segments(first+line))
		}
		for digit := 1; digit <= r.Size(); digit++ {
			if b.stopped() {
				return
			}
			b.writeTriads(digit, first, lines)
		}
	}
	b.otherHouses()
	b.otherRules()
}

// isBlock reports whether a house is a box or a region that differs from all
// rows and columns.
func (r *Rules) isBlock(house int) bool {
	kind := r.houses[house].Kind
	return (kind == "box" || kind == "region") && !r.isDuplicateHouse(house)
}

// otherHouses writes the houses that are neither rows or columns nor blocks.
func (b *builder) otherHouses() {
	for h := 2 * b.Rules.Rows(); h < len(b.Rules.houses); h++ {
		if b.stopped() {
			return
		}
		if b.Rules.isBlock(h) || b.Rules.isDuplicateHouse(h) {
			continue
		}
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			b.gatherDigit(b.Rules.houses[h].Cells, digit)
			b.notes.beginHouse(houseHasDigits, &b.Rules.houses[h])
			b.writeAtLeastOne()
			b.notes.beginHouse(houseDiffers, &b.Rules.houses[h])
			b.writeDifferent(h)
		}
	}
}

// writeTriads writes that a digit is once in each line and once in each block,
// with the triads of these lines. The lines are the rows or the columns; first
// is the house of the first one.
func (b *builder) writeTriads(digit, first int, lines [][][]int) {
	r := b.Rules
	parts := make([][]dimacs.Lit, len(r.houses)) // by house: the literals of its triads
	for i, line := range lines {
		for _, cells := range line {
			b.gatherDigit(cells, digit)
			b.notes.begin(triadHasOne)
			b.atMostOne(b, b.group)
			b.notes.begin(triadHasDigit)
			l := b.equivalentToOr()
			for _, h := range r.housesOf[cells[0]] {
				if h == first+i || r.isBlock(h) && r.houses[h].Grid == r.houses[first+i].Grid {
					parts[h] = append(parts[h], l)
				}
			}
		}
	}
	for h, lits := range parts {
		// Of a block, cells that are alone in their intersections with the rows
		// and with the columns are in the constraint of the rows already.
		again := first > 0 && r.isBlock(h)
		if len(lits) == 0 || again && len(lits) == r.Size() {
			continue
		}
		b.notes.beginHouse(triadsHave, &r.houses[h])
		b.clause(lits...)
		b.notes.beginHouse(triadsDiffer, &r.houses[h])
		if again {
			b.differ(lits, h+1)
		} else {
			b.differ(lits, h)
		}
	}
}

// segments divides the cells of a line into its intersections with blocks.
// Cells in no block form one segment.
func (r *Rules) segments(line int) [][]int {
	var parts [][]int
	at := make(map[int]int) // by block: its index in parts
	for _, cell := range r.houses[line].Cells {
		block := -1
		for _, h := range r.housesOf[cell] {
			if r.isBlock(h) && (block < 0 || r.houses[h].Grid == r.houses[line].Grid) {
				block = h
			}
		}
		i, known := at[block]
		if !known {
			i = len(parts)
			at[block] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], cell)
	}
	return parts
}
