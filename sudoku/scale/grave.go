package scale

import "math/bits"

// Bivalue universal graves (BUG). If all open cells had two digits left, and all digits two places in
// their houses, the puzzle would have two solutions, or it has no solution. So one of the further candidates is true.

// A grave has the cells with further candidates.
type grave struct {
	b      *board
	cells  []int
	extra  [81]uint16 // by cell: its further digits
	all    uint16     // all of these
	common []int      // the cells that see all of cells, in the order of houses of the first
}

// universalGraves finds the types of steps: one cell, one digit in several cells, a digit locked in two
// cells, and naked sets with the further digits.
func universalGraves(b *board, yield func(*step) bool) {
	g := grave{b: b}
	if !g.collect() || !g.holds() {
		return
	}
	switch two := len(g.cells) == 2; {
	case len(g.cells) == 1:
		s := b.begin(graveName, 5.6)
		s.off = addDigits(s.off, g.cells[0], b.digits[g.cells[0]]&^g.extra[g.cells[0]])
		yield(s)
	case count(g.all) == 1:
		if g.single(yield) && two {
			g.locked(yield)
		}
	case len(g.common) > 0:
		if !two || g.locked(yield) {
			g.naked(yield)
		}
	}
}

const graveName = "bivalue universal grave"

// collect finds the further candidates: a digit with one or more than two places in a house has one
// too many in the only cell of more than two digits among them. It reports whether there can be a step.
func (g *grave) collect() bool {
	for house := range 27 {
		for digit, spots := range g.b.spots[house] {
			if n := count(spots); n == 0 || n == 2 {
				continue
			}
			large, found := -1, 0
			for ; spots != 0; spots &= spots - 1 {
				if cell := houses[house][bits.TrailingZeros16(spots)]; count(g.b.digits[cell]) > 2 {
					large = cell
					found++
				}
			}
			if found == 0 || found == 1 && !g.add(large, digit) {
				return false
			}
		}
	}
	return true
}

// add adds a further candidate. It returns false if no step can follow.
func (g *grave) add(cell, digit int) bool {
	first := len(g.cells) == 0
	if g.extra[cell] == 0 {
		g.cells = append(g.cells, cell)
	}
	g.extra[cell] |= 1 << digit
	g.all |= 1 << digit
	if first {
		for _, p := range &peers[cell] {
			g.common = append(g.common, p.cell)
		}
		return true
	}
	left := g.common[:0]
	for _, other := range g.common {
		if seen[cell].has(other) && g.extra[other] == 0 {
			left = append(left, other)
		}
	}
	g.common = left
	return len(g.cells) == 1 || count(g.all) == 1 || len(left) > 0
}

// holds reports whether there is a grave without the further candidates.
func (g *grave) holds() bool {
	p := g.b.position
	for _, cell := range g.cells {
		for rest := g.extra[cell]; rest != 0; rest &= rest - 1 {
			p.remove(candidate(9*cell + bits.TrailingZeros16(rest)))
		}
	}
	for cell, open := range p.open {
		if open && count(p.digits[cell]) != 2 {
			return false
		}
	}
	for house := range 27 {
		for _, spots := range p.spots[house] {
			if n := count(spots); n != 0 && n != 2 {
				return false
			}
		}
	}
	return true
}

// single removes the only further digit from the cells that see all of them.
func (g *grave) single(yield func(*step) bool) bool {
	s := g.b.begin(graveName, 5.7)
	for _, cell := range g.common {
		s.off = addDigits(s.off, cell, g.b.digits[cell]&g.all)
	}
	return len(s.off) == 0 || yield(s)
}

// locked finds a digit that both cells have, in a house of both, beside their further ones: they lose the
// rest.
func (g *grave) locked(yield func(*step) bool) bool {
	a, b := g.cells[0], g.cells[1]
	shared := g.b.digits[a] & g.b.digits[b] &^ g.all
	if count(shared) != 1 {
		return true
	}
	for kind, house := range houseOf[a] {
		if houseOf[b][kind] != house {
			continue
		}
		s := g.b.begin(graveName, 5.7)
		for _, cell := range g.cells {
			s.off = addDigits(s.off, cell, g.b.digits[cell]&^(g.extra[cell]|shared))
		}
		if len(s.off) > 0 && !yield(s) {
			return false
		}
	}
	return true
}

// naked finds cells that form a naked set with the further digits, in a house of all cells.
func (g *grave) naked(yield func(*step) bool) {
	for kind := range 3 {
		house := houseOf[g.cells[0]][kind]
		same := true
		for _, cell := range g.cells {
			same = same && houseOf[cell][kind] == house
		}
		if !same {
			continue
		}
		var cells []int
		for _, cell := range g.common {
			if houseOf[cell][kind] == house {
				cells = append(cells, cell)
			}
		}
		for size := 2; size <= 6 && size <= len(cells); size++ {
			for _, chosen := range subsets[size-1] {
				if chosen>>len(cells) == 0 && !g.nakedSet(cells, chosen, size, yield) {
					return
				}
			}
		}
	}
}

// nakedSet finds the step of the chosen ones among cells.
func (g *grave) nakedSet(cells []int, chosen uint16, size int, yield func(*step) bool) bool {
	var digits [9]uint16
	for i, cell := range cells {
		digits[i] = g.b.digits[cell]
	}
	set, ok := union(&digits, chosen)
	if !ok || count(set) != size || set&g.all != g.all || count(g.all) < 2 {
		return true
	}
	s := g.b.begin(graveName, 5.7+float64(float64(size-1)*0.1))
	for i, cell := range cells {
		if chosen>>i&1 == 0 {
			s.off = addDigits(s.off, cell, digits[i]&set)
		}
	}
	return len(s.off) == 0 || yield(s)
}
