package sudoku

import "sator/dimacs"

// A box and a line that meet have some cells in common: three at size 9, a
// triad. The encoding triad has a variable for each of these and each digit,
// which says that the digit is in one of the cells. A line has each digit in
// exactly one of its triads, and so has a box in exactly one of those along the
// rows, and of those along the columns; within a triad at most one cell has it.
//
// With that no clause is needed about cells of a house that are far apart, and
// locked candidates, a digit of a box that has to be in one line, are found by
// unit propagation. Dillon ("Tdoku", 2019) calls this encoding augmented, and
// explains its strength by what resolution can do with the new variables.
//
// It is the same for boxes and for regions of any shape; where the two have one
// cell in common, that needs no variable. Other houses are written as in the
// extended encoding, and so is all of a grid without boxes.

// triad writes the rules by the digits of triads.
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
		b.cell(cell)
		b.exactlyOne(b.lits)
	}
	for _, first := range []int{0, r.Size()} { // of the rows, of the columns
		var lines [][][]int
		for line := range r.Size() {
			lines = append(lines, r.split(first+line))
		}
		for digit := 1; digit <= r.Size(); digit++ {
			b.triads(digit, first, lines)
		}
	}
	b.others()
	b.beyond()
}

// isBlock reports whether a house is a box or a region, but not a row too.
func (r *Rules) isBlock(house int) bool {
	kind := r.houses[house].Kind
	return (kind == "box" || kind == "region") && !r.twin(house)
}

// others writes the houses that are neither lines nor blocks.
func (b *builder) others() {
	for h := 2 * b.Rules.Size(); h < len(b.Rules.houses); h++ {
		if b.Rules.isBlock(h) || b.Rules.twin(h) {
			continue
		}
		for digit := 1; digit <= b.Rules.Size(); digit++ {
			b.digit(b.Rules.houses[h].Cells, digit)
			b.one()
			b.different(h)
		}
	}
}

// triads writes that a digit is once in each of the lines from a house on, rows
// or columns, and in each block, by the triads of these lines.
func (b *builder) triads(digit, first int, lines [][][]int) {
	r := b.Rules
	parts := make([][]dimacs.Lit, len(r.houses)) // by house, its triads
	for i, line := range lines {
		for _, cells := range line {
			b.digit(cells, digit)
			b.atMostOne(b, b.lits)
			l := b.either()
			for _, h := range r.of[cells[0]] {
				if h == first+i || r.isBlock(h) {
					parts[h] = append(parts[h], l)
				}
			}
		}
	}
	for _, lits := range parts {
		if len(lits) > 0 {
			b.exactlyOne(lits)
		}
	}
}

// split divides the cells of a line by the blocks they are in. A line that is a
// block by itself, or cells that are in none, make one part.
func (r *Rules) split(line int) [][]int {
	var parts [][]int
	at := make(map[int]int) // by block, its part
	for _, cell := range r.houses[line].Cells {
		block := -1
		for _, h := range r.of[cell] {
			if r.isBlock(h) {
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

// exactlyOne writes that one of the literals is true.
func (b *builder) exactlyOne(lits []dimacs.Lit) {
	b.clause(lits...)
	b.atMostOne(b, lits)
}
